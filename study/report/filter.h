/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines of a report the user wants: a small expression.
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
 * in shells, and must match the whole text; quotes of either kind keep blanks
 * and signs together.  Where a line does not have the value, every comparison
 * is false, even "!=".
 */
#ifndef HPM_STUDY_REPORT_FILTER_H
#define HPM_STUDY_REPORT_FILTER_H

#include "study/report/line.h"

struct hpm_line_filter;

/* Read a filter for the lines of a survey.  NULL when it is wrong: err gives
 * the character, the offending word and what was expected. */
struct hpm_line_filter *hpm_line_filter_new(const struct hpm_survey *survey,
                                            const char *text,
                                            struct hpm_error *err);

void hpm_line_filter_free(struct hpm_line_filter *filter);

/* Does the filter test a single task, or a thread? */
bool hpm_line_filter_asks(const struct hpm_line_filter *filter,
                          enum hpm_field_kind kind);

/* Does the filter accept the line?  NULL accepts all lines. */
bool hpm_line_filter_wants(const struct hpm_line_filter *filter,
                           const struct hpm_line *line);

#endif
