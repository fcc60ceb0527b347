/* SPDX-License-Identifier: BSD-3-Clause
 * A table's headings and texts in the reader's language. */
#include "study/report/tablewords.h"

#include <string.h>

#include "host/memory.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

/* Replace a text by its translation; without memory it does not change. */
static void
translate(char **text)
{
    struct hpm_string shown = {0};
    char *copy = NULL;

    if (*text == NULL || *text[0] == '\0')
        return;
    hpm_sentence_add(&shown, *text);
    if (!shown.failed)
        copy = hpm_memory_copy_text(hpm_string_text(&shown));
    hpm_string_free(&shown);
    if (copy == NULL)
        return;
    hpm_memory_free(*text);
    *text = copy;
}

static void
translate_heading(struct hpm_table_column *column)
{
    if (column->heading == NULL)
        column->heading = hpm_memory_copy_text(column->name);
    translate(&column->heading);
}

/* Does the column have names, which are not translated?  "cycles" can be a name
 * and a word, so the column decides. */
static bool
has_names(const struct hpm_table *table, size_t column, const char *names)
{
    static const char *const always[] = {"event",  "metric", "metrics",
                                         "module", "point",  "representative"};

    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        if (strcmp(table->columns[column].name, always[i]) == 0)
            return true;
    }
    return column == 0 ||
           (names != NULL && strcmp(table->columns[column].name, names) == 0);
}

void
hpm_tablewords_translate(struct hpm_table *table, const char *names)
{
    if (!hpm_words_are_translated())
        return;
    for (size_t i = 0; i < table->n_columns; i++)
        translate_heading(&table->columns[i]);
    for (size_t i = 0; i < table->n_cells; i++) {
        if (table->cells[i].kind == HPM_CELL_TEXT &&
            (table->cells[i].text[0] == '(' ||
             !has_names(table, i % table->n_columns, names)))
            translate(&table->cells[i].text);
    }
}

void
hpm_tablewords_add(struct hpm_string *string, struct hpm_table *table,
                   const char *names)
{
    hpm_tablewords_translate(table, names);
    hpm_text_add_table(string, table);
}

size_t
hpm_tablewords_add_in(struct hpm_string *string, struct hpm_table *table,
                      const char *names, const struct hpm_text_style *style)
{
    hpm_tablewords_translate(table, names);
    return hpm_text_add_table_in(string, table, style);
}
