/* SPDX-License-Identifier: BSD-3-Clause
 * A report for programs to read, and what hpmcount had to say while it was
 * made. */
#ifndef HPMCOUNT_DOCUMENT_H
#define HPMCOUNT_DOCUMENT_H

#include "base/string.h"

/* Add `lines`, each with its newline, as "messages" to a JSON object. */
void document_add_json_messages(struct hpm_string *document, const char *lines);

/* The same before a CSV table: "# " begins each. */
void document_add_csv_messages(struct hpm_string *document, const char *lines);

/* Make a JSON object one line, as JSON Lines want it. */
void document_make_one_line(struct hpm_string *document);

#endif
