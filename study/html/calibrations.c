/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of measuring in the tasks of a study, for a page. */
#include "study/html/calibrations.h"

#include <string.h>

#include "host/memory.h"
#include "model/experiment.h"
#include "study/report/format.h"

/* A page leaves out one number of a cost: which part of a pair is the
 * start's. */
enum { N_COSTS = HPM_N_CALIBRATED - 1 };

struct row {
    int said_scope;
    const char *when, *name;
    uint64_t n_tasks;
    struct hpm_number n_calls;
    struct hpm_number costs[N_COSTS];
};

struct rows {
    struct row *rows;
    size_t n, capacity;
    bool failed;
};

static bool
is_same(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static struct row *
find_row(struct rows *rows, const struct hpm_task_calibration *calibration,
         const char *name)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct row *row = &rows->rows[i];

        if (row->said_scope == calibration->said_scope &&
            is_same(row->when, calibration->when) && is_same(row->name, name))
            return row;
    }
    if (!hpm_memory_grow(&rows->rows, &rows->capacity, rows->n + 1,
                         sizeof *rows->rows)) {
        rows->failed = true;
        return NULL;
    }
    rows->rows[rows->n] = (struct row){.said_scope = calibration->said_scope,
                                       .when = calibration->when,
                                       .name = name};
    return &rows->rows[rows->n++];
}

/* The larger of two numbers; where one is none, the other one. */
static struct hpm_number
larger(struct hpm_number a, struct hpm_number b)
{
    if (a.kind == HPM_NUMBER_NONE || b.kind == HPM_NUMBER_NONE)
        return a.kind == HPM_NUMBER_NONE ? b : a;
    return hpm_number_compare(a, b) < 0 ? b : a;
}

static struct hpm_number
smaller(struct hpm_number a, struct hpm_number b)
{
    if (a.kind == HPM_NUMBER_NONE || b.kind == HPM_NUMBER_NONE)
        return a.kind == HPM_NUMBER_NONE ? b : a;
    return hpm_number_compare(a, b) > 0 ? b : a;
}

static void
add_calibration(struct rows *rows,
                const struct hpm_task_calibration *calibration)
{
    for (size_t i = 0; i < calibration->n_costs; i++) {
        const struct hpm_task_cost *cost = &calibration->costs[i];
        struct row *row = find_row(rows, calibration, cost->name);

        if (row == NULL)
            return;
        row->n_tasks++;
        row->n_calls = smaller(row->n_calls, calibration->n_calls);
        for (size_t j = 0; j < N_COSTS; j++)
            row->costs[j] = larger(row->costs[j], cost->numbers[j]);
    }
}

static void
put_number(struct hpm_table *table, struct hpm_number number)
{
    if (number.kind == HPM_NUMBER_NONE)
        hpm_table_add_none(table);
    else
        hpm_table_add_real(table, hpm_number_to_real(number));
}

static void
put_row(struct hpm_table *table, const struct row *row)
{
    hpm_table_add_text_or_none(
        table, row->said_scope > 0
                   ? hpm_scope_name((enum hpm_scope)(row->said_scope - 1))
                   : NULL);
    hpm_table_add_text_or_none(table, row->when);
    hpm_table_add_text_or_none(table, row->name);
    hpm_table_add_count(table, row->n_tasks);
    put_number(table, row->n_calls);
    for (size_t i = 0; i < N_COSTS; i++)
        put_number(table, row->costs[i]);
}

void
hpm_html_add_calibrations(struct hpm_string *json,
                          const struct hpm_study *study)
{
    static const char *const names[] = {
        "scope",  "when",          "quantity",      "tasks",
        "calls",  "inside",        "inside_median", "inside_most",
        "around", "around_median", "around_most"};
    struct hpm_table table = {0};
    struct rows rows = {0};

    for (size_t i = 0; i < study->n_tasks; i++) {
        for (size_t j = 0; j < study->tasks[i].n_calibrations; j++)
            add_calibration(&rows, &study->tasks[i].calibrations[j]);
    }
    hpm_table_add_columns(&table, names, sizeof names / sizeof names[0], 3);
    for (size_t i = 0; i < rows.n; i++)
        put_row(&table, &rows.rows[i]);
    hpm_json_add_table(json, &table);
    json->failed |= rows.failed;
    hpm_memory_free(rows.rows);
    hpm_table_finish(&table, &json->failed);
}
