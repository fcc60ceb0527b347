/* SPDX-License-Identifier: BSD-3-Clause
 * What hpmcount says on standard error besides its report. */
#ifndef HPMCOUNT_SAY_H
#define HPMCOUNT_SAY_H

#include "base/string.h"

/* One line behind the program's name.  A standard error that is closed or
 * full does no harm. */
void say(const char *sentence);

/* One for each line of the text, which is freed. */
void say_lines(struct hpm_string *lines);

#endif
