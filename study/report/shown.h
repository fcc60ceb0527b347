/* SPDX-License-Identifier: BSD-3-Clause
 * Values of a survey as cells of a text report. */
#ifndef HPM_STUDY_REPORT_SHOWN_H
#define HPM_STUDY_REPORT_SHOWN_H

#include "report/table.h"
#include "study/survey/survey.h"

/* Append a number: counts with commas, seconds with six decimals (also what is
 * counted in nanoseconds), all else with three; "-" for none. */
void hpm_shown_add_number(struct hpm_string *string,
                          const struct hpm_quantity *quantity,
                          struct hpm_number number);

/* The same of a value worked out from such numbers; NAN is none. */
void hpm_shown_add_real(struct hpm_string *string,
                        const struct hpm_quantity *quantity, double value);

/* A cell with a figure's value, "~" in front where parts are missing, and with
 * its marks behind it unless they get a cell of their own: "?" doubtful, "!"
 * bad, "! 3 of 8" where so many of several threads or processes are, "+" good.
 * NULL for no figure. */
void hpm_shown_add_cell(struct hpm_table *table,
                        const struct hpm_quantity *quantity,
                        const struct hpm_figure *figure, bool has_marks);
void hpm_shown_add_marks(struct hpm_table *table,
                         const struct hpm_figure *figure);

/* " 3 of 8": how many are bad of several that were judged; else nothing. */
void hpm_shown_add_count(struct hpm_string *string,
                         const struct hpm_figure *figure);

/* Of a shared value how far it can be off: " +-1.2%"; else nothing. */
void hpm_shown_add_reach(struct hpm_string *string,
                         const struct hpm_figure *figure);

/* How the figure came about, where that is worth a word: "shared 62 % in 12"
 * on-windows, "inferred", "unsupported". */
void hpm_shown_add_state(struct hpm_string *string,
                         const struct hpm_figure *figure);

/* Why it has no value: "needs 'PM_CYC', which was not counted"; or no verdict,
 * where it is doubtful. */
void hpm_shown_add_reason(struct hpm_string *string,
                          const struct hpm_figure *figure);

/* The unit the number is shown in. */
const char *hpm_shown_unit(const struct hpm_quantity *quantity);

/* Is it worth a line or column of a text report? */
bool hpm_shown_is_wanted(const struct hpm_survey *survey, size_t quantity);

#endif
