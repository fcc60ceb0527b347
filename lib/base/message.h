/* SPDX-License-Identifier: BSD-3-Clause
 * What the library says to the user of a measured program: single lines on
 * standard error, as long as that is the file it was in the beginning. */
#ifndef HPM_BASE_MESSAGE_H
#define HPM_BASE_MESSAGE_H

#include <stddef.h>

#include "base/string.h"

/* Note which file standard error is.  Before all else, by one thread. */
void hpm_message_init(void);

/* From now on believe that standard error is what it is now, and ask no more:
 * what answers may have ended. */
void hpm_message_trust(void);

/* "hpm: sentence\n", in one write.  Any thread; errno is kept. */
void hpm_message_say(const char *sentence);
void hpm_message_say_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Each line of `lines` by itself. */
void hpm_message_say_lines(const struct hpm_string *lines);

/* Text as it is. */
void hpm_message_write(const char *text, size_t length);

#endif
