/* SPDX-License-Identifier: BSD-3-Clause
 * Colour for a text report on a terminal. */
#ifndef HPMCOUNT_COLOUR_H
#define HPMCOUNT_COLOUR_H

#include "base/string.h"

/* Add the report with its headings bold, its notes yellow, and what has no
 * value dim.  Without the escapes it is the report. */
void colour_add(struct hpm_string *string, const char *report);

#endif
