/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as text for people. */
#ifndef HPM_REPORT_TEXT_H
#define HPM_REPORT_TEXT_H

#include "base/string.h"
#include "report/table.h"

/* Columns under their headings, two blanks between; the first column and texts
 * are aligned to the left, numbers to the right, counts with commas.  Control
 * characters and malformed UTF-8 are shown as \xHH, so that no label of a
 * program can command the terminal. */
void hpm_text_add_table(struct hpm_string *string,
                        const struct hpm_table *table);

/* The form of a text report. */
struct hpm_text_style {
    size_t width;     /* largest width of a line; 0: no limit */
    bool is_coloured; /* headings bold; cells as their emphasis says */
};

/* Like hpm_text_add_table, but within the width: empty columns are always left
 * out, then columns that can be spared (see hpm_table_rank_column); then the
 * texts of the first column are cut, and end in "..".  Columns of rank 0 may
 * still be too wide.  Returns how many columns with values were left out. */
size_t hpm_text_add_table_in(struct hpm_string *string,
                             const struct hpm_table *table,
                             const struct hpm_text_style *style);

/* Append how far the true value can be off with 95 %, in per cent of the value:
 * " +-1.2%"; " +-?" if `reach`, half of the interval, is NAN. */
void hpm_text_add_reach(struct hpm_string *string, double value, double reach);

/* How many columns of a terminal `text` takes: one for each character, which is
 * the best guess without the locale. */
size_t hpm_text_width(const char *text);

#endif
