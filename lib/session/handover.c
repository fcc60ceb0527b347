/* SPDX-License-Identifier: BSD-3-Clause
 * Hands what was recorded to libhpm_mpi. */
#include "session/handover.h"

#include "record/run.h"

static hpm_handover_take *taker;

void
hpm_private_hand_over_to(hpm_handover_take *take, const hpm_known_place *known)
{
    taker = take;
    hpm_run_look_for_place(known);
}

hpm_handover_take *
hpm_handover_taker(void)
{
    return taker;
}
