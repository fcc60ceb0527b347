/* SPDX-License-Identifier: BSD-3-Clause
 * What the measured program did that could not be measured right: said once
 * per cause and place, counted ever after. */
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
    int tid;            /* the thread it happened in */
    const char *reason; /* in words, or NULL; not kept apart by it */
    /* the other call, which this one does not fit; NULL when not known */
    const struct hpm_place *other;
};

/* One list per recording; any thread may add. */
struct hpm_problems;

/* `say` prints one line (without newline); it may be called by any thread.
 * *counter, unless NULL, is raised by each problem. */
struct hpm_problems *hpm_problems_new(void (*say)(const char *line),
                                      int *counter);
void hpm_problems_free(struct hpm_problems *problems);

/* Is nobody in the middle of a call here for ever, as a thread is that has left
 * one by longjmp? */
bool hpm_problems_are_usable(struct hpm_problems *problems);

/* Once more what has been noted before?  Then it is counted, and that is all:
 * saves finding out what else the place says. */
bool hpm_problems_repeat(struct hpm_problems *problems,
                         enum hpm_problem_kind kind,
                         const struct hpm_place *place);

/* Note that it happened at `place` (copied), `count` times.  Never fails: when
 * there are too many different ones the rest is counted together. */
void hpm_problems_add(struct hpm_problems *problems, enum hpm_problem_kind kind,
                      const struct hpm_place *place, unsigned long count)
    __attribute__((cold));

/* Was anything noted? */
bool hpm_problems_are_there(struct hpm_problems *problems);

/* Move what was noted into the experiment; false when there is no memory. */
bool hpm_problems_harvest(struct hpm_problems *problems,
                          struct hpm_experiment *experiment);

#endif
