/* SPDX-License-Identifier: BSD-3-Clause
 * Linked trees: their shapes, what closed and open nodes have, and that all
 * numbers are those of the survey, which reports print.
 *
 * Tasks 0 and 1 ran on node a, task 2 on node b, each with threads 0 and 1.  Of
 * thread t (task times 2, plus the thread) "main" has t + 1 s of its own and the
 * section "solve" inside it 10 (t + 1) s; what no section covers has 1 s.  There
 * is 1 instruction for each cycle of main, 3 for each of solve, of which half are
 * integer ones.  PM_OTHER is as many, but thread 5 could not count it. */
#include "hpmviz/data/trees.h"

#include "hpmviz/data/treeshare.h"
#include "hpmviz/data/treewalk.h"
#include "hpmviz/data/treewords.h"
#include "scratch.h"
#include "settling.h"
#include "tap.h"

enum { N_THREADS = 6 };

static char *folder;

/* ---- the file -------------------------------------------------------- */

static void
add_count(GString *text, const char *name, int all, int own)
{
    g_string_append_printf(text,
                           "<data name=\"%s\" value=\"%d\" exclusive=\"%d\" "
                           "kind=\"counter\"/>",
                           name, all, own);
}

/* A record with so many cycles, instructions and integer instructions, of its own
 * and with what is inside. */
static void
add_record(GString *text, const char *element, int t, int id, const char *more,
           const int all[3], const int own[3])
{
    g_string_append_printf(
        text,
        "<%s tid=\"%d\" task=\"%d\" id=\"%d\" scope=\"thread\" %s>"
        "<data name=\"ExcSec\" value=\"%d.000000000\" kind=\"time\" "
        "unit=\"s\"/>"
        "<data name=\"IncSec\" value=\"%d.000000000\" kind=\"time\" "
        "unit=\"s\"/>",
        element, t % 2, t / 2, id, more, own[0] / 1000, all[0] / 1000);
    if (strcmp(element, "Outside") != 0)
        g_string_append_printf(
            text, "<data name=\"Count\" value=\"%d\" kind=\"counter\"/>", id);
    add_count(text, "PM_CYC", all[0], own[0]);
    add_count(text, "PM_INST_CMPL", all[1], own[1]);
    add_count(text, "PM_FXU_FIN", all[2], own[2]);
    if (t < 5)
        add_count(text, "PM_OTHER", all[2], own[2]);
    else
        g_string_append(text, "<data name=\"PM_OTHER\" kind=\"counter\" "
                              "state=\"unsupported\" reason=\"no\"/>");
    g_string_append_printf(text, "</%s>", element);
}

static void
add_thread(GString *text, int t, int factor)
{
    int main_own = factor * 1000 * (t + 1), solve = 10 * main_own;
    const int all[3] = {main_own + solve, main_own + 3 * solve, 3 * solve / 2};
    const int own[3] = {main_own, main_own, 0};
    const int inner[3] = {solve, 3 * solve, 3 * solve / 2};
    const int outside[3] = {1000, 500, 100};
    g_autofree char *within = g_strdup_printf(
        "lid=\"x\" label=\"solve\" file=\"a.f\" linestart=\"20\" "
        "lineend=\"29\" inst=\"2\" parent=\"%d\"",
        10 * t + 1);

    add_record(text, "InstrumentationPt", t, 10 * t + 1,
               "lid=\"x\" label=\"main\" file=\"a.f\" linestart=\"1\" "
               "lineend=\"40\" inst=\"1\"",
               all, own);
    add_record(text, "InstrumentationPt", t, 10 * t + 2, within, inner, inner);
    add_record(text, "Outside", t, 10 * t + 3,
               "lid=\"x\" label=\"(outside sections)\" file=\"\" "
               "linestart=\"0\" lineend=\"0\" inst=\"0\"",
               outside, outside);
}

/* All sections have `factor` times as much. */
static char *
write_file(const char *name, int factor)
{
    g_autoptr(GString) text =
        g_string_new("<HPMPerformanceFile version=\"1\" kind=\"merged\">");
    char *path = g_build_filename(folder, name, NULL);

    for (int task = 0; task < 3; task++)
        g_string_append_printf(
            text,
            "<Run task=\"%d\" program=\"p\" job=\"j\"/>"
            "<Machine task=\"%d\" pmu=\"power4\" host=\"%s\"/>",
            task, task, task < 2 ? "a" : "b");
    for (int t = 0; t < N_THREADS; t++)
        add_thread(text, t, factor);
    g_string_append(text, "</HPMPerformanceFile>");
    g_file_set_contents(path, text->str, -1, NULL);
    return path;
}

/* "leaf" is called from "a" for 2 s, from "b" for 4 s and outermost for 8 s, each
 * time with 1, 2 and 4 instructions per cycle. */
static void
add_calls(GString *text, int t)
{
    static const struct {
        const char *label;
        int id, parent, own, all, rate;
    } rows[] = {{"a", 1, 0, 1, 3, 1},
                {"leaf", 2, 1, 2, 2, 1},
                {"b", 3, 0, 1, 5, 1},
                {"leaf", 4, 3, 4, 4, 2},
                {"leaf", 5, 0, 8, 8, 4}};

    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const int all[3] = {1000 * rows[i].all,
                            1000 * rows[i].all * rows[i].rate, 1};
        const int own[3] = {1000 * rows[i].own,
                            1000 * rows[i].own * rows[i].rate, 1};
        g_autofree char *parent =
            g_strdup_printf("parent=\"%d\"", 10 * t + rows[i].parent);
        g_autofree char *more = g_strdup_printf(
            "lid=\"x\" label=\"%s\" file=\"a.f\" linestart=\"%d\" "
            "lineend=\"9\" inst=\"1\" %s",
            rows[i].label, rows[i].label[0], rows[i].parent > 0 ? parent : "");

        add_record(text, "InstrumentationPt", t, 10 * t + rows[i].id, more, all,
                   own);
    }
}

static char *
write_calls(const char *name)
{
    g_autoptr(GString) text =
        g_string_new("<HPMPerformanceFile version=\"1\" kind=\"merged\">"
                     "<Run task=\"0\" program=\"p\" job=\"j\"/>"
                     "<Machine task=\"0\" pmu=\"power4\" host=\"a\"/>");
    char *path = g_build_filename(folder, name, NULL);

    add_calls(text, 0);
    add_calls(text, 1);
    g_string_append(text, "</HPMPerformanceFile>");
    g_file_set_contents(path, text->str, -1, NULL);
    return path;
}

static HpmvizSession *
open_file(const char *path)
{
    char *words[] = {(char *)path, NULL};
    HpmvizSession *session = hpmviz_session_new();

    hpmviz_session_open(session, words);
    settle(session);
    if (hpmviz_session_loaded(session) == NULL) {
        printf("Bail out! %s\n", hpmviz_session_failure(session));
        exit(1);
    }
    return session;
}

/* ---- asking ---------------------------------------------------------- */

static guint
find(const struct hpmviz_trees *trees, enum hpmviz_tree tree, const char *label)
{
    g_autofree guint *parents = NULL;
    guint n = hpmviz_trees_shape(trees, tree, &parents), found = HPMVIZ_NO_NODE;

    for (guint i = 0; i < n && found == HPMVIZ_NO_NODE; i++) {
        struct hpm_string text = {0};

        hpmviz_trees_add_label(trees, tree, i, &text);
        if (strcmp(hpm_string_text(&text), label) == 0)
            found = i;
        hpm_string_free(&text);
    }
    return found;
}

static void
choose(struct hpmviz_trees *trees, enum hpmviz_tree tree, const char *label,
       gboolean is_open)
{
    hpmviz_trees_choose(
        trees, tree,
        (struct hpmviz_treechoice){find(trees, tree, label), is_open});
    while (hpmviz_trees_work(trees))
        continue;
}

static double
value_of(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
         const char *label, gboolean is_open)
{
    guint node = find(trees, tree, label);

    if (node == HPMVIZ_NO_NODE)
        return -1.0;
    return hpmviz_trees_value(trees, tree, node, is_open).number;
}

static double
value_at(const struct hpmviz_trees *trees, int task, int tid)
{
    return hpmviz_trees_value(trees, HPMVIZ_TREE_SYSTEM,
                              hpmviz_systemtree_find(trees->system, task, tid),
                              FALSE)
        .number;
}

static gboolean
equals(double got, double expected)
{
    gboolean is_good = fabs(got - expected) <= 1e-9 * fabs(expected);

    if (!is_good)
        printf("# got %.15g, expected %.15g\n", got, expected);
    return is_good;
}

/* ---- shapes ---------------------------------------------------------- */

static void
test_shapes(const struct hpmviz_trees *trees)
{
    guint main_node = find(trees, HPMVIZ_TREE_PATHS, "main");
    guint solve = find(trees, HPMVIZ_TREE_PATHS, "solve");
    guint whole = find(trees, HPMVIZ_TREE_METRICS, "INSTRUCTION");
    guint part = find(trees, HPMVIZ_TREE_METRICS, "INTEGER");
    guint task = hpmviz_systemtree_find(trees->system, 2, -1);
    guint thread = hpmviz_systemtree_find(trees->system, 2, 1);

    is_count(trees->calls->n, 3, "three call paths");
    ok(trees->calls->parents[solve] == main_node &&
           trees->calls->parents[main_node] == HPMVIZ_NO_NODE,
       "a path stands below the path around it");
    is_count(find(trees, HPMVIZ_TREE_PATHS, "(outside sections)"), 2,
             "what no section covers is a row, the last");
    ok(whole < part && trees->metrics->nodes[part].parent == whole &&
           trees->metrics->nodes[part].is_part,
       "a metric stands below the one that is composed of it");
    ok(!trees->metrics->nodes[find(trees, HPMVIZ_TREE_METRICS, "IPC")].is_part,
       "a ratio is no part");
    is_count(trees->system->n, 1 + 2 + 3 + 6,
             "a machine, two nodes, three tasks, six threads");
    ok(trees->system->nodes[thread].parent == task &&
           trees->system->nodes[trees->system->nodes[task].parent].name !=
               NULL &&
           strcmp(trees->system->nodes[trees->system->nodes[task].parent].name,
                  "b") == 0,
       "a thread stands below its task, that below its node");
}

/* ---- calls ----------------------------------------------------------- */

static void
test_calls(struct hpmviz_trees *trees)
{
    struct hpmviz_treevalue value;

    choose(trees, HPMVIZ_TREE_METRICS, "Count", FALSE);
    value = hpmviz_trees_value(trees, HPMVIZ_TREE_METRICS,
                               trees->choices[HPMVIZ_TREE_METRICS].node, FALSE);
    ok(equals(value.number, 2 * 150 + 6 * 3) && !value.marks.is_partial,
       "calls of the run are whole: what no section covers has none");
}

/* ---- pending --------------------------------------------------------- */

static void
test_pending(const HpmvizSession *session)
{
    struct hpmviz_trees *trees = hpmviz_trees_new(session);
    struct hpm_string text = {0};
    guint path = find(trees, HPMVIZ_TREE_PATHS, "main");

    trees->mode = HPMVIZ_TREE_OF_ROOT;
    hpmviz_treeshare_add_text(trees, HPMVIZ_TREE_PATHS, path, FALSE, &text);
    is_text(hpm_string_text(&text), "…",
            "a share waits for the sum that it is of");
    trees->mode = HPMVIZ_TREE_OF_SELECTION;
    ok(isnan(hpmviz_treeshare_percent(trees, HPMVIZ_TREE_PATHS, path, FALSE)) &&
           isnan(hpmviz_treeshare_heat(trees, HPMVIZ_TREE_PATHS, path, FALSE)),
       "and has no number and no colour before");
    hpm_string_free(&text);
    hpmviz_trees_free(trees);
}

/* ---- times ----------------------------------------------------------- */

static void
test_times(struct hpmviz_trees *trees)
{
    choose(trees, HPMVIZ_TREE_METRICS, "Time", FALSE);
    choose(trees, HPMVIZ_TREE_PATHS, "main", FALSE);
    ok(equals(value_of(trees, HPMVIZ_TREE_METRICS, "Time", FALSE), 11 * 21 + 6),
       "the run has the time of all threads, also outside sections");
    ok(equals(value_of(trees, HPMVIZ_TREE_PATHS, "main", FALSE), 11 * 21),
       "a closed path has the time of all inside");
    ok(equals(value_of(trees, HPMVIZ_TREE_PATHS, "main", TRUE), 21),
       "an open one its own");
    ok(equals(value_of(trees, HPMVIZ_TREE_SYSTEM, "a", FALSE), 11 * 10) &&
           equals(value_of(trees, HPMVIZ_TREE_SYSTEM, "b", FALSE), 11 * 11),
       "a node has the time of its threads on the path");
    ok(equals(value_at(trees, 1, -1), 11 * 7), "a task has");
    ok(equals(value_at(trees, 2, 0), 11 * 5), "a thread has its own");
    choose(trees, HPMVIZ_TREE_PATHS, "main", TRUE);
    ok(equals(value_at(trees, 2, 0), 5),
       "of an open path the system has what is the path's own");
    ok(isnan(value_of(trees, HPMVIZ_TREE_SYSTEM, "a", TRUE)),
       "an open node has nothing beside its tasks, which is not 0");
}

/* ---- counts ---------------------------------------------------------- */

static void
test_parts(struct hpmviz_trees *trees)
{
    choose(trees, HPMVIZ_TREE_METRICS, "INSTRUCTION", FALSE);
    choose(trees, HPMVIZ_TREE_PATHS, "solve", FALSE);
    ok(equals(value_of(trees, HPMVIZ_TREE_METRICS, "INSTRUCTION", FALSE),
              31000 * 21 + 3000),
       "an amount is added over outermost paths and what is outside");
    ok(equals(value_of(trees, HPMVIZ_TREE_METRICS, "INSTRUCTION", TRUE),
              31000 * 21 + 3000 - 15000 * 21 - 600),
       "an open metric lacks its parts");
    ok(equals(value_at(trees, 0, 1), 30000 * 2),
       "the system has the metric that is selected");
    choose(trees, HPMVIZ_TREE_METRICS, "INSTRUCTION", TRUE);
    ok(equals(value_at(trees, 0, 1), 15000 * 2) &&
           equals(value_at(trees, 0, -1), 15000 * 3),
       "of an open one without its parts");
}

/* ---- what is missing ------------------------------------------------- */

static gboolean
is_explained(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
             guint node)
{
    struct hpmviz_treevalue value =
        hpmviz_trees_value(trees, tree, node, FALSE);

    return value.is_present && isnan(value.number) && value.reason != NULL;
}

static void
test_missing(struct hpmviz_trees *trees)
{
    choose(trees, HPMVIZ_TREE_METRICS, "PM_OTHER", FALSE);
    choose(trees, HPMVIZ_TREE_PATHS, "solve", FALSE);
    ok(equals(value_at(trees, 2, 0), 15000 * 5),
       "a counter that no metric stands for is a metric, too");
    ok(isnan(value_at(trees, 2, 1)), "what a thread could not count is no 0");
    ok(is_explained(trees, HPMVIZ_TREE_SYSTEM,
                    hpmviz_systemtree_find(trees->system, 2, -1)) &&
           equals(value_at(trees, 1, -1), 15000 * 7),
       "its task has no value, and says why, another task has one");
    ok(is_explained(trees, HPMVIZ_TREE_METRICS,
                    trees->choices[HPMVIZ_TREE_METRICS].node),
       "nor has the run");
}

/* ---- ratios ---------------------------------------------------------- */

static void
test_ratios(struct hpmviz_trees *trees)
{
    choose(trees, HPMVIZ_TREE_METRICS, "IPC", FALSE);
    choose(trees, HPMVIZ_TREE_PATHS, "main", FALSE);
    ok(equals(value_of(trees, HPMVIZ_TREE_METRICS, "IPC", FALSE),
              (31000 * 21 + 3000) / (11000.0 * 21 + 6000)),
       "a ratio of the run is computed from the counts of the run");
    ok(equals(value_of(trees, HPMVIZ_TREE_PATHS, "main", FALSE), 31.0 / 11) &&
           equals(value_of(trees, HPMVIZ_TREE_PATHS, "main", TRUE), 1.0),
       "that of a closed path from all inside, of an open one from its own");
    ok(equals(value_of(trees, HPMVIZ_TREE_SYSTEM, "a", FALSE), 31.0 / 11) &&
           equals(value_at(trees, 1, -1), 31.0 / 11),
       "that of a node from the counts of its threads");
    ok(hpmviz_trees_value(trees, HPMVIZ_TREE_PATHS,
                          find(trees, HPMVIZ_TREE_PATHS, "main"), FALSE)
                   .verdict == HPM_VERDICT_GOOD &&
           hpmviz_trees_value(trees, HPMVIZ_TREE_SYSTEM,
                              hpmviz_systemtree_find(trees->system, 1, 1),
                              FALSE)
                   .verdict == HPM_VERDICT_GOOD,
       "a closed path and a thread have the verdict of the survey");
}

/* ---- shares ---------------------------------------------------------- */

static double
percent_of(struct hpmviz_trees *trees, enum hpmviz_treemode mode,
           enum hpmviz_tree tree, const char *label, gboolean is_open)
{
    trees->mode = mode;
    return hpmviz_treeshare_percent(trees, tree, find(trees, tree, label),
                                    is_open);
}

static void
test_shares(struct hpmviz_trees *trees)
{
    const double run = 31000 * 21 + 3000;

    choose(trees, HPMVIZ_TREE_METRICS, "INTEGER", FALSE);
    choose(trees, HPMVIZ_TREE_PATHS, "solve", FALSE);
    ok(equals(percent_of(trees, HPMVIZ_TREE_OF_ROOT, HPMVIZ_TREE_METRICS,
                         "INTEGER", FALSE),
              100 * (15000 * 21 + 600) / run) &&
           equals(percent_of(trees, HPMVIZ_TREE_OF_ROOT, HPMVIZ_TREE_PATHS,
                             "main", FALSE),
                  100 * 15000 * 21 / run),
       "per cent of the root: of what the metric is a part of, in the run");
    ok(equals(percent_of(trees, HPMVIZ_TREE_OF_SELECTION, HPMVIZ_TREE_PATHS,
                         "main", FALSE),
              100 * 15000.0 * 21 / (15000 * 21 + 600)),
       "per cent of the selection: call paths of the selected metric");
    ok(equals(percent_of(trees, HPMVIZ_TREE_OF_SELECTION, HPMVIZ_TREE_SYSTEM,
                         "a", FALSE),
              100 * 10.0 / 21),
       "the system of the selected call path");
    ok(isnan(percent_of(trees, HPMVIZ_TREE_OF_ROOT, HPMVIZ_TREE_METRICS, "IPC",
                        FALSE)),
       "a ratio has no share");
    trees->mode = HPMVIZ_TREE_ABSOLUTE;
}

/* As text, which a mode of shares changes only where there is a share. */
static void
test_words(struct hpmviz_trees *trees)
{
    struct hpm_string text = {0};

    choose(trees, HPMVIZ_TREE_METRICS, "INTEGER", FALSE);
    choose(trees, HPMVIZ_TREE_PATHS, "solve", FALSE);
    hpmviz_treewords_add(trees, HPMVIZ_TREE_PATHS, &text);
    is_text(hpm_string_text(&text), "main/solve: 315,000 (with all inside)\n",
            "a line says what is selected, where and what it has");
    hpm_string_free(&text);
    text = (struct hpm_string){0};
    trees->mode = HPMVIZ_TREE_OF_SELECTION;
    hpmviz_treeshare_add_text(trees, HPMVIZ_TREE_SYSTEM,
                              find(trees, HPMVIZ_TREE_SYSTEM, "b"), FALSE,
                              &text);
    hpm_string_add(&text, " ");
    hpmviz_treeshare_add_text(trees, HPMVIZ_TREE_METRICS,
                              find(trees, HPMVIZ_TREE_METRICS, "CPI"), FALSE,
                              &text);
    is_text(hpm_string_text(&text), "52.4 % 0.362",
            "a share is in per cent, a ratio stays as it is");
    hpm_string_free(&text);
    trees->mode = HPMVIZ_TREE_ABSOLUTE;
}

/* ---- colours --------------------------------------------------------- */

static void
test_colours(struct hpmviz_trees *trees)
{
    gboolean are_apart = TRUE;

    choose(trees, HPMVIZ_TREE_METRICS, "Time", FALSE);
    choose(trees, HPMVIZ_TREE_PATHS, "main", FALSE);
    ok(equals(hpmviz_treeshare_heat(trees, HPMVIZ_TREE_SYSTEM,
                                    find(trees, HPMVIZ_TREE_SYSTEM, "b"),
                                    FALSE),
              11.0 / 21),
       "colours are by the share of what is selected to the left");
    choose(trees, HPMVIZ_TREE_METRICS, "CPI", FALSE);
    ok(equals(hpmviz_treeshare_heat(trees, HPMVIZ_TREE_PATHS,
                                    find(trees, HPMVIZ_TREE_PATHS, "main"),
                                    TRUE),
              0.5),
       "of ratios by the largest in the tree: here 2 of (outside sections)");
    ok(hpmviz_treeshare_colour(NAN, FALSE) == NULL,
       "what has no value has no colour");
    for (int i = 0; i < 4; i++) {
        for (guint j = 1; j < HPMVIZ_TREESHARE_STEPS; j++)
            are_apart &=
                hpmviz_contrast(
                    hpmviz_treeshare_step(j - 1, i & 1, (i & 2) != 0),
                    hpmviz_treeshare_step(j, i & 1, (i & 2) != 0)) >= 1.15;
    }
    ok(are_apart, "colours of the scale differ in lightness, too");
}

/* ---- ways ------------------------------------------------------------ */

static void
test_ways(struct hpmviz_trees *trees)
{
    GArray *way;

    choose(trees, HPMVIZ_TREE_METRICS, "Time", FALSE);
    way = hpmviz_treewalk_hottest(trees, HPMVIZ_TREE_PATHS, HPMVIZ_NO_NODE);
    ok(way->len == 2 &&
           g_array_index(way, guint, 0) ==
               find(trees, HPMVIZ_TREE_PATHS, "main") &&
           g_array_index(way, guint, 1) ==
               find(trees, HPMVIZ_TREE_PATHS, "solve"),
       "the hottest path leads to where most is");
    g_array_unref(way);
    choose(trees, HPMVIZ_TREE_PATHS, "main", FALSE);
    way = hpmviz_treewalk_hottest(trees, HPMVIZ_TREE_SYSTEM, HPMVIZ_NO_NODE);
    ok(way->len == 4 && g_array_index(way, guint, 3) ==
                            hpmviz_systemtree_find(trees->system, 2, 1),
       "that of the system to the thread with most");
    g_array_unref(way);
    is_count(
        hpmviz_treewalk_find(trees, HPMVIZ_TREE_PATHS, HPMVIZ_NO_NODE, "OLV"),
        find(trees, HPMVIZ_TREE_PATHS, "solve"),
        "a name is found by some of its letters in any case");
    is_count(hpmviz_treewalk_find(trees, HPMVIZ_TREE_PATHS, 2, "main"),
             find(trees, HPMVIZ_TREE_PATHS, "main"),
             "behind the last the first is looked at again");
    is_count(hpmviz_treewalk_find(trees, HPMVIZ_TREE_PATHS, 0, "nowhere"),
             HPMVIZ_NO_NODE, "what is not there is not found");
}

/* ---- the same as in the survey --------------------------------------- */

struct compared {
    struct hpmviz_trees *trees;
    size_t quantity;
    gboolean is_task;
    guint n_different, n;
};

static void
compare(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    struct compared *compared = owner;
    const struct hpm_study *study = compared->trees->paths->study;
    const struct hpm_study_place *place = hpm_study_place_of(study, row);
    double got = value_at(compared->trees, study->tasks[place->task].number,
                          compared->is_task ? -1 : place->tid);
    double expected = hpm_number_to_real(figures[compared->quantity].value);

    compared->n++;
    compared->n_different +=
        isnan(got) != isnan(expected) ||
        (!isnan(got) && fabs(got - expected) > 1e-9 * fabs(expected));
}

/* Times of a task are a sum here, and there that of its longest thread. */
static void
test_survey(struct hpmviz_trees *trees)
{
    struct compared compared = {.trees = trees};

    for (guint i = 0; i < trees->metrics->n; i++) {
        hpmviz_trees_choose(trees, HPMVIZ_TREE_METRICS,
                            (struct hpmviz_treechoice){i, FALSE});
        for (guint j = 0; j < trees->calls->n; j++) {
            hpmviz_trees_choose(trees, HPMVIZ_TREE_PATHS,
                                (struct hpmviz_treechoice){j, FALSE});
            while (hpmviz_trees_work(trees))
                continue;
            compared.quantity = trees->metrics->nodes[i].quantity;
            compared.is_task = FALSE;
            hpm_survey_visit_threads(trees->paths, trees->calls->subjects[j],
                                     compare, &compared);
            compared.is_task = TRUE;
            if (trees->metrics->nodes[i].own == HPM_NO_QUANTITY)
                hpm_survey_visit_tasks(trees->paths, trees->calls->subjects[j],
                                       compare, &compared);
        }
    }
    ok(compared.n > 100, "many values of threads and tasks");
    is_count(compared.n_different, 0, "are those of the survey");
}

/* ---- two runs -------------------------------------------------------- */

static HpmvizSession *
open_two(void)
{
    g_autofree char *a = write_file("a.xml", 1), *b = write_file("b.xml", 3);
    char *words[] = {a, b, NULL};
    HpmvizSession *session = hpmviz_session_new();

    hpmviz_session_open_runs(session, words);
    settle(session);
    return session;
}

static void
test_difference(struct hpmviz_trees *trees)
{
    static const struct {
        const char *metric;
        double of_solve, of_run;
    } cases[] = {{"Time", 200, 100 * 2 * 231 / 237.0},
                 {"INSTRUCTION", 200, 100 * 2 * 31 * 21 / (31 * 21 + 3.0)},
                 {"IPC", 0, NAN}};
    gboolean are_right = TRUE;

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        double run;

        choose(trees, HPMVIZ_TREE_METRICS, cases[i].metric, FALSE);
        choose(trees, HPMVIZ_TREE_PATHS, "solve", FALSE);
        run = percent_of(trees, HPMVIZ_TREE_OF_PEER, HPMVIZ_TREE_METRICS,
                         cases[i].metric, FALSE);
        are_right &= equals(percent_of(trees, HPMVIZ_TREE_OF_PEER,
                                       HPMVIZ_TREE_PATHS, "solve", FALSE),
                            cases[i].of_solve) &&
                     equals(percent_of(trees, HPMVIZ_TREE_OF_PEER,
                                       HPMVIZ_TREE_SYSTEM, "b", FALSE),
                            cases[i].of_solve) &&
                     (isnan(cases[i].of_run) ? isnan(run)
                                             : equals(run, cases[i].of_run));
    }
    ok(are_right, "per cent of the reference: of call paths, nodes, the run");
    trees->mode = HPMVIZ_TREE_ABSOLUTE;
    choose(trees, HPMVIZ_TREE_METRICS, "INSTRUCTION", FALSE);
    ok(equals(value_of(trees, HPMVIZ_TREE_PATHS, "main", TRUE), 2000 * 21),
       "an open path of a difference has its own, too");
    choose(trees, HPMVIZ_TREE_METRICS, "Time", FALSE);
    ok(hpmviz_treeshare_heat(trees, HPMVIZ_TREE_PATHS,
                             find(trees, HPMVIZ_TREE_PATHS, "main"),
                             FALSE) == 1.0,
       "colours of a difference are by the largest");
}

/* ---- callers ---------------------------------------------------------- */

static void
test_callers_of(struct hpmviz_trees *trees)
{
    guint leaf, caller, outermost = 0;

    hpmviz_trees_set_callers(trees, TRUE);
    leaf = find(trees, HPMVIZ_TREE_PATHS, "leaf");
    for (guint i = 0; i < trees->calls->n; i++)
        outermost += trees->calls->parents[i] == HPMVIZ_NO_NODE;
    is_count(outermost, 3, "callers: each section is there once");
    caller = leaf + 1;
    while (caller < trees->calls->n && trees->calls->parents[caller] != leaf)
        caller++;
    choose(trees, HPMVIZ_TREE_METRICS, "Time", FALSE);
    ok(equals(value_of(trees, HPMVIZ_TREE_PATHS, "leaf", FALSE), 2 * 14),
       "a closed section has its own of all callers");
    ok(equals(value_of(trees, HPMVIZ_TREE_PATHS, "leaf", TRUE), 2 * 8),
       "an open one what is called from outside sections");
    ok(equals(
           hpmviz_trees_value(trees, HPMVIZ_TREE_PATHS, caller, FALSE).number,
           2 * 2),
       "a caller what it called");
    choose(trees, HPMVIZ_TREE_PATHS, "leaf", FALSE);
    ok(equals(value_at(trees, 0, 1), 14),
       "the system has the section on all paths");
    choose(trees, HPMVIZ_TREE_PATHS, "leaf", TRUE);
    ok(equals(value_at(trees, 0, 1), 8), "or on the outermost");
}

static void
test_callers_ratio(struct hpmviz_trees *trees)
{
    choose(trees, HPMVIZ_TREE_METRICS, "IPC", FALSE);
    choose(trees, HPMVIZ_TREE_PATHS, "leaf", FALSE);
    ok(equals(value_of(trees, HPMVIZ_TREE_PATHS, "leaf", FALSE), 3.0) &&
           equals(value_at(trees, 0, 1), 3.0) &&
           equals(value_at(trees, 0, -1), 3.0),
       "a ratio is computed from the counts on all paths");
    hpmviz_trees_set_callers(trees, FALSE);
    is_count(trees->calls->n, 5, "call paths are there again");
}

static void
test_callers(void)
{
    g_autofree char *path = write_calls("calls.xml");
    HpmvizSession *session = open_file(path);
    struct hpmviz_trees *trees = hpmviz_trees_new(session);

    test_callers_of(trees);
    test_callers_ratio(trees);
    hpmviz_trees_free(trees);
    g_object_unref(session);
}

/* ---- folded threads --------------------------------------------------- */

/* Threads that ended are one record, without a number. */
static void
test_folded(void)
{
    g_autofree char *from = write_calls("one.xml"), *text = NULL;
    g_autofree char *path = g_build_filename(folder, "folded.xml", NULL);
    g_autoptr(GString) folded = NULL;
    HpmvizSession *session;
    struct hpmviz_trees *trees;

    g_file_get_contents(from, &text, NULL, NULL);
    folded = g_string_new(text);
    g_string_replace(folded, "tid=\"1\"", "tid=\"-2\"", 0);
    g_file_set_contents(path, folded->str, -1, NULL);
    session = open_file(path);
    trees = hpmviz_trees_new(session);
    choose(trees, HPMVIZ_TREE_METRICS, "Time", FALSE);
    choose(trees, HPMVIZ_TREE_PATHS, "a", FALSE);
    ok(equals(value_at(trees, 0, -2), 3) &&
           equals(value_of(trees, HPMVIZ_TREE_SYSTEM, "sum of several threads",
                           FALSE),
                  3),
       "threads summed in a record are no whole process");
    hpmviz_trees_free(trees);
    g_object_unref(session);
}

int
main(void)
{
    HpmvizSession *session;
    struct hpmviz_trees *trees;
    g_autofree char *path = NULL;

    g_setenv("HPM_DEFS", "", TRUE);
    folder = g_dir_make_tmp("hpm-trees-XXXXXX", NULL);
    path = write_file("run.xml", 1);
    session = open_file(path);
    trees = hpmviz_trees_new(session);
    test_shapes(trees);
    test_calls(trees);
    test_pending(session);
    test_times(trees);
    test_parts(trees);
    test_missing(trees);
    test_ratios(trees);
    test_shares(trees);
    test_words(trees);
    test_colours(trees);
    test_ways(trees);
    test_survey(trees);
    hpmviz_trees_free(trees);
    g_object_unref(session);
    session = open_two();
    trees = hpmviz_trees_new(session);
    test_difference(trees);
    hpmviz_trees_free(trees);
    g_object_unref(session);
    test_callers();
    test_folded();
    remove_all(folder);
    g_free(folder);
    return done();
}
