/* SPDX-License-Identifier: BSD-3-Clause
 * Sections that last until the program ends. */
#include "record/lasting.h"

#include "record/recorder.h"

static int lasting;
static bool has_lasting;

void
hpm_lasting_let(int instance)
{
    lasting = instance;
    has_lasting = true;
}

bool
hpm_lasting_is(int instance)
{
    return has_lasting && instance == lasting;
}

static bool
is_in_lasting(const struct hpm_thread *thread)
{
    const struct hpm_frame *top = thread->tree->top;

    return top > thread->tree->frames && hpm_lasting_is(top->instance);
}

void
hpm_lasting_end(struct hpm_recorder *recorder, const struct hpm_thread *self)
{
    if (!has_lasting)
        return;
    for (struct hpm_thread *thread = recorder->threads.list; thread != NULL;
         thread = thread->next) {
        if (thread != self && !thread->is_abandoned && !thread->has_ended &&
            !atomic_load(&thread->is_busy) && is_in_lasting(thread))
            hpm_thread_end_run(thread, true);
    }
}
