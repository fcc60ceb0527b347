/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a table or a tree for a GtkTreeView, without their contents.
 *
 *     node     0   1   2   3      as they were given, parents first
 *     order    2   0 | 3   1      the nodes below one node stand together,
 *                                 those below none come first
 *     place    1   3   0   2      of a node in order[]
 *
 * An iter is a node, which stays when the order changes. */
#include "hpmviz/widgets/rowmodel.h"

#include <string.h>

struct _HpmvizRowmodel {
    GObject parent_instance;
    guint n;
    guint *rows;    /* per node: its number */
    guint *parents; /* per node; NULL: a list */
    guint *first;   /* per node: its children in order[]; NULL: a list */
    guint *n_below; /* per node; NULL: a list */
    guint n_top;
    guint *order, *place;
    int stamp;
};

static void hpmviz_rowmodel_tree_init(GtkTreeModelIface *iface);

G_DEFINE_TYPE_WITH_CODE(HpmvizRowmodel, hpmviz_rowmodel, G_TYPE_OBJECT,
                        G_IMPLEMENT_INTERFACE(GTK_TYPE_TREE_MODEL,
                                              hpmviz_rowmodel_tree_init))

/* ---- nodes ----------------------------------------------------------- */

static guint
node_of(const GtkTreeIter *iter)
{
    return GPOINTER_TO_UINT(iter->user_data);
}

static gboolean
set_iter(const HpmvizRowmodel *model, GtkTreeIter *iter, guint node)
{
    iter->stamp = model->stamp;
    iter->user_data = GUINT_TO_POINTER(node);
    return TRUE;
}

static gboolean
no_iter(GtkTreeIter *iter)
{
    iter->stamp = 0;
    return FALSE;
}

/* Of a node, HPMVIZ_NO_ROW for those below none. */
static guint
n_children(const HpmvizRowmodel *model, guint node)
{
    if (node == HPMVIZ_NO_ROW)
        return model->n_top;
    return model->n_below != NULL ? model->n_below[node] : 0;
}

static guint
first_child(const HpmvizRowmodel *model, guint node)
{
    return node == HPMVIZ_NO_ROW ? 0 : model->first[node];
}

static guint
parent_of(const HpmvizRowmodel *model, guint node)
{
    return model->parents != NULL ? model->parents[node] : HPMVIZ_NO_ROW;
}

/* Its place among its siblings. */
static guint
rank_of(const HpmvizRowmodel *model, guint node)
{
    return model->place[node] - first_child(model, parent_of(model, node));
}

/* ---- GtkTreeModel ---------------------------------------------------- */

static GtkTreeModelFlags
get_flags(GtkTreeModel *tree)
{
    HpmvizRowmodel *model = HPMVIZ_ROWMODEL(tree);

    return GTK_TREE_MODEL_ITERS_PERSIST |
           (model->parents == NULL ? GTK_TREE_MODEL_LIST_ONLY
                                   : (GtkTreeModelFlags)0);
}

static int
get_n_columns(GtkTreeModel *tree)
{
    (void)tree;
    return HPMVIZ_ROWMODEL_N_COLUMNS;
}

static GType
get_column_type(GtkTreeModel *tree, int column)
{
    (void)tree;
    (void)column;
    return G_TYPE_UINT;
}

static gboolean
nth_child(GtkTreeModel *tree, GtkTreeIter *iter, GtkTreeIter *parent, int n)
{
    HpmvizRowmodel *model = HPMVIZ_ROWMODEL(tree);
    guint node = parent != NULL ? node_of(parent) : HPMVIZ_NO_ROW;

    if (n < 0 || (guint)n >= n_children(model, node))
        return no_iter(iter);
    return set_iter(model, iter,
                    model->order[first_child(model, node) + (guint)n]);
}

static gboolean
get_iter(GtkTreeModel *tree, GtkTreeIter *iter, GtkTreePath *path)
{
    int depth;
    const int *indices = gtk_tree_path_get_indices_with_depth(path, &depth);
    GtkTreeIter parent;

    for (int i = 0; i < depth; i++) {
        if (!nth_child(tree, iter, i > 0 ? &parent : NULL, indices[i]))
            return FALSE;
        parent = *iter;
    }
    return depth > 0;
}

static GtkTreePath *
get_path(GtkTreeModel *tree, GtkTreeIter *iter)
{
    HpmvizRowmodel *model = HPMVIZ_ROWMODEL(tree);
    GtkTreePath *path = gtk_tree_path_new();

    for (guint node = node_of(iter); node != HPMVIZ_NO_ROW;
         node = parent_of(model, node))
        gtk_tree_path_prepend_index(path, (int)rank_of(model, node));
    return path;
}

static void
get_value(GtkTreeModel *tree, GtkTreeIter *iter, int column, GValue *value)
{
    HpmvizRowmodel *model = HPMVIZ_ROWMODEL(tree);

    (void)column;
    g_value_init(value, G_TYPE_UINT);
    g_value_set_uint(value, model->rows[node_of(iter)]);
}

static gboolean
move(const HpmvizRowmodel *model, GtkTreeIter *iter, int by)
{
    guint node = node_of(iter);
    guint rank = rank_of(model, node) + (guint)by;

    if (rank >= n_children(model, parent_of(model, node)))
        return no_iter(iter);
    return set_iter(model, iter, model->order[model->place[node] + (guint)by]);
}

static gboolean
next(GtkTreeModel *tree, GtkTreeIter *iter)
{
    return move(HPMVIZ_ROWMODEL(tree), iter, 1);
}

static gboolean
previous(GtkTreeModel *tree, GtkTreeIter *iter)
{
    HpmvizRowmodel *model = HPMVIZ_ROWMODEL(tree);

    if (rank_of(model, node_of(iter)) == 0)
        return no_iter(iter);
    return move(model, iter, -1);
}

static gboolean
children(GtkTreeModel *tree, GtkTreeIter *iter, GtkTreeIter *parent)
{
    return nth_child(tree, iter, parent, 0);
}

static int
iter_n_children(GtkTreeModel *tree, GtkTreeIter *iter)
{
    return (int)n_children(HPMVIZ_ROWMODEL(tree),
                           iter != NULL ? node_of(iter) : HPMVIZ_NO_ROW);
}

static gboolean
has_child(GtkTreeModel *tree, GtkTreeIter *iter)
{
    return iter_n_children(tree, iter) > 0;
}

static gboolean
get_parent(GtkTreeModel *tree, GtkTreeIter *iter, GtkTreeIter *child)
{
    HpmvizRowmodel *model = HPMVIZ_ROWMODEL(tree);
    guint parent = parent_of(model, node_of(child));

    return parent != HPMVIZ_NO_ROW ? set_iter(model, iter, parent)
                                   : no_iter(iter);
}

static void
hpmviz_rowmodel_tree_init(GtkTreeModelIface *iface)
{
    iface->get_flags = get_flags;
    iface->get_n_columns = get_n_columns;
    iface->get_column_type = get_column_type;
    iface->get_iter = get_iter;
    iface->get_path = get_path;
    iface->get_value = get_value;
    iface->iter_next = next;
    iface->iter_previous = previous;
    iface->iter_children = children;
    iface->iter_has_child = has_child;
    iface->iter_n_children = iter_n_children;
    iface->iter_nth_child = nth_child;
    iface->iter_parent = get_parent;
}

/* ---- the object ------------------------------------------------------ */

static void
clear(HpmvizRowmodel *model)
{
    g_clear_pointer(&model->rows, g_free);
    g_clear_pointer(&model->parents, g_free);
    g_clear_pointer(&model->first, g_free);
    g_clear_pointer(&model->n_below, g_free);
    g_clear_pointer(&model->order, g_free);
    g_clear_pointer(&model->place, g_free);
    model->n = model->n_top = 0;
}

static void
finalize(GObject *object)
{
    clear(HPMVIZ_ROWMODEL(object));
    G_OBJECT_CLASS(hpmviz_rowmodel_parent_class)->finalize(object);
}

static void
hpmviz_rowmodel_class_init(HpmvizRowmodelClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize;
}

static void
hpmviz_rowmodel_init(HpmvizRowmodel *model)
{
    model->stamp = (int)g_random_int_range(1, G_MAXINT);
}

HpmvizRowmodel *
hpmviz_rowmodel_new(void)
{
    return g_object_new(HPMVIZ_TYPE_ROWMODEL, NULL);
}

static guint *
copy(const guint *numbers, guint n)
{
    guint *own = g_new(guint, n + 1);

    if (n > 0)
        memcpy(own, numbers, n * sizeof *own);
    return own;
}

/* How many are below each, then where those stand, then they themselves. */
static void
arrange_tree(HpmvizRowmodel *model)
{
    guint *n_placed = g_new0(guint, model->n + 1), at;

    model->first = g_new0(guint, model->n + 1);
    model->n_below = g_new0(guint, model->n + 1);
    for (guint i = 0; i < model->n; i++) {
        if (model->parents[i] == HPMVIZ_NO_ROW)
            model->n_top++;
        else
            model->n_below[model->parents[i]]++;
    }
    at = model->n_top;
    for (guint i = 0; i < model->n; i++) {
        model->first[i] = at;
        at += model->n_below[i];
    }
    at = 0;
    for (guint i = 0; i < model->n; i++) {
        guint parent = model->parents[i];

        model->place[i] = parent == HPMVIZ_NO_ROW
                              ? at++
                              : model->first[parent] + n_placed[parent]++;
        model->order[model->place[i]] = i;
    }
    g_free(n_placed);
}

void
hpmviz_rowmodel_set(HpmvizRowmodel *model, const guint *rows,
                    const guint *parents, guint n)
{
    clear(model);
    model->stamp = model->stamp < G_MAXINT ? model->stamp + 1 : 1;
    model->n = n;
    model->rows = copy(rows, n);
    model->order = g_new(guint, n + 1);
    model->place = g_new(guint, n + 1);
    if (parents != NULL) {
        model->parents = copy(parents, n);
        arrange_tree(model);
        return;
    }
    model->n_top = n;
    for (guint i = 0; i < n; i++)
        model->order[i] = model->place[i] = i;
}

guint
hpmviz_rowmodel_n_rows(const HpmvizRowmodel *model)
{
    return model->n;
}

guint
hpmviz_rowmodel_get(const HpmvizRowmodel *model, const GtkTreeIter *iter)
{
    return model->rows[node_of(iter)];
}

gboolean
hpmviz_rowmodel_find(HpmvizRowmodel *model, guint row, GtkTreeIter *ret_iter)
{
    for (guint node = 0; node < model->n; node++) {
        if (model->rows[node] == row)
            return set_iter(model, ret_iter, node);
    }
    return FALSE;
}

/* ---- sorting --------------------------------------------------------- */

struct sorting {
    const HpmvizRowmodel *model;
    hpmviz_rowmodel_compare *compare;
    gpointer data;
};

static int
compare_nodes(const void *a, const void *b, void *context)
{
    const struct sorting *sorting = context;
    guint x = *(const guint *)a, y = *(const guint *)b;
    int order = sorting->compare(sorting->model->rows[x],
                                 sorting->model->rows[y], sorting->data);

    if (order != 0)
        return order;
    return sorting->model->place[x] < sorting->model->place[y] ? -1 : 1;
}

static void
announce(HpmvizRowmodel *model, guint node, int *new_order)
{
    GtkTreeIter iter;
    GtkTreePath *path;

    if (node == HPMVIZ_NO_ROW) {
        path = gtk_tree_path_new();
        gtk_tree_model_rows_reordered(GTK_TREE_MODEL(model), path, NULL,
                                      new_order);
    } else {
        set_iter(model, &iter, node);
        path = get_path(GTK_TREE_MODEL(model), &iter);
        gtk_tree_model_rows_reordered(GTK_TREE_MODEL(model), path, &iter,
                                      new_order);
    }
    gtk_tree_path_free(path);
}

/* The nodes below one, and below none with HPMVIZ_NO_ROW. */
static void
sort_below(HpmvizRowmodel *model, guint node, struct sorting *sorting)
{
    guint n = n_children(model, node), first;
    int *new_order;

    if (n < 2)
        return;
    first = first_child(model, node);
    qsort_r(model->order + first, n, sizeof *model->order, compare_nodes,
            sorting);
    new_order = g_new(int, n);
    for (guint i = 0; i < n; i++)
        new_order[i] = (int)(model->place[model->order[first + i]] - first);
    for (guint i = 0; i < n; i++)
        model->place[model->order[first + i]] = first + i;
    announce(model, node, new_order);
    g_free(new_order);
}

void
hpmviz_rowmodel_sort(HpmvizRowmodel *model, hpmviz_rowmodel_compare *compare,
                     gpointer data)
{
    struct sorting sorting = {model, compare, data};

    sort_below(model, HPMVIZ_NO_ROW, &sorting);
    for (guint i = 0; model->n_below != NULL && i < model->n; i++)
        sort_below(model, i, &sorting);
}
