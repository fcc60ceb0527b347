/* SPDX-License-Identifier: BSD-3-Clause
 * All runs side by side, without widgets: a row for each section that any of them
 * has, a column for each run; and what becomes of a section from run to run.
 * Values are those that `hpm report` has of each run.
 */
#ifndef HPMVIZ_DATA_TREND_H
#define HPMVIZ_DATA_TREND_H

#include "hpmviz/data/session.h"

/* What a cell is. */
enum hpmviz_trend_kind {
    HPMVIZ_TREND_VALUE,
    HPMVIZ_TREND_SPEEDUP,    /* the reference's time / the run's time */
    HPMVIZ_TREND_EFFICIENCY, /* that, by how many times more threads it has */
    HPMVIZ_TREND_N_KINDS
};

struct hpmviz_trend_row {
    size_t *subjects; /* per run, of its survey; HPM_NO_SUBJECT: it has none */
    guint first;      /* the first run that has it */
};

struct hpmviz_trend {
    HpmvizRun **runs;
    struct hpm_survey **surveys; /* per run, of what is loaded now */
    double *n_threads;           /* per run; NAN: not known */
    guint n_runs, reference;     /* an index */
    struct hpmviz_trend_row *rows;
    guint n_rows;
};

/* Of the runs as they are now, and of sections or call paths as the view is.
 * What is loaded stays as long as the trend. */
struct hpmviz_trend *hpmviz_trend_new(const HpmvizSession *session);
void hpmviz_trend_free(struct hpmviz_trend *trend);

/* "value", "speed-up", "efficiency"; the first for any other name, or NULL. */
const char *hpmviz_trend_kind_name(enum hpmviz_trend_kind kind);
enum hpmviz_trend_kind hpmviz_trend_kind_find(const char *name);

/* Of a quantity by its name, as it is shown; NAN where there is none, which is
 * never 0, for the speed-up of what is no time, and for the efficiency where
 * the threads of either run are not known. */
double hpmviz_trend_number(const struct hpmviz_trend *trend, guint row,
                           guint run, enum hpmviz_trend_kind kind,
                           const char *quantity);

/* How that value came about, or why there is none; NULL: nobody asked. */
const struct hpm_figure *hpmviz_trend_figure(const struct hpmviz_trend *trend,
                                             guint row, guint run,
                                             const char *quantity);

/* The row of a run's subject; FALSE for HPM_NO_SUBJECT. */
gboolean hpmviz_trend_find_row(const struct hpmviz_trend *trend, guint run,
                               size_t subject, guint *ret_row);

/* Its section in the first run that has it. */
const struct hpm_study_section *
hpmviz_trend_section(const struct hpmviz_trend *trend, guint row);

void hpmviz_trend_add_label(const struct hpmviz_trend *trend, guint row,
                            struct hpm_string *text);

/* As people read it, with "~" and the letter for how it came about as in all
 * cells; "n/a" for none, "…" as long as it is worked out. */
void hpmviz_trend_add_text(const struct hpmviz_trend *trend, guint row,
                           guint run, enum hpmviz_trend_kind kind,
                           const char *quantity, struct hpm_string *text);

#endif
