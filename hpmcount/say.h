/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount's messages on standard error. */
#ifndef HPMCOUNT_SAY_H
#define HPMCOUNT_SAY_H

#include <stddef.h>

#include "base/string.h"

/* Print a line: "hpmcount: sentence". */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print each of `lines` as a line; frees them. */
void say_lines(struct hpm_string *lines);

/* Print lines of another program unchanged. */
void say_text(const char *text, size_t length);

/* From now on messages wait, to be included in the report. */
void say_wait(void);

/* The waiting messages, valid until the next call here; "" for none. */
const char *say_waiting(void);

/* Drop the waiting messages: the report has them.  Later messages do not
 * wait. */
void say_forget(void);

/* Print the waiting messages.  Later messages do not wait. */
void say_waited(void);

#endif
