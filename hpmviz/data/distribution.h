/* SPDX-License-Identifier: BSD-3-Clause
 * How the values of a section's metric are distributed over places (threads, or
 * whole processes): in order, in bins, as a box plot. */
#ifndef HPMVIZ_DATA_DISTRIBUTION_H
#define HPMVIZ_DATA_DISTRIBUTION_H

#include "hpmviz/data/sheet.h"
#include "hpmviz/data/spread.h"
#include "study/statistics/box.h"
#include "study/statistics/histogram.h"

/* A histogram has at most so many bins. */
enum { HPMVIZ_MOST_BINS = 40 };

/* Of the sheet's rows of threads, or of processes where it has no threads.  A row
 * of several threads beyond HPM_MAX_THREADS is neither: it has their sum. */
struct hpmviz_distribution {
    const struct hpmviz_sheet *sheet;
    guint column;
    gboolean is_process;
    guint n_places; /* rows of that kind */
    guint n;        /* of these: with a value */
    guint *rows;    /* n rows of the sheet, the smallest value first; equal
                      * values stay in the order of the sheet */
    double *values; /* theirs, rising */
    guint
        *ranks; /* per row of the sheet: its place in `rows`, or HPMVIZ_NONE */
    size_t n_summed; /* threads in rows of several, which are left out */
    guint n_derived; /* of n: see hpmviz_distribution_is_derived */
    struct hpmviz_spread spread;

    /* without values all 0 */
    struct hpm_box box;
    struct hpm_histogram histogram;
    guint *counts; /* per bin */
};

/* The sheet, which is filled, must outlive the distribution.  A value that is
 * not finite is none. */
struct hpmviz_distribution *
hpmviz_distribution_new(const struct hpmviz_sheet *sheet, guint column);
void hpmviz_distribution_free(struct hpmviz_distribution *distribution);

/* The row's value; NAN for none. */
double hpmviz_distribution_value(const struct hpmviz_distribution *distribution,
                                 guint row);

/* Is the row one of the places? */
gboolean
hpmviz_distribution_has_row(const struct hpmviz_distribution *distribution,
                            guint row);

/* The row of a place by its numbers; HPMVIZ_NONE where the section has none
 * there. */
guint hpmviz_distribution_find(const struct hpmviz_distribution *distribution,
                               int task, int tid);

/* Was the row's value not counted all the time: is it shared, inferred or copied,
 * or are parts of it missing? */
gboolean
hpmviz_distribution_is_derived(const struct hpmviz_distribution *distribution,
                               guint row);

/* How far a row's value is from the median: which of several is the most
 * extreme. */
double
hpmviz_distribution_oddness(const struct hpmviz_distribution *distribution,
                            guint row);

/* The node on which the task of a row ran; NULL where the files do not say. */
const char *
hpmviz_distribution_node(const struct hpmviz_distribution *distribution,
                         guint row);

#endif
