/* SPDX-License-Identifier: BSD-3-Clause
 * A table: titled columns and rows of cells. */
#include "report/table.h"

#include <math.h>

#include "host/memory.h"

void
hpm_table_empty(struct hpm_table *table)
{
    for (size_t i = 0; i < table->n_cells; i++) {
        if (table->cells[i].kind == HPM_CELL_TEXT)
            hpm_memory_free(table->cells[i].text);
    }
    table->n_cells = 0;
}

void
hpm_table_clear(struct hpm_table *table)
{
    hpm_table_empty(table);
    for (size_t i = 0; i < table->n_columns; i++)
        hpm_memory_free(table->columns[i].heading);
    hpm_memory_free(table->columns);
    hpm_memory_free(table->cells);
    *table = (struct hpm_table){0};
}

void
hpm_table_finish(struct hpm_table *table, bool *failed)
{
    *failed |= table->failed;
    hpm_table_clear(table);
}

void
hpm_table_add_column(struct hpm_table *table, const char *name,
                     const char *heading, int decimals)
{
    struct hpm_table_column *column;

    if (table->failed ||
        !hpm_memory_grow(&table->columns, &table->columns_capacity,
                         table->n_columns + 1, sizeof *table->columns)) {
        table->failed = true;
        return;
    }
    column = &table->columns[table->n_columns];
    *column = (struct hpm_table_column){.name = name, .decimals = decimals};
    column->heading = hpm_memory_copy_text(heading);
    if (heading != NULL && column->heading == NULL)
        table->failed = true;
    table->n_columns++;
}

void
hpm_table_add_columns(struct hpm_table *table, const char *const *names,
                      size_t n, int decimals)
{
    for (size_t i = 0; i < n; i++)
        hpm_table_add_column(table, names[i], NULL, decimals);
}

void
hpm_table_rank_column(struct hpm_table *table, int rank)
{
    if (!table->failed)
        table->columns[table->n_columns - 1].rank = rank;
}

void
hpm_table_align_column(struct hpm_table *table)
{
    if (!table->failed)
        table->columns[table->n_columns - 1].is_right = true;
}

static void
add_cell(struct hpm_table *table, struct hpm_cell cell)
{
    if (table->failed ||
        !hpm_memory_grow(&table->cells, &table->cells_capacity,
                         table->n_cells + 1, sizeof *table->cells)) {
        table->failed = true;
        if (cell.kind == HPM_CELL_TEXT)
            hpm_memory_free(cell.text);
        return;
    }
    table->cells[table->n_cells++] = cell;
}

void
hpm_table_add_none(struct hpm_table *table)
{
    add_cell(table, (struct hpm_cell){.kind = HPM_CELL_NONE});
}

void
hpm_table_add_nones(struct hpm_table *table, int n)
{
    while (n-- > 0)
        hpm_table_add_none(table);
}

void
hpm_table_add_text(struct hpm_table *table, const char *text)
{
    char *copy = hpm_memory_copy_text(text != NULL ? text : "");

    if (copy == NULL)
        table->failed = true;
    else
        add_cell(table, (struct hpm_cell){.kind = HPM_CELL_TEXT, .text = copy});
}

void
hpm_table_add_text_or_none(struct hpm_table *table, const char *text)
{
    if (text != NULL && text[0] != '\0')
        hpm_table_add_text(table, text);
    else
        hpm_table_add_none(table);
}

void
hpm_table_add_string(struct hpm_table *table, struct hpm_string *text)
{
    hpm_table_add_text(table, hpm_string_text(text));
    hpm_string_finish(text, &table->failed);
}

void
hpm_table_add_count(struct hpm_table *table, uint64_t count)
{
    add_cell(table, (struct hpm_cell){.kind = HPM_CELL_COUNT, .count = count});
}

void
hpm_table_add_integer(struct hpm_table *table, int64_t integer)
{
    add_cell(table,
             (struct hpm_cell){.kind = HPM_CELL_INTEGER, .integer = integer});
}

void
hpm_table_add_real(struct hpm_table *table, double real)
{
    if (isfinite(real))
        add_cell(table, (struct hpm_cell){.kind = HPM_CELL_REAL, .real = real});
    else
        hpm_table_add_none(table);
}

void
hpm_table_emphasise(struct hpm_table *table, enum hpm_emphasis emphasis)
{
    if (!table->failed)
        table->cells[table->n_cells - 1].emphasis = emphasis;
}

void
hpm_cell_add_number(const struct hpm_cell *cell, struct hpm_string *string)
{
    if (cell->kind == HPM_CELL_COUNT)
        hpm_string_add_format(string, "%llu", (unsigned long long)cell->count);
    else if (cell->kind == HPM_CELL_INTEGER)
        hpm_string_add_format(string, "%lld", (long long)cell->integer);
    else if (cell->kind == HPM_CELL_REAL)
        hpm_string_add_real(string, cell->real);
}

size_t
hpm_table_rows(const struct hpm_table *table)
{
    return table->n_columns > 0 ? table->n_cells / table->n_columns : 0;
}

const struct hpm_cell *
hpm_table_cell(const struct hpm_table *table, size_t row, size_t column)
{
    return &table->cells[row * table->n_columns + column];
}
