/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as JSON. */
#include "study/report/format.h"

#include <string.h>

void
hpm_json_add_text(struct hpm_string *string, const char *text)
{
    hpm_string_add_char(string, '"');
    while (*text != '\0') {
        size_t length = hpm_string_character(text);

        if (length == 0)
            hpm_string_add_format(string, "\\\\x%02X", (unsigned char)*text);
        else if (*text == '\\')
            hpm_string_add(string, "\\\\\\\\");
        else if (*text == '"')
            hpm_string_add(string, "\\\"");
        else if (*text < ' ' && length == 1 && *text >= 0)
            hpm_string_add_format(string, "\\u%04x", *text);
        else
            hpm_string_add_bytes(string, text, length);
        text += length != 0 ? length : 1;
    }
    hpm_string_add_char(string, '"');
}

static void
add_cell(struct hpm_string *string, const struct hpm_cell *cell)
{
    if (cell->kind == HPM_CELL_NONE)
        hpm_string_add(string, "null");
    else if (cell->kind == HPM_CELL_TEXT)
        hpm_json_add_text(string, cell->text);
    else
        hpm_cell_add_number(cell, string);
}

void
hpm_json_add_rows(struct hpm_string *string, const struct hpm_table *table,
                  bool is_first)
{
    for (size_t i = 0; i < table->n_cells; i++) {
        size_t column = i % table->n_columns;

        if (column == 0)
            hpm_string_add(string, i > 0 || !is_first ? ",\n  {" : "\n  {");
        else
            hpm_string_add(string, ", ");
        hpm_json_add_text(string, table->columns[column].name);
        hpm_string_add(string, ": ");
        add_cell(string, &table->cells[i]);
        if (column + 1 == table->n_columns)
            hpm_string_add_char(string, '}');
    }
}

void
hpm_json_add_table(struct hpm_string *string, const struct hpm_table *table)
{
    hpm_string_add_char(string, '[');
    hpm_json_add_rows(string, table, true);
    hpm_string_add(string, table->n_cells > 0 ? "\n]" : "]");
}
