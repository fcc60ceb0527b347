/* SPDX-License-Identifier: BSD-3-Clause
 * Hands what was recorded to libhpm_mpi. */
#include "session/handover.h"

static hpm_handover_take *taker;

void
hpm_private_hand_over_to(hpm_handover_take *take)
{
    taker = take;
}

hpm_handover_take *
hpm_handover_taker(void)
{
    return taker;
}
