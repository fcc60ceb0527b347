/* SPDX-License-Identifier: BSD-3-Clause
 * Rows without contents: GTK's calls of a model, for lists and trees, and after
 * sorting. */
#include "hpmviz/widgets/rowmodel.h"

#include "tap.h"

static HpmvizRowmodel *model;
static int n_reorderings;

static int
downwards(guint a, guint b, gpointer data)
{
    (void)data;
    return (a < b) - (a > b);
}

static int
by_parity(guint a, guint b, gpointer data)
{
    (void)data;
    return (int)(a % 2) - (int)(b % 2);
}

/* Each row's number, with the rows below it in brackets. */
static void
describe(GString *text, GtkTreeIter *parent)
{
    GtkTreeModel *tree = GTK_TREE_MODEL(model);
    GtkTreeIter iter;
    gboolean is_there = gtk_tree_model_iter_children(tree, &iter, parent);

    for (; is_there; is_there = gtk_tree_model_iter_next(tree, &iter)) {
        guint row;

        gtk_tree_model_get(tree, &iter, HPMVIZ_ROWMODEL_ROW, &row, -1);
        g_string_append_printf(
            text, "%s%u",
            text->len > 0 && text->str[text->len - 1] != '(' ? " " : "", row);
        if (gtk_tree_model_iter_has_child(tree, &iter)) {
            g_string_append(text, " (");
            describe(text, &iter);
            g_string_append(text, ")");
        }
    }
}

static void
expect(const char *expected, const char *sentence)
{
    GString *text = g_string_new(NULL);

    describe(text, NULL);
    is_text(text->str, expected, sentence);
    g_string_free(text, TRUE);
}

/* Every row is found at its own path, and has its parent there. */
static gboolean
paths_are_right(GtkTreeModel *tree, GtkTreePath *path, GtkTreeIter *iter,
                gpointer data)
{
    GtkTreeIter again, parent, before;
    gboolean *is_good = data;
    GtkTreePath *above = gtk_tree_path_copy(path), *found;

    *is_good = *is_good && gtk_tree_model_get_iter(tree, &again, path) &&
               again.user_data == iter->user_data;
    if (gtk_tree_path_get_depth(path) > 1) {
        gtk_tree_path_up(above);
        *is_good = *is_good && gtk_tree_model_iter_parent(tree, &parent, iter);
        found = gtk_tree_model_get_path(tree, &parent);
        *is_good = *is_good && gtk_tree_path_compare(found, above) == 0;
        gtk_tree_path_free(found);
    }
    before = *iter;
    if (gtk_tree_model_iter_previous(tree, &before))
        *is_good = *is_good && gtk_tree_model_iter_next(tree, &before) &&
                   before.user_data == iter->user_data;
    gtk_tree_path_free(above);
    return FALSE;
}

static void
expect_paths(const char *sentence)
{
    gboolean is_good = TRUE;

    gtk_tree_model_foreach(GTK_TREE_MODEL(model), paths_are_right, &is_good);
    ok(is_good, sentence);
}

static void
count_reordering(GtkTreeModel *tree, GtkTreePath *path, GtkTreeIter *iter,
                 gpointer order, gpointer data)
{
    (void)tree;
    (void)path;
    (void)iter;
    (void)order;
    (void)data;
    n_reorderings++;
}

static void
test_list(void)
{
    static const guint rows[] = {3, 1, 4, 15, 9, 2, 6};

    hpmviz_rowmodel_set(model, rows, NULL, G_N_ELEMENTS(rows));
    expect("3 1 4 15 9 2 6", "a list has its rows as given");
    hpmviz_rowmodel_sort(model, downwards, NULL);
    expect("15 9 6 4 3 2 1", "and sorted");
    hpmviz_rowmodel_sort(model, by_parity, NULL);
    expect("6 4 2 15 9 3 1", "rows that are equal stay in order");
    expect_paths("paths lead to their rows");
    ok((gtk_tree_model_get_flags(GTK_TREE_MODEL(model)) &
        GTK_TREE_MODEL_LIST_ONLY) != 0,
       "a list says it is one");
}

static void
test_tree(void)
{
    static const guint rows[] = {1, 2, 3, 4, 5, 6};
    static const guint parents[] = {HPMVIZ_NO_ROW, 0, 0, 2, HPMVIZ_NO_ROW, 2};
    GtkTreeIter iter;

    hpmviz_rowmodel_set(model, rows, parents, G_N_ELEMENTS(rows));
    expect("1 (2 3 (4 6)) 5", "a tree has its rows below each other");
    expect_paths("paths of a tree lead to their rows");
    n_reorderings = 0;
    hpmviz_rowmodel_sort(model, downwards, NULL);
    expect("5 1 (3 (6 4) 2)", "each level is sorted");
    expect_paths("paths lead to them there, too");
    ok(n_reorderings == 3, "a view hears of each level once");
    ok(hpmviz_rowmodel_find(model, 4, &iter) &&
           hpmviz_rowmodel_get(model, &iter) == 4 &&
           !hpmviz_rowmodel_find(model, 7, &iter),
       "a row is found by its number");
    hpmviz_rowmodel_set(model, NULL, NULL, 0);
    expect("", "no rows are fine");
}

static void
test_many(void)
{
    guint n = 1000000, *rows = g_new(guint, n);
    GtkTreeIter iter;

    for (guint i = 0; i < n; i++)
        rows[i] = i;
    hpmviz_rowmodel_set(model, rows, NULL, n);
    hpmviz_rowmodel_sort(model, downwards, NULL);
    ok(gtk_tree_model_iter_nth_child(GTK_TREE_MODEL(model), &iter, NULL,
                                     (int)n - 1) &&
           hpmviz_rowmodel_get(model, &iter) == 0,
       "a million rows are sorted");
    g_free(rows);
}

int
main(void)
{
    model = hpmviz_rowmodel_new();
    g_signal_connect(model, "rows-reordered", G_CALLBACK(count_reordering),
                     NULL);
    test_list();
    test_tree();
    test_many();
    g_object_unref(model);
    return done();
}
