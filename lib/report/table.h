/* SPDX-License-Identifier: BSD-3-Clause
 * A table: titled columns and rows of cells.  What a report shows is first made
 * as a table; its form (text, CSV, JSON) is decided later. */
#ifndef HPM_REPORT_TABLE_H
#define HPM_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/string.h"

enum hpm_cell_kind {
    HPM_CELL_NONE, /* no value: "-" in text, empty in CSV, null in JSON */
    HPM_CELL_TEXT,
    HPM_CELL_COUNT,
    HPM_CELL_INTEGER,
    HPM_CELL_REAL,
};

/* How a cell is emphasised if there are colours. */
enum hpm_emphasis {
    HPM_EMPHASIS_NONE,
    HPM_EMPHASIS_BAD,
    HPM_EMPHASIS_GOOD,
    HPM_EMPHASIS_DIM
};

struct hpm_cell {
    enum hpm_cell_kind kind;
    enum hpm_emphasis emphasis;
    union {
        char *text;
        uint64_t count;
        int64_t integer;
        double real;
    };
};

struct hpm_table_column {
    const char *name; /* in CSV and JSON; a constant text */
    char *heading;    /* in text; NULL: use the name */
    int decimals;     /* of reals, in text */
    int rank;         /* see hpm_table_rank_column */
    bool is_right;    /* see hpm_table_align_column */
};

struct hpm_table {
    struct hpm_table_column *columns;
    size_t n_columns;
    size_t columns_capacity;
    struct hpm_cell *cells; /* row by row */
    size_t n_cells;
    size_t cells_capacity;
    bool failed; /* memory ran out: the table is incomplete */
};

/* Free the contents.  Start from {0}. */
void hpm_table_clear(struct hpm_table *table);

/* Free the contents; set *failed if the table was incomplete. */
void hpm_table_finish(struct hpm_table *table, bool *failed);

/* Remove all rows but keep the columns: for tables that are written in
 * pieces. */
void hpm_table_empty(struct hpm_table *table);

/* Add all columns first, then cells from left to right, row after row.  When
 * memory runs out, `failed` is set; check once, at the end. */
void hpm_table_add_column(struct hpm_table *table, const char *name,
                          const char *heading, int decimals);

/* Add columns with these names, all with that many decimals. */
void hpm_table_add_columns(struct hpm_table *table, const char *const *names,
                           size_t n, int decimals);

/* Set the rank of the column added last.  If text gets too wide, columns of the
 * highest rank are left out first, the rightmost before the others; columns of
 * rank 0 stay. */
void hpm_table_rank_column(struct hpm_table *table, int rank);

/* Align the column added last to the right, although it has texts: numbers with
 * something beside them. */
void hpm_table_align_column(struct hpm_table *table);

void hpm_table_add_none(struct hpm_table *table);
void hpm_table_add_nones(struct hpm_table *table, int n);
void hpm_table_add_text(struct hpm_table *table, const char *text);

/* NULL and "" add a cell without a value. */
void hpm_table_add_text_or_none(struct hpm_table *table, const char *text);

/* Add the text, and free it. */
void hpm_table_add_string(struct hpm_table *table, struct hpm_string *text);
void hpm_table_add_count(struct hpm_table *table, uint64_t count);
void hpm_table_add_integer(struct hpm_table *table, int64_t integer);

/* NAN adds a cell without a value. */
void hpm_table_add_real(struct hpm_table *table, double real);

/* Emphasise the cell added last. */
void hpm_table_emphasise(struct hpm_table *table, enum hpm_emphasis emphasis);

/* Append a number in full precision with a decimal point, for programs to read;
 * nothing for a text or a cell without a value. */
void hpm_cell_add_number(const struct hpm_cell *cell,
                         struct hpm_string *string);

size_t hpm_table_rows(const struct hpm_table *table);
const struct hpm_cell *hpm_table_cell(const struct hpm_table *table, size_t row,
                                      size_t column);

#endif
