/* SPDX-License-Identifier: BSD-3-Clause
 * How a value came about. */
#include "base/state.h"
#include "base/mark.h"

const char *
hpm_state_name(enum hpm_state state)
{
    static const char *const names[] = {
        N_("counted"),     N_("shared"),      N_("inferred"),
        N_("recorded"),    N_("lost"),        N_("brief"),
        N_("unscheduled"), N_("unsupported"), N_("undefined")};

    return names[state];
}

bool
hpm_state_has_value(enum hpm_state state)
{
    return state < HPM_STATE_LOST;
}
