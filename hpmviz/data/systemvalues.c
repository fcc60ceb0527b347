/* SPDX-License-Identifier: BSD-3-Clause
 * What the selected metric has on the selected call path, in each node of the
 * system. */
#include "hpmviz/data/systemvalues.h"

#include "hpmviz/data/treevalue.h"
#include "study/survey/rowstotal.h"

/* Rows in a piece of work: a thread's metrics take up to 50 us. */
enum { PIECE = 100, ROWS_OF_GROUPS = 1000 };

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
    guint *child;                    /* one of them */
    size_t next;                     /* row of the call path to go on from */
    guint group;                     /* node behind the next to be added up */
};

/* ---- making ---------------------------------------------------------- */

static int
compare_rows(gconstpointer x, gconstpointer y, gpointer data)
{
    const struct hpm_study *study = data;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const struct hpm_study_place *one = hpm_study_place_of(study, a);
    const struct hpm_study_place *other = hpm_study_place_of(study, b);

    if (one->task != other->task)
        return one->task < other->task ? -1 : 1;
    if (one->tid != other->tid)
        return one->tid < other->tid ? -1 : 1;
    return (a > b) - (a < b);
}

/* As the rows of a subject are sorted. */
static void
join_rows(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees,
          const guint *paths, guint n)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (guint i = 0; i < n; i++) {
        const struct hpm_subject *subject = &trees->paths->subjects[paths[i]];

        g_array_append_vals(rows, trees->paths->rows + subject->first,
                            (guint)subject->count);
    }
    g_array_sort_with_data(rows, compare_rows,
                           (gpointer)(uintptr_t)trees->paths->study);
    values->n_rows = rows->len;
    values->joined = (uint32_t *)(gpointer)g_array_free(rows, FALSE);
    values->rows = values->joined;
}

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
    if (n > 1)
        join_rows(values, trees, paths, n);
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
count_child(struct hpmviz_systemvalues *values,
            const struct hpmviz_systemtree *system, guint node)
{
    guint parent = system->nodes[node].parent;

    if (parent == G_MAXUINT)
        return;
    values->n_below[parent]++;
    values->child[parent] = node;
}

/* Threads are counted by their places: rows of one stand together. */
static void
count_children(struct hpmviz_systemvalues *values,
               const struct hpmviz_trees *trees)
{
    const struct hpmviz_systemtree *system = trees->system;
    const struct hpm_study *study = trees->paths->study;
    const uint32_t *rows = values->rows;
    size_t n = values->n_rows;
    uint32_t last = HPM_NO_INDEX;

    for (size_t i = 0; i < n; i++) {
        uint32_t place = hpm_study_row(study, rows[i])->place;

        if (place != last)
            count_child(values, system, system->of_place[place]);
        last = place;
    }
    for (guint i = system->n; i-- > 0;) {
        if (values->n_below[i] > 0)
            count_child(values, system, i);
    }
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
    values->child = g_new0(guint, n);
    values->group = trees->system->n;
    for (guint i = 0; i < trees->system->n; i++) {
        values->values[i] = hpmviz_treevalue_none();
        values->values[i].is_pending = values->subject != HPM_NO_SUBJECT;
    }
    if (values->subject != HPM_NO_SUBJECT) {
        find_slices(values, trees);
        count_children(values, trees);
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
    g_free(values->child);
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
            .all = hpm_rowstotal_find(trees->paths, values->subject, rows, n)});
}

static void
visit_some(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees)
{
    struct visit visit = {values, trees};
    size_t end = MIN(values->n_rows, values->next + PIECE);

    if (values->joined == NULL)
        values->next =
            hpm_survey_visit_some(trees->paths, values->subject, values->next,
                                  PIECE, take_thread, &visit, NULL);
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

static gboolean
is_below(const struct hpmviz_systemtree *system, guint node, guint above)
{
    while (node != G_MAXUINT && node > above)
        node = system->nodes[node].parent;
    return node == above;
}

static void
add_slice(const struct hpmviz_systemvalues *values, guint task, GArray *rows)
{
    const struct slice *slice = &values->slices[task];

    g_array_append_vals(rows, values->rows + slice->first, (guint)slice->n);
}

/* The rows of a task, or of all tasks below a node, as numbers of the study. */
static GArray *
gather(const struct hpmviz_systemvalues *values,
       const struct hpmviz_trees *trees, guint node)
{
    const struct hpmviz_systemtree *system = trees->system;
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    if (system->nodes[node].kind == HPMVIZ_SYSTEM_TASK) {
        add_slice(values, node, rows);
        return rows;
    }
    for (guint i = node; i < system->n; i++) {
        if (values->slices[i].n > 0 && is_below(system, i, node))
            add_slice(values, i, rows);
    }
    return rows;
}

/* Of the sums of a group; the number of its rows. */
static guint
find_group(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees,
           guint node)
{
    const struct hpm_subject *subject =
        &trees->paths->subjects[values->subject];
    g_autoptr(GArray) rows = gather(values, trees, node);
    struct hpmviz_figures figures = {0};

    if (rows->len == subject->count && values->joined == NULL)
        figures.subject = subject;
    else
        figures.all = hpm_rowstotal_find(
            trees->paths, values->subject,
            (const uint32_t *)(const void *)rows->data, rows->len);
    values->values[node] =
        hpmviz_treevalue_find(trees, values->metric, values->is_own, figures);
    return figures.subject != NULL ? 0 : rows->len;
}

/* A group of one has the value of that one. */
static guint
add_up(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees,
       guint node)
{
    if (values->n_below[node] == 0)
        return 0;
    if (values->n_below[node] > 1)
        return find_group(values, trees, node);
    values->values[node] = values->values[values->child[node]];
    return 1;
}

static void
add_all(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees)
{
    for (guint i = trees->system->n; i-- > 0;) {
        guint parent = trees->system->nodes[i].parent;

        if (parent != G_MAXUINT)
            hpmviz_treevalue_add(&values->values[parent], &values->values[i]);
    }
    values->group = 0;
}

static void
add_some(struct hpmviz_systemvalues *values, const struct hpmviz_trees *trees)
{
    guint n_rows = 0;

    while (values->group > 0 && n_rows < ROWS_OF_GROUPS) {
        guint node = --values->group;

        if (trees->system->nodes[node].kind == HPMVIZ_SYSTEM_THREAD)
            continue;
        values->values[node] = hpmviz_treevalue_none();
        n_rows += 1 + add_up(values, trees, node);
    }
}

/* ---- all ------------------------------------------------------------- */

static void
end(struct hpmviz_systemvalues *values, guint n)
{
    for (guint i = 0; i < n; i++)
        values->values[i].is_pending = FALSE;
}

gboolean
hpmviz_systemvalues_work(struct hpmviz_systemvalues *values,
                         const struct hpmviz_trees *trees)
{
    if (values->subject == HPM_NO_SUBJECT || values->group == 0)
        return FALSE;
    if (values->next < values->n_rows) {
        visit_some(values, trees);
        return TRUE;
    }
    if (is_added(values, trees))
        add_all(values, trees);
    else
        add_some(values, trees);
    if (values->group > 0)
        return TRUE;
    end(values, trees->system->n);
    return FALSE;
}

struct hpmviz_treevalue
hpmviz_systemvalues_of_paths(const struct hpmviz_trees *trees,
                             const guint *paths, guint n)
{
    struct hpmviz_systemvalues values = {0};
    struct hpmviz_treevalue value;

    join_rows(&values, trees, paths, n);
    value = hpmviz_treevalue_find(
        trees, trees->choices[HPMVIZ_TREE_METRICS], TRUE,
        (struct hpmviz_figures){.all = hpm_rowstotal_find(trees->paths,
                                                          paths[0], values.rows,
                                                          values.n_rows)});
    g_free(values.joined);
    return value;
}

/* A task, or a node, has nothing beside its threads. */
struct hpmviz_treevalue
hpmviz_systemvalues_value(const struct hpmviz_systemvalues *values, guint node,
                          gboolean is_open)
{
    return is_open ? hpmviz_treevalue_none() : values->values[node];
}
