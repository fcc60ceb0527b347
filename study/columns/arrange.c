/* SPDX-License-Identifier: BSD-3-Clause
 * The one order of a study. */
#include "study/columns/study.h"

#include <stdlib.h>

#include "study/columns/hits.h"

/* New positions: to[old index] is the new index. */
struct permutation {
    uint32_t *to;
    uint32_t n;
};

static bool
begin_permutation(struct permutation *permutation, struct hpm_study *study,
                  size_t n)
{
    permutation->n = 0;
    permutation->to = hpm_arena_new(&study->arena, n, sizeof(uint32_t));
    if (permutation->to == NULL)
        return false;
    memset(permutation->to, 0xff, n * sizeof(uint32_t));
    return true;
}

static void
meet(struct permutation *permutation, uint32_t old)
{
    if (permutation->to[old] == HPM_NO_INDEX)
        permutation->to[old] = permutation->n++;
}

/* ---- tasks ----------------------------------------------------------- */

static int
compare_tasks(const void *a, const void *b)
{
    int x = ((const struct hpm_task *)a)->number;
    int y = ((const struct hpm_task *)b)->number;

    return (x > y) - (x < y);
}

static bool
sort_tasks(struct hpm_study *study)
{
    int *numbers = hpm_arena_new(&study->arena, study->n_tasks, sizeof(int));

    if (numbers == NULL)
        return false;
    for (size_t i = 0; i < study->n_tasks; i++)
        numbers[i] = study->tasks[i].number;
    qsort(study->tasks, study->n_tasks, sizeof *study->tasks, compare_tasks);
    study->task_index = (struct hpm_index){0};
    for (size_t i = 0; i < study->n_tasks; i++) {
        int number = study->tasks[i].number;

        if (!hpm_index_add(&study->task_index, &study->arena, &number,
                           sizeof number, (uint32_t)i))
            return false;
    }
    for (size_t i = 0; i < study->n_places; i++) {
        struct hpm_study_place *place = &study->places[i];

        place->task = hpm_study_find_task(study, numbers[place->task]);
    }
    return true;
}

/* ---- sections and places --------------------------------------------- */

/* A section gets its place after the sections around it. */
static void
meet_section(struct permutation *permutation, const struct hpm_study *study,
             uint32_t section)
{
    uint32_t at, inside;

    if (permutation->to[section] != HPM_NO_INDEX)
        return;
    at = hpm_study_climb(study, section, permutation->to);
    for (; at != HPM_NO_INDEX; at = inside) {
        inside = permutation->to[at];
        permutation->to[at] = HPM_NO_INDEX;
        meet(permutation, at);
    }
}

static bool
move_sections(struct hpm_study *study, const struct permutation *permutation)
{
    struct hpm_study_section *old = study->sections;
    size_t n = study->n_sections;
    struct hpm_study_section *moved =
        hpm_arena_new(&study->arena, n, sizeof *moved);

    if (moved == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (permutation->to[i] == HPM_NO_INDEX)
            continue;
        if (old[i].parent != HPM_NO_INDEX)
            old[i].parent = permutation->to[old[i].parent];
        moved[permutation->to[i]] = old[i];
    }
    study->sections = NULL;
    study->n_sections = study->sections_capacity = 0;
    study->section_index = (struct hpm_index){0};
    for (uint32_t i = 0; i < permutation->n; i++) {
        if (hpm_study_add_section(study, &moved[i]) == HPM_NO_INDEX)
            return false;
    }
    return true;
}

static bool
move_places(struct hpm_study *study, const struct permutation *permutation)
{
    struct hpm_study_place *old = study->places;
    size_t n = study->n_places;
    struct hpm_study_place *moved =
        hpm_arena_new(&study->arena, n, sizeof *moved);

    if (moved == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (permutation->to[i] != HPM_NO_INDEX)
            moved[permutation->to[i]] = old[i];
    }
    study->places = NULL;
    study->n_places = study->places_capacity = 0;
    study->place_index = (struct hpm_index){0};
    for (uint32_t i = 0; i < permutation->n; i++) {
        if (hpm_study_add_place(study, moved[i].task, moved[i].tid) ==
            HPM_NO_INDEX)
            return false;
    }
    return true;
}

static bool
arrange_rows(struct hpm_study *study)
{
    struct permutation sections, places;

    if (!begin_permutation(&sections, study, study->n_sections) ||
        !begin_permutation(&places, study, study->n_places))
        return false;
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        for (size_t j = 0; j < task->n_rows; j++) {
            struct hpm_row *row = hpm_study_row(study, task->first_row + j);

            meet_section(&sections, study, row->section);
            meet(&places, row->place);
            row->section = sections.to[row->section];
            row->place = places.to[row->place];
        }
    }
    return move_sections(study, &sections) && move_places(study, &places);
}

/* ---- the columns of a task -------------------------------------------- */

/* Columns that Counters lists stand in the order of that list, behind Count and
 * the times.  Without this rule a record that lacks one of them would put the
 * others first. */
static unsigned
rank_of(const struct hpm_study *study, const struct hpm_task *task,
        uint32_t column)
{
    static const char *const first[] = {"Count", "ExcSec", "IncSec"};
    const char *name = study->columns[column].name;

    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(first[i], name) == 0)
            return i;
    }
    for (size_t i = 0; i < task->n_counters; i++) {
        if (task->counters[i].name == name)
            return 3 + (unsigned)i;
    }
    return 3 + (unsigned)task->n_counters;
}

/* Columns that Counters does not list keep their order behind the others. */
static bool
rank_columns(struct hpm_study *study, struct hpm_task *task)
{
    unsigned *ranks =
        hpm_arena_new(&study->arena, task->n_columns, sizeof *ranks);

    if (ranks == NULL)
        return false;
    for (size_t i = 0; i < task->n_columns; i++) {
        uint32_t column = task->columns[i];
        unsigned rank = rank_of(study, task, column);
        size_t at = i;

        for (; at > 0 && ranks[at - 1] > rank; at--) {
            ranks[at] = ranks[at - 1];
            task->columns[at] = task->columns[at - 1];
        }
        ranks[at] = rank;
        task->columns[at] = column;
    }
    return true;
}

bool
hpm_study_rank_columns(struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (!rank_columns(study, &study->tasks[i]))
            return false;
    }
    return true;
}

/* ---- columns --------------------------------------------------------- */

/* No record has the column.  The name of a metric is kept, so that it can be
 * reported. */
static bool
drop(struct hpm_study *study, const struct hpm_column *column)
{
    if (column->kind != HPM_COLUMN_METRIC)
        return true;
    if (!hpm_arena_grow(&study->arena, &study->dropped,
                        &study->dropped_capacity, study->n_dropped + 1,
                        sizeof *study->dropped))
        return false;
    study->dropped[study->n_dropped++] = column->name;
    return true;
}

static bool
arrange_columns(struct hpm_study *study)
{
    struct permutation columns;
    struct hpm_column *old = study->columns;
    struct hpm_column *moved =
        hpm_arena_new(&study->arena, study->n_columns, sizeof *moved);

    if (moved == NULL || !begin_permutation(&columns, study, study->n_columns))
        return false;
    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_task *task = &study->tasks[i];

        for (size_t j = 0; j < task->n_columns; j++) {
            meet(&columns, task->columns[j]);
            task->columns[j] = columns.to[task->columns[j]];
        }
    }
    for (size_t i = 0; i < study->n_columns; i++) {
        if (columns.to[i] != HPM_NO_INDEX)
            moved[columns.to[i]] = old[i];
        else if (!drop(study, &old[i]))
            return false;
    }
    study->columns = NULL;
    study->n_columns = study->columns_capacity = 0;
    study->column_index = (struct hpm_index){0};
    for (uint32_t i = 0; i < columns.n; i++) {
        if (hpm_study_add_column(study, moved[i].name, moved[i].unit,
                                 (enum hpm_column_kind)moved[i].kind) ==
            HPM_NO_INDEX)
            return false;
        study->columns[i] = moved[i];
        study->columns[i].last_task = HPM_NO_INDEX;
    }
    for (size_t i = 0; i < study->n_spreads; i++)
        study->spreads[i].column = columns.to[study->spreads[i].column];
    return true;
}

/* ---- public functions ------------------------------------------------ */

static int
compare_sources(const void *a, const void *b)
{
    const struct hpm_study_source *x = a, *y = b;

    if (x->side != y->side)
        return (int)x->side - (int)y->side;
    return strcmp(x->file, y->file);
}

bool
hpm_study_arrange(struct hpm_study *study)
{
    if (study->n_sources > 1)
        qsort(study->sources, study->n_sources, sizeof *study->sources,
              compare_sources);
    if (study->n_tasks == 0)
        return true;
    return sort_tasks(study) && arrange_rows(study) &&
           hpm_study_rank_columns(study) && arrange_columns(study) &&
           hpm_hits_arrange(study);
}
