/* SPDX-License-Identifier: BSD-3-Clause
 * Problems found while reading that did not stop it. */
#include "study/file/notes.h"

#include <stdio.h>

void
hpm_notes_add(struct hpm_notes *notes, const char *format, ...)
{
    char line[700];
    va_list arguments;

    if (notes->n++ >= HPM_NOTES_KEPT)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    hpm_string_add_safe(&notes->lines, line);
    hpm_string_add_char(&notes->lines, '\n');
}

void
hpm_notes_free(struct hpm_notes *notes)
{
    hpm_string_free(&notes->lines);
    notes->n = 0;
}
