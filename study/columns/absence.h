/* SPDX-License-Identifier: BSD-3-Clause
 * What a study says about a section of which it has no record.  Where a thread
 * was measured to its end and did not enter the section, all counts of the
 * section are 0.  Where the thread is not in the study, its file is cut, or the
 * section was not to be measured (HPM_ONLY, HPM_EXCEPT, HPM_SKIP), the counts
 * are not known.
 */
#ifndef HPM_STUDY_COLUMNS_ABSENCE_H
#define HPM_STUDY_COLUMNS_ABSENCE_H

#include "study/columns/study.h"

/* How many runs of one study counted a column at a place. */
struct hpm_absence {
    const struct hpm_study *study;
    bool is_of_whole_runs; /* hpmcount measured them: no sections */
    uint32_t *runs;        /* by place and column; last: runs that counted any
                            * column */
    unsigned char *states; /* of the values, likewise: the worst state */
};

/* The record that the study does not have. */
struct hpm_absence_record {
    uint32_t task; /* of the study, HPM_NO_INDEX for none */
    int tid;
    bool is_outside; /* what is outside all sections */
    /* The section as any study has it.  NULL where this study has the record
     * and lacks only the column. */
    const struct hpm_study_section *section;
    const struct hpm_column *column; /* its name as any study has it */
    uint32_t index;                  /* of the column in this study, or
                                      * HPM_NO_INDEX */
};

enum hpm_absence_doubt {
    HPM_ABSENCE_SURE,
    HPM_ABSENCE_NOT_COUNTED, /* in all runs that measured the thread */
    HPM_ABSENCE_NOT_WHOLE,   /* the run may have entered the section */
    HPM_ABSENCE_LEFT_OUT,    /* HPM_ONLY, HPM_EXCEPT or HPM_SKIP left it out */
};

struct hpm_absence_answer {
    uint64_t n_there;   /* runs of the study that measured the thread */
    uint64_t n_counted; /* of these, runs that counted the column there */
    uint64_t n_zero;    /* of these, runs whose value is known to be 0 */
    enum hpm_absence_doubt doubt; /* why n_there and n_zero differ */
    enum hpm_state state;         /* the worst of the counted values */
};

/* Look through a study; memory comes from the arena.  False without memory. */
bool hpm_absence_begin(struct hpm_absence *absence,
                       const struct hpm_study *study, struct hpm_arena *arena);

struct hpm_absence_answer
hpm_absence_ask(const struct hpm_absence *absence,
                const struct hpm_absence_record *record);

/* Is this a whole program, as hpmcount counts it?  A study of sections tells
 * nothing about such a record, and a study of whole programs nothing about
 * sections. */
bool hpm_absence_is_whole_run(const struct hpm_study_section *section);

/* Is this a count that a record has only where the count is not 0 (see
 * hpmWork)? */
bool hpm_absence_is_work(const struct hpm_column *column);

#endif
