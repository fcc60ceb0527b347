/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of a quantity, for a section or for one thread, as CSV, JSON and
 * pages have them: one list, in their order. */
#ifndef HPM_STUDY_REPORT_ENTRYNUMBERS_H
#define HPM_STUDY_REPORT_ENTRYNUMBERS_H

#include "study/survey/survey.h"

enum hpm_entry_number {
    HPM_ENTRY_VALUE,
    HPM_ENTRY_EXCLUSIVE,
    HPM_ENTRY_MEAN,
    HPM_ENTRY_SDEV,
    HPM_ENTRY_SHARE,
    HPM_ENTRY_ERROR,
    HPM_ENTRY_RUNS,
    HPM_ENTRY_PART,
    HPM_ENTRY_BASE,
    HPM_ENTRY_THREADS,
    HPM_ENTRY_THREAD_MIN,
    HPM_ENTRY_THREAD_MIN_AT, /* a place of the study, as all ..._AT are */
    HPM_ENTRY_THREAD_MAX,
    HPM_ENTRY_THREAD_MAX_AT,
    HPM_ENTRY_THREAD_AVERAGE,
    HPM_ENTRY_THREAD_DEVIATION,
    HPM_ENTRY_THREAD_IMBALANCE,
    HPM_ENTRY_TASKS,
    HPM_ENTRY_TASK_MIN,
    HPM_ENTRY_TASK_MAX,
    HPM_ENTRY_TASK_AVERAGE,
    HPM_ENTRY_TASK_DEVIATION,
    HPM_ENTRY_TASK_IMBALANCE,
    HPM_ENTRY_JUDGED,
    HPM_ENTRY_BAD,
    HPM_ENTRY_RUN_DEV,
    HPM_ENTRY_RUN_MIN,
    HPM_ENTRY_RUN_MAX,
    HPM_ENTRY_ONLY_EXCLUSIVE,
    HPM_ENTRY_WORST, /* the value furthest beyond its limit, and its place */
    HPM_ENTRY_WORST_AT,
    HPM_ENTRY_WINDOWS,
    HPM_ENTRY_INTERVAL,
    HPM_ENTRY_UNCERTAINTY,
    HPM_N_ENTRY_NUMBERS
};

/* Their names in hpm report. */
extern const char *const hpm_entrynumbers_names[HPM_N_ENTRY_NUMBERS];

/* The numbers that a figure has, of a whole or of one thread; all others are
 * none. */
void hpm_entrynumbers_of_figure(struct hpm_number numbers[HPM_N_ENTRY_NUMBERS],
                                const struct hpm_quantity *quantity,
                                const struct hpm_figure *figure);

/* All numbers of an entry. */
void hpm_entrynumbers_of_entry(struct hpm_number numbers[HPM_N_ENTRY_NUMBERS],
                               const struct hpm_survey *survey,
                               const struct hpm_entry *entry);

#endif
