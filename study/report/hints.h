/* SPDX-License-Identifier: BSD-3-Clause
 * Hints as text. */
#ifndef HPM_STUDY_REPORT_HINTS_H
#define HPM_STUDY_REPORT_HINTS_H

#include "base/string.h"
#include "report/table.h"
#include "study/metric/ranking.h"

/* Append the name of a place: "section 'solve' (main.c:12)".  The hint is about
 * the metric there; a metric of the run is about all threads or processes of
 * the place together. */
typedef void hpm_hints_name(struct hpm_string *string, size_t place,
                            const struct hpm_metric *metric, void *context);

/* Append, after an empty line, the hints under a heading, which says that they
 * are not verdicts; nothing when there are none:
 *
 *   hints, not verdicts: what these numbers suggest, the gravest first
 *     1. SYSTEM_SHARE 23.400 % (bad: above 5)
 *        why   ...
 *        with  PAGE_FAULT_RATE 12345.000 1/s, ...
 *        next  hpmcount -s SOFTWARE
 *        try   ...
 *
 * `name` is NULL where the only place is the whole run.  Where places are not
 * sections, a hint about processor time whose next measurement was already made
 * says how to find the place in the program. */
void hpm_hints_add_text(struct hpm_string *string,
                        const struct hpm_ranking *ranking, bool has_sections,
                        hpm_hints_name *name, void *context);

/* The same as a table with a row for each hint, in the columns rank, hint (the
 * metric's name), where (null without a name), value, unit, side (of the limit:
 * above, below), limit, explained (seconds), places, why, with, next, try. */
void hpm_hints_begin_table(struct hpm_table *table);
void hpm_hints_add_rows(struct hpm_table *table,
                        const struct hpm_ranking *ranking, bool has_sections,
                        hpm_hints_name *name, void *context);

#define HPM_HINTS_ANYWHERE SIZE_MAX

/* Does a metric give one of the hints at this place? */
bool hpm_hints_has(const struct hpm_ranking *ranking, size_t metric,
                   size_t place);

/* Add the two cells "hint" and "explained" of a metric's row in another table:
 * the rank of the metric's hint at the place, and the seconds explained; none
 * where it gives no hint, or the ranking is NULL. */
void hpm_hints_add_mark(struct hpm_table *table,
                        const struct hpm_ranking *ranking, size_t metric,
                        size_t place);

/* The parts of one hint; each is appended as one line without line end: */

/* How a title writes the value of a metric: hpm_tree_add_value, or another
 * function. */
typedef void hpm_hints_number(struct hpm_string *string,
                              const struct hpm_metrics *metrics, size_t metric,
                              double value);

/* "IPC 0.412 in section 'solve' and 2 more (bad: below 1)"; `name` may be
 * NULL. */
void hpm_hints_add_title(struct hpm_string *string,
                         const struct hpm_ranking *ranking,
                         const struct hpm_hint *hint, hpm_hints_number *number,
                         hpm_hints_name *name, void *context);

/* Why it matters: in the definition's words with the hint's numbers (says) where it
 * has such words, else in those without (why). */
void hpm_hints_add_why(struct hpm_string *string,
                       const struct hpm_ranking *ranking,
                       const struct hpm_hint *hint);

/* "CPI 2.427, BRANCH_MISS_SHARE 3.1 %"; nothing without evidence. */
void hpm_hints_add_evidence(struct hpm_string *string,
                            const struct hpm_ranking *ranking,
                            const struct hpm_hint *hint);

/* What to measure next; nothing if this was measured by section. */
void hpm_hints_add_step(struct hpm_string *string,
                        const struct hpm_ranking *ranking,
                        const struct hpm_hint *hint, bool has_sections);

/* Append hpmcount's option that measures what a hint names: "-s CACHE". */
void hpm_hints_add_option(struct hpm_string *string,
                          const struct hpm_metrics *metrics, const char *next);

/* Append the command that measures what a hint names: "hpmcount -s CACHE". */
void hpm_hints_add_next(struct hpm_string *string,
                        const struct hpm_metrics *metrics, const char *next);

#endif
