/* SPDX-License-Identifier: BSD-3-Clause
 * One sentence that says what went wrong, where, and what to do about it. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

bool
hpm_error_set(struct hpm_error *err, const char *format, ...)
{
    int saved_errno = errno;
    va_list arguments;

    if (err != NULL) {
        va_start(arguments, format);
        vsnprintf(err->text, sizeof err->text, format, arguments);
        va_end(arguments);
    }
    errno = saved_errno;
    return false;
}

bool
hpm_error_no_memory(struct hpm_error *err)
{
    return hpm_error_set(err, "out of memory");
}
