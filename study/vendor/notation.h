/* SPDX-License-Identifier: BSD-3-Clause
 * How vendors write names and numbers, and how we do. */
#ifndef HPM_STUDY_VENDOR_NOTATION_H
#define HPM_STUDY_VENDOR_NOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/string.h"

/* May it be in a name of a vendor's formula? */
bool hpm_notation_is_letter(char c);

/* Bytes of the number, decimal or with 0x hexadecimal, that `text` begins with;
 * 0 if it begins with none.  *ret_value (NULL: nobody asks) is its value. */
size_t hpm_notation_number(const char *text, double *ret_value);

/* The first of the whole numbers, decimal or with 0x hexadecimal, of a list with
 * commas; false where there is none. */
bool hpm_notation_code(const char *text, uint64_t *ret_value);

/* Is it "field=0x1,other" or nothing, as the code of an event here may have it? */
bool hpm_notation_are_terms(const char *text);

/* Append a vendor's name as one of an event here: FOO.BAR:c1 as FOO:BAR:c1. */
void hpm_notation_add_event(struct hpm_string *string, const char *name);

/* Append a vendor's name as one of a metric here: what our names cannot have
 * becomes _. */
void hpm_notation_add_metric(struct hpm_string *string, const char *name);

/* Append a text as it stands between quotes, without quotes and line ends. */
void hpm_notation_add_quoted(struct hpm_string *string, const char *text);

#endif
