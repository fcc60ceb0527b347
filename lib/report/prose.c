/* SPDX-License-Identifier: BSD-3-Clause
 * Sentences as lines of limited width. */
#include "report/prose.h"

#include <string.h>

#include "report/format.h"

static void
add_blanks(struct hpm_string *string, size_t n)
{
    while (n-- > 0)
        hpm_string_add_char(string, ' ');
}

/* Columns up to the next blank. */
static size_t
word_width(const char *text, size_t *ret_length)
{
    size_t width = 0;

    *ret_length = strcspn(text, " ");
    for (size_t i = 0; i < *ret_length; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

void
hpm_prose_add(struct hpm_string *string, size_t indent, const char *word,
              size_t column, const char *text)
{
    struct hpm_string safe = {0};
    size_t used = indent + hpm_text_width(word);
    bool is_first = true;
    const char *at;

    hpm_text_add_safe(&safe, text);
    add_blanks(string, indent);
    hpm_string_add(string, word);
    add_blanks(string, used < column ? column - used : 1);
    used = used < column ? column : used + 1;
    for (at = hpm_string_text(&safe); *at != '\0'; at += *at == ' ') {
        size_t length, width = word_width(at, &length);

        if (!is_first && used + 1 + width > HPM_PROSE_WIDTH) {
            hpm_string_add_char(string, '\n');
            add_blanks(string, column);
            used = column;
        } else if (!is_first) {
            hpm_string_add_char(string, ' ');
            used++;
        }
        hpm_string_add_bytes(string, at, length);
        used += width;
        at += length;
        is_first = false;
    }
    hpm_string_add_char(string, '\n');
    string->failed |= safe.failed;
    hpm_string_free(&safe);
}
