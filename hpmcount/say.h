/* SPDX-License-Identifier: BSD-3-Clause
 * What hpmcount says on standard error besides its report. */
#ifndef HPMCOUNT_SAY_H
#define HPMCOUNT_SAY_H

#include <stddef.h>

#include "base/string.h"

/* A line: "hpmcount: sentence". */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line for each of `lines`, which are freed. */
void say_lines(struct hpm_string *lines);

/* As it is: lines somebody else has made. */
void say_text(const char *text, size_t length);

/* From now on what is said waits: the report shall hold it. */
void say_wait(void);

/* What waits, until the next call here; "" for nothing. */
const char *say_waiting(void);

/* It is in the report: forget it.  From now on nothing waits. */
void say_forget(void);

/* Say what waits.  From now on nothing waits. */
void say_waited(void);

#endif
