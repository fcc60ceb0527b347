/* SPDX-License-Identifier: BSD-3-Clause
 * One sentence that says what went wrong, where, and what to do about it. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* Those of Unicode's second row (U+0080 to U+009F), too: in UTF-8 they are two
 * bytes, and one of them begins commands to a terminal. */
void
hpm_error_tame(char *text)
{
    char *to = text;

    for (const char *c = text; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        bool is_second_row = byte == 0xc2 && (c[1] & 0xe0) == 0x80;

        *to++ = byte < ' ' || byte == 0x7f || is_second_row ? '?' : *c;
        c += is_second_row;
    }
    *to = '\0';
}

bool
hpm_error_set(struct hpm_error *err, const char *format, ...)
{
    int saved_errno = errno;
    va_list arguments;

    if (err != NULL) {
        va_start(arguments, format);
        vsnprintf(err->text, sizeof err->text, format, arguments);
        va_end(arguments);
        hpm_error_tame(err->text);
    }
    errno = saved_errno;
    return false;
}

bool
hpm_error_no_memory(struct hpm_error *err)
{
    return hpm_error_set(err, "out of memory");
}
