/* SPDX-License-Identifier: BSD-3-Clause
 * Some threads of an experiment. */
#include "study/columns/placecut.h"

#include <stdlib.h>
#include <string.h>

#include "study/columns/calls.h"
#include "study/columns/hits.h"
#include "study/columns/watched.h"
#include "study/columns/transfer.h"

/* The index in `to` of each thing of `from`; HPM_NO_INDEX: not kept. */
struct cutting {
    const struct hpm_study *from;
    struct hpm_study *to;
    const bool *are_kept; /* NULL: all, and tasks without any */
    struct hpm_arena arena;
    uint32_t *tasks, *sections, *columns, *rows;
};

static bool
is_kept(const struct cutting *cutting, size_t place)
{
    return cutting->are_kept == NULL || cutting->are_kept[place];
}

/* ---- who else is in a count -------------------------------------------- */

static void
note_threads(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;

    for (size_t i = 0; i < from->n_places; i++) {
        uint32_t task = cutting->tasks[from->places[i].task];

        if (!is_kept(cutting, i) && from->places[i].tid != -1 &&
            task != HPM_NO_INDEX)
            cutting->to->tasks[task].lacks_threads = true;
    }
}

static const char *
host_of(const struct hpm_task *task)
{
    return task->machine.host != NULL ? task->machine.host : "";
}

static int
compare_hosts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A task whose node is not known may have run on any. */
static bool
is_among(const char *host, const char *const *hosts, size_t n)
{
    return n > 0 &&
           (host[0] == '\0' || hosts[0][0] == '\0' ||
            bsearch(&host, hosts, n, sizeof *hosts, compare_hosts) != NULL);
}

static bool
note_neighbours(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;
    const char **hosts =
        hpm_arena_new(&cutting->arena, from->n_tasks + 1, sizeof *hosts);
    size_t n = 0;

    if (hosts == NULL)
        return false;
    for (size_t i = 0; i < from->n_tasks; i++) {
        if (cutting->tasks[i] == HPM_NO_INDEX)
            hosts[n++] = host_of(&from->tasks[i]);
    }
    qsort(hosts, n, sizeof *hosts, compare_hosts);
    for (size_t i = 0; i < cutting->to->n_tasks; i++) {
        struct hpm_task *task = &cutting->to->tasks[i];

        task->lacks_neighbours |= is_among(host_of(task), hosts, n);
    }
    return true;
}

/* ---- tasks and rows ---------------------------------------------------- */

static bool
add_task(struct cutting *cutting, uint32_t i)
{
    const struct hpm_task *task = &cutting->from->tasks[i];

    cutting->tasks[i] = hpm_study_add_task(cutting->to, task->number);
    return cutting->tasks[i] != HPM_NO_INDEX &&
           hpm_transfer_description(cutting->to, cutting->tasks[i], task);
}

static bool
add_row(struct cutting *cutting, uint32_t i, uint32_t task)
{
    const struct hpm_study *from = cutting->from;
    struct hpm_row row = *hpm_study_row(from, i);

    if (!is_kept(cutting, row.place))
        return true;
    row.place = hpm_study_add_place(cutting->to, cutting->tasks[task],
                                    from->places[row.place].tid);
    row.section =
        hpm_transfer_section(cutting->to, from, row.section, cutting->sections);
    row.parent = row.within = HPM_NO_INDEX;
    if (row.place == HPM_NO_INDEX || row.section == HPM_NO_INDEX)
        return false;
    cutting->rows[i] = hpm_study_add_row(cutting->to, &row);
    return cutting->rows[i] != HPM_NO_INDEX;
}

/* The process section around a thread's section may not be kept. */
static void
link_row(struct cutting *cutting, uint32_t i)
{
    const struct hpm_row *from = hpm_study_row(cutting->from, i);
    struct hpm_row *row;

    if (cutting->rows[i] == HPM_NO_INDEX)
        return;
    row = hpm_study_row(cutting->to, cutting->rows[i]);
    if (from->parent != HPM_NO_INDEX)
        row->parent = cutting->rows[from->parent];
    if (from->within != HPM_NO_INDEX)
        row->within = cutting->rows[from->within];
}

static bool
add_tasks(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;

    for (size_t i = 0; i < from->n_places; i++) {
        uint32_t task = from->places[i].task;

        if (is_kept(cutting, i))
            cutting->tasks[task] = task;
    }
    for (uint32_t i = 0; i < from->n_tasks && cutting->are_kept == NULL; i++)
        cutting->tasks[i] = i;
    for (uint32_t i = 0; i < from->n_tasks; i++) {
        if (cutting->tasks[i] == HPM_NO_INDEX)
            continue;
        if (!add_task(cutting, i))
            return false;
        for (size_t j = 0; j < from->tasks[i].n_rows; j++) {
            if (!add_row(cutting, (uint32_t)(from->tasks[i].first_row + j), i))
                return false;
        }
    }
    for (uint32_t i = 0; i < from->n_rows; i++)
        link_row(cutting, i);
    note_threads(cutting);
    return true;
}

/* ---- values -------------------------------------------------------------- */

static bool
add_columns(struct cutting *cutting)
{
    for (uint32_t i = 0; i < cutting->from->n_columns; i++) {
        cutting->columns[i] =
            hpm_transfer_column(cutting->to, cutting->from, i);
        if (cutting->columns[i] == HPM_NO_INDEX)
            return false;
    }
    return true;
}

static bool
copy_extras(struct cutting *cutting, uint32_t row, uint32_t to)
{
    const struct hpm_study *from = cutting->from;
    const char *file = hpm_study_text(from, row, HPM_EXTRA_FILE);

    struct hpm_watched_row watched = hpm_watched_get(from, row);

    for (int i = 0; i < HPM_EXTRA_VIA; i++) {
        if (!hpm_study_set_extra(cutting->to, to, (enum hpm_extra)i,
                                 hpm_study_extra(from, row, (enum hpm_extra)i)))
            return false;
    }
    if (!hpm_watched_set(cutting->to, to, &watched))
        return false;
    return file == NULL ||
           (hpm_study_own(cutting->to, &file) &&
            hpm_study_set_text(cutting->to, to, HPM_EXTRA_FILE, file));
}

static bool
copy_values(struct cutting *cutting, uint32_t row, uint32_t to)
{
    const struct hpm_study *from = cutting->from;
    const struct hpm_task *task = hpm_study_task_of(from, row);
    uint32_t last = HPM_NO_INDEX;

    for (size_t i = 0; i < task->n_columns; i++) {
        uint32_t column = task->columns[i];
        struct hpm_datum datum;

        if (!hpm_study_get_datum(from, row, column, &datum))
            continue;
        if (!hpm_study_own(cutting->to, &datum.reason) ||
            !hpm_study_set_datum(cutting->to, to, cutting->columns[column],
                                 last, &datum))
            return false;
        last = cutting->columns[column];
    }
    return copy_extras(cutting, row, to);
}

/* The total of an event is known only for whole tasks. */
static bool
copy_rows(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;
    struct hpm_hits_move move;

    if (!hpm_hits_begin_move(&move, &cutting->arena, cutting->to, from))
        return false;
    for (uint32_t i = 0; i < from->n_tasks; i++) {
        if (cutting->tasks[i] == HPM_NO_INDEX)
            continue;
        if (!hpm_hits_join_task(&move, &from->tasks[i],
                                &cutting->to->tasks[cutting->tasks[i]]))
            return false;
        if (cutting->are_kept != NULL)
            hpm_hits_forget_totals(&cutting->to->tasks[cutting->tasks[i]]);
    }
    for (uint32_t i = 0; i < from->n_rows; i++) {
        uint32_t to = cutting->rows[i];

        if (to != HPM_NO_INDEX &&
            (!copy_values(cutting, i, to) || !hpm_hits_move_row(&move, i, to) ||
             (from->n_kept > 0 &&
              !hpm_calls_move_row(cutting->to, from, i, to))))
            return false;
    }
    hpm_hits_settle(cutting->to);
    return true;
}

/* ---- public functions ---------------------------------------------------- */

static bool
cut(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;

    cutting->to->kind = from->kind;
    cutting->tasks = hpm_transfer_map(&cutting->arena, from->n_tasks);
    cutting->sections = hpm_transfer_map(&cutting->arena, from->n_sections);
    cutting->columns = hpm_transfer_map(&cutting->arena, from->n_columns);
    cutting->rows = hpm_transfer_map(&cutting->arena, from->n_rows);
    return cutting->tasks != NULL && cutting->sections != NULL &&
           cutting->columns != NULL && cutting->rows != NULL &&
           hpm_transfer_sources(cutting->to, from, HPM_SIDE_BOTH) &&
           add_columns(cutting) && add_tasks(cutting) &&
           note_neighbours(cutting) && copy_rows(cutting) &&
           hpm_study_rank_columns(cutting->to);
}

struct hpm_study *
hpm_placecut_new(const struct hpm_study *study, const bool *are_kept,
                 size_t most_bytes, struct hpm_error *err)
{
    struct cutting cutting = {.from = study, .are_kept = are_kept};
    bool is_good;

    cutting.to = hpm_study_new(most_bytes);
    is_good = cutting.to != NULL && cut(&cutting);
    hpm_arena_free(&cutting.arena);
    if (is_good)
        return cutting.to;
    hpm_study_no_memory(cutting.to, err);
    hpm_study_free(cutting.to);
    return NULL;
}
