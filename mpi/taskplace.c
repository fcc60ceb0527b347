/* SPDX-License-Identifier: BSD-3-Clause
 * Where this task stands in a grid and in a graph of tasks. */
#include "mpi/taskplace.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/message.h"
#include "base/string.h"
#include "host/lock.h"
#include "host/memory.h"

hpm_known_place hpm_taskplace;

enum { N_TEXTS = 3 };

static struct hpm_lock lock;

char *
hpm_taskplace_text(const int *numbers, int n)
{
    struct hpm_string string = {0};

    hpm_string_add(&string, "");
    for (int i = 0; i < n; i++)
        hpm_string_add_format(&string, i > 0 ? " %d" : "%d", numbers[i]);
    if (!string.failed)
        return string.text;
    hpm_string_free(&string);
    return NULL;
}

/* What is handed over stays valid for ever: so there is a new array each time, and no
 * text in it is freed. */
static bool
hand_over(size_t first, char *const texts[N_TEXTS], bool is_there)
{
    const char *const *before = atomic_load(&hpm_taskplace);
    const char **place = hpm_memory_new(HPM_N_PLACE, sizeof *place);

    if (place == NULL) {
        atomic_store(&hpm_taskplace, NULL);
        return false;
    }
    for (size_t i = 0; i < HPM_N_PLACE; i++) {
        if (i >= first && i < first + N_TEXTS)
            place[i] = is_there ? texts[i - first] : NULL;
        else
            place[i] = before != NULL ? before[i] : NULL;
    }
    atomic_store(&hpm_taskplace, place);
    return true;
}

static bool
is_larger(const struct hpm_taskplace_size *largest, int n_tasks, int n_details)
{
    return n_tasks > largest->n_tasks ||
           (n_tasks == largest->n_tasks && n_details > largest->n_details);
}

/* Compare and hand over in one: another thread may make a communicator at the same
 * time. */
void
hpm_taskplace_offer(struct hpm_taskplace_size *largest, int n_tasks,
                    int n_details, size_t first, char *const texts[N_TEXTS],
                    size_t n_vital)
{
    bool is_there = true, is_taken = false;

    for (size_t i = 0; i < n_vital; i++)
        is_there = is_there && texts[i] != NULL;
    hpm_lock_take(&lock);
    if (is_larger(largest, n_tasks, n_details)) {
        *largest = (struct hpm_taskplace_size){n_tasks, n_details};
        is_taken = is_there;
        is_there = hand_over(first, texts, is_there) && is_there;
        is_taken = is_taken && is_there;
    }
    hpm_lock_give(&lock);
    if (!is_there)
        hpm_message_say("out of memory; the place of this task in its grid or "
                        "graph of tasks will not be in the file");
    for (size_t i = 0; i < N_TEXTS && !is_taken; i++)
        hpm_memory_free(texts[i]);
}
