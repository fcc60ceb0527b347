/* SPDX-License-Identifier: BSD-3-Clause
 * The order of the sections and columns of a summary. */
#include "study/columns/summaryorder.h"

#include <stdlib.h>

/* A section with what it is sorted by. */
struct item {
    const struct hpm_study_section *section;
    uint32_t index;
};

static int
compare_numbers(int a, int b)
{
    return (a > b) - (a < b);
}

static int
compare_places(const struct hpm_study_section *x,
               const struct hpm_study_section *y)
{
    int order = strcmp(x->base, y->base);

    if (order == 0)
        order = compare_numbers(x->line, y->line);
    if (order == 0)
        order = compare_numbers(x->instance, y->instance);
    if (order == 0)
        order = strcmp(x->label, y->label);
    if (order == 0)
        order = (x->twin > y->twin) - (x->twin < y->twin);
    return order;
}

static int
compare_items(const void *a, const void *b)
{
    const struct hpm_study_section *x = ((const struct item *)a)->section;
    const struct hpm_study_section *y = ((const struct item *)b)->section;

    if (x->parent != y->parent)
        return x->parent > y->parent ? 1 : -1;
    if (x->scope != y->scope)
        return x->scope == HPM_SCOPE_PROCESS ? -1 : 1;
    if (x->is_outside != y->is_outside)
        return x->is_outside ? 1 : -1;
    return compare_places(x, y);
}

/* The first of the sorted items inside `parent`, and *ret_n of them. */
static size_t
find_inside(const struct item *items, size_t n, uint32_t parent, size_t *ret_n)
{
    size_t low = 0, high = n, end;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].section->parent < parent)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < n && items[end].section->parent == parent;)
        end++;
    *ret_n = end - low;
    return low;
}

/* Walk the tree with a stack: its depth is not ours. */
static void
walk(const struct item *items, size_t n, uint32_t *stack, uint32_t *order)
{
    size_t n_stack = 0, n_order = 0, n_inside;
    size_t first = find_inside(items, n, HPM_NO_INDEX, &n_inside);

    for (;;) {
        uint32_t at;

        while (n_inside > 0)
            stack[n_stack++] = items[first + --n_inside].index;
        if (n_stack == 0)
            return;
        at = stack[--n_stack];
        order[n_order++] = at;
        first = find_inside(items, n, at, &n_inside);
    }
}

uint32_t *
hpm_summaryorder_find(const struct hpm_study *study, struct hpm_arena *arena)
{
    size_t n = study->n_sections;
    struct item *items = hpm_arena_new(arena, n + 1, sizeof *items);
    uint32_t *stack = hpm_arena_new(arena, n + 1, sizeof *stack);
    uint32_t *order = hpm_arena_new(arena, n + 1, sizeof *order);

    if (items == NULL || stack == NULL || order == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        items[i] = (struct item){&study->sections[i], i};
    qsort(items, n, sizeof *items, compare_items);
    walk(items, n, stack, order);
    return order;
}

static int
compare_columns(const void *a, const void *b)
{
    const struct hpm_column *x = *(const struct hpm_column *const *)a;
    const struct hpm_column *y = *(const struct hpm_column *const *)b;
    int order = compare_numbers(x->kind, y->kind);

    if (order == 0)
        order = strcmp(x->name, y->name);
    return order != 0 ? order : hpm_string_compare(x->unit, y->unit);
}

uint32_t *
hpm_summaryorder_columns(const struct hpm_study *study, struct hpm_arena *arena)
{
    size_t n = study->n_columns;
    const struct hpm_column **columns =
        hpm_arena_new(arena, n + 1, sizeof *columns);
    uint32_t *order = hpm_arena_new(arena, n + 1, sizeof *order);

    if (columns == NULL || order == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++)
        columns[i] = &study->columns[i];
    qsort(columns, n, sizeof *columns, compare_columns);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)(columns[i] - study->columns);
    return order;
}
