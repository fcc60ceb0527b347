/* SPDX-License-Identifier: BSD-3-Clause
 * Actions of the measured program that could not be measured correctly:
 * reported once for each cause and place, and counted. */
#ifndef HPM_RECORD_PROBLEMS_H
#define HPM_RECORD_PROBLEMS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/experiment.h"

enum hpm_problem_kind {
    HPM_PROBLEM_STOP_WITHOUT_START,
    HPM_PROBLEM_NEVER_STOPPED,
    HPM_PROBLEM_OUTER_STOPPED,
    HPM_PROBLEM_OTHER_SECTION,
    HPM_PROBLEM_OPEN_ELSEWHERE,
    HPM_PROBLEM_PARENT_NOT_OPEN,
    HPM_PROBLEM_WORK_NOT_OPEN,
    HPM_PROBLEM_NEGATIVE_WORK,
    HPM_PROBLEM_TOO_DEEP,
    HPM_PROBLEM_TOO_MANY_SECTIONS,
    HPM_PROBLEM_NO_MEMORY,
    HPM_PROBLEM_FEW_CALLS,
    HPM_PROBLEM_CALL_INSIDE_CALL,
    HPM_PROBLEM_THREAD_RUNNING,
    HPM_PROBLEM_THREAD_ENDS_INSIDE,
    HPM_PROBLEM_THREAD_CANCELLED,
    HPM_PROBLEM_THREADS_UNKNOWN,
    HPM_PROBLEM_THREADS_MISSED,
    HPM_PROBLEM_NOT_SAMPLED,
    HPM_PROBLEM_NOT_CALIBRATED,
};

/* A section as the problem's sentence names it. */
struct hpm_place {
    int instance;
    const char *label; /* NULL or "" when not known */
    const char *file;
    int line;
    bool has_tid;
    int tid;            /* the thread in which it happened */
    const char *reason; /* in words, or NULL; two problems that differ only in
                         * the reason are one */
    /* the other call, with which this one is in conflict; NULL when not
     * known */
    const struct hpm_place *other;
};

/* One list per recording; any thread may add. */
struct hpm_problems;

/* `say` prints one line (without newline); any thread may call it.  Each
 * problem adds 1 to *counter, unless that is NULL. */
struct hpm_problems *hpm_problems_new(void (*say)(const char *line),
                                      int *counter);
void hpm_problems_free(struct hpm_problems *problems);

/* Is the list's lock free, within a second?  A thread that left a call by
 * longjmp keeps it for ever. */
bool hpm_problems_are_usable(struct hpm_problems *problems);

/* If this problem was noted before, count it once more and return true: the
 * caller need not find out the rest of the place. */
bool hpm_problems_repeat(struct hpm_problems *problems,
                         enum hpm_problem_kind kind,
                         const struct hpm_place *place);

/* Note that it happened at `place` (copied), `count` times.  Never fails: when
 * there are too many different problems the rest is counted together. */
void hpm_problems_add(struct hpm_problems *problems, enum hpm_problem_kind kind,
                      const struct hpm_place *place, unsigned long count)
    __attribute__((cold));

/* Was anything noted? */
bool hpm_problems_are_there(struct hpm_problems *problems);

/* Add the noted problems to the experiment; false when there is no memory. */
bool hpm_problems_harvest(struct hpm_problems *problems,
                          struct hpm_experiment *experiment);

#endif
