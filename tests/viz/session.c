/* SPDX-License-Identifier: BSD-3-Clause
 * The open files, good and bad, the view, values; and a new reading replaces
 * one that is going on.  The files are written here. */
#include "hpmviz/data/session.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "hpmviz/data/watcher.h"
#include "hpmviz/sections/sectionfilter.h"
#include "hpmviz/sections/sectiontable.h"
#include "tap.h"

static char *folder;
static GMainLoop *loop;
static GPtrArray *heard; /* names of signals */

/* ---- files ----------------------------------------------------------- */

static void
add_record(GString *text, int task, int tid, int section, double seconds)
{
    int first = 1000 * (tid + 1) + 1; /* first record of the thread */
    char *parent =
        section > 0 ? g_strdup_printf(" parent=\"%d\"", first) : g_strdup("");

    g_string_append_printf(
        text,
        "<InstrumentationPt lid=\"x\" tid=\"%d\" task=\"%d\" "
        "label=\"%s %d\" file=\"/src/a.f\" linestart=\"%d\" lineend=\"%d\" "
        "scope=\"%s\" inst=\"%d\" id=\"%d\"%s>"
        "<data name=\"Count\" value=\"%d\" kind=\"counter\"/>"
        "<data name=\"ExcSec\" value=\"%.9f\" kind=\"time\" unit=\"s\"/>"
        "<data name=\"IncSec\" value=\"%.9f\" kind=\"time\" unit=\"s\"/>"
        "<data name=\"cycles\" value=\"%d\" exclusive=\"%d\" "
        "kind=\"counter\"/>"
        "<data name=\"Own\" value=\"1.5\" kind=\"metric\" dbad=\"-2.0\"/>"
        "</InstrumentationPt>",
        tid, task, section == 0 ? "&lt;b>Outer" : "inner", section,
        10 + section, 20 + section, tid < 0 ? "process" : "thread", section,
        section + first, parent, section + 1, seconds,
        seconds * (section == 0 ? 10 : 1), 1000 * (section + 1),
        1000 * (section + 1));
    g_free(parent);
}

/* A task with so many threads and sections: section i takes (task + 1) (j + 1)
 * / (i + 1) seconds in thread j. */
static char *
make_file(int task, int n_threads, int n_sections)
{
    GString *text = g_string_new(NULL);

    g_string_append_printf(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        "<HPMPerformanceFile version=\"1\" complete=\"yes\" kind=\"run\">"
        "<Run task=\"%d\" program=\"p\" job=\"j\" seconds=\"2.0\"></Run>"
        "<Machine task=\"%d\" pmu=\"skl\" host=\"a\"/>",
        task, task);
    for (int tid = 0; tid < n_threads; tid++) {
        for (int i = 0; i < n_sections; i++)
            add_record(text, task, tid, i, (task + 1.0) * (tid + 1) / (i + 1));
    }
    g_string_append(text, "</HPMPerformanceFile>");
    return g_string_free(text, FALSE);
}

static char *
path_of(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void
put(const char *name, char *text)
{
    char *path = path_of(name);

    g_file_set_contents(path, text, -1, NULL);
    g_free(path);
    g_free(text);
}

static void
drop(const char *name)
{
    char *path = path_of(name);

    g_unlink(path);
    g_free(path);
}

/* ---- hearing --------------------------------------------------------- */

static void
hear(HpmvizSession *session, gpointer name)
{
    (void)session;
    g_ptr_array_add(heard, name);
    if (strcmp(name, "progress") != 0)
        g_main_loop_quit(loop);
}

static HpmvizSession *
new_session(void)
{
    static const char *const names[] = {"loaded",   "surveyed", "failed",
                                        "outdated", "viewed",   "selected"};
    HpmvizSession *session = hpmviz_session_new();

    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        g_signal_connect(session, names[i], G_CALLBACK(hear),
                         (gpointer)names[i]);
    return session;
}

static gboolean
give_up(gpointer data)
{
    *(gboolean *)data = TRUE;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

/* Wait for this signal of the session; FALSE when it fails, or does not
 * come. */
static gboolean
wait_for(const char *name)
{
    gboolean is_over = FALSE, is_heard = FALSE, has_failed = FALSE;
    guint limit = g_timeout_add_seconds(300, give_up, &is_over);

    while (!is_over && !is_heard && !has_failed) {
        for (guint i = 0; i < heard->len && !is_heard; i++) {
            is_heard = strcmp(heard->pdata[i], name) == 0;
            has_failed |= strcmp(heard->pdata[i], "failed") == 0;
        }
        if (!is_heard && !has_failed)
            g_main_loop_run(loop);
    }
    if (has_failed && !is_heard)
        printf("# failed\n");
    g_ptr_array_set_size(heard, 0);
    if (!is_over)
        g_source_remove(limit);
    return is_heard;
}

static void
open_word(HpmvizSession *session, const char *name)
{
    char *words[] = {path_of(name), NULL};

    g_ptr_array_set_size(heard, 0);
    hpmviz_session_open(session, words);
    g_free(words[0]);
}

static size_t
find_subject(const HpmvizSession *session, const char *label)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);

    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (g_strcmp0(hpmviz_session_section(session, i)->label, label) == 0)
            return i;
    }
    return HPM_NO_SUBJECT;
}

static const char *
cell(const HpmvizSession *session, const char *label, guint column)
{
    static char text[100];
    struct hpm_string string = {0};

    hpmviz_section_add_text(session, (guint)find_subject(session, label),
                            column, &string);
    g_strlcpy(text, hpm_string_text(&string), sizeof text);
    hpm_string_free(&string);
    return text;
}

/* ---- opening --------------------------------------------------------- */

static void
test_opening(void)
{
    HpmvizSession *session = new_session();
    char *standard_input[] = {(char *)"-", NULL};
    const struct hpmviz_loaded *loaded;

    ok(hpmviz_session_survey(session) == NULL &&
           !hpmviz_session_has_metrics(session),
       "at first nothing is open");
    open_word(session, "*.hpm.xml");
    ok(wait_for("loaded"), "a pattern of good and bad files is opened");
    loaded = hpmviz_session_loaded(session);
    is_count(loaded->n_files, 2, "the good ones are used");
    is_count(loaded->n_bad, 2, "the bad ones are counted");
    ok(loaded->problems->len >= 2 &&
           strstr(loaded->problems->pdata[0], "bad") != NULL,
       "each is named with what is wrong with it");
    ok(hpmviz_session_has_metrics(session), "few records have metrics at once");
    hpmviz_session_select(session, find_subject(session, "inner 1"));
    open_word(session, "bad-1.hpm.xml");
    ok(wait_for("failed"), "a bad file alone fails");
    ok(hpmviz_session_loaded(session) == loaded &&
           strstr(hpmviz_session_failure(session), "bad-1") != NULL,
       "what was open stays open, and the failure names the file");
    open_word(session, "nowhere-*.hpm.xml");
    ok(wait_for("failed") &&
           strstr(hpmviz_session_failure(session), "nowhere-*") != NULL,
       "so does a pattern of no file");
    hpmviz_session_open(session, standard_input);
    ok(wait_for("failed") &&
           strstr(hpmviz_session_failure(session), "standard input") != NULL,
       "and standard input");
    open_word(session, "");
    ok(wait_for("loaded") && hpmviz_session_loaded(session)->n_files == 2 &&
           hpmviz_session_selected(session) == find_subject(session, "inner 1"),
       "a folder is opened, and the section stays selected");
    ok(hpmviz_session_failure(session) == NULL, "the failure is over");
    g_object_unref(session);
}

/* The open file is written anew. */
static void
test_replacing(void)
{
    HpmvizSession *session = new_session();
    const struct hpmviz_loaded *loaded;

    put("mine.xml", make_file(3, 1, 3));
    open_word(session, "mine.xml");
    ok(wait_for("loaded"), "a file is open");
    loaded = hpmviz_session_loaded(session);
    put("mine.xml", g_strdup("<HPMPerformanceFile"));
    hpmviz_session_reload(session);
    ok(wait_for("failed") && hpmviz_session_loaded(session) == loaded &&
           strstr(hpmviz_session_failure(session), "mine.xml") != NULL,
       "while it is being replaced what was read stays, and it is named");
    put("mine.xml", make_file(4, 1, 2));
    hpmviz_session_reload(session);
    ok(wait_for("loaded") &&
           hpmviz_session_loaded(session)->study->tasks[0].number == 4,
       "when it is whole again it is read");
    drop("mine.xml");
    hpmviz_session_reload(session);
    ok(wait_for("failed") &&
           hpmviz_session_loaded(session)->study->tasks[0].number == 4,
       "and when it is gone, what was read stays");
    g_object_unref(session);
}

static void
test_cancelling(void)
{
    HpmvizSession *session = new_session();
    guint n_done, n_files;

    open_word(session, "good-0.hpm.xml");
    ok(wait_for("loaded"), "a file is open");
    open_word(session, "*.hpm.xml");
    ok(hpmviz_session_is_loading(session, &n_done, &n_files),
       "others are being read");
    hpmviz_session_cancel(session);
    ok(!hpmviz_session_is_loading(session, &n_done, &n_files) &&
           hpmviz_session_loaded(session)->n_files == 1,
       "cancelled, and what was open is");
    hpmviz_session_reload(session);
    ok(wait_for("loaded") && hpmviz_session_loaded(session)->n_files == 1,
       "reload means what is open, not what was cancelled");
    open_word(session, "bad-1.hpm.xml");
    open_word(session, "good-1.hpm.xml");
    ok(wait_for("loaded") &&
           hpmviz_session_loaded(session)->study->tasks[0].number == 1,
       "of two openings the second counts, and the first is not heard of");
    g_object_unref(session);
}

/* Thread 1 has only an exclusive time of "inner 1". */
static void
test_partial(void)
{
    HpmvizSession *session = new_session();
    char *text = make_file(0, 2, 2);
    char *from = g_strrstr(text, "<data name=\"IncSec\"");
    char *to = strstr(from, "/>") + 2;

    memmove(from, to, strlen(to) + 1);
    put("partial.xml", text);
    open_word(session, "partial.xml");
    ok(wait_for("loaded"), "a file with an inclusive time not wanted is open");
    is_text(cell(session, "inner 1", HPMVIZ_SECTION_INCLUSIVE), "~0.500000",
            "the inclusive time of all is marked");
    is_text(cell(session, "inner 1", HPMVIZ_SECTION_EXCLUSIVE), "1.000000",
            "the exclusive one is not");
    drop("partial.xml");
    g_object_unref(session);
}

/* ---- the view -------------------------------------------------------- */

static void
set_statistic(HpmvizSession *session, enum hpmviz_statistic statistic, int task)
{
    struct hpmviz_view view = *hpmviz_session_view(session);

    view.statistic = statistic;
    view.task = task;
    hpmviz_session_set_view(session, &view);
}

/* The threads' times of "inner 1" are 0.5, 1 (task 0), 1 and 2 (task 1). */
static void
test_statistics(HpmvizSession *session)
{
    static const struct {
        enum hpmviz_statistic statistic;
        int task;
        const char *expected;
    } cases[] = {
        {HPMVIZ_STATISTIC_MAX, 0, "2.000000"},
        {HPMVIZ_STATISTIC_MEAN, 0, "1.125000"},
        {HPMVIZ_STATISTIC_SUM, 0, "4.500000"},
        {HPMVIZ_STATISTIC_MIN, 0, "0.500000"},
        {HPMVIZ_STATISTIC_TASK, 0, "1.000000"},
        {HPMVIZ_STATISTIC_TASK, 1, "2.000000"},
        {HPMVIZ_STATISTIC_TASK, 7, "n/a"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *meaning;

        set_statistic(session, cases[i].statistic, cases[i].task);
        is_text(cell(session, "inner 1", HPMVIZ_SECTION_EXCLUSIVE),
                cases[i].expected, hpmviz_statistic_name(cases[i].statistic));
        meaning = hpmviz_section_meaning(session, HPMVIZ_SECTION_EXCLUSIVE);
        ok(cases[i].statistic != HPMVIZ_STATISTIC_TASK ||
               strstr(meaning, cases[i].task == 7   ? "task 7"
                               : cases[i].task == 1 ? "task 1"
                                                    : "task 0") != NULL,
           "and the heading says whose values they are");
        g_free(meaning);
    }
    set_statistic(session, HPMVIZ_STATISTIC_MAX, 0);
}

static void
test_precision(HpmvizSession *session)
{
    struct hpmviz_view view = *hpmviz_session_view(session);
    const struct hpmviz_loaded *before = hpmviz_session_loaded(session);
    size_t row = find_subject(session, "inner 1");
    struct hpmviz_view single = view;
    guint n_done, n_files;

    single.precision = HPM_PRECISION_SINGLE;
    hpmviz_session_set_view(session, &single);
    ok(hpmviz_session_loaded(session) == before &&
           !hpmviz_session_is_loading(session, &n_done, &n_files) &&
           hpmviz_session_survey(session)->options.precision ==
               HPM_PRECISION_SINGLE,
       "another precision judges, and reads nothing again");
    hpmviz_session_set_view(session, &view);
    ok(hpmviz_session_survey(session)->options.precision == view.precision &&
           hpmviz_session_section(session, row) != NULL,
       "and back");
}

static void
test_tree(HpmvizSession *session)
{
    struct hpmviz_view view = *hpmviz_session_view(session);
    const struct hpm_survey *survey;
    size_t row;

    hpmviz_session_select(session, find_subject(session, "inner 1"));
    view.is_tree = TRUE;
    hpmviz_session_set_view(session, &view);
    survey = hpmviz_session_survey(session);
    row = hpmviz_session_selected(session);
    ok(row == find_subject(session, "inner 1") &&
           survey->subjects[row].parent == find_subject(session, "<b>Outer 0"),
       "as a tree the section is below its caller, and still selected");
    view.is_tree = FALSE;
    hpmviz_session_set_view(session, &view);
}

/* ---- table and filter ------------------------------------------------ */

static char *
order_of(const HpmvizSession *session, const struct hpmviz_section_order *order)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    HpmvizRowmodel *model = hpmviz_rowmodel_new();
    GString *text = g_string_new(NULL);
    guint rows[10], n = (guint)survey->n_subjects;
    GtkTreeIter iter;

    for (guint i = 0; i < n; i++)
        rows[i] = i;
    hpmviz_rowmodel_set(model, rows, NULL, n);
    hpmviz_section_sort(session, model, order);
    for (int i = 0;
         gtk_tree_model_iter_nth_child(GTK_TREE_MODEL(model), &iter, NULL, i);
         i++) {
        const char *label =
            hpmviz_session_section(session, hpmviz_rowmodel_get(model, &iter))
                ->label;

        g_string_append_c(text, label[strlen(label) - 1]);
    }
    g_object_unref(model);
    return g_string_free(text, FALSE);
}

static void
test_order(const HpmvizSession *session)
{
    struct hpmviz_section_order order = {
        {HPMVIZ_SECTION_EXCLUSIVE, HPMVIZ_SECTION_LABEL}, {FALSE, TRUE}};
    char *text = order_of(session, &order);

    is_text(text, "012", "the costliest first");
    g_free(text);
    hpmviz_section_order_turn(&order, HPMVIZ_SECTION_EXCLUSIVE);
    text = order_of(session, &order);
    is_text(text, "210", "the same column again turns it round");
    g_free(text);
    hpmviz_section_order_turn(&order, HPMVIZ_SECTION_PLACE);
    text = order_of(session, &order);
    is_text(text, "012", "places by line");
    g_free(text);
    hpmviz_section_order_turn(&order, HPMVIZ_SECTION_FILE);
    hpmviz_section_order_turn(&order, HPMVIZ_SECTION_PLACE);
    hpmviz_section_order_turn(&order, HPMVIZ_SECTION_PLACE);
    hpmviz_section_order_turn(&order, HPMVIZ_SECTION_FILE);
    text = order_of(session, &order);
    is_text(text, "210", "where all are the same, the column before decides");
    g_free(text);
}

static void
expect_filter(const HpmvizSession *session, const char *filter,
              const char *expected, const char *sentence)
{
    struct hpmviz_sectionfilter *labels = hpmviz_sectionfilter_new();
    struct hpm_error err = {""};
    gboolean *is_shown =
        hpmviz_sectionfilter_choose(labels, session, filter, &err);
    GString *text = g_string_new(is_shown == NULL ? "none: " : NULL);

    for (size_t i = 0;
         is_shown != NULL && i < hpmviz_session_survey(session)->n_subjects;
         i++) {
        const char *label = hpmviz_session_section(session, i)->label;

        if (is_shown[i])
            g_string_append_c(text, label[strlen(label) - 1]);
    }
    if (is_shown == NULL)
        g_string_append_len(text, err.text, 10);
    is_text(text->str, expected, sentence);
    g_string_free(text, TRUE);
    g_free(is_shown);
    hpmviz_sectionfilter_free(labels);
}

static void
test_filter(const HpmvizSession *session)
{
    guint start = 0, end = 0;

    expect_filter(session, "", "012", "no filter shows all");
    expect_filter(session, "OUT", "0", "part of a label in either case");
    expect_filter(session, "<b>", "0", "whatever it looks like");
    expect_filter(session, "line > 10 and calls > 8", "2",
                  "a filter of hpm report");
    expect_filter(session, "nothing", "", "what is in no label");
    expect_filter(session, "line >", "none: the filter",
                  "what looks like a filter and is none says why");
    ok(hpmviz_sectionfilter_find("xÄÖ straße", "äö STRASS", &start, &end) &&
           start == 1 && end == 12,
       "the part is found where the cases differ in length");
    ok(!hpmviz_sectionfilter_find("abc", "abcd", &start, &end) &&
           !hpmviz_sectionfilter_find("abc", "", &start, &end),
       "and not where it is not");
}

static void
test_view(void)
{
    HpmvizSession *session = new_session();

    open_word(session, "good-*.hpm.xml");
    ok(wait_for("loaded"), "two tasks are open");
    test_statistics(session);
    test_precision(session);
    test_tree(session);
    test_order(session);
    test_filter(session);
    is_text(cell(session, "<b>Outer 0", HPMVIZ_SECTION_LABEL), "<b>Outer 0",
            "a label is a text");
    is_text(cell(session, "inner 1", HPMVIZ_SECTION_PLACE), "a.f:11",
            "a place is file and line");
    is_text(cell(session, "inner 1", HPMVIZ_SECTION_FILE), "/src/a.f",
            "a file has its folders");
    is_text(cell(session, "inner 1", HPMVIZ_SECTION_CALLS), "2",
            "calls are the largest of all threads");
    g_object_unref(session);
}

/* ---- many records ---------------------------------------------------- */

static void
test_many(void)
{
    HpmvizSession *session = new_session();
    double exclusive;
    size_t row;

    put("many.xml", make_file(0, 101, 100));
    open_word(session, "many.xml");
    ok(wait_for("loaded"), "10100 records are open");
    row = find_subject(session, "inner 1");
    exclusive = hpmviz_session_value(
        session, row,
        hpm_survey_find_kind(hpmviz_session_survey(session),
                             HPM_QUANTITY_EXCLUSIVE));
    ok(exclusive == 50.5, "with their times");
    if (!hpmviz_session_has_metrics(session))
        is_text(cell(session, "inner 1", HPMVIZ_SECTION_BAD), "…",
                "their metrics are being worked out");
    while (!hpmviz_session_has_metrics(session) && wait_for("surveyed"))
        continue;
    ok(hpmviz_session_has_metrics(session), "and come then");
    ok(find_subject(session, "inner 1") == row &&
           hpmviz_session_value(
               session, row,
               hpm_survey_find_kind(hpmviz_session_survey(session),
                                    HPM_QUANTITY_EXCLUSIVE)) == exclusive,
       "the sections are the same, with the same times");
    ok(strcmp(cell(session, "inner 1", HPMVIZ_SECTION_BAD), "…") != 0,
       "and it is known how many metrics are bad");
    g_object_unref(session);
    drop("many.xml");
}

/* ---- changes --------------------------------------------------------- */

static void
on_changed(HpmvizWatcher *watcher, gpointer data)
{
    (void)watcher;
    ++*(int *)data;
    g_main_loop_quit(loop);
}

static gboolean
wait_for_change(const int *n)
{
    gboolean is_over = FALSE;
    guint limit = g_timeout_add_seconds(300, give_up, &is_over);

    while (*n == 0 && !is_over)
        g_main_loop_run(loop);
    if (!is_over)
        g_source_remove(limit);
    return *n > 0;
}

static void
test_watching(void)
{
    HpmvizWatcher *watcher = hpmviz_watcher_new();
    char *words[] = {folder, NULL}, *files[] = {path_of("good-0.hpm.xml")};
    int n = 0;

    hpmviz_watcher_set_patience(watcher, 1);
    g_signal_connect(watcher, "changed", G_CALLBACK(on_changed), &n);
    hpmviz_watcher_watch(watcher, words, files, 1);
    put("good-0.hpm.xml", make_file(0, 2, 3));
    ok(wait_for_change(&n), "a file that is written anew has changed");
    n = 0;
    put("good-7.hpm.xml", make_file(7, 2, 3));
    ok(wait_for_change(&n), "so has a folder where one comes");
    n = 0;
    drop("good-7.hpm.xml");
    ok(wait_for_change(&n), "or goes");
    g_object_unref(watcher);
    g_free(files[0]);
}

int
main(void)
{
    folder = g_dir_make_tmp("hpm-session-XXXXXX", NULL);
    loop = g_main_loop_new(NULL, FALSE);
    heard = g_ptr_array_new();
    g_setenv("HPM_DEFS", "", TRUE);
    put("good-0.hpm.xml", make_file(0, 2, 3));
    put("good-1.hpm.xml", make_file(1, 2, 3));
    put("bad-1.hpm.xml", g_strdup("<?xml version=\"1.0\"?><HPMPerf"));
    put("bad-2.hpm.xml", g_strdup(""));
    test_opening();
    test_replacing();
    test_cancelling();
    test_partial();
    test_view();
    test_many();
    test_watching();
    drop("good-0.hpm.xml");
    drop("good-1.hpm.xml");
    drop("bad-1.hpm.xml");
    drop("bad-2.hpm.xml");
    g_rmdir(folder);
    g_free(folder);
    g_main_loop_unref(loop);
    g_ptr_array_unref(heard);
    return done();
}
