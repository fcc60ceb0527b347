/* SPDX-License-Identifier: BSD-3-Clause
 * What the library says to the user of a measured program: single lines on
 * standard error, as long as standard error is the file it was at the start. */
#ifndef HPM_BASE_MESSAGE_H
#define HPM_BASE_MESSAGE_H

#include <stddef.h>

#include "base/string.h"

/* Note which file standard error is.  Call this before all else, from one
 * thread. */
void hpm_message_init(void);

/* Check standard error now for the last time, and believe the result from now
 * on: the library that replaces fstat may have ended later. */
void hpm_message_trust(void);

/* "hpm: sentence\n", in one write.  Any thread; errno is kept. */
void hpm_message_say(const char *sentence);
void hpm_message_say_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Say each line of `lines` as a message of its own. */
void hpm_message_say_lines(const struct hpm_string *lines);

/* Write the text unchanged. */
void hpm_message_write(const char *text, size_t length);

#endif
