/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as CSV. */
#include "study/report/format.h"

#include <string.h>

/* RFC 4180: quoted where a comma, quote or line end would be misread.  Control
 * characters and malformed UTF-8 become \xHH, as in the performance file. */
static void
add_text(struct hpm_string *string, const char *text)
{
    bool is_quoted = strpbrk(text, ",\"\n\r") != NULL || text[0] == ' ' ||
                     (text[0] != '\0' && text[strlen(text) - 1] == ' ');

    if (is_quoted)
        hpm_string_add_char(string, '"');
    while (*text != '\0') {
        size_t length = hpm_string_character(text);

        if (length == 0)
            hpm_string_add_format(string, "\\x%02X", (unsigned char)*text);
        else if (*text == '"')
            hpm_string_add(string, "\"\"");
        else if (*text == '\\')
            hpm_string_add(string, "\\\\");
        else
            hpm_string_add_bytes(string, text, length);
        text += length != 0 ? length : 1;
    }
    if (is_quoted)
        hpm_string_add_char(string, '"');
}

static void
add_cell(struct hpm_string *string, const struct hpm_cell *cell)
{
    if (cell->kind == HPM_CELL_TEXT)
        add_text(string, cell->text);
    else
        hpm_cell_add_number(cell, string);
}

void
hpm_csv_add_rows(struct hpm_string *string, const struct hpm_table *table)
{
    for (size_t i = 0; i < table->n_cells; i++) {
        hpm_string_add(string, i % table->n_columns > 0 ? "," : "");
        add_cell(string, &table->cells[i]);
        if ((i + 1) % table->n_columns == 0)
            hpm_string_add_char(string, '\n');
    }
}

void
hpm_csv_add_table(struct hpm_string *string, const struct hpm_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        hpm_string_add(string, i > 0 ? "," : "");
        hpm_string_add(string, table->columns[i].name);
    }
    hpm_string_add_char(string, '\n');
    hpm_csv_add_rows(string, table);
}
