/* SPDX-License-Identifier: BSD-3-Clause
 * A report for programs, together with hpmcount's messages. */
#ifndef HPMCOUNT_DOCUMENT_H
#define HPMCOUNT_DOCUMENT_H

#include "base/string.h"

/* Add `lines`, each ending in a newline, as "messages" to a JSON object. */
void document_add_json_messages(struct hpm_string *document, const char *lines);

/* The same before a CSV table: each line begins with "# ". */
void document_add_csv_messages(struct hpm_string *document, const char *lines);

/* Put a JSON object on one line, as JSON Lines need it. */
void document_make_one_line(struct hpm_string *document);

#endif
