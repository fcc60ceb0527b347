/* SPDX-License-Identifier: BSD-3-Clause
 * How a value came about. */
#ifndef HPM_BASE_STATE_H
#define HPM_BASE_STATE_H

#include <stdbool.h>

/* From best to worst: a value combined from several has the worst of their
 * states.  From HPM_STATE_LOST on there is no value, only a reason. */
enum hpm_state {
    HPM_STATE_COUNTED,     /* counted all the time */
    HPM_STATE_SHARED,      /* counted part of the time and scaled up */
    HPM_STATE_INFERRED,    /* derived from other counts */
    HPM_STATE_RECORDED,    /* copied from elsewhere, cannot be recomputed */
    HPM_STATE_LOST,        /* counted, but taken away before the last read */
    HPM_STATE_BRIEF,       /* on the hardware too few times for an estimate */
    HPM_STATE_UNSCHEDULED, /* accepted, but never on the hardware */
    HPM_STATE_UNSUPPORTED, /* cannot be counted here */
    HPM_STATE_UNDEFINED,   /* counted, but a formula has no result: x / 0 */
};

/* The word used in files and reports: "counted", "shared" ... */
const char *hpm_state_name(enum hpm_state state);

/* Is there a value? */
bool hpm_state_has_value(enum hpm_state state);

#endif
