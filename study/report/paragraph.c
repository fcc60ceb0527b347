/* SPDX-License-Identifier: BSD-3-Clause
 * Text for people, broken into lines. */
#include "study/report/paragraph.h"

#include <string.h>

#include "report/text.h"

void
hpm_paragraph_add(struct hpm_string *string, const char *text, size_t width,
                  size_t indent)
{
    struct hpm_string safe = {0};
    size_t column = 0;
    const char *word;

    hpm_string_add_safe(&safe, text);
    word = hpm_string_text(&safe);
    while (word[strspn(word, " ")] != '\0') {
        size_t blanks = strspn(word, " ");
        size_t length = strcspn(word + blanks, " ");
        size_t columns = 0;

        /* A number and its "%" stay together. */
        while (strncmp(word + blanks + length, " %", 2) == 0)
            length += 2 + strcspn(word + blanks + length + 2, " ");
        for (size_t i = 0; i < length; i++)
            columns += ((unsigned char)word[blanks + i] & 0xc0) != 0x80;
        if (width > 0 && column > indent && column + blanks + columns > width) {
            hpm_string_add_char(string, '\n');
            for (column = 0; column < indent; column++)
                hpm_string_add_char(string, ' ');
            blanks = 0;
            word += strspn(word, " ");
        }
        hpm_string_add_bytes(string, word, blanks + length);
        column += blanks + columns;
        word += blanks + length;
    }
    hpm_string_add_char(string, '\n');
    hpm_string_finish(&safe, &string->failed);
}

void
hpm_paragraph_add_entry_in(struct hpm_string *string, size_t width,
                           size_t indent, const char *word, size_t column,
                           const char *text)
{
    struct hpm_string line = {0};
    size_t used = indent + hpm_text_width(word);

    hpm_string_add_blanks(&line, 0, indent);
    hpm_string_add(&line, word);
    hpm_string_add_blanks(&line, used, used < column ? column : used + 1);
    hpm_string_add(&line, text);
    hpm_paragraph_add(string, hpm_string_text(&line), width, column);
    hpm_string_finish(&line, &string->failed);
}

void
hpm_paragraph_add_entry(struct hpm_string *string, size_t indent,
                        const char *word, size_t column, const char *text)
{
    hpm_paragraph_add_entry_in(string, HPM_PARAGRAPH_WIDTH, indent, word,
                               column, text);
}

/* Append the finished line, and empty it. */
void
hpm_paragraph_add_line(struct hpm_string *string, struct hpm_string *line,
                       size_t width)
{
    hpm_paragraph_add(string, hpm_string_text(line), width, 2);
    string->failed |= line->failed;
    hpm_string_clear(line);
}
