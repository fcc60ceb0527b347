/* SPDX-License-Identifier: BSD-3-Clause
 * A report for programs, together with hpmcount's messages. */
#include "hpmcount/document.h"

#include <string.h>

#include "study/report/format.h"

/* In hpmcount's own document, messages need no name before them. */
static const char *
skip_name(const char *line)
{
    static const char name[] = "hpmcount: ";

    return strncmp(line, name, sizeof name - 1) == 0 ? line + sizeof name - 1
                                                     : line;
}

/* Take the text up to the next newline; returns the begin of the next line. */
static const char *
take_line(const char *lines, struct hpm_string *ret_line)
{
    size_t length = strcspn(lines, "\n");

    ret_line->length = 0;
    hpm_string_add_bytes(ret_line, lines, length);
    return lines + length + (lines[length] == '\n');
}

void
document_add_json_messages(struct hpm_string *document, const char *lines)
{
    struct hpm_string line = {0};
    const char *separator = "";

    while (document->length > 0 && document->text[document->length - 1] != '}')
        document->length--;
    if (document->length == 0)
        return;
    document->length--;
    hpm_string_add(document, ",\n\"messages\": [");
    while (*lines != '\0') {
        lines = take_line(skip_name(lines), &line);
        hpm_string_add(document, separator);
        hpm_json_add_text(document, hpm_string_text(&line));
        separator = ", ";
    }
    hpm_string_add(document, "]}\n");
    hpm_string_finish(&line, &document->failed);
}

void
document_add_csv_messages(struct hpm_string *document, const char *lines)
{
    struct hpm_string table = *document, line = {0};

    *document = (struct hpm_string){0};
    while (*lines != '\0') {
        lines = take_line(lines, &line);
        hpm_string_add_format(document, "# %s\n", hpm_string_text(&line));
    }
    hpm_string_add_bytes(document, table.text, table.length);
    hpm_string_finish(&line, &document->failed);
    hpm_string_finish(&table, &document->failed);
}

/* A JSON string contains no newline, so all newlines are outside strings. */
void
document_make_one_line(struct hpm_string *document)
{
    for (size_t i = 0; i + 1 < document->length; i++) {
        if (document->text[i] == '\n')
            document->text[i] = ' ';
    }
}
