/* SPDX-License-Identifier: BSD-3-Clause
 * How a value came about. */
#include "base/state.h"

const char *
hpm_state_name(enum hpm_state state)
{
    static const char *const names[] = {
        "counted", "shared",      "inferred",    "recorded", "lost",
        "brief",   "unscheduled", "unsupported", "undefined"};

    return names[state];
}

bool
hpm_state_has_value(enum hpm_state state)
{
    return state < HPM_STATE_LOST;
}
