/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as text for people. */
#include "report/format.h"

#include "base/memory.h"

void
hpm_text_add_safe(struct hpm_string *string, const char *text)
{
    while (*text != '\0') {
        size_t length = hpm_string_character(text);

        if (length == 0 || *text == '\t' || *text == '\n' || *text == '\r') {
            hpm_string_add_format(string, "\\x%02X", (unsigned char)*text);
            text++;
        } else {
            hpm_string_add_bytes(string, text, length);
            text += length;
        }
    }
}

size_t
hpm_text_width(const char *text)
{
    size_t width = 0;

    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void
format_cell(struct hpm_string *string, const struct hpm_table *table,
            size_t row, size_t column)
{
    const struct hpm_cell *cell = hpm_table_cell(table, row, column);

    hpm_string_clear(string);
    switch (cell->kind) {
    case HPM_CELL_NONE:
        hpm_string_add_char(string, '-');
        break;
    case HPM_CELL_TEXT:
        hpm_text_add_safe(string, cell->text);
        break;
    case HPM_CELL_COUNT:
        hpm_string_add_grouped(string, cell->count);
        break;
    case HPM_CELL_INTEGER:
        hpm_string_add_format(string, "%lld", (long long)cell->integer);
        break;
    case HPM_CELL_REAL:
        hpm_string_add_fixed(string, cell->real,
                             table->columns[column].decimals);
        break;
    }
}

static const char *
heading(const struct hpm_column *column)
{
    return column->heading != NULL ? column->heading : column->name;
}

/* Numbers stand to the right; a column without any text is one of numbers. */
static bool
is_numeric(const struct hpm_table *table, size_t column)
{
    for (size_t row = 0; row < hpm_table_rows(table); row++) {
        if (hpm_table_cell(table, row, column)->kind == HPM_CELL_TEXT)
            return false;
    }
    return true;
}

struct layout {
    size_t width;
    bool is_right;
};

static void
measure(struct layout *layout, const struct hpm_table *table,
        struct hpm_string *scratch)
{
    for (size_t column = 0; column < table->n_columns; column++) {
        layout[column].width = hpm_text_width(heading(&table->columns[column]));
        layout[column].is_right = column > 0 && is_numeric(table, column);
        for (size_t row = 0; row < hpm_table_rows(table); row++) {
            size_t width;

            format_cell(scratch, table, row, column);
            width = hpm_text_width(hpm_string_text(scratch));
            if (width > layout[column].width)
                layout[column].width = width;
        }
    }
}

static void
add_padded(struct hpm_string *string, const char *text, struct layout layout,
           bool is_last)
{
    size_t padding = layout.width - hpm_text_width(text);

    if (layout.is_right) {
        while (padding-- > 0)
            hpm_string_add_char(string, ' ');
        hpm_string_add(string, text);
        padding = 0;
    } else {
        hpm_string_add(string, text);
    }
    if (is_last)
        return;
    for (padding = layout.is_right ? 0 : padding; padding > 0; padding--)
        hpm_string_add_char(string, ' ');
    hpm_string_add(string, "  ");
}

void
hpm_text_add_table(struct hpm_string *string, const struct hpm_table *table)
{
    struct layout *layout = hpm_memory_new(table->n_columns, sizeof *layout);
    struct hpm_string cell = {0};

    if (layout == NULL) {
        string->failed = true;
        return;
    }
    measure(layout, table, &cell);
    for (size_t column = 0; column < table->n_columns; column++)
        add_padded(string, heading(&table->columns[column]), layout[column],
                   column + 1 == table->n_columns);
    hpm_string_add_char(string, '\n');
    for (size_t row = 0; row < hpm_table_rows(table); row++) {
        for (size_t column = 0; column < table->n_columns; column++) {
            format_cell(&cell, table, row, column);
            add_padded(string, hpm_string_text(&cell), layout[column],
                       column + 1 == table->n_columns);
        }
        hpm_string_add_char(string, '\n');
    }
    string->failed |= cell.failed;
    hpm_string_free(&cell);
    hpm_memory_free(layout);
}
