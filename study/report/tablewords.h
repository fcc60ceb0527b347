/* SPDX-License-Identifier: BSD-3-Clause
 * A table's headings and texts in the reader's language. */
#ifndef HPM_STUDY_REPORT_TABLEWORDS_H
#define HPM_STUDY_REPORT_TABLEWORDS_H

#include "report/table.h"

/* For a table that is shown as text next: translate the headings, and the texts of
 * all columns but the first and the column `names` (or NULL), which have names. */
void hpm_tablewords_translate(struct hpm_table *table, const char *names);

#endif
