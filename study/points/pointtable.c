/* SPDX-License-Identifier: BSD-3-Clause
 * Points as CSV and as arrays; lists of missing values, in words. */
#include "study/points/pointtable.h"

#include <math.h>

#include "host/memory.h"
#include "report/table.h"
#include "study/points/npz.h"
#include "study/points/pointlabels.h"
#include "study/report/format.h"

/* ---- CSV ---------------------------------------------------------------- */

static void
add_row(struct hpm_table *table, const struct hpm_points *points, size_t point)
{
    const struct hpm_point *here = &points->all[point];
    struct hpm_string label = {0};

    hpm_pointlabels_add_section(&label, points, point);
    hpm_table_add_string(table, &label);
    hpm_table_add_text_or_none(table, hpm_pointlabels_file(points, point));
    hpm_table_add_integer(table, hpm_pointlabels_line(points, point));
    hpm_table_add_text_or_none(table, hpm_pointlabels_host(points, point));
    hpm_table_add_integer(table, here->task);
    if (here->thread >= 0)
        hpm_table_add_integer(table, here->thread);
    else
        hpm_table_add_none(table);
    if (points->calls != NULL) {
        hpm_table_add_integer(table, here->call);
        hpm_table_add_real(table, here->begin);
    }
    for (size_t j = 0; j < points->n_columns; j++) {
        double value = points->columns[j].values[point];

        if (points->columns[j].is_exact && !isnan(value))
            hpm_table_add_integer(table, (int64_t)value);
        else
            hpm_table_add_real(table, value);
    }
}

/* Written in pieces: a table of a million points takes more memory than the
 * points. */
void
hpm_pointtable_add_csv(struct hpm_string *string,
                       const struct hpm_points *points)
{
    enum { PIECE = 1024 };
    static const char *const labels[] = {"section", "file", "line",
                                         "host",    "task", "thread"};
    struct hpm_table table = {0};

    hpm_table_add_columns(&table, labels, sizeof labels / sizeof *labels, 0);
    if (points->calls != NULL) {
        hpm_table_add_column(&table, "call", NULL, 0);
        hpm_table_add_column(&table, "begin", NULL, 0);
    }
    for (size_t j = 0; j < points->n_columns; j++)
        hpm_table_add_column(&table, points->columns[j].name, NULL, 0);
    hpm_csv_add_table(string, &table);
    for (size_t i = 0; i < points->n; i++) {
        add_row(&table, points, i);
        if ((i + 1) % PIECE == 0 || i + 1 == points->n) {
            hpm_csv_add_rows(string, &table);
            hpm_table_empty(&table);
        }
    }
    hpm_table_finish(&table, &string->failed);
}

/* ---- arrays --------------------------------------------------------- */

static void
section_text(const void *owner, size_t i, struct hpm_string *string)
{
    hpm_pointlabels_add_section(string, owner, i);
}

static void
file_text(const void *owner, size_t i, struct hpm_string *string)
{
    hpm_string_add(string, hpm_pointlabels_file(owner, i));
}

static void
host_text(const void *owner, size_t i, struct hpm_string *string)
{
    hpm_string_add(string, hpm_pointlabels_host(owner, i));
}

static int
task_number(const struct hpm_points *points, size_t point)
{
    return points->all[point].task;
}

static int
thread_number(const struct hpm_points *points, size_t point)
{
    return points->all[point].thread;
}

static int
call_number(const struct hpm_points *points, size_t point)
{
    return points->all[point].call;
}

static void
add_integers(struct hpm_npz *npz, const char *name,
             const struct hpm_points *points,
             int (*number)(const struct hpm_points *, size_t), int32_t *room)
{
    for (size_t i = 0; i < points->n; i++)
        room[i] = number(points, i);
    hpm_npz_add_integers(npz, name, room, points->n);
}

static bool
add_begins(struct hpm_npz *npz, const struct hpm_points *points)
{
    double *begins = hpm_memory_take((points->n + 1) * sizeof *begins);

    if (begins == NULL)
        return false;
    for (size_t i = 0; i < points->n; i++)
        begins[i] = points->all[i].begin;
    hpm_npz_add_reals(npz, "begin", begins, points->n);
    hpm_memory_free(begins);
    return true;
}

bool
hpm_pointtable_add_npz(struct hpm_string *string,
                       const struct hpm_points *points, struct hpm_error *err)
{
    struct hpm_npz npz = {.bytes = string, .begin = string->length};
    int32_t *room = hpm_memory_take((points->n + 1) * sizeof *room);

    if (room == NULL)
        return hpm_error_no_memory(err);
    hpm_npz_add_texts(&npz, "section", points->n, section_text, points);
    hpm_npz_add_texts(&npz, "file", points->n, file_text, points);
    add_integers(&npz, "line", points, hpm_pointlabels_line, room);
    hpm_npz_add_texts(&npz, "host", points->n, host_text, points);
    add_integers(&npz, "task", points, task_number, room);
    add_integers(&npz, "thread", points, thread_number, room);
    if (points->calls != NULL) {
        add_integers(&npz, "call", points, call_number, room);
        string->failed |= !add_begins(&npz, points);
    }
    for (size_t j = 0; j < points->n_columns; j++)
        hpm_npz_add_reals(&npz, points->columns[j].name,
                          points->columns[j].values, points->n);
    hpm_memory_free(room);
    return hpm_npz_end(&npz, err);
}

/* ---- what is missing ------------------------------------------------ */

void
hpm_pointtable_add_lacks(struct hpm_string *string,
                         const struct hpm_points *points)
{
    static const char *const words[HPM_POINTS_N_LACKS] = {
        "n/a", "partial", "of a section too short to be measured"};

    if (points->is_raw)
        hpm_string_add(string, "no metric can be computed of what was counted: "
                               "the columns are counters\n");
    if (points->n_folded > 0)
        hpm_string_add_format(string,
                              "%zu records of threads beyond HPM_MAX_THREADS "
                              "are no points: only their sums are known\n",
                              points->n_folded);
    for (size_t j = 0; j < points->n_columns; j++) {
        const struct hpm_points_column *column = &points->columns[j];

        for (size_t i = 0; i < HPM_POINTS_N_LACKS; i++) {
            if (column->n_lacking[i] > 0)
                hpm_string_add_format(
                    string, "%s is missing in %zu of %zu points: %s\n",
                    column->name, column->n_lacking[i], points->n, words[i]);
        }
        if (points->calls != NULL && column->n_estimates > 0)
            hpm_string_add_format(
                string,
                "%s is an estimate in %zu of %zu calls: its counters were on "
                "for a part of the call\n",
                column->name, column->n_estimates, points->n);
    }
}
