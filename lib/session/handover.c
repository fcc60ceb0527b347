/* SPDX-License-Identifier: BSD-3-Clause
 * Hands what was recorded to libhpm_mpi, and takes the sources that libraries
 * bring. */
#include "session/handover.h"

#include "host/memory.h"
#include "metric/language/definitions.h"
#include "record/lasting.h"
#include "record/noted.h"
#include "record/run.h"
#include "record/threads.h"
#include "source/clock.h"
#include "source/sources.h"

static hpm_handover_take *taker;
static const struct hpm_handover_listener *_Atomic listener;

hpm_handover_end *_Atomic hpm_handover_end_before;

static const struct hpm_loan loan = {
    &hpm_clock_is_tick,      hpm_clock_kernel_ns, hpm_memory_copy_text,
    hpm_memory_free,         hpm_meter_fail,      hpm_threads_ask,
    hpm_lasting_let,         &listener,           hpm_noted_add,
    &hpm_handover_end_before};

const struct hpm_loan *
hpm_private_hand_over_to(hpm_handover_take *take, const hpm_known_place *known,
                         const struct hpm_source *source)
{
    if (take != NULL)
        taker = take;
    if (known != NULL)
        hpm_run_look_for_place(known);
    if (source != NULL) {
        hpm_sources_bring(source);
        hpm_definitions_read_also(source->name);
    }
    return &loan;
}

hpm_handover_take *
hpm_handover_taker(void)
{
    return taker;
}
