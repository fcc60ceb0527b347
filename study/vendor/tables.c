/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of events and of metrics: a line each, with tabs between the columns,
 * which the first line names. */
#include <string.h>

#include "study/vendor/forms.h"
#include "study/vendor/notation.h"
#include "study/vendor/words.h"

enum { MOST_COLUMNS = 16, MOST_LINE = 65536 };

struct table {
    struct hpm_vendor *vendor;
    const char *path;
    const char *next; /* the next line */
    int line;
    bool is_cut; /* a line is too long */
    char *cells[MOST_COLUMNS];
    size_t n_cells;
    char names[1024]; /* of the columns */
    char *columns[MOST_COLUMNS];
    size_t n_columns;
    char text[MOST_LINE]; /* of the line */
    struct hpm_vendor_processor *processor;
    struct hpm_vendor_source source;
};

/* Cut a line at its tabs. */
static size_t
cut(char *line, char **cells)
{
    size_t n = 0;

    for (char *cell = line; cell != NULL && n < MOST_COLUMNS;) {
        char *tab = strchr(cell, '\t');

        cells[n++] = cell;
        if (tab != NULL)
            *tab++ = '\0';
        cell = tab;
    }
    return n;
}

/* The next line into `line`; false at the end. */
static bool
take_line(struct table *table, char *line, size_t size)
{
    size_t length = strcspn(table->next, "\n");
    size_t kept = length < size ? length : size - 1;

    if (*table->next == '\0')
        return false;
    memcpy(line, table->next, kept);
    if (kept > 0 && line[kept - 1] == '\r')
        kept--;
    line[kept] = '\0';
    table->is_cut |= kept < length && table->next[kept] != '\r';
    table->next += length + (table->next[length] == '\n');
    table->line++;
    return true;
}

/* The cell in a column; "" if the line has none. */
static const char *
cell(const struct table *table, const char *column)
{
    for (size_t i = 0; i < table->n_columns && i < table->n_cells; i++) {
        if (strcmp(table->columns[i], column) == 0)
            return table->cells[i];
    }
    return "";
}

static bool
complain(const struct table *table, const char *word, const char *expected,
         struct hpm_error *err)
{
    return hpm_error_set(err, "%.300s:%d: '%.60s' where %s is expected",
                         table->path, table->line, word, expected);
}

static bool
is_core(const char *pmu)
{
    return pmu[0] == '\0' || strcmp(pmu, "core") == 0 ||
           strncmp(pmu, "sbi-", 4) == 0;
}

static const char *
why_no_code(const char *pmu)
{
    bool is_kernels =
        strncmp(pmu, "sbi-", 4) == 0 && strcmp(pmu, "sbi-firmware") != 0;

    return is_kernels ? "it is one of the kernel's own events, which have "
                        "names of their own"
                      : NULL;
}

/* Keep the fields of a unit, except perf's own "perpkg". */
static const char *
keep_terms(struct hpm_vendor *vendor, const char *text)
{
    struct hpm_string terms = {0};

    while (*text != '\0') {
        size_t length = strcspn(text, ",");

        if (strncmp(text, "perpkg=", 7) != 0) {
            hpm_string_add(&terms, terms.length > 0 ? "," : "");
            hpm_string_add_bytes(&terms, text, length);
        }
        text += length + (text[length] == ',');
    }
    return hpm_vendor_keep_string(vendor, &terms);
}

static bool
read_unit(struct table *table, struct hpm_vendor_code *code,
          struct hpm_error *err)
{
    const char *other = cell(table, "other");
    struct hpm_string pmu = {0};

    if (!hpm_notation_are_terms(other))
        return complain(table, other, "field=value with commas between", err);
    hpm_words_add_unit(&pmu, cell(table, "pmu"));
    code->is_of_node = true;
    code->terms = keep_terms(table->vendor, other);
    code->pmu = hpm_vendor_keep_string(table->vendor, &pmu);
    return (code->terms != NULL && code->pmu != NULL) ||
           hpm_error_no_memory(err);
}

static bool
read_event(struct table *table, struct hpm_error *err)
{
    struct hpm_vendor_event event = {.name = cell(table, "name"),
                                     .why = why_no_code(cell(table, "pmu")),
                                     .info = cell(table, "meaning")};
    const char *config = strstr(cell(table, "other"), "perf_config=");

    if (!hpm_notation_code(cell(table, "code"), &event.code.event))
        return complain(table, cell(table, "code"), "a code", err);
    if (*cell(table, "umask") != '\0' &&
        !hpm_notation_code(cell(table, "umask"), &event.code.umask))
        return complain(table, cell(table, "umask"), "a mask", err);
    if (!is_core(cell(table, "pmu")) && !read_unit(table, &event.code, err))
        return false;
    if (config != NULL && event.why == NULL)
        event.code.is_config = hpm_notation_code(
            config + strlen("perf_config="), &event.code.event);
    table->source.n_events++;
    table->source.n_uncoded += event.why != NULL;
    return hpm_vendor_add_event(table->vendor, table->processor, &event) !=
               NULL ||
           hpm_error_no_memory(err);
}

static bool
read_metric(struct table *table, struct hpm_error *err)
{
    struct hpm_vendor_metric metric = {.name = cell(table, "name"),
                                       .formula = cell(table, "formula"),
                                       .threshold = cell(table, "threshold"),
                                       .parent = cell(table, "parent"),
                                       .source = table->vendor->n_sources};

    metric.unit = hpm_forms_split_scale(cell(table, "unit"), &metric.factor);
    if (metric.formula[0] == '\0')
        return complain(table, "", "a formula", err);
    return hpm_vendor_add_metric(table->vendor, table->processor, &metric) !=
               NULL ||
           hpm_error_no_memory(err);
}

static bool
complain_of_length(struct table *table, int size, struct hpm_error *err)
{
    table->is_cut = false;
    return hpm_error_set(err, "%.300s:%d: is longer than %d letters",
                         table->path, table->line, size - 1);
}

static bool
read_cells(struct table *table, bool are_metrics, struct hpm_error *err)
{
    if (table->is_cut)
        return complain_of_length(table, sizeof table->text, err);
    if (table->cells[0][0] == '\0')
        return complain(table, "", "a name", err);
    return are_metrics ? read_metric(table, err) : read_event(table, err);
}

static bool
read_lines(struct table *table, bool are_metrics, struct hpm_error *err)
{
    while (take_line(table, table->text, sizeof table->text)) {
        table->n_cells = cut(table->text, table->cells);
        if (table->n_cells < 2 && !table->is_cut)
            continue;
        if (!read_cells(table, are_metrics, err) &&
            !hpm_forms_skip(table->vendor, err))
            return false;
    }
    return true;
}

static bool
has_column(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        if (strcmp(table->columns[i], name) == 0)
            return true;
    }
    return false;
}

static bool
read_table(struct table *table, struct hpm_error *err)
{
    bool are_metrics;

    take_line(table, table->names, sizeof table->names);
    if (table->is_cut)
        return complain_of_length(table, sizeof table->names, err);
    table->n_columns = cut(table->names, table->columns);
    are_metrics = has_column(table, "formula");
    if (!are_metrics && !has_column(table, "code"))
        return complain(table, table->names,
                        "a column 'code' of events or 'formula' of metrics",
                        err);
    table->source.form = are_metrics ? "table of metrics" : "table of events";
    if (hpm_vendor_is_map(table->path, ""))
        table->processor = &table->vendor->common;
    else
        table->processor =
            hpm_vendor_processor_of(table->vendor, table->path, err);
    return table->processor != NULL && read_lines(table, are_metrics, err) &&
           hpm_forms_note(table->vendor, &table->source, err);
}

bool
hpm_forms_read_table(struct hpm_vendor *vendor, const char *path,
                     const char *text, struct hpm_error *err)
{
    struct table *table = hpm_arena_new(&vendor->arena, 1, sizeof *table);

    if (table == NULL)
        return hpm_error_no_memory(err);
    table->vendor = vendor;
    table->path = path;
    table->next = text;
    table->source.path = path;
    return read_table(table, err);
}
