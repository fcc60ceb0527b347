/* SPDX-License-Identifier: BSD-3-Clause
 * Colour for a text report on a terminal. */
#ifndef HPMCOUNT_COLOUR_H
#define HPMCOUNT_COLOUR_H

#include "base/string.h"

/* Add the report with bold headings, yellow notes, and dim lines where values
 * are missing.  Only escape sequences are added. */
void colour_add(struct hpm_string *string, const char *report);

#endif
