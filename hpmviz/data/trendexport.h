/* SPDX-License-Identifier: BSD-3-Clause
 * All runs side by side, printed and as CSV.
 */
#ifndef HPMVIZ_DATA_TRENDEXPORT_H
#define HPMVIZ_DATA_TRENDEXPORT_H

#include "hpmviz/data/trend.h"

/* All quantities of all sections: a line for each, with a column for the value,
 * speed-up and efficiency of each run, empty where there is none. */
void hpmviz_trendexport_add_csv(const struct hpmviz_trend *trend,
                                struct hpm_string *csv);

/* The runs, and tables of exclusive time, speed-up and efficiency for people. */
void hpmviz_trendexport_add_text(const struct hpmviz_trend *trend,
                                 struct hpm_string *text);

/* A line for each run: letter, name, threads, which is the reference. */
void hpmviz_trendexport_add_runs(const struct hpmviz_trend *trend,
                                 struct hpm_string *text);

#endif
