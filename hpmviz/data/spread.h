/* SPDX-License-Identifier: BSD-3-Clause
 * How the values of a column are spread over its rows. */
#ifndef HPMVIZ_DATA_SPREAD_H
#define HPMVIZ_DATA_SPREAD_H

#include "hpmviz/data/sheet.h"

/* Of the rows of threads, or of those of processes; quantiles lie between two
 * values as the distance says (Hyndman and Fan's definition 7). */
struct hpmviz_spread {
    guint n;       /* rows with a value */
    guint n_rows;  /* all rows of that kind */
    guint n_tasks; /* tasks in which any row has a value */
    /* NAN without values; low and high are the 5 and 95 % quantiles */
    double min, low, median, mean, high, max, deviation;
    double ratio;              /* max / mean; NAN unless all are >= 0 */
    guint min_at, max_at;      /* rows, the first of several */
    guint n_bad[2], n_good[2]; /* per precision */
    guint worst_at[2]; /* the bad row farthest beyond its limit, the first of
                        * several */
};

struct hpmviz_spread hpmviz_spread_of(const struct hpmviz_sheet *sheet,
                                      guint column, gboolean is_process);

#endif
