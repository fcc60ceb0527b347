/* SPDX-License-Identifier: BSD-3-Clause
 * What stands in the list of sections of a metric: a value by the view's
 * statistic, and of the worst one its verdict.  A row is a subject of the
 * session's survey, a metric one of its quantities.
 */
#ifndef HPMVIZ_SECTIONS_SECTIONMETRIC_H
#define HPMVIZ_SECTIONS_SECTIONMETRIC_H

#include "hpmviz/data/session.h"

/* Is it a metric that any section has?  FALSE while they are worked out. */
gboolean hpmviz_sectionmetric_is_listed(const HpmvizSession *session,
                                        size_t quantity);

/* The same of all quantities of the survey, in one go; for g_free. */
gboolean *hpmviz_sectionmetric_list(const HpmvizSession *session);

/* As it is shown; NAN where there is none. */
double hpmviz_sectionmetric_number(const HpmvizSession *session, guint row,
                                   size_t quantity);

/* Of the worst value; of all other statistics there is none, for a limit is
 * that of one thread or process. */
enum hpm_verdict hpmviz_sectionmetric_verdict(const HpmvizSession *session,
                                              guint row, size_t quantity);

/* As people read it; a word where there is none. */
void hpmviz_sectionmetric_add_text(const HpmvizSession *session, guint row,
                                   size_t quantity, struct hpm_string *text);

/* In full, some lines: the value, whose it is, its limits, how many are bad, or
 * why there is none. */
void hpmviz_sectionmetric_add_details(const HpmvizSession *session, guint row,
                                      size_t quantity, struct hpm_string *text);

/* What the metric is: meaning, unit, formula, limits. */
void hpmviz_sectionmetric_add_meaning(const HpmvizSession *session,
                                      size_t quantity, struct hpm_string *text);

#endif
