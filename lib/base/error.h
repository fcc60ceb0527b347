/* SPDX-License-Identifier: BSD-3-Clause
 * One sentence that says what went wrong, where, and what to do about it. */
#ifndef HPM_BASE_ERROR_H
#define HPM_BASE_ERROR_H

#include <stdbool.h>

/* The function that fails fills the error once, where the cause is known;
 * callers pass the error on.  The text has no program name in front and no full
 * stop. */
struct hpm_error {
    char text[512];
};

/* Write the sentence and return false, so that a failing function can end with
 * `return hpm_error_set(err, ...)`. err may be NULL.  Keeps errno.  The
 * sentence is one line that commands no terminal, whatever its arguments hold:
 * each byte of a control character is written as \xHH. */
bool hpm_error_set(struct hpm_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The sentence every function uses when memory runs out; returns false. */
bool hpm_error_no_memory(struct hpm_error *err);

#endif
