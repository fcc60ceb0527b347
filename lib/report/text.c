/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as text for people. */
#include "report/text.h"

#include <math.h>

#include <string.h>

#include "host/memory.h"

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
        hpm_string_add_safe(string, cell->text);
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
heading(const struct hpm_table_column *column)
{
    return column->heading != NULL ? column->heading : column->name;
}

/* A column without any text is one of numbers, which are aligned to the
 * right. */
static bool
is_numeric(const struct hpm_table *table, size_t column)
{
    for (size_t row = 0; row < hpm_table_rows(table); row++) {
        if (hpm_table_cell(table, row, column)->kind == HPM_CELL_TEXT)
            return false;
    }
    return true;
}

/* ---- what fits ------------------------------------------------------- */

struct layout {
    size_t width;
    bool is_right;
    bool is_left_out;
    bool is_empty; /* left out because it is empty */
};

static const char ellipsis[] = "..";

enum { GAP = 2, LEAST_CUT = 12 }; /* a shorter label would say nothing */

static void
measure(struct layout *layout, const struct hpm_table *table,
        struct hpm_string *scratch)
{
    for (size_t column = 0; column < table->n_columns; column++) {
        layout[column].width = hpm_text_width(heading(&table->columns[column]));
        layout[column].is_right = table->columns[column].is_right ||
                                  (column > 0 && is_numeric(table, column));
        for (size_t row = 0; row < hpm_table_rows(table); row++) {
            size_t width;

            format_cell(scratch, table, row, column);
            width = hpm_text_width(hpm_string_text(scratch));
            if (width > layout[column].width)
                layout[column].width = width;
        }
    }
}

/* May the column be left out, and has it no values? */
static bool
is_empty(const struct hpm_table *table, size_t column)
{
    if (table->columns[column].rank == 0 &&
        heading(&table->columns[column])[0] != '\0')
        return false;
    for (size_t row = 0; row < hpm_table_rows(table); row++) {
        const struct hpm_cell *cell = hpm_table_cell(table, row, column);

        if (cell->kind != HPM_CELL_NONE &&
            (cell->kind != HPM_CELL_TEXT || cell->text[0] != '\0'))
            return false;
    }
    return true;
}

static size_t
total_width(const struct layout *layout, size_t n_columns)
{
    size_t width = 0;

    for (size_t i = 0; i < n_columns; i++) {
        if (!layout[i].is_left_out)
            width += layout[i].width + (width > 0 ? GAP : 0);
    }
    return width;
}

/* The column to leave out next; n_columns if no more may be left out. */
static size_t
least_needed(const struct layout *layout, const struct hpm_table *table)
{
    size_t found = table->n_columns;
    int highest = 0;

    for (size_t i = 0; i < table->n_columns; i++) {
        if (!layout[i].is_left_out && table->columns[i].rank > 0 &&
            table->columns[i].rank >= highest) {
            highest = table->columns[i].rank;
            found = i;
        }
    }
    return found;
}

static void
fit(struct layout *layout, const struct hpm_table *table, size_t width)
{
    size_t total;

    for (size_t i = 0; i < table->n_columns; i++)
        layout[i].is_left_out = layout[i].is_empty = is_empty(table, i);
    total = total_width(layout, table->n_columns);
    while (total > width) {
        size_t column = least_needed(layout, table);

        if (column == table->n_columns)
            break;
        layout[column].is_left_out = true;
        total = total_width(layout, table->n_columns);
    }
    if (total <= width || table->n_columns == 0)
        return;
    if (layout[0].width > total - width + LEAST_CUT)
        layout[0].width -= total - width;
    else if (layout[0].width > LEAST_CUT)
        layout[0].width = LEAST_CUT;
}

/* ---- lines ----------------------------------------------------------- */

/* Cut a text that is wider than its column, between two characters. */
static void
cut(struct hpm_string *text, size_t width)
{
    size_t kept = 0;

    if (hpm_text_width(hpm_string_text(text)) <= width)
        return;
    for (size_t n = 0; n + strlen(ellipsis) < width; n++) {
        do
            kept++;
        while (((unsigned char)text->text[kept] & 0xc0) == 0x80);
    }
    text->length = kept;
    text->text[kept] = '\0';
    hpm_string_add(text, ellipsis);
}

static const char *
escape(enum hpm_emphasis emphasis)
{
    static const char *const escapes[] = {
        [HPM_EMPHASIS_NONE] = NULL,
        [HPM_EMPHASIS_BAD] = "\033[31m",
        [HPM_EMPHASIS_GOOD] = "\033[32m",
        [HPM_EMPHASIS_DIM] = "\033[2m",
    };

    return escapes[emphasis];
}

/* `is_last`: the last column, which gets no blanks at its end. */
static void
add_padded(struct hpm_string *string, const char *text, const char *colour,
           struct layout layout, bool is_last)
{
    size_t width = hpm_text_width(text);
    size_t padding = layout.width > width ? layout.width - width : 0;

    if (layout.is_right)
        hpm_string_add_blanks(string, 0, padding);
    hpm_string_add(string, colour != NULL ? colour : "");
    hpm_string_add(string, text);
    hpm_string_add(string, colour != NULL ? "\033[0m" : "");
    if (!is_last)
        hpm_string_add_blanks(string, 0, (layout.is_right ? 0 : padding) + GAP);
}

static size_t
last_column(const struct layout *layout, size_t n_columns)
{
    while (n_columns > 0 && layout[n_columns - 1].is_left_out)
        n_columns--;
    return n_columns - 1;
}

static void
add_headings(struct hpm_string *string, const struct hpm_table *table,
             const struct layout *layout, bool is_coloured)
{
    size_t last = last_column(layout, table->n_columns);

    for (size_t column = 0; column < table->n_columns; column++) {
        const char *text = heading(&table->columns[column]);

        if (!layout[column].is_left_out)
            add_padded(string, text,
                       is_coloured && text[0] != '\0' ? "\033[1m" : NULL,
                       layout[column], column == last);
    }
    hpm_string_trim(string);
    hpm_string_add_char(string, '\n');
}

static void
add_row(struct hpm_string *string, const struct hpm_table *table, size_t row,
        const struct layout *layout, bool is_coloured, struct hpm_string *cell)
{
    size_t last = last_column(layout, table->n_columns);

    for (size_t column = 0; column < table->n_columns; column++) {
        enum hpm_emphasis emphasis =
            hpm_table_cell(table, row, column)->emphasis;

        if (layout[column].is_left_out)
            continue;
        format_cell(cell, table, row, column);
        cut(cell, layout[column].width);
        add_padded(string, hpm_string_text(cell),
                   is_coloured ? escape(emphasis) : NULL, layout[column],
                   column == last);
    }
    hpm_string_trim(string);
    hpm_string_add_char(string, '\n');
}

size_t
hpm_text_add_table_in(struct hpm_string *string, const struct hpm_table *table,
                      const struct hpm_text_style *style)
{
    struct layout *layout = hpm_memory_new(table->n_columns, sizeof *layout);
    struct hpm_string cell = {0};
    size_t n_left_out = 0;

    if (layout == NULL) {
        string->failed = true;
        return 0;
    }
    measure(layout, table, &cell);
    if (style->width > 0)
        fit(layout, table, style->width);
    add_headings(string, table, layout, style->is_coloured);
    for (size_t row = 0; row < hpm_table_rows(table); row++)
        add_row(string, table, row, layout, style->is_coloured, &cell);
    for (size_t i = 0; i < table->n_columns; i++)
        n_left_out += layout[i].is_left_out && !layout[i].is_empty;
    hpm_string_finish(&cell, &string->failed);
    hpm_memory_free(layout);
    return n_left_out;
}

void
hpm_text_add_table(struct hpm_string *string, const struct hpm_table *table)
{
    static const struct hpm_text_style plain = {0, false};

    hpm_text_add_table_in(string, table, &plain);
}

/* At least 0.01 %: smaller parts are rounded up to that. */
void
hpm_text_add_reach(struct hpm_string *string, double value, double reach)
{
    double part = value != 0.0 ? 100.0 * reach / fabs(value) : 100.0 * reach;
    int digits = part >= 10.0 ? 0 : part >= 1.0 ? 1 : 2;

    hpm_string_add(string, " +-");
    if (isnan(reach)) {
        hpm_string_add_char(string, '?');
        return;
    }
    if (part > 0.0 && part < 0.01)
        part = 0.01;
    hpm_string_add_fixed(string, part, digits);
    hpm_string_add_char(string, '%');
}
