/* SPDX-License-Identifier: BSD-3-Clause
 * Which rows and columns of several studies are the same. */
#include "study/columns/align.h"

#include <stdlib.h>

#include "study/columns/pair.h"
#include "study/columns/transfer.h"

/* ---- the order of studies -------------------------------------------- */

static int
compare_sources(const struct hpm_study *a, const struct hpm_study *b)
{
    for (size_t i = 0; i < a->n_sources && i < b->n_sources; i++) {
        int order = hpm_string_compare(a->sources[i].file, b->sources[i].file);

        if (order != 0)
            return order;
    }
    return (a->n_sources > b->n_sources) - (a->n_sources < b->n_sources);
}

static int
compare_starts(const struct hpm_study *a, const struct hpm_study *b)
{
    if (a->n_tasks == 0 || b->n_tasks == 0)
        return (a->n_tasks > 0) - (b->n_tasks > 0);
    return hpm_string_compare(a->tasks[0].start, b->tasks[0].start);
}

/* Studies for which this is 0 are alike: either may stand first. */
static int
compare_contents(const struct hpm_study *a, const struct hpm_study *b)
{
    if (a->n_rows != b->n_rows)
        return a->n_rows < b->n_rows ? -1 : 1;
    if (a->n_columns != b->n_columns)
        return a->n_columns < b->n_columns ? -1 : 1;
    for (uint32_t i = 0; i < a->n_columns; i++) {
        int order = hpm_string_compare(a->columns[i].name, b->columns[i].name);

        for (uint32_t j = 0; j < a->n_rows && order == 0; j++)
            order =
                hpm_number_compare(hpm_study_number(a, j, i, HPM_FIELD_VALUE),
                                   hpm_study_number(b, j, i, HPM_FIELD_VALUE));
        if (order != 0)
            return order;
    }
    return 0;
}

static int
compare_studies(const void *a, const void *b)
{
    const struct hpm_study *x = *(const struct hpm_study *const *)a;
    const struct hpm_study *y = *(const struct hpm_study *const *)b;
    int order = compare_sources(x, y);

    if (order == 0)
        order = compare_starts(x, y);
    return order != 0 ? order : compare_contents(x, y);
}

void
hpm_align_sort(const struct hpm_study **studies, size_t n)
{
    qsort(studies, n, sizeof *studies, compare_studies);
}

/* ---- tasks ----------------------------------------------------------- */

static int
compare_numbers(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* Add the tasks of all studies by number. */
static bool
add_tasks(struct hpm_align *align)
{
    size_t n_all = 0, n = 0;
    int *numbers;

    for (size_t i = 0; i < align->n; i++)
        n_all += align->studies[i]->n_tasks;
    numbers = hpm_arena_new(&align->arena, n_all, sizeof *numbers);
    if (numbers == NULL)
        return false;
    for (size_t i = 0; i < align->n; i++) {
        for (size_t j = 0; j < align->studies[i]->n_tasks; j++)
            numbers[n++] = align->studies[i]->tasks[j].number;
    }
    qsort(numbers, n, sizeof *numbers, compare_numbers);
    for (size_t i = 0; i < n; i++) {
        if (hpm_study_add_task(align->result, numbers[i]) == HPM_NO_INDEX)
            return false;
    }
    align->tasks =
        hpm_transfer_map(&align->arena, align->result->n_tasks * align->n);
    if (align->tasks == NULL)
        return false;
    for (size_t i = 0; i < align->result->n_tasks; i++) {
        for (size_t j = 0; j < align->n; j++)
            align->tasks[i * align->n + j] = hpm_study_find_task(
                align->studies[j], align->result->tasks[i].number);
    }
    return true;
}

/* ---- rows ------------------------------------------------------------ */

/* What an alignment needs while it looks for rows. */
struct search {
    struct hpm_align *align;
    uint32_t **sections; /* by study and section: the section of the result */
    uint32_t **rows;     /* by study and row: the row of the result */
    size_t rows_capacity;
    struct hpm_index index; /* rows of the result by place and section */
};

/* The row of the result for row i of a study, added where it is not there. */
static uint32_t
place_row(struct search *search, size_t which, uint32_t i, uint32_t task)
{
    struct hpm_align *align = search->align;
    struct hpm_study *result = align->result;
    const struct hpm_study *study = align->studies[which];
    struct hpm_row row = *hpm_study_row(study, i);
    struct hpm_row_key key = {
        hpm_study_add_place(result, task, study->places[row.place].tid),
        search->sections[which][row.section]};
    uint32_t placed;

    if (key.place == HPM_NO_INDEX)
        return HPM_NO_INDEX;
    placed = hpm_index_find(&search->index, &key, sizeof key, hpm_study_is_row,
                            result);
    if (placed != HPM_NO_INDEX)
        return placed;
    row.place = key.place;
    row.section = key.section;
    row.parent = row.within = HPM_NO_INDEX;
    row.flags = 0;
    row.line_end = 0;
    placed = hpm_study_add_row(result, &row);
    if (placed == HPM_NO_INDEX ||
        !hpm_arena_grow(&align->arena, &align->rows, &search->rows_capacity,
                        ((size_t)placed + 1) * align->n, sizeof(uint32_t)) ||
        !hpm_index_add(&search->index, &align->arena, &key, sizeof key, placed))
        return HPM_NO_INDEX;
    memset(align->rows + (size_t)placed * align->n, 0xff,
           align->n * sizeof(uint32_t));
    return placed;
}

static bool
place_rows(struct search *search, size_t which, const struct hpm_task *from,
           uint32_t task)
{
    struct hpm_align *align = search->align;

    for (size_t i = 0; i < from->n_rows; i++) {
        uint32_t row = (uint32_t)(from->first_row + i);
        uint32_t placed = place_row(search, which, row, task);

        if (placed == HPM_NO_INDEX)
            return false;
        search->rows[which][row] = placed;
        align->rows[(size_t)placed * align->n + which] = row;
    }
    return true;
}

/* A row's family is taken from the first study that knows it. */
static void
link_rows(struct search *search, size_t which, const struct hpm_task *from)
{
    const struct hpm_study *study = search->align->studies[which];
    const uint32_t *placed = search->rows[which];

    for (size_t i = 0; i < from->n_rows; i++) {
        const struct hpm_row *row = hpm_study_row(study, from->first_row + i);
        struct hpm_row *to =
            hpm_study_row(search->align->result, placed[from->first_row + i]);

        if (to->parent == HPM_NO_INDEX && row->parent != HPM_NO_INDEX)
            to->parent = placed[row->parent];
        if (to->within == HPM_NO_INDEX && row->within != HPM_NO_INDEX)
            to->within = placed[row->within];
    }
}

static bool
add_rows(struct search *search)
{
    struct hpm_align *align = search->align;

    for (uint32_t i = 0; i < align->result->n_tasks; i++) {
        for (size_t j = 0; j < align->n; j++) {
            uint32_t task = align->tasks[i * align->n + j];

            if (task == HPM_NO_INDEX)
                continue;
            if (!place_rows(search, j, &align->studies[j]->tasks[task], i))
                return false;
            link_rows(search, j, &align->studies[j]->tasks[task]);
        }
    }
    return true;
}

/* ---- sections and columns -------------------------------------------- */

static bool
add_sections(struct search *search, bool are_builds)
{
    struct hpm_align *align = search->align;

    search->sections =
        hpm_arena_new(&align->arena, align->n, sizeof *search->sections);
    search->rows = hpm_arena_new(&align->arena, align->n, sizeof *search->rows);
    if (search->sections == NULL || search->rows == NULL)
        return false;
    for (size_t i = 0; i < align->n; i++) {
        const struct hpm_study *study = align->studies[i];

        search->sections[i] =
            hpm_transfer_map(&align->arena, study->n_sections);
        search->rows[i] = hpm_transfer_map(&align->arena, study->n_rows);
        if (search->sections[i] == NULL || search->rows[i] == NULL ||
            !hpm_pair_sections(align->result, study, are_builds && i > 0,
                               search->sections[i]))
            return false;
    }
    return true;
}

static bool
add_columns(struct hpm_align *align)
{
    struct hpm_study *result = align->result;
    size_t n_all = 0;

    for (size_t i = 0; i < align->n; i++)
        n_all += align->studies[i]->n_columns;
    align->columns = hpm_transfer_map(&align->arena, n_all * align->n);
    if (align->columns == NULL)
        return false;
    for (size_t i = 0; i < align->n; i++) {
        for (uint32_t j = 0; j < align->studies[i]->n_columns; j++) {
            uint32_t column = hpm_transfer_column(result, align->studies[i], j);

            if (column == HPM_NO_INDEX)
                return false;
            align->columns[column * align->n + i] = j;
        }
    }
    return true;
}

bool
hpm_align_begin(struct hpm_align *align, const struct hpm_study *const *studies,
                size_t n, bool are_builds, size_t most_bytes,
                struct hpm_error *err)
{
    struct search search = {.align = align};

    *align = (struct hpm_align){.studies = studies, .n = n};
    align->result = hpm_study_new(most_bytes);
    align->arena.most = most_bytes;
    if (align->result == NULL)
        return hpm_error_no_memory(err);
    if (add_tasks(align) && add_sections(&search, are_builds) &&
        add_rows(&search) && add_columns(align))
        return true;
    hpm_study_no_memory(align->result, err);
    hpm_study_free(align->result);
    align->result = NULL;
    hpm_align_free(align);
    return false;
}

void
hpm_align_free(struct hpm_align *align)
{
    hpm_arena_free(&align->arena);
}
