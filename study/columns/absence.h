/* SPDX-License-Identifier: BSD-3-Clause
 * What a study tells of a section that it has no record of: where a thread was
 * measured to its end and the section was not entered, all counts of it are 0;
 * where the thread is not in the study, its file is cut, or the section was not
 * to be measured (HPM_ONLY, HPM_EXCEPT, HPM_SKIP), nobody knows.
 */
#ifndef HPM_STUDY_COLUMNS_ABSENCE_H
#define HPM_STUDY_COLUMNS_ABSENCE_H

#include "study/columns/study.h"

/* Of one study, how many runs counted a column at a place. */
struct hpm_absence {
    const struct hpm_study *study;
    bool is_of_whole_runs; /* hpmcount's: it measured no sections */
    uint32_t *runs; /* by place and column; behind them those of any column */
    unsigned char *states; /* likewise, of the values: the worst */
};

/* The record that is not there. */
struct hpm_absence_record {
    uint32_t task; /* of the study, HPM_NO_INDEX for none */
    int tid;
    bool is_outside; /* no section, but what is outside all */
    /* As any study has it; NULL where this one has its record, and lacks the
     * column alone. */
    const struct hpm_study_section *section;
    const struct hpm_column *column; /* its name, as any study has it */
    uint32_t index;                  /* of the study's, HPM_NO_INDEX for none */
};

enum hpm_absence_doubt {
    HPM_ABSENCE_SURE,
    HPM_ABSENCE_NOT_COUNTED, /* in all runs that measured the thread */
    HPM_ABSENCE_NOT_WHOLE,   /* the section may have been entered */
    HPM_ABSENCE_LEFT_OUT,    /* it was not to be measured: HPM_ONLY, ... */
};

struct hpm_absence_answer {
    uint64_t n_there;   /* runs of the study that measured the thread */
    uint64_t n_counted; /* of these, runs that counted the column there */
    uint64_t n_zero;    /* of these, runs whose value is known to be 0 */
    enum hpm_absence_doubt doubt; /* why n_there and n_zero differ */
    enum hpm_state state;         /* how well they counted, at worst */
};

/* Look through a study; the memory is the arena's.  False without memory. */
bool hpm_absence_begin(struct hpm_absence *absence,
                       const struct hpm_study *study, struct hpm_arena *arena);

struct hpm_absence_answer
hpm_absence_ask(const struct hpm_absence *absence,
                const struct hpm_absence_record *record);

/* Is it the whole of a program, as hpmcount counts it?  A study of sections
 * tells nothing of such a record, nor the other way round. */
bool hpm_absence_is_whole_run(const struct hpm_study_section *section);

/* Is it a count that records have only where it is not 0 (see hpmWork)? */
bool hpm_absence_is_work(const struct hpm_column *column);

#endif
