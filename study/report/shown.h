/* SPDX-License-Identifier: BSD-3-Clause
 * Values of a survey as cells of a text report. */
#ifndef HPM_STUDY_REPORT_SHOWN_H
#define HPM_STUDY_REPORT_SHOWN_H

#include "report/table.h"
#include "study/survey/survey.h"

/* Append a number: counts with commas, seconds with six decimals (also where
 * the counter is in nanoseconds), all else with three decimals; "-" for
 * none. */
void hpm_shown_add_number(struct hpm_string *string,
                          const struct hpm_quantity *quantity,
                          struct hpm_number number);

/* The same for a value computed from such numbers; NAN is none. */
void hpm_shown_add_real(struct hpm_string *string,
                        const struct hpm_quantity *quantity, double value);

/* Add a cell with a figure's value, "~" before it where parts are missing, and
 * its marks after it unless they have a cell of their own: "?" doubtful, "!"
 * bad, "! 3 of 8" where so many of several threads or processes are bad, "+"
 * good.  NULL: no figure. */
void hpm_shown_add_cell(struct hpm_table *table,
                        const struct hpm_quantity *quantity,
                        const struct hpm_figure *figure, bool has_marks);
void hpm_shown_add_marks(struct hpm_table *table,
                         const struct hpm_figure *figure);

/* Append " 3 of 8": how many of several judged values are bad; else nothing. */
void hpm_shown_add_count(struct hpm_string *string,
                         const struct hpm_figure *figure);

/* Append how wrong a shared value can be: " +-1.2%"; else nothing. */
void hpm_shown_add_reach(struct hpm_string *string,
                         const struct hpm_figure *figure);

/* Append how the figure was obtained, where this is not obvious: "shared 62 %
 * in 12" on-windows, "inferred", "unsupported". */
void hpm_shown_add_state(struct hpm_string *string,
                         const struct hpm_figure *figure);

/* Append why the figure has no value: "needs 'PM_CYC', which was not counted";
 * or why it has no verdict, where it is doubtful. */
void hpm_shown_add_reason(struct hpm_string *string,
                          const struct hpm_figure *figure);

/* The unit in which the number is shown. */
const char *hpm_shown_unit(const struct hpm_quantity *quantity);

/* Does the quantity get a line or column in a text report? */
bool hpm_shown_is_wanted(const struct hpm_survey *survey, size_t quantity);

#endif
