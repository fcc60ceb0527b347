/* SPDX-License-Identifier: BSD-3-Clause
 * The linked trees as text for other programs, and for people. */
#include "hpmviz/data/treesexport.h"

#include <glib/gi18n.h>
#include <limits.h>
#include <math.h>

#include "hpmviz/data/treevalue.h"
#include "hpmviz/data/treewalk.h"
#include "hpmviz/data/treewords.h"
#include "study/report/format.h"
#include "study/report/shown.h"
#include "study/report/tablewords.h"

struct hpmviz_treesexport {
    const struct hpmviz_trees *trees;
    struct hpm_table table; /* lines that are not in the text yet */
    struct hpm_string csv;
    GArray *walks[HPMVIZ_N_TREES];
    enum hpmviz_tree tree; /* where to go on */
    guint next;            /* step of its walk */
};

/* ---- a line of CSV --------------------------------------------------- */

static const char *const columns[] = {
    "tree",  "metric", "section", "path",    "file",   "line",
    "scope", "system", "node",    "task",    "thread", "unit",
    "of",    "value",  "state",   "remarks", "reason"};

static const char *const tree_names[HPMVIZ_N_TREES] = {"metrics", "paths",
                                                       "system"};

static void
add_path(struct hpmviz_treesexport *export, guint node)
{
    const struct hpmviz_trees *trees = export->trees;
    struct hpm_table *table = &export->table;
    struct hpm_string label = {0}, path = {0};
    const struct hpm_study_section *section;
    size_t subject;

    if (node == HPMVIZ_NO_NODE) {
        hpm_table_add_nones(table, 4);
        return;
    }
    subject = trees->calls->subjects[node];
    section =
        &trees->paths->study->sections[trees->paths->subjects[subject].section];
    hpm_survey_add_label(trees->paths, subject, &label);
    if (trees->calls->ends != NULL)
        hpmviz_treewords_add_way(trees, HPMVIZ_TREE_PATHS, node, &path);
    else
        hpm_survey_add_path(trees->paths, subject, &path);
    hpm_table_add_string(table, &label);
    hpm_table_add_string(table, &path);
    hpm_table_add_text_or_none(table, section->file);
    hpm_table_add_integer(table, section->line);
}

static void
add_number_or_none(struct hpm_table *table, int number, int least)
{
    if (number >= least)
        hpm_table_add_integer(table, number);
    else
        hpm_table_add_none(table);
}

static void
add_place(struct hpmviz_treesexport *export, guint node)
{
    static const char *const kinds[] = {"machine", "node", "task", "thread"};
    const struct hpmviz_systemnode *here;
    struct hpm_table *table = &export->table;

    if (node == HPMVIZ_NO_NODE) {
        hpm_table_add_nones(table, 4);
        return;
    }
    here = &export->trees->system->nodes[node];
    hpm_table_add_text(table, kinds[here->kind]);
    hpm_table_add_text_or_none(table, here->name);
    add_number_or_none(table, here->task, 0);
    add_number_or_none(table, here->tid,
                       here->kind == HPMVIZ_SYSTEM_THREAD ? INT_MIN : 0);
}

static void
add_value(struct hpmviz_treesexport *export,
          const struct hpmviz_treevalue *value)
{
    struct hpm_table *table = &export->table;
    struct hpm_string reason = {0};

    hpm_table_add_real(table, value->number);
    hpm_table_add_text(table, hpm_state_name(value->marks.state));
    hpm_table_add_text(
        table, value->marks.is_partial
                   ? (value->marks.doubt != HPM_DOUBT_NONE ? "partial doubtful"
                                                           : "partial")
               : value->marks.doubt != HPM_DOUBT_NONE ? "doubtful"
                                                      : "");
    hpmviz_treevalue_add_reason(value, &reason);
    hpm_table_add_string(table, &reason);
}

/* What nobody counted there has no line. */
static void
add_line(struct hpmviz_treesexport *export, enum hpmviz_tree tree, guint node,
         gboolean is_open, gboolean is_own)
{
    const struct hpmviz_trees *trees = export->trees;
    struct hpmviz_treevalue value =
        hpmviz_trees_value(trees, tree, node, is_open);
    guint metric = tree == HPMVIZ_TREE_METRICS
                       ? node
                       : trees->choices[HPMVIZ_TREE_METRICS].node;
    size_t quantity = hpmviz_trees_quantity(trees, tree, node);
    struct hpm_string name = {0};

    if (!value.is_present || quantity == HPM_NO_QUANTITY)
        return;
    hpm_table_add_text(&export->table,
                       tree == HPMVIZ_TREE_PATHS && trees->calls->ends != NULL
                           ? "callers"
                           : tree_names[tree]);
    hpmviz_trees_add_label(trees, HPMVIZ_TREE_METRICS, metric, &name);
    hpm_table_add_string(&export->table, &name);
    add_path(export, tree == HPMVIZ_TREE_PATHS ? node
                     : tree == HPMVIZ_TREE_SYSTEM
                         ? trees->choices[HPMVIZ_TREE_PATHS].node
                         : HPMVIZ_NO_NODE);
    hpm_table_add_text(&export->table,
                       hpm_scope_name((enum hpm_scope)trees->scope));
    add_place(export, tree == HPMVIZ_TREE_SYSTEM ? node : HPMVIZ_NO_NODE);
    hpm_table_add_text(&export->table,
                       hpm_shown_unit(&trees->paths->quantities[quantity]));
    hpm_table_add_text(&export->table, is_own ? "own" : "all");
    add_value(export, &value);
}

/* ---- all lines ------------------------------------------------------- */

static void
add_step(struct hpmviz_treesexport *export)
{
    gboolean is_system = export->tree == HPMVIZ_TREE_SYSTEM;
    gboolean is_own = export->trees->choices[HPMVIZ_TREE_PATHS].is_open;
    guint node = g_array_index(export->walks[export->tree],
                               struct hpmviz_treestep, export->next)
                     .node;

    add_line(export, export->tree, node, FALSE, is_system && is_own);
    if (!is_system)
        add_line(export, export->tree, node, TRUE, TRUE);
    export->next++;
}

struct hpmviz_treesexport *
hpmviz_treesexport_new(const struct hpmviz_trees *trees)
{
    struct hpmviz_treesexport *export = g_new0(struct hpmviz_treesexport, 1);

    export->trees = trees;
    for (int i = 0; i < HPMVIZ_N_TREES; i++)
        export->walks[i] = hpmviz_treewalk_all(trees, (enum hpmviz_tree)i);
    hpm_table_add_columns(&export->table, columns, G_N_ELEMENTS(columns), 0);
    hpm_csv_add_table(&export->csv, &export->table);
    hpm_table_finish(&export->table, &export->csv.failed);
    return export;
}

void
hpmviz_treesexport_begin_system(struct hpmviz_treesexport *export)
{
    export->tree = HPMVIZ_TREE_SYSTEM;
    export->next = 0;
}

gboolean
hpmviz_treesexport_work(struct hpmviz_treesexport *export, guint most)
{
    hpm_table_add_columns(&export->table, columns, G_N_ELEMENTS(columns), 0);
    for (; most > 0 && export->next < export->walks[export->tree]->len; most--)
        add_step(export);
    hpm_csv_add_rows(&export->csv, &export->table);
    hpm_table_finish(&export->table, &export->csv.failed);
    if (export->next < export->walks[export->tree]->len)
        return TRUE;
    if (export->tree != HPMVIZ_TREE_METRICS)
        return FALSE;
    export->tree = HPMVIZ_TREE_PATHS;
    export->next = 0;
    return export->walks[export->tree]->len > 0;
}

char *
hpmviz_treesexport_finish(struct hpmviz_treesexport *export)
{
    char *csv =
        export->csv.failed ? NULL : g_strdup(hpm_string_text(&export->csv));

    hpm_string_free(&export->csv);
    for (int i = 0; i < HPMVIZ_N_TREES; i++)
        g_array_unref(export->walks[i]);
    g_free(export);
    return csv;
}

/* ---- of every call path ---------------------------------------------- */

static void
work_all(struct hpmviz_treesexport *export)
{
    while (hpmviz_treesexport_work(export, G_MAXUINT))
        continue;
}

void
hpmviz_treesexport_add_csv(struct hpmviz_trees *trees, struct hpm_string *csv)
{
    struct hpmviz_treesexport *export;
    g_autofree char *text = NULL;

    while (hpmviz_trees_work(trees))
        continue;
    export = hpmviz_treesexport_new(trees);
    work_all(export);
    for (guint i = 0; i < 2 * trees->calls->n; i++) {
        hpmviz_trees_choose(trees, HPMVIZ_TREE_PATHS,
                            (struct hpmviz_treechoice){i / 2, i % 2 == 1});
        hpmviz_trees_find_places(trees);
        hpmviz_treesexport_begin_system(export);
        work_all(export);
    }
    text = hpmviz_treesexport_finish(export);
    if (text != NULL)
        hpm_string_add(csv, text);
    else
        csv->failed = true;
}

/* ---- for people ------------------------------------------------------ */

enum { NAME_WIDTH = 44, VALUE_WIDTH = 18 };

static void
add_text_line(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
              const struct hpmviz_treestep *step, struct hpm_string *text)
{
    struct hpmviz_treevalue value =
        hpmviz_trees_value(trees, tree, step->node, FALSE);
    size_t quantity = hpmviz_trees_quantity(trees, tree, step->node);
    struct hpm_string name = {0}, number = {0};
    const char *unit = quantity != HPM_NO_QUANTITY
                           ? hpm_shown_unit(&trees->paths->quantities[quantity])
                           : "";

    hpm_string_add_blanks(&name, 0, 2 * (size_t)step->depth);
    hpmviz_trees_add_label(trees, tree, step->node, &name);
    hpmviz_trees_add_text(trees, quantity, &value, &number);
    hpm_string_add(text, hpm_string_text(&name));
    hpm_string_add_blanks(text, hpm_text_width(hpm_string_text(&name)),
                          NAME_WIDTH);
    hpm_string_add_blanks(text, hpm_text_width(hpm_string_text(&number)),
                          VALUE_WIDTH);
    hpm_string_add_format(text, " %s ", hpm_string_text(&number));
    hpm_string_add_safe(text, unit);
    hpm_string_add(text, "\n");
    hpm_string_finish(&name, &text->failed);
    hpm_string_finish(&number, &text->failed);
}

void
hpmviz_treesexport_add_text(const struct hpmviz_trees *trees,
                            struct hpm_string *text)
{
    for (int tree = 0; tree < HPMVIZ_N_TREES; tree++) {
        g_autoptr(GArray) all =
            hpmviz_treewalk_all(trees, (enum hpmviz_tree)tree);

        if (tree > 0) {
            hpm_string_add(text, "\n");
            hpmviz_treewords_add(trees, (enum hpmviz_tree)(tree - 1), text);
        }
        for (guint i = 0; i < all->len; i++)
            add_text_line(trees, (enum hpmviz_tree)tree,
                          &g_array_index(all, struct hpmviz_treestep, i), text);
    }
}
