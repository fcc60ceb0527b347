/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as CSV and JSON, for programs. */
#ifndef HPM_STUDY_REPORT_FORMAT_H
#define HPM_STUDY_REPORT_FORMAT_H

#include "base/string.h"
#include "report/table.h"

/* RFC 4180 with a header line and "
 * " as line end; numbers in full precision with a decimal point. */
void hpm_csv_add_table(struct hpm_string *string,
                       const struct hpm_table *table);

/* Only the rows: more of a table that has begun. */
void hpm_csv_add_rows(struct hpm_string *string, const struct hpm_table *table);

/* An array with an object for each row; the keys are the columns' names. */
void hpm_json_add_table(struct hpm_string *string,
                        const struct hpm_table *table);

/* Only the objects, with commas between them, and one before them unless they
 * are the first. */
void hpm_json_add_rows(struct hpm_string *string, const struct hpm_table *table,
                       bool is_first);

/* A JSON string with its quotes.  Bytes that are not UTF-8 become \\xHH, as in
 * the performance file. */
void hpm_json_add_text(struct hpm_string *string, const char *text);

#endif
