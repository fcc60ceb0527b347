/* SPDX-License-Identifier: BSD-3-Clause
 * Conversion of vendors' names and numbers to ours. */
#ifndef HPM_STUDY_VENDOR_NOTATION_H
#define HPM_STUDY_VENDOR_NOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/string.h"

/* May the character be in a name of a vendor's formula? */
bool hpm_notation_is_letter(char c);

/* Length of the number, decimal or hexadecimal with 0x, at the begin of `text`;
 * 0 if there is none.  *ret_value is its value; ret_value may be NULL. */
size_t hpm_notation_number(const char *text, double *ret_value);

/* Read the first number, decimal or hexadecimal with 0x, of a list with commas;
 * false if there is none. */
bool hpm_notation_code(const char *text, uint64_t *ret_value);

/* Is the text "" or of the form "field=0x1,other", which the code of an event
 * may have here? */
bool hpm_notation_are_terms(const char *text);

/* Append a vendor's name as the name of an event here: FOO.BAR:c1 as
 * FOO:BAR:c1. */
void hpm_notation_add_event(struct hpm_string *string, const char *name);

/* Append a vendor's name as the name of a metric here: characters that our
 * names cannot have become _. */
void hpm_notation_add_metric(struct hpm_string *string, const char *name);

/* Append a text for use inside quotes: without quotes and line ends. */
void hpm_notation_add_quoted(struct hpm_string *string, const char *text);

#endif
