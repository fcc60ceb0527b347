/* SPDX-License-Identifier: BSD-3-Clause
 * What the selected metric has on the selected call path, in each node of the
 * system. */
#include "hpmviz/data/systemvalues.h"

#include <string.h>

#include "hpmviz/data/treerows.h"
#include "hpmviz/data/treevalue.h"
#include "study/survey/rowstotal.h"

/* A piece of work takes less than a millisecond: the metrics of a thread up to 50
 * us, to add a row to a sum up to 10. */
enum { THREADS_AT_ONCE = 16, ROWS_AT_ONCE = 64, NODES_AT_ONCE = 2000 };

struct slice {
    size_t first; /* in the rows of the call path */
    size_t n;
};

struct hpmviz_systemvalues {
    struct hpmviz_treechoice metric;
    gboolean is_own;
    size_t subject; /* the call path, or the first of several; or
                     * HPM_NO_SUBJECT */
    const uint32_t
        *rows; /* of the path; or of all of them, by task and thread */
    size_t n_rows;
    uint32_t *joined;                /* then: these, to be freed */
    struct hpmviz_treevalue *values; /* by node */
    struct slice *slices;            /* of tasks, by node */
    guint *n_below;                  /* children with rows, by node */
    guint *child;                    /* the first of them, G_MAXUINT for none */
    guint *sibling;       /* the next child of the same parent, so, too */
    size_t *n_rows_below; /* rows of the node and of all below it */
    size_t next;          /* row of the call path to go on from */
    guint group;          /* node behind the next to be added up */
    struct hpm_rowstotal *total; /* of groups, or of threads with several rows;
                                  * NULL without memory */
    gboolean is_summing;         /* the rows of the group before `group` */
    GArray *summed;              /* these rows, where they do not stand
                                  * together */
};

/* ---- making ---------------------------------------------------------- */

static void
find_rows(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees,
          struct hpmviz_treechoice choice)
{
    const struct hpm_subject *subject;
    guint n;
    const guint *paths =
        hpmviz_pathtree_paths(trees->calls, choice.node, choice.is_open, &n);

    values->subject = n > 0 ? paths[0] : HPM_NO_SUBJECT;
    if (n == 0)
        return;
    subject = &trees->paths->subjects[values->subject];
    values->rows = trees->paths->rows + subject->first;
    values->n_rows = subject->count;
    if (n == 1)
        return;
    values->joined = hpmviz_treerows_join(trees, paths, n, &values->n_rows);
    values->rows = values->joined;
}

static void
find_slices(struct hpmviz_systemvalues *values,
            const struct hpmviz_trees *trees)
{
    const struct hpm_study *study = trees->paths->study;
    const uint32_t *rows = values->rows;
    size_t n = values->n_rows;

    for (size_t i = 0; i < n; i++) {
        struct slice *slice =
            &values->slices[trees->system->of_task
                                [hpm_study_place_of(study, rows[i])->task]];

        if (slice->n++ == 0)
            slice->first = i;
    }
}

static void
add_child(struct hpmviz_systemvalues *values,
          const struct hpmviz_systemtree *system, guint node)
{
    guint parent = system->nodes[node].parent;

    if (parent == G_MAXUINT)
        return;
    values->n_below[parent]++;
    values->sibling[node] = values->child[parent];
    values->child[parent] = node;
    values->n_rows_below[parent] += values->n_rows_below[node];
}

/* Parents stand before their children, so from the end on children come first, and
 * each list begins with the first child. */
static void
find_children(struct hpmviz_systemvalues *values,
              const struct hpmviz_trees *trees)
{
    const struct hpmviz_systemtree *system = trees->system;

    for (size_t i = 0; i < values->n_rows; i++)
        values->n_rows_below[system->of_place[hpm_study_row(trees->paths->study,
                                                            values->rows[i])
                                                  ->place]]++;
    for (guint i = system->n; i-- > 0;) {
        if (values->n_rows_below[i] > 0)
            add_child(values, system, i);
    }
}

static guint *
no_nodes(gsize n)
{
    guint *nodes = g_new(guint, n);

    memset(nodes, 0xff, n * sizeof *nodes);
    return nodes;
}

struct hpmviz_systemvalues *
hpmviz_systemvalues_new(const struct hpmviz_trees *trees)
{
    const struct hpmviz_treechoice *path = &trees->choices[HPMVIZ_TREE_PATHS];
    struct hpmviz_systemvalues *values = g_new0(struct hpmviz_systemvalues, 1);
    gsize n = (gsize)trees->system->n + 1;

    values->metric = trees->choices[HPMVIZ_TREE_METRICS];
    values->is_own = path->is_open || trees->calls->ends != NULL;
    values->subject = HPM_NO_SUBJECT;
    if (values->metric.node != HPMVIZ_NO_NODE && path->node != HPMVIZ_NO_NODE)
        find_rows(values, trees, *path);
    values->values = g_new(struct hpmviz_treevalue, n);
    values->slices = g_new0(struct slice, n);
    values->n_below = g_new0(guint, n);
    values->n_rows_below = g_new0(size_t, n);
    values->child = no_nodes(n);
    values->sibling = no_nodes(n);
    values->summed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    values->group = trees->system->n;
    for (guint i = 0; i < trees->system->n; i++)
        values->values[i] = hpmviz_treevalue_none();
    if (values->subject != HPM_NO_SUBJECT) {
        find_slices(values, trees);
        find_children(values, trees);
        values->total = hpmviz_treerows_new_total(trees);
    }
    return values;
}

void
hpmviz_systemvalues_free(struct hpmviz_systemvalues *values)
{
    if (values == NULL)
        return;
    g_free(values->values);
    g_free(values->slices);
    g_free(values->n_below);
    g_free(values->n_rows_below);
    g_free(values->child);
    g_free(values->sibling);
    g_array_unref(values->summed);
    hpm_rowstotal_free(values->total);
    g_free(values->joined);
    g_free(values);
}

/* ---- threads --------------------------------------------------------- */

struct visit {
    struct hpmviz_systemvalues *values;
    const struct hpmviz_trees *trees;
};

static void
take_thread(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    const struct visit *visit = owner;
    const struct hpmviz_trees *trees = visit->trees;
    uint32_t place = hpm_study_row(trees->paths->study, row)->place;

    visit->values->values[trees->system->of_place[place]] =
        hpmviz_treevalue_find(trees, visit->values->metric,
                              visit->values->is_own,
                              (struct hpmviz_figures){.all = figures});
}

/* The total of these rows, all at once. */
static const struct hpm_figure *
total_of(struct hpm_rowstotal *total, size_t subject, const uint32_t *rows,
         size_t n)
{
    if (total == NULL)
        return NULL;
    hpm_rowstotal_begin(total, subject, rows, n);
    while (hpm_rowstotal_work(total, n))
        continue;
    return hpm_rowstotal_figures(total);
}

/* Of several paths: the rows of a thread together. */
static void
visit_joined(struct hpmviz_systemvalues *values,
             const struct hpmviz_trees *trees)
{
    const struct hpm_study *study = trees->paths->study;
    const uint32_t *rows = values->rows + values->next;
    uint32_t place = hpm_study_row(study, rows[0])->place;
    size_t n = 0;

    while (values->next + n < values->n_rows &&
           hpm_study_row(study, rows[n])->place == place)
        n++;
    values->next += n;
    values->values[trees->system->of_place[place]] = hpmviz_treevalue_find(
        trees, values->metric, values->is_own,
        (struct hpmviz_figures){
            .all = total_of(values->total, values->subject, rows, n)});
}

static void
visit_some(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees)
{
    struct visit visit = {values, trees};
    size_t end = MIN(values->n_rows, values->next + THREADS_AT_ONCE);

    if (values->joined == NULL)
        values->next =
            hpm_survey_visit_some(trees->paths, values->subject, values->next,
                                  THREADS_AT_ONCE, take_thread, &visit, NULL);
    else
        while (values->next < end)
            visit_joined(values, trees);
}

/* ---- groups ---------------------------------------------------------- */

/* Times and calls are added; all else is found from the counts of the rows. */
static gboolean
is_added(const struct hpmviz_systemvalues *values,
         const struct hpmviz_trees *trees)
{
    size_t quantity = trees->metrics->nodes[values->metric.node].quantity;

    return trees->paths->quantities[quantity].kind <= HPM_QUANTITY_INCLUSIVE;
}

/* Append the rows of all tasks below a node. */
static void
gather(struct hpmviz_systemvalues *values, guint node)
{
    const struct slice *slice = &values->slices[node];

    if (slice->n > 0) {
        g_array_append_vals(values->summed, values->rows + slice->first,
                            (guint)slice->n);
        return;
    }
    for (guint i = values->child[node]; i != G_MAXUINT; i = values->sibling[i])
        gather(values, i);
}

/* The rows of a task, or of the whole, stand together. */
static void
begin_sum(struct hpmviz_systemvalues *values, guint node)
{
    const struct slice *slice = &values->slices[node];
    const uint32_t *rows = values->rows + slice->first;
    size_t n = values->n_rows_below[node];

    if (slice->n == 0 && n == values->n_rows) {
        rows = values->rows;
    } else if (slice->n == 0) {
        g_array_set_size(values->summed, 0);
        gather(values, node);
        rows = (const uint32_t *)(const void *)values->summed->data;
    }
    hpm_rowstotal_begin(values->total, values->subject, rows, n);
    values->is_summing = TRUE;
}

static void
take_group(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees,
           struct hpmviz_figures figures)
{
    values->values[values->group] =
        hpmviz_treevalue_find(trees, values->metric, values->is_own, figures);
}

static void
sum_some(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees)
{
    if (hpm_rowstotal_work(values->total, ROWS_AT_ONCE))
        return;
    values->is_summing = FALSE;
    take_group(
        values, trees,
        (struct hpmviz_figures){.all = hpm_rowstotal_figures(values->total)});
}

/* A group of one has the value of that one; all rows of the call path have its
 * value. */
static void
begin_group(struct hpmviz_systemvalues *values,
            const struct hpmviz_trees *trees)
{
    guint node = --values->group;

    if (trees->system->nodes[node].kind == HPMVIZ_SYSTEM_THREAD)
        return;
    values->values[node] = hpmviz_treevalue_none();
    if (values->n_below[node] == 0)
        return;
    if (values->n_below[node] == 1)
        values->values[node] = values->values[values->child[node]];
    else if (values->joined == NULL &&
             values->n_rows_below[node] == values->n_rows)
        take_group(values, trees,
                   (struct hpmviz_figures){
                       .subject = &trees->paths->subjects[values->subject]});
    else if (values->total != NULL)
        begin_sum(values, node);
}

static void
evaluate_some(struct hpmviz_systemvalues *values,
              const struct hpmviz_trees *trees)
{
    guint end = values->group - MIN(values->group, ROWS_AT_ONCE);

    if (values->is_summing)
        sum_some(values, trees);
    else
        while (values->group > end && !values->is_summing)
            begin_group(values, trees);
}

static void
add_some(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees)
{
    guint end = values->group - MIN(values->group, NODES_AT_ONCE);

    while (values->group > end) {
        guint node = --values->group;
        guint parent = trees->system->nodes[node].parent;

        if (parent != G_MAXUINT)
            hpmviz_treevalue_add(&values->values[parent],
                                 &values->values[node]);
    }
}

/* ---- all ------------------------------------------------------------- */

static gboolean
is_done(const struct hpmviz_systemvalues *values)
{
    return values->subject == HPM_NO_SUBJECT ||
           (values->group == 0 && !values->is_summing);
}

gboolean
hpmviz_systemvalues_work(struct hpmviz_systemvalues *values,
                         const struct hpmviz_trees *trees)
{
    if (is_done(values))
        return FALSE;
    if (values->next < values->n_rows)
        visit_some(values, trees);
    else if (is_added(values, trees))
        add_some(values, trees);
    else
        evaluate_some(values, trees);
    return !is_done(values);
}

/* A task, or a node, has nothing beside its threads. */
struct hpmviz_treevalue
hpmviz_systemvalues_value(const struct hpmviz_systemvalues *values, guint node,
                          gboolean is_open)
{
    struct hpmviz_treevalue value =
        is_open ? hpmviz_treevalue_none() : values->values[node];

    value.is_pending = !is_open && !is_done(values);
    return value;
}
