/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as text for people. */
#ifndef HPM_REPORT_TEXT_H
#define HPM_REPORT_TEXT_H

#include "base/string.h"
#include "report/table.h"

/* Aligned columns under their headings, two blanks between; the first column
 * and text to the left, numbers to the right, counts with commas.  Control
 * characters and malformed UTF-8 are shown as \xHH, so that nothing a program
 * put into a label can drive the terminal. */
void hpm_text_add_table(struct hpm_string *string,
                        const struct hpm_table *table);

/* What a text report is for. */
struct hpm_text_style {
    size_t width;     /* of the lines at most; 0: no bound */
    bool is_coloured; /* headings bold; cells as their emphasis says */
};

/* The same within the width: columns that can be spared are left out (see
 * hpm_table_rank_column), empty ones always; then the first one is cut, which
 * shows as "..".
 * What stands in columns of rank 0 may still be too much.  Returns how many
 * columns that have something to say were left out. */
size_t hpm_text_add_table_in(struct hpm_string *string,
                             const struct hpm_table *table,
                             const struct hpm_text_style *style);

/* How far the true value of an estimate can be off with 95 %, in per cent of it:
 * " +-1.2%"; " +-?" where `reach`, half of the interval, is NAN. */
void hpm_text_add_reach(struct hpm_string *string, double value, double reach);

/* How many columns of a terminal `text` takes, as far as that can be known
 * without the locale: one for each character. */
size_t hpm_text_width(const char *text);

#endif
