/* SPDX-License-Identifier: BSD-3-Clause
 * The records of several call paths in one order, and their totals. */
#include "hpmviz/data/treerows.h"

static int
compare_places(gconstpointer x, gconstpointer y, gpointer data)
{
    const struct hpm_study *study = data;
    guint a = *(const guint *)x, b = *(const guint *)y;
    const struct hpm_study_place *one = &study->places[a];
    const struct hpm_study_place *other = &study->places[b];

    if (one->task != other->task)
        return one->task < other->task ? -1 : 1;
    if (one->tid != other->tid)
        return one->tid < other->tid ? -1 : 1;
    return (a > b) - (a < b);
}

guint *
hpmviz_treerows_rank(const struct hpm_study *study)
{
    g_autofree guint *sorted = g_new(guint, study->n_places + 1);
    guint *ranks = g_new(guint, study->n_places + 1);

    for (guint i = 0; i < study->n_places; i++)
        sorted[i] = i;
    g_qsort_with_data(sorted, (gint)study->n_places, sizeof *sorted,
                      compare_places, (gpointer)(uintptr_t)study);
    for (guint i = 0; i < study->n_places; i++)
        ranks[sorted[i]] = i;
    return ranks;
}

static guint
rank_of(const struct hpmviz_trees *trees, uint32_t row)
{
    return trees->ranks[hpm_study_row(trees->paths->study, row)->place];
}

/* How many rows stand before those of each place, by rank; ret_n[0]: how many there
 * are. */
static size_t *
find_begins(const struct hpmviz_trees *trees, const guint *paths, guint n,
            size_t *ret_n)
{
    size_t n_places = trees->paths->study->n_places, sum = 0;
    size_t *begins = g_new0(size_t, n_places + 1);

    for (guint i = 0; i < n; i++) {
        const struct hpm_subject *subject = &trees->paths->subjects[paths[i]];

        for (size_t j = 0; j < subject->count; j++)
            begins[rank_of(trees, trees->paths->rows[subject->first + j])]++;
    }
    for (size_t i = 0; i < n_places; i++) {
        size_t here = begins[i];

        begins[i] = sum;
        sum += here;
    }
    *ret_n = sum;
    return begins;
}

/* In as many steps as there are rows and places: of a million rows a sort took half
 * a second, in which a window stood still. */
uint32_t *
hpmviz_treerows_join(const struct hpmviz_trees *trees, const guint *paths,
                     guint n, size_t *ret_n_rows)
{
    g_autofree size_t *next = find_begins(trees, paths, n, ret_n_rows);
    uint32_t *rows = g_new(uint32_t, *ret_n_rows + 1);

    for (guint i = 0; i < n; i++) {
        const struct hpm_subject *subject = &trees->paths->subjects[paths[i]];

        for (size_t j = 0; j < subject->count; j++) {
            uint32_t row = trees->paths->rows[subject->first + j];

            rows[next[rank_of(trees, row)]++] = row;
        }
    }
    return rows;
}

struct hpm_rowstotal *
hpmviz_treerows_new_total(const struct hpmviz_trees *trees)
{
    const struct hpmviz_treechoice *choice =
        &trees->choices[HPMVIZ_TREE_METRICS];
    const struct hpmviz_metricnode *nodes = trees->metrics->nodes;
    g_autofree size_t *wanted = g_new(size_t, (gsize)trees->metrics->n + 2);
    size_t n = 0;

    if (choice->node == HPMVIZ_NO_NODE)
        return NULL;
    wanted[n++] = nodes[choice->node].quantity;
    if (nodes[choice->node].own != HPM_NO_QUANTITY)
        wanted[n++] = nodes[choice->node].own;
    for (guint i = choice->node + 1; i < trees->metrics->n && choice->is_open;
         i++) {
        if (nodes[i].parent == choice->node && nodes[i].is_part)
            wanted[n++] = nodes[i].quantity;
    }
    return hpm_rowstotal_new(trees->paths, wanted, n);
}
