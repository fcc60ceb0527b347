/* SPDX-License-Identifier: BSD-3-Clause
 * One sentence that says what went wrong, where, and what to do about it. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* Bytes of the control character at `text`, 0 if there is none.  The control
 * characters U+0080 to U+009F count, too: UTF-8 writes each in two bytes, and
 * some begin commands to a terminal. */
static size_t
length_of_control(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    if (c[0] == 0xc2 && (c[1] & 0xe0) == 0x80)
        return 2;
    return c[0] < ' ' || c[0] == 0x7f;
}

/* Copy the text up to the room there is; an escape \xHH is never cut in two. */
static void
copy_safe(char *to, size_t size, const char *text)
{
    size_t n = 0, left = 0;

    for (; *text != '\0'; text++) {
        if (left == 0)
            left = length_of_control(text);
        if (n + (left > 0 ? 4 : 1) >= size)
            break;
        if (left == 0) {
            to[n++] = *text;
            continue;
        }
        left--;
        n +=
            (size_t)snprintf(to + n, size - n, "\\x%02X", (unsigned char)*text);
    }
    to[n] = '\0';
}

bool
hpm_error_set(struct hpm_error *err, const char *format, ...)
{
    int saved_errno = errno;
    char text[sizeof err->text];
    va_list arguments;

    if (err != NULL) {
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        copy_safe(err->text, sizeof err->text, text);
    }
    errno = saved_errno;
    return false;
}

bool
hpm_error_no_memory(struct hpm_error *err)
{
    return hpm_error_set(err, "out of memory");
}
