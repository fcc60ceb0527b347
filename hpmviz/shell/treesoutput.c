/* SPDX-License-Identifier: BSD-3-Clause
 * The linked trees without a display. */
#include "hpmviz/shell/treesoutput.h"

#include <glib/gi18n.h>

#include "hpmviz/data/treeshare.h"
#include "hpmviz/data/treewalk.h"
#include "hpmviz/data/treewords.h"

/* ---- choosing -------------------------------------------------------- */

static void
work(struct hpmviz_trees *trees)
{
    while (hpmviz_trees_work(trees))
        continue;
}

static gboolean
choose_metric(struct hpmviz_trees *trees, const char *metric)
{
    struct hpmviz_treechoice choice = trees->choices[HPMVIZ_TREE_METRICS];

    if (metric != NULL && g_ascii_strcasecmp(metric, "time") != 0)
        choice.node =
            hpmviz_metrictree_find(trees->metrics, trees->paths,
                                   hpm_survey_find(trees->paths, metric));
    hpmviz_trees_choose(trees, HPMVIZ_TREE_METRICS, choice);
    return choice.node != HPMVIZ_NO_NODE;
}

static void
choose_hottest(struct hpmviz_trees *trees)
{
    g_autoptr(GArray) way =
        hpmviz_treewalk_hottest(trees, HPMVIZ_TREE_PATHS, HPMVIZ_NO_NODE);

    if (way->len > 0)
        hpmviz_trees_choose(
            trees, HPMVIZ_TREE_PATHS,
            (struct hpmviz_treechoice){g_array_index(way, guint, way->len - 1),
                                       FALSE});
    work(trees);
}

struct hpmviz_trees *
hpmviz_treesoutput_new(const HpmvizSession *session, const char *metric,
                       char **ret_reason)
{
    struct hpmviz_trees *trees = hpmviz_trees_new(session);

    if (!choose_metric(trees, metric)) {
        *ret_reason = g_strdup_printf(
            "there is no metric '%s' after --metric in these files; --print "
            "--view=trees lists all of them",
            metric != NULL ? metric : "");
        hpmviz_trees_free(trees);
        return NULL;
    }
    work(trees);
    choose_hottest(trees);
    return trees;
}

/* ---- drawing --------------------------------------------------------- */

/* A picture of thousands of rows is none. */
enum { MOST_ROWS = 60, N_COLUMNS = 3, N_TEXTS = 1 };

static const char *const titles[HPMVIZ_N_TREES] = {
    N_("Metric"), N_("Call path"), N_("System")};

static char *
take_safe(struct hpm_string *string)
{
    char *text = g_strdup(hpm_string_text(string));

    hpm_string_free(string);
    *string = (struct hpm_string){0};
    return text;
}

/* Dark or light text, whichever is read more easily on a colour. */
static const char *
text_on(const char *colour)
{
    return hpmviz_contrast(colour, "#000000") >
                   hpmviz_contrast(colour, "#ffffff")
               ? "#000000"
               : "#ffffff";
}

static void
add_row(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
        const struct hpmviz_treestep *step, gboolean is_dark,
        struct hpmviz_drawn_table *table)
{
    const char *colour = hpmviz_treeshare_colour(
        hpmviz_treeshare_heat(trees, tree, step->node, FALSE), is_dark);
    struct hpm_string text = {0};
    struct hpmviz_drawn_cell *cell;

    hpm_string_add_blanks(&text, 0, 4 * (size_t)step->depth);
    hpmviz_trees_add_label(trees, tree, step->node, &text);
    hpmviz_drawn_table_add(table, take_safe(&text));
    hpmviz_treeshare_add_text(trees, tree, step->node, FALSE, &text);
    hpmviz_drawn_table_add(table, take_safe(&text));
    cell = hpmviz_drawn_table_add(table, g_strdup("   "));
    if (colour != NULL) {
        cell->background = colour;
        cell->colour = text_on(colour);
    }
}

static void
add_tree(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
         gboolean is_dark, struct hpmviz_drawing *drawing)
{
    g_autoptr(GArray) all = hpmviz_treewalk_all(trees, tree);
    struct hpmviz_drawn_table *table =
        hpmviz_drawn_table_new(N_COLUMNS, N_TEXTS);
    guint n = MIN(all->len, MOST_ROWS);
    g_autofree char *more =
        g_strdup_printf(_("and %u more: --print has all"), all->len - n);

    hpmviz_drawn_table_add(table, g_strdup(_(titles[tree])));
    hpmviz_drawn_table_add(table, g_strdup(_("Value")));
    hpmviz_drawn_table_add(table, g_strdup(""));
    for (guint i = 0; i < n; i++)
        add_row(trees, tree, &g_array_index(all, struct hpmviz_treestep, i),
                is_dark, table);
    hpmviz_drawing_add_table(drawing, table);
    hpmviz_drawn_table_free(table);
    if (n < all->len)
        hpmviz_drawing_add_text(drawing, HPMVIZ_FAINT, more);
}

struct hpmviz_drawing *
hpmviz_treesoutput_draw(const struct hpmviz_trees *trees, gboolean is_dark)
{
    struct hpmviz_drawing *drawing = hpmviz_drawing_new(is_dark);

    for (int tree = 0; tree < HPMVIZ_N_TREES; tree++) {
        struct hpm_string line = {0};

        if (tree > 0)
            hpmviz_treewords_add(trees, (enum hpmviz_tree)(tree - 1), &line);
        if (tree > 0 && line.length > 0) {
            g_autofree char *heading = g_strchomp(take_safe(&line));

            hpmviz_drawing_add_text(drawing, HPMVIZ_HEADING, heading);
        }
        hpm_string_free(&line);
        add_tree(trees, (enum hpmviz_tree)tree, is_dark, drawing);
    }
    return drawing;
}
