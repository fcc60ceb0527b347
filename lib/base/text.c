/* SPDX-License-Identifier: BSD-3-Clause
 * Text with a length and without a NUL at its end. */
#include "base/text.h"

#include <stdint.h>
#include <string.h>

#include "host/memory.h"

static size_t
length_of(struct hpm_counted counted)
{
    size_t length = counted.length;

    if (counted.bytes == NULL || length > PTRDIFF_MAX)
        return 0;
    length = strnlen(counted.bytes, length);
    while (length > 0 && counted.bytes[length - 1] == ' ')
        length--;
    return length;
}

void
hpm_text_init(struct hpm_text *text, struct hpm_counted counted)
{
    size_t length = length_of(counted);

    text->text = text->room;
    if (length >= sizeof text->room) {
        char *longer = hpm_memory_new(length + 1, 1);

        if (longer != NULL)
            text->text = longer;
        else
            length = sizeof text->room - 1;
    }
    if (length > 0)
        memcpy(text->text, counted.bytes, length);
    text->text[length] = '\0';
}

void
hpm_text_clear(struct hpm_text *text)
{
    if (text->text != text->room)
        hpm_memory_free(text->text);
}
