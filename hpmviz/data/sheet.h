/* SPDX-License-Identifier: BSD-3-Clause
 * The values of one section: a row for each task and thread that has it, a
 * column for each quantity that any of them has.
 */
#ifndef HPMVIZ_DATA_SHEET_H
#define HPMVIZ_DATA_SHEET_H

#include "hpmviz/data/hints.h"

struct hpmviz_value {
    double value, own;  /* as shown; own: without the sections inside */
    double base;        /* of two runs what it was in the first; NAN for none */
    const char *reason; /* why there is none, or NULL */
    const char *culprit;              /* of a metric, who that is about */
    float share, error;               /* of a time-shared count; NAN for none */
    float only_exclusive;             /* see struct hpm_figure */
    double run_dev, run_min, run_max; /* over the runs of a mean, as shown; NAN
                                       * where nobody knows */
    double excess[2]; /* per precision: see hpm_limits_excess; with a verdict */
    guint32 n_runs;   /* 0: it is no mean */
    guint32 n_missing;  /* records that lack what others have ... */
    guint32 n_records;  /* ... of so many */
    guint8 state;       /* enum hpm_state */
    guint8 cause;       /* enum hpm_cause */
    guint8 privilege;   /* enum hpm_privilege */
    guint8 verdicts[2]; /* enum hpm_verdict, per precision */
    guint8 doubt;       /* enum hpm_doubt */
    guint is_present : 1, is_partial : 1, is_run_bound : 1;
};

struct hpmviz_place {
    int task, tid;      /* tid -1: the whole process; below: threads beyond
                         * HPM_MAX_THREADS together */
    enum hpm_side only; /* of two runs: the thread is in this one alone */
    size_t n_threads;   /* that the row is of: 1 but of several together */
};

/* Texts are the survey's. */
struct hpmviz_sheet {
    struct hpm_survey *survey;
    size_t subject;
    struct hpmviz_place *places;
    guint n_rows;
    size_t *quantities; /* per column */
    guint n_columns;
    struct hpmviz_value *values; /* row by row */

    guint capacity;
    size_t next;                      /* row of the subject to go on from */
    size_t at;                        /* row of the subject last added */
    struct hpmviz_rankings *rankings; /* what the rows crossed */
};

/* A figure as a sheet has it. */
struct hpmviz_value hpmviz_value_of(const struct hpm_quantity *quantity,
                                    const struct hpm_figure *figure);

/* Which of two runs alone has what has these flags, HPM_ROW_SIDE_... */
enum hpm_side hpmviz_side_of(unsigned flags);

/* A sheet with its columns, and without rows yet.  The survey must outlive
 * it, but for hpmviz_sheet_free. */
struct hpmviz_sheet *hpmviz_sheet_new(struct hpm_survey *survey,
                                      size_t subject);
void hpmviz_sheet_free(struct hpmviz_sheet *sheet);

/* Add so many rows or some more; G_MAXUINT: all.  FALSE when there are no more
 * to come. */
gboolean hpmviz_sheet_fill(struct hpmviz_sheet *sheet, guint n);

const struct hpmviz_value *hpmviz_sheet_value(const struct hpmviz_sheet *sheet,
                                              guint row, guint column);
const struct hpm_quantity *
hpmviz_sheet_quantity(const struct hpmviz_sheet *sheet, guint column);

/* Is the row of a whole process?  Such rows are never taken together with those
 * of threads. */
gboolean hpmviz_sheet_is_process(const struct hpmviz_sheet *sheet, guint row);

/* Is it a column to show at first?  Raw counts are not where there are
 * metrics. */
gboolean hpmviz_sheet_is_wanted(const struct hpmviz_sheet *sheet, guint column);

#define HPMVIZ_NONE G_MAXUINT

/* The column of a quantity, or of that name; HPMVIZ_NONE when there is none. */
guint hpmviz_sheet_find_column(const struct hpmviz_sheet *sheet,
                               size_t quantity);
guint hpmviz_sheet_find_name(const struct hpmviz_sheet *sheet,
                             const char *name);

/* The row that has this value of a column without the sections inside, as a hint says
 * it; of several the one with most time of its own, which a hint names, too.
 * HPMVIZ_NONE when none has. */
guint hpmviz_sheet_find_own(const struct hpmviz_sheet *sheet, guint column,
                            double own);

/* What rows are put in order by. */
enum {
    HPMVIZ_KEY_TASK,
    HPMVIZ_KEY_THREAD,
    HPMVIZ_KEY_COLUMN /* the first column; the others follow */
};

/* Less than, equal to or greater than 0 as row a comes before b.  Whichever
 * way, processes come behind threads, and what has no value comes last of
 * either. */
int hpmviz_sheet_compare(const struct hpmviz_sheet *sheet, guint a, guint b,
                         guint key, gboolean is_rising);

#endif
