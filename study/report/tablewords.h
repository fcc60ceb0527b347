/* SPDX-License-Identifier: BSD-3-Clause
 * A table's headings and texts in the reader's language. */
#ifndef HPM_STUDY_REPORT_TABLEWORDS_H
#define HPM_STUDY_REPORT_TABLEWORDS_H

#include "report/table.h"
#include "report/text.h"

/* Prepare a table that is then shown as text: translate the headings, and the
 * texts of all columns except columns of names: the first column, those called
 * "event", "metric" and so on, and the column `names` (or NULL). */
void hpm_tablewords_translate(struct hpm_table *table, const char *names);

/* Translate the table in this way, and append it as text. */
void hpm_tablewords_add(struct hpm_string *string, struct hpm_table *table,
                        const char *names);

/* The same within a width (hpm_text_add_table_in). */
size_t hpm_tablewords_add_in(struct hpm_string *string, struct hpm_table *table,
                             const char *names,
                             const struct hpm_text_style *style);

#endif
