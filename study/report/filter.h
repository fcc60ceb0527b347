/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines of a report are wanted: a small expression.
 *
 *     filter  = all { ("or" | "||") all }
 *     all     = one { ("and" | "&&") one }
 *     one     = ("not" | "!") one | "(" filter ")" | test
 *     test    = pattern                        of the label
 *             | field ("=" | "!=") pattern     of a text
 *             | field ("<" | "<=" | ">" | ">=" | "=" | "!=") number
 *             | field ("=" | "!=") ("bad" | "neutral" | "good")
 *
 * A field is a name of hpm_line_find_field.  A pattern has * and ? and [a-z] as
 * in shells, and must match all of the text; quotes of either kind keep blanks
 * and signs together.  Where a line has no such value no comparison holds, not
 * even "!=".
 */
#ifndef HPM_STUDY_REPORT_FILTER_H
#define HPM_STUDY_REPORT_FILTER_H

#include "study/report/line.h"

struct hpm_line_filter;

/* Read a filter for the lines of a survey.  NULL when it is none: err says at
 * which character, the offending word and what was expected. */
struct hpm_line_filter *hpm_line_filter_new(const struct hpm_survey *survey,
                                            const char *text,
                                            struct hpm_error *err);

void hpm_line_filter_free(struct hpm_line_filter *filter);

/* Does it ask for single tasks, or threads? */
bool hpm_line_filter_asks(const struct hpm_line_filter *filter,
                          enum hpm_field_kind kind);

/* Is the line wanted?  NULL wants all. */
bool hpm_line_filter_wants(const struct hpm_line_filter *filter,
                           const struct hpm_line *line);

#endif
