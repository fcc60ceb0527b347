/* SPDX-License-Identifier: BSD-3-Clause
 * A distribution over places in words, and as CSV.  Texts are in the language of
 * the window; names in them come from files. */
#ifndef HPMVIZ_DATA_DISTRIBUTIONTEXT_H
#define HPMVIZ_DATA_DISTRIBUTIONTEXT_H

#include "hpmviz/data/distribution.h"

/* Append what is distributed: "section 'solve' (a.c:12)"; of a difference of two
 * runs with " (B - A)" behind it. */
void hpmviz_distribution_add_subject(const struct hpmviz_sheet *sheet,
                                     struct hpm_string *text);

/* Append "task 7 thread 0 on node n7", "task 7 on node n7" for a process; without
 * the node where the files do not say one. */
void
hpmviz_distribution_add_where(const struct hpmviz_distribution *distribution,
                              guint row, struct hpm_string *text);

/* Append the same with the value, how it came about unless it was counted all the
 * time, of a mean how far apart its runs were, and its rank: "task 7 thread 0 on node n7: 1.234000 s, number 3 of 64 in the
 * order"; for a place without a value why there is none. */
void
hpmviz_distribution_add_place(const struct hpmviz_distribution *distribution,
                              guint row, struct hpm_string *text);

/* Append the numbers of the plots, some sentences: how many places, smallest,
 * median, mean, largest value and where they are, values beyond the whiskers, and
 * places without a value or with one that was not counted all the time. */
void
hpmviz_distribution_add_summary(const struct hpmviz_distribution *distribution,
                                struct hpm_string *text);

/* Append how many places have values of both metrics, which are of one sheet, and the
 * range of each. */
void hpmviz_distribution_add_pair(const struct hpmviz_distribution *x,
                                  const struct hpmviz_distribution *y,
                                  struct hpm_string *text);

/* Append the rules by which box plot and histogram are made. */
void
hpmviz_distribution_add_rules(const struct hpmviz_distribution *distribution,
                              struct hpm_string *text);

/* Append a line for each place, by task and thread, with a header: section,
 * metric, unit, task, thread, node, value, state, is_partial, rank, reason.  A
 * value that is missing is empty.  Those of another metric of the same sheet follow;
 * NULL: none. */
void hpmviz_distribution_add_csv(const struct hpmviz_distribution *distribution,
                                 const struct hpmviz_distribution *other,
                                 struct hpm_string *string);

#endif
