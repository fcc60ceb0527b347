/* SPDX-License-Identifier: BSD-3-Clause
 * Every HPM_* environment variable, in one table. */
#ifndef HPM_BASE_ENV_H
#define HPM_BASE_ENV_H

#include <stdbool.h>

#include "base/string.h"

/* In the order of the table in env.c, which hpm-environment(7) documents. */
enum hpm_variable {
    HPM_VARIABLE_AGGREGATE,
    HPM_VARIABLE_CALLS,
    HPM_VARIABLE_CHECKPOINT,
    HPM_VARIABLE_DEFS,
    HPM_VARIABLE_DISABLE,
    HPM_VARIABLE_DOMAIN,
    HPM_VARIABLE_EVENTS,
    HPM_VARIABLE_EVENT_SET,
    HPM_VARIABLE_EXCEPT,
    HPM_VARIABLE_FSYNC,
    HPM_VARIABLE_FUNCTIONS,
    HPM_VARIABLE_JOB,
    HPM_VARIABLE_JOB_MEMORY,
    HPM_VARIABLE_JOURNAL_FOLDER,
    HPM_VARIABLE_L2_LATENCY,
    HPM_VARIABLE_L3_LATENCY,
    HPM_VARIABLE_LIBRARY,
    HPM_VARIABLE_MACHINE,
    HPM_VARIABLE_MAX_THREADS,
    HPM_VARIABLE_MEM_LATENCY,
    HPM_VARIABLE_METRICS,
    HPM_VARIABLE_MODELS,
    HPM_VARIABLE_NESTING,
    HPM_VARIABLE_ONLY,
    HPM_VARIABLE_OUTPUT_NAME,
    HPM_VARIABLE_PROCESS,
    HPM_VARIABLE_REPLAY,
    HPM_VARIABLE_REPORT,
    HPM_VARIABLE_SAMPLE,
    HPM_VARIABLE_SET,
    HPM_VARIABLE_SHARE,
    HPM_VARIABLE_SHARE_EVENTS,
    HPM_VARIABLE_SKIP,
    HPM_VARIABLE_SOURCE,
    HPM_VARIABLE_TIMEOUT,
    HPM_VARIABLE_TLB_LATENCY,
    HPM_VARIABLE_WAITING,
    HPM_VARIABLE_WRITTEN,
    HPM_VARIABLE_WRONG_CODES,
    HPM_N_VARIABLES
};

/* The variable's name, "HPM_EVENTS". */
const char *hpm_env_name(enum hpm_variable variable);

/* The variable's value; NULL when the variable is not set, is empty, or the
 * program runs with raised privileges. */
const char *hpm_env_get(enum hpm_variable variable);

/* The variable's value as yes or no (1 0 yes no true false on off); `otherwise`
 * when the variable is not set or says something else. */
bool hpm_env_is_on(enum hpm_variable variable, bool otherwise);

/* Is the variable set to no, false or off? */
bool hpm_env_is_off(enum hpm_variable variable);

/* The variable's value as a whole number from `least` up; `otherwise` when the
 * variable is not set or holds something else. hpm_env_check reports a value
 * that is no number. */
unsigned long hpm_env_number(enum hpm_variable variable, unsigned long least,
                             unsigned long otherwise);

/* Add to `lines` one line (ended by a newline) for every HPM_* variable in the
 * environment that has no effect: a variable of IBM's toolkit, with what to use
 * instead; an unknown name, with the nearest known one; a value that is neither
 * yes nor no, or no number, where one is expected; HPM_REPLAY without
 * HPM_SOURCE=replay. */
void hpm_env_check(struct hpm_string *lines);

#endif
