/* SPDX-License-Identifier: BSD-3-Clause
 * What the selected metric has in each node of the tree of callers. */
#include "hpmviz/data/callervalues.h"

#include "hpmviz/data/treerows.h"
#include "hpmviz/data/treevalue.h"

/* Of a piece of work, which takes less than a millisecond. */
enum { PATHS_AT_ONCE = 500, ROWS_AT_ONCE = 64 };

struct hpmviz_callervalues {
    struct hpmviz_treevalue *closed; /* by node, of closed ones */
    guint next;                      /* node to be worked out */
    guint next_path;                 /* of it, where amounts are added */
    struct hpmviz_treevalue sum;     /* of its paths so far */
    struct hpm_rowstotal *total; /* of what has no sum; NULL without memory */
    uint32_t *rows;              /* that are summed for it, or NULL */
};

struct hpmviz_callervalues *
hpmviz_callervalues_new(const struct hpmviz_trees *trees)
{
    struct hpmviz_callervalues *values = g_new0(struct hpmviz_callervalues, 1);

    values->closed =
        g_new(struct hpmviz_treevalue, (gsize)trees->callers->n + 1);
    for (guint i = 0; i < trees->callers->n; i++)
        values->closed[i] = hpmviz_treevalue_none();
    values->sum = hpmviz_treevalue_none();
    values->total = hpmviz_treerows_new_total(trees);
    return values;
}

void
hpmviz_callervalues_free(struct hpmviz_callervalues *values)
{
    if (values == NULL)
        return;
    hpm_rowstotal_free(values->total);
    g_free(values->rows);
    g_free(values->closed);
    g_free(values);
}

static void
end_node(struct hpmviz_callervalues *values, struct hpmviz_treevalue value)
{
    g_clear_pointer(&values->rows, g_free);
    values->closed[values->next++] = value;
    values->next_path = 0;
    values->sum = hpmviz_treevalue_none();
}

static void
add_some(struct hpmviz_callervalues *values, const struct hpmviz_trees *trees,
         const guint *paths, guint n)
{
    guint end = MIN(n, values->next_path + PATHS_AT_ONCE);

    for (; values->next_path < end; values->next_path++) {
        struct hpmviz_treevalue value =
            hpmviz_treevalue_of_path(trees, paths[values->next_path], TRUE);

        hpmviz_treevalue_add(&values->sum, &value);
    }
    if (values->next_path == n)
        end_node(values, values->sum);
}

static void
sum_some(struct hpmviz_callervalues *values, const struct hpmviz_trees *trees,
         const guint *paths, guint n)
{
    size_t n_rows;

    if (values->total == NULL) {
        end_node(values, hpmviz_treevalue_none());
        return;
    }
    if (values->rows == NULL) {
        values->rows = hpmviz_treerows_join(trees, paths, n, &n_rows);
        hpm_rowstotal_begin(values->total, paths[0], values->rows, n_rows);
    }
    if (hpm_rowstotal_work(values->total, ROWS_AT_ONCE))
        return;
    end_node(values, hpmviz_treevalue_find(
                         trees, trees->choices[HPMVIZ_TREE_METRICS], TRUE,
                         (struct hpmviz_figures){
                             .all = hpm_rowstotal_figures(values->total)}));
}

/* Of several paths amounts are added, all else is evaluated from their rows. */
gboolean
hpmviz_callervalues_work(struct hpmviz_callervalues *values,
                         const struct hpmviz_trees *trees)
{
    guint metric = trees->choices[HPMVIZ_TREE_METRICS].node, n;
    const guint *paths;

    if (metric == HPMVIZ_NO_NODE || values->next == trees->callers->n)
        return FALSE;
    paths = hpmviz_pathtree_paths(trees->callers, values->next, FALSE, &n);
    if (n > 1 && !trees->metrics->nodes[metric].is_amount)
        sum_some(values, trees, paths, n);
    else
        add_some(values, trees, paths, n);
    return values->next < trees->callers->n;
}

struct hpmviz_treevalue
hpmviz_callervalues_value(const struct hpmviz_callervalues *values,
                          const struct hpmviz_trees *trees, guint node,
                          gboolean is_open)
{
    struct hpmviz_treevalue value = values->closed[node];
    guint n;
    const guint *path;

    if (is_open) {
        path = hpmviz_pathtree_paths(trees->callers, node, TRUE, &n);
        return n > 0 ? hpmviz_treevalue_of_path(trees, path[0], TRUE)
                     : hpmviz_treevalue_none();
    }
    value.is_pending = node >= values->next;
    return value;
}
