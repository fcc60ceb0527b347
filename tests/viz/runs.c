/* SPDX-License-Identifier: BSD-3-Clause
 * Several runs in one session: which run is A, which survey is shown, what
 * stays selected, and what happens when runs are removed or read again. */
#include "hpmviz/data/runs.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "hpmviz/data/change.h"
#include "hpmviz/data/details.h"
#include "hpmviz/data/metriclist.h"
#include "hpmviz/data/trend.h"
#include "hpmviz/sections/sectiontable.h"
#include "tap.h"

static char *folder;

/* ---- files ----------------------------------------------------------- */

static char *
path_of(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void
add_section(GString *text, int number, const char *label, int line,
            double seconds)
{
    g_string_append_printf(
        text,
        "<InstrumentationPt lid=\"x\" tid=\"0\" task=\"0\" label=\"%s\" "
        "file=\"a.f\" linestart=\"%d\" lineend=\"%d\" scope=\"thread\" "
        "inst=\"1\" id=\"%d\">"
        "<data name=\"Count\" value=\"1\" kind=\"counter\"/>"
        "<data name=\"ExcSec\" value=\"%.9f\" kind=\"time\" unit=\"s\"/>"
        "<data name=\"IncSec\" value=\"%.9f\" kind=\"time\" unit=\"s\"/>"
        "<data name=\"PM_CYC\" value=\"%.0f\" exclusive=\"%.0f\" "
        "kind=\"counter\"/>"
        "<data name=\"PM_INST_CMPL\" value=\"2000000000\" "
        "exclusive=\"2000000000\" kind=\"counter\"/>",
        label, line, line + 5, number, seconds, seconds, 1e9 * seconds,
        1e9 * seconds);
    if (seconds == 4.0)
        g_string_append(text, "<data name=\"PM_B\" value=\"7\" "
                              "exclusive=\"7\" kind=\"counter\"/>");
    g_string_append(text, "</InstrumentationPt>");
}

/* Sections "both" and one more; other lines in each run.  Of 1 s a section has 2
 * instructions per cycle, of 4 s one half, which is bad; of 4 s PM_B, too. */
static void
put(const char *name, double seconds, const char *more)
{
    g_autoptr(GString) text = g_string_new(
        "<HPMPerformanceFile version=\"1\" complete=\"yes\" kind=\"run\">"
        "<Run task=\"0\" program=\"p\" job=\"j\" seconds=\"9.0\"></Run>"
        "<Machine task=\"0\" host=\"a\" pmu=\"power4\"/>");
    g_autofree char *path = path_of(name);

    add_section(text, 1, "both", 10 + (int)seconds, seconds);
    add_section(text, 2, more, 50, 1.0);
    g_string_append(text, "</HPMPerformanceFile>");
    g_file_set_contents(path, text->str, -1, NULL);
}

/* ---- waiting --------------------------------------------------------- */

static gboolean
give_up(gpointer data)
{
    *(gboolean *)data = TRUE;
    return G_SOURCE_REMOVE;
}

/* Wait until nothing is being read or compared. */
static void
settle(HpmvizSession *session)
{
    gboolean is_over = FALSE;
    guint limit = g_timeout_add_seconds(300, give_up, &is_over);
    guint n_done, n_files;

    while (!is_over && (hpmviz_session_is_loading(session, &n_done, &n_files) ||
                        hpmviz_session_is_comparing(session)))
        g_main_context_iteration(NULL, TRUE);
    if (!is_over)
        g_source_remove(limit);
}

static void
open_runs(HpmvizSession *session, const char *a, const char *b, const char *c)
{
    char *words[] = {path_of(a), path_of(b), c != NULL ? path_of(c) : NULL,
                     NULL};

    hpmviz_session_open_runs(session, words);
    settle(session);
    for (int i = 0; words[i] != NULL; i++)
        g_free(words[i]);
}

static size_t
find(const HpmvizSession *session, const char *label)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);

    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (g_strcmp0(hpmviz_session_section(session, i)->label, label) == 0)
            return i;
    }
    return HPM_NO_SUBJECT;
}

static guint
id_at(const HpmvizSession *session, guint index)
{
    return hpmviz_run_id(hpmviz_runs_at(hpmviz_session_runs(session), index));
}

static const char *
letter_at(const HpmvizSession *session, guint index)
{
    return hpmviz_run_letter(
        hpmviz_runs_at(hpmviz_session_runs(session), index));
}

static gboolean
is_compared(const HpmvizSession *session, guint id)
{
    const struct hpmviz_selection *selection =
        hpmviz_session_selection(session);

    return selection->run == id && selection->is_compared &&
           hpm_survey_is_difference(hpmviz_session_survey(session));
}

static double
change_of(const HpmvizSession *session, const char *label)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    const struct hpm_entry *entry =
        hpm_subject_entry(&survey->subjects[find(session, label)],
                          hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE));

    return hpm_number_to_real(entry->figure.value);
}

/* ---- runs ------------------------------------------------------------ */

static void
test_two(void)
{
    HpmvizSession *session = hpmviz_session_new();
    const struct hpm_survey *survey;

    open_runs(session, "a.xml", "b.xml", NULL);
    is_count(hpmviz_runs_count(hpmviz_session_runs(session)), 2,
             "each word is a run");
    ok(is_compared(session, id_at(session, 1)) &&
           hpmviz_runs_reference(hpmviz_session_runs(session)) ==
               id_at(session, 0),
       "what changed from the first to the second is shown");
    ok(change_of(session, "both") == 3.0, "B - A of a section of both");
    survey = hpmviz_session_survey(session);
    ok(survey->subjects[find(session, "old")].flags & HPM_ROW_SIDE_A,
       "a section that went is there, and marked as A's");
    ok(survey->subjects[find(session, "new")].flags & HPM_ROW_SIDE_B,
       "a section that came is there, and marked as B's");
    hpmviz_session_select(session, find(session, "both"));
    hpmviz_session_show(session, id_at(session, 1), FALSE);
    ok(!hpm_survey_is_difference(hpmviz_session_survey(session)) &&
           find(session, "new") != HPM_NO_SUBJECT &&
           find(session, "old") == HPM_NO_SUBJECT,
       "B itself is shown");
    ok(hpmviz_session_selected(session) == find(session, "both"),
       "the section stays selected, on whatever line");
    hpmviz_session_set_reference(session, id_at(session, 1));
    hpmviz_session_show(session, id_at(session, 0), TRUE);
    settle(session);
    ok(is_compared(session, id_at(session, 0)) &&
           change_of(session, "both") == -3.0,
       "with B as the reference it is A - B");
    hpmviz_session_set_reference(session, id_at(session, 0));
    settle(session);
    ok(is_compared(session, id_at(session, 1)) &&
           change_of(session, "both") == 3.0,
       "a run that is compared becomes the reference: they change places");
    g_object_unref(session);
}

static void
test_going(void)
{
    HpmvizSession *session = hpmviz_session_new();
    guint a, b, c;
    char *words[] = {path_of("b.xml"), NULL};

    open_runs(session, "a.xml", "b.xml", "c.xml");
    a = id_at(session, 0), b = id_at(session, 1), c = id_at(session, 2);
    ok(is_compared(session, c), "the last of three is compared");
    hpmviz_session_remove_run(session, b);
    ok(is_compared(session, c) && id_at(session, 1) == c &&
           strcmp(letter_at(session, 1), "C") == 0,
       "one goes: the others are who they were, with their letters");
    hpmviz_session_add_run(session, words);
    settle(session);
    ok(id_at(session, 2) != b && is_compared(session, id_at(session, 2)) &&
           strcmp(letter_at(session, 2), "B") == 0,
       "a run that comes has an id of its own, and a letter that is free");
    hpmviz_session_remove_run(session, a);
    settle(session);
    ok(hpmviz_runs_reference(hpmviz_session_runs(session)) == c &&
           hpmviz_session_selection(session)->run == c &&
           !hpmviz_session_selection(session)->is_compared,
       "the reference goes: the next is it, and is shown");
    hpmviz_session_remove_run(session, id_at(session, 1));
    hpmviz_session_remove_run(session, c);
    ok(hpmviz_runs_count(hpmviz_session_runs(session)) == 1, "the last stays");
    words[0][strlen(words[0]) - 1] = '?';
    words[0][strlen(words[0]) - 5] = 'z';
    hpmviz_session_add_run(session, words);
    settle(session);
    ok(hpmviz_runs_count(hpmviz_session_runs(session)) == 1 &&
           hpmviz_session_failure(session) != NULL &&
           hpmviz_session_selection(session)->run == c,
       "what cannot be read is no run, and nothing changes");
    g_free(words[0]);
    g_object_unref(session);
}

static void
count(gpointer data)
{
    (*(guint *)data)++;
}

static void
test_names(void)
{
    HpmvizSession *session = hpmviz_session_new();
    HpmvizRun *run;
    guint n = 0;

    open_runs(session, "a.xml", "b.xml", NULL);
    g_signal_connect_swapped(hpmviz_session_runs(session), "changed",
                             G_CALLBACK(count), &n);
    run = hpmviz_runs_at(hpmviz_session_runs(session), 1);
    is_text(hpmviz_run_name(run), "b.xml", "a run is called as its file is");
    hpmviz_run_set_name(run, "with -O3");
    is_text(hpmviz_run_name(run), "with -O3", "or as people say");
    is_count(n, 1, "which is told");
    put("b.xml", 7.0, "new");
    hpmviz_session_reload(session);
    settle(session);
    ok(is_compared(session, hpmviz_run_id(run)) &&
           change_of(session, "both") == 6.0,
       "all runs are read again, and compared again");
    is_text(hpmviz_run_name(run), "with -O3", "the name stays");
    hpmviz_run_set_name(run, "");
    is_text(hpmviz_run_name(run), "b.xml", "until nobody says one");
    g_object_unref(session);
    put("b.xml", 4.0, "new");
}

/* ---- what fails, and what goes on ------------------------------------ */

static void
test_failing(void)
{
    HpmvizSession *session = hpmviz_session_new();
    g_autofree char *a = path_of("a.xml"), *b = path_of("b.xml");
    HpmvizRun *first, *second;

    open_runs(session, "a.xml", "b.xml", NULL);
    first = hpmviz_runs_at(hpmviz_session_runs(session), 0);
    second = hpmviz_runs_at(hpmviz_session_runs(session), 1);
    put("b.xml", 7.0, "new");
    g_unlink(a);
    hpmviz_session_reload(session);
    settle(session);
    ok(change_of(session, "both") == 6.0 && hpmviz_run_is_stale(first) &&
           !hpmviz_run_is_stale(second) &&
           hpmviz_session_failure(session) != NULL,
       "where A cannot be read again, that is known of it, and said");
    put("a.xml", 2.0, "old");
    g_unlink(b);
    hpmviz_session_reload(session);
    settle(session);
    ok(change_of(session, "both") == 5.0 && !hpmviz_run_is_stale(first) &&
           hpmviz_run_is_stale(second),
       "where B cannot, it is compared with what A is now");
    put("a.xml", 1.0, "old");
    put("b.xml", 4.0, "new");
    hpmviz_session_reload(session);
    settle(session);
    ok(hpmviz_session_failure(session) == NULL &&
           !hpmviz_run_is_stale(second) && change_of(session, "both") == 3.0,
       "until both can");
    g_object_unref(session);
}

static void
test_missing(void)
{
    HpmvizSession *session = hpmviz_session_new();

    open_runs(session, "a.xml", "no-such.xml", "c.xml");
    ok(hpmviz_runs_count(hpmviz_session_runs(session)) == 2 &&
           hpmviz_session_failure(session) != NULL &&
           strstr(hpmviz_session_failure(session), "no-such.xml") != NULL,
       "of three runs the one that is not there is still named at the end");
    g_object_unref(session);
}

static void
test_pending(void)
{
    HpmvizSession *session = hpmviz_session_new();
    guint b, c;

    open_runs(session, "a.xml", "b.xml", "c.xml");
    b = id_at(session, 1), c = id_at(session, 2);
    hpmviz_session_show(session, b, TRUE);
    hpmviz_session_set_reference(session, c);
    settle(session);
    ok(is_compared(session, b) && change_of(session, "both") == 2.0,
       "another reference while B is compared: it is compared with that");
    hpmviz_session_show(session, id_at(session, 0), TRUE);
    hpmviz_session_remove_run(session, b);
    settle(session);
    ok(is_compared(session, id_at(session, 0)),
       "what was shown is removed while A is compared: A is shown then");
    g_object_unref(session);
}

/* A run that another PMU counted cannot be compared. */
static void
put_foreign(const char *name)
{
    g_autofree char *from = path_of("c.xml"), *to = path_of(name);
    g_autofree char *text = NULL, *foreign = NULL;
    g_auto(GStrv) parts = NULL;

    g_file_get_contents(from, &text, NULL, NULL);
    parts = g_strsplit(text, "power4", -1);
    foreign = g_strjoinv("power5", parts);
    g_file_set_contents(to, foreign, -1, NULL);
}

static void
test_refused(void)
{
    HpmvizSession *session = hpmviz_session_new();
    const char *a, *b;
    guint second, third;

    put_foreign("foreign.xml");
    open_runs(session, "a.xml", "b.xml", "foreign.xml");
    second = id_at(session, 1), third = id_at(session, 2);
    hpmviz_session_show(session, second, TRUE);
    settle(session);
    hpmviz_change_letters(session, &a, &b);
    ok(g_strcmp0(a, "A") == 0 && g_strcmp0(b, "B") == 0, "B - A");
    hpmviz_session_set_reference(session, third);
    hpmviz_change_letters(session, &a, &b);
    ok(g_strcmp0(a, "A") == 0,
       "another reference, but B - A is still shown: it is called so");
    settle(session);
    ok(!hpmviz_session_selection(session)->is_compared &&
           hpmviz_session_selection(session)->run == third,
       "B cannot be compared with C, and B - A is not left in its place");
    g_object_unref(session);
}

/* The same section of another task. */
static void
put_task(const char *name)
{
    g_autofree char *from = path_of("c.xml"), *to = path_of(name);
    g_autofree char *text = NULL;
    g_auto(GStrv) parts = NULL;

    g_file_get_contents(from, &text, NULL, NULL);
    parts = g_strsplit(text, "task=\"0\"", -1);
    g_free(text);
    text = g_strjoinv("task=\"1\"", parts);
    g_file_set_contents(to, text, -1, NULL);
}

static void
test_more_files(void)
{
    HpmvizSession *session = hpmviz_session_new();
    g_autofree char *a = path_of("a.xml"), *b = path_of("b.xml");
    g_autofree char *more = path_of("d.xml");
    char *words[] = {more, NULL};
    const char *const *of_b;

    open_runs(session, "a.xml", "b.xml", NULL);
    put_task("d.xml");
    hpmviz_session_add_files(session, words);
    settle(session);
    of_b = hpmviz_run_words(hpmviz_runs_at(hpmviz_session_runs(session), 1));
    ok(hpmviz_runs_count(hpmviz_session_runs(session)) == 2 &&
           g_strv_length((char **)of_b) == 2 && strcmp(of_b[0], b) == 0 &&
           strcmp(of_b[1], more) == 0,
       "files are added to the run that is shown; the others stay");
    is_text(hpmviz_session_words(session)[0], a, "the first is remembered");
    hpmviz_session_remove_run(session, id_at(session, 0));
    is_text(hpmviz_session_words(session)[0], b,
            "and when it goes, the one after it");
    g_object_unref(session);
}

static void
test_bytes(void)
{
    HpmvizSession *session = hpmviz_session_new();
    const char *name;

    put("\xe9.hpm.xml", 1.0, "old");
    open_runs(session, "\xe9.hpm.xml", "b.xml", NULL);
    name = hpmviz_run_name(hpmviz_runs_at(hpmviz_session_runs(session), 0));
    ok(g_utf8_validate(name, -1, NULL), "a name of any bytes can be shown");
    g_object_unref(session);
}

/* ---- what changed ---------------------------------------------------- */

static void
test_changes(void)
{
    HpmvizSession *session = hpmviz_session_new();
    struct hpmviz_change change;
    size_t time;
    const char *a, *b;

    open_runs(session, "a.xml", "b.xml", NULL);
    time = hpmviz_session_metric(session);
    hpmviz_change_find(session, find(session, "both"), time, &change);
    ok(change.a == 1.0 && change.b == 4.0 && change.difference == 3.0 &&
           change.ratio == 4.0 && change.only == HPM_SIDE_BOTH,
       "A, B, B - A and B / A");
    ok(change.tendency == HPM_VERDICT_BAD &&
           change.verdict == HPM_VERDICT_NONE &&
           strstr(hpmviz_change_doubt(&change), "not known") != NULL,
       "more time is worse, but of single runs nobody can tell");
    hpmviz_change_find(session, find(session, "old"), time, &change);
    ok(change.a == 1.0 && isnan(change.b) && isnan(change.ratio) &&
           change.difference == -1.0 && change.only == HPM_SIDE_A &&
           change.verdict == HPM_VERDICT_NONE,
       "what only A has has no value in B, and is neither better nor worse");
    hpmviz_change_find(session, find(session, "new"), time, &change);
    ok(isnan(change.a) && change.b == 1.0 && isnan(change.ratio) &&
           change.difference == 1.0 && change.only == HPM_SIDE_B,
       "nor has what only B has one in A");
    ok(hpmviz_change_direction(
           session, hpm_survey_find_kind(hpmviz_session_survey(session),
                                         HPM_QUANTITY_CALLS)) ==
           HPMVIZ_DIRECTION_NONE,
       "whether more calls are better nobody knows");
    hpmviz_session_set_reference(session, id_at(session, 1));
    settle(session);
    hpmviz_change_letters(session, &a, &b);
    is_text(a, "B", "the reference has its letter");
    is_text(b, "A", "and so has the other");
    g_object_unref(session);
}

static const char *
cell(const HpmvizSession *session, const char *label, guint column)
{
    static char text[100];
    struct hpm_string string = {0};

    hpmviz_section_add_text(session, (guint)find(session, label), column,
                            &string);
    g_strlcpy(text, hpm_string_text(&string), sizeof text);
    hpm_string_free(&string);
    return text;
}

static void
test_cells(void)
{
    HpmvizSession *session = hpmviz_session_new();
    char *names[] = {NULL};
    g_autofree char *title = NULL, *meaning = NULL;

    open_runs(session, "a.xml", "b.xml", NULL);
    title = hpmviz_section_title(session, HPMVIZ_SECTION_DIFFERENCE);
    is_text(title, "B − A", "the heading says which is taken off which");
    meaning = hpmviz_section_meaning(session, HPMVIZ_SECTION_DIFFERENCE);
    ok(strstr(meaning, "less is better") != NULL,
       "and its tooltip which is better");
    is_text(cell(session, "both", HPMVIZ_SECTION_DIFFERENCE), "+3.000000",
            "the difference has a sign");
    is_text(cell(session, "both", HPMVIZ_SECTION_RATIO), "4.000",
            "the ratio has none");
    is_text(cell(session, "old", HPMVIZ_SECTION_B), "n/a",
            "what is not there is no 0");
    is_text(cell(session, "old", HPMVIZ_SECTION_ONLY), "A",
            "a section is marked with the run that has it");
    hpmviz_session_select_metric(session, "Count");
    is_text(cell(session, "both", HPMVIZ_SECTION_DIFFERENCE), "0",
            "the columns are of the selected metric");
    is_count(hpmviz_section_order_of_names(session, names).columns[0],
             HPMVIZ_SECTION_DIFFERENCE, "what grew most comes first");
    hpmviz_session_show(session, id_at(session, 0), FALSE);
    is_count(hpmviz_section_order_of_names(session, names).columns[0],
             HPMVIZ_SECTION_EXCLUSIVE, "of a run what took longest");
    is_text(cell(session, "both", HPMVIZ_SECTION_DIFFERENCE), "",
            "where nothing is compared there is no difference");
    g_object_unref(session);
}

/* ---- the metrics of a section ---------------------------------------- */

static char *
worst_of(const struct hpmviz_metriclist *list)
{
    struct hpm_string text = {0};
    char *copy;

    hpmviz_metriclist_add_worst(list, &text);
    copy = g_strdup(hpm_string_text(&text));
    hpm_string_free(&text);
    return copy;
}

static const struct hpmviz_metriclist_line *
line_of(const struct hpmviz_metriclist *list, const char *name)
{
    const struct hpm_survey *survey = hpmviz_session_survey(list->session);

    for (guint i = 0; i < list->n; i++) {
        if (strcmp(survey->quantities[list->lines[i].quantity].name, name) == 0)
            return &list->lines[i];
    }
    return NULL;
}

static void
test_metrics_of_run(void)
{
    HpmvizSession *session = hpmviz_session_new();
    struct hpmviz_metriclist *list;
    g_autofree char *worst = NULL, *other = NULL;

    open_runs(session, "a.xml", "b.xml", NULL);
    hpmviz_session_show(session, id_at(session, 1), FALSE);
    list = hpmviz_metriclist_new(session, find(session, "both"));
    worst = worst_of(list);
    ok(g_str_has_prefix(worst, "both: ") && strstr(worst, "bad in 1 of 1") &&
           strstr(worst, "\nwhy: ") && strstr(worst, "\ntry: "),
       "the worst metric of a section comes with its reason and remedy");
    ok(line_of(list, "IPC")->worst == 0.5 &&
           line_of(list, "IPC")->verdict == HPM_VERDICT_BAD &&
           list->lines[0].verdict == HPM_VERDICT_BAD,
       "and stands first");
    ok(line_of(list, "ExcSec") == NULL,
       "times are in the list of sections already");
    hpmviz_metriclist_free(list);
    list = hpmviz_metriclist_new(session, find(session, "new"));
    other = worst_of(list);
    is_text(other, "new: nothing is beyond a limit", "or none is bad");
    hpmviz_metriclist_free(list);
    list = hpmviz_metriclist_new(session, HPM_NO_SUBJECT);
    is_count(list->n, 0, "no section has no metrics");
    hpmviz_metriclist_free(list);
    g_object_unref(session);
}

static void
test_metrics_of_two(void)
{
    HpmvizSession *session = hpmviz_session_new();
    struct hpmviz_metriclist *list;
    const struct hpmviz_metriclist_line *line;
    g_autofree char *worst = NULL, *title = NULL, *lone = NULL;

    open_runs(session, "a.xml", "b.xml", NULL);
    list = hpmviz_metriclist_new(session, find(session, "both"));
    line = line_of(list, "IPC");
    ok(line->change.a == 2.0 && line->change.b == 0.5 &&
           line->change.ratio == 0.25 && line->tendency == HPM_VERDICT_BAD &&
           line->verdict == HPM_VERDICT_NONE,
       "of two runs the metric of each is worked out, then the difference");
    ok(line_of(list, "ExcSec")->tendency == HPM_VERDICT_BAD &&
           list->lines[0].tendency == HPM_VERDICT_BAD,
       "times are there, too, and first what changed for the worse");
    line = line_of(list, "PM_B");
    ok(isnan(line->change.a) && line->change.b == 7 &&
           isnan(line->change.difference) && isnan(line->change.ratio),
       "a counter that only one run has is shown, and not taken for 0");
    worst = worst_of(list);
    ok(g_str_has_prefix(worst, "both: largest change for the worse: ") &&
           strstr(worst, " in B, by ") && strstr(worst, "\nnot judged: ") &&
           !strstr(worst, "\ntry: "),
       "the largest change is said, that nobody can judge it, and no remedy");
    title = hpmviz_metriclist_title(list, HPMVIZ_METRICLIST_BAD);
    is_text(title, "B − A", "with its sign in the heading");
    hpmviz_metriclist_free(list);
    list = hpmviz_metriclist_new(session, find(session, "new"));
    lone = worst_of(list);
    is_text(lone, "new: only in B, so there is nothing to compare",
            "a section of one run is not compared");
    hpmviz_metriclist_free(list);
    g_object_unref(session);
}

/* ---- means of runs --------------------------------------------------- */

/* Seconds of a mean of so many runs. */
struct mean {
    int n_runs;
    double mean, least, most;
    const char *more; /* attributes of the time */
};

static void
add_mean(GString *text, int number, const char *label, const struct mean *mean)
{
    g_string_append_printf(
        text,
        "<InstrumentationPt lid=\"x\" tid=\"0\" task=\"0\" label=\"%s\" "
        "file=\"a.f\" linestart=\"%d\" lineend=\"%d\" scope=\"thread\" "
        "inst=\"%d\" id=\"%d\">"
        "<data name=\"ExcSec\" value=\"%.9f\" kind=\"time\" unit=\"s\" "
        "runs=\"%d\" dev=\"%.9f\" min=\"%.9f\" max=\"%.9f\"%s/>"
        "<data name=\"PM_CYC\" value=\"%.0f\" exclusive=\"%.0f\" "
        "kind=\"counter\"/>"
        "<data name=\"PM_INST_CMPL\" value=\"2000000000\" "
        "exclusive=\"2000000000\" kind=\"counter\"/></InstrumentationPt>",
        label, 10 * number, 10 * number + 5, number, number, mean->mean,
        mean->n_runs, 0.5 * (mean->most - mean->least), mean->least, mean->most,
        mean->more, 1e9 * mean->mean, 1e9 * mean->mean);
}

/* Sections "one" and "two". */
static void
put_means(const char *name, const struct mean *one, const struct mean *two)
{
    g_autoptr(GString) text = g_string_new(
        "<HPMPerformanceFile version=\"1\" complete=\"yes\" kind=\"mean\">"
        "<Run task=\"0\" program=\"p\" job=\"j\" seconds=\"9.0\"></Run>"
        "<Machine task=\"0\" host=\"a\" pmu=\"power4\"/>");
    g_autofree char *path = path_of(name);

    add_mean(text, 1, "one", one);
    add_mean(text, 2, "two", two);
    g_string_append(text, "</HPMPerformanceFile>");
    g_file_set_contents(path, text->str, -1, NULL);
}

static struct hpmviz_change
change_in(const HpmvizSession *session, const char *label)
{
    struct hpmviz_change change;

    hpmviz_change_find(session, find(session, label),
                       hpmviz_session_metric(session), &change);
    return change;
}

static HpmvizSession *
open_means(const struct mean a[2], const struct mean b[2])
{
    HpmvizSession *session = hpmviz_session_new();

    put_means("mean-a.xml", &a[0], &a[1]);
    put_means("mean-b.xml", &b[0], &b[1]);
    open_runs(session, "mean-a.xml", "mean-b.xml", NULL);
    return session;
}

static void
test_enough(void)
{
    static const struct mean a[] = {{8, 1.0, 0.9, 1.1, ""},
                                    {8, 1.0, 0.9, 1.1, ""}};
    static const struct mean b[] = {{8, 2.0, 1.2, 2.5, ""},
                                    {8, 0.5, 0.3, 0.95, ""}};
    HpmvizSession *session = open_means(a, b);
    struct hpmviz_change one = change_in(session, "one");
    struct hpmviz_change two = change_in(session, "two");
    struct hpmviz_metriclist *list =
        hpmviz_metriclist_new(session, find(session, "one"));
    g_autofree char *worst = worst_of(list);

    ok(one.verdict == HPM_VERDICT_BAD && hpmviz_change_doubt(&one) == NULL,
       "8 runs on each side, of which none reaches the other side: worse");
    ok(two.tendency == HPM_VERDICT_GOOD && two.verdict == HPM_VERDICT_NONE &&
           strstr(hpmviz_change_doubt(&two), "reach") != NULL,
       "one run that reaches the other side: nobody can tell");
    ok(line_of(list, "IPC")->tendency == HPM_VERDICT_BAD &&
           line_of(list, "IPC")->verdict == HPM_VERDICT_NONE,
       "nor of a metric, whose runs nobody knows");
    ok(list->lines[0].verdict == HPM_VERDICT_BAD &&
           g_str_has_prefix(worst, "one: ExcSec is worse in B, by +1.0"),
       "what is judged comes first");
    hpmviz_metriclist_free(list);
    g_object_unref(session);
}

static void
test_too_few(void)
{
    static const struct mean a[] = {{2, 1.0, 0.9, 1.1, ""},
                                    {8, 1.0, 0.9, 1.1, ""}};
    static const struct mean b[] = {{2, 9.0, 8.9, 9.1, ""},
                                    {8, 2.0, 1.9, 2.1, " uncertainty=\"5\""}};
    HpmvizSession *session = open_means(a, b);
    struct hpmviz_change one = change_in(session, "one");
    struct hpmviz_change two = change_in(session, "two");

    ok(one.tendency == HPM_VERDICT_BAD && one.verdict == HPM_VERDICT_NONE &&
           strstr(hpmviz_change_doubt(&one), "chance") != NULL,
       "2 runs on each side are too few, however far apart");
    ok(two.verdict == HPM_VERDICT_NONE &&
           strstr(hpmviz_change_doubt(&two), "may be off") != NULL,
       "within what a time may be off it is no change");
    g_object_unref(session);
}

/* ---- marks, and what one run lacks ------------------------------------ */

static void
test_marks(void)
{
    static const struct mean a[] = {{8, 1.0, 0.9, 1.1, ""},
                                    {8, 1.0, 0.9, 1.1, ""}};
    static const struct mean b[] = {{8, 2.0, 1.9, 2.1, " partial=\"yes\""},
                                    {8, 2.0, 1.9, 2.1, ""}};
    HpmvizSession *session = open_means(a, b);
    struct hpmviz_change one = change_in(session, "one");
    struct hpmviz_metriclist *list =
        hpmviz_metriclist_new(session, find(session, "one"));
    struct hpm_string text = {0};

    ok(one.tendency == HPM_VERDICT_BAD && one.verdict == HPM_VERDICT_NONE &&
           strstr(hpmviz_change_doubt(&one), "parts") != NULL,
       "what lacks parts is not judged");
    is_text(cell(session, "one", HPMVIZ_SECTION_DIFFERENCE), "~+1.000000",
            "and is marked");
    hpmviz_metriclist_add_details(
        list, (guint)(line_of(list, "ExcSec") - list->lines), &text);
    ok(strstr(hpm_string_text(&text), "~+1.000000") != NULL &&
           strstr(hpm_string_text(&text), "parts are missing") != NULL,
       "in the metrics of the section, too, which say why");
    hpm_string_free(&text);
    hpmviz_metriclist_free(list);
    g_object_unref(session);
}

/* What is said of a section's time in a row. */
static char *
details_of(const HpmvizSession *session, const char *label, guint row)
{
    struct hpmviz_sheet *sheet =
        hpmviz_sheet_new(hpmviz_session_survey(session), find(session, label));
    struct hpm_string text = {0};
    char *copy;

    while (hpmviz_sheet_fill(sheet, G_MAXUINT))
        continue;
    hpmviz_details_add(sheet, row, hpmviz_sheet_find_name(sheet, "ExcSec"),
                       HPM_PRECISION_DOUBLE, &text);
    copy = g_strdup(hpm_string_text(&text));
    hpm_string_free(&text);
    hpmviz_sheet_free(sheet);
    return copy;
}

/* Section "wide" on two call paths in each of so many threads. */
static void
put_threads(const char *name, int n_threads)
{
    g_autoptr(GString) text = g_string_new(
        "<HPMPerformanceFile version=\"1\" complete=\"yes\" kind=\"run\">"
        "<Run task=\"0\" program=\"p\" job=\"j\" seconds=\"9.0\"></Run>"
        "<Machine task=\"0\" host=\"a\" pmu=\"power4\"/>");
    static const char *const labels[] = {"outer", "wide", "wide"};
    g_autofree char *path = path_of(name);

    for (int i = 0; i < 3 * n_threads; i++) {
        g_string_append_printf(
            text,
            "<InstrumentationPt lid=\"x\" tid=\"%d\" task=\"0\" label=\"%s\" "
            "file=\"a.f\" linestart=\"%d\" scope=\"thread\" id=\"%d\"",
            i / 3, labels[i % 3], i % 3 == 0 ? 1 : 9, i + 1);
        if (i % 3 == 1)
            g_string_append_printf(text, " parent=\"%d\"", i);
        g_string_append(text, "><data name=\"ExcSec\" value=\"1.0\" "
                              "kind=\"time\" unit=\"s\"/>"
                              "</InstrumentationPt>");
    }
    g_string_append(text, "</HPMPerformanceFile>");
    g_file_set_contents(path, text->str, -1, NULL);
}

static void
test_fewer_threads(void)
{
    HpmvizSession *session = hpmviz_session_new();
    g_autofree char *first = NULL, *second = NULL;

    put_threads("wide-a.xml", 1);
    put_threads("wide-b.xml", 2);
    open_runs(session, "wide-a.xml", "wide-b.xml", NULL);
    first = details_of(session, "wide", 0);
    second = details_of(session, "wide", 1);
    ok(strstr(first, "changed from 2.0") && !strstr(first, "only in"),
       "a thread of both runs");
    ok(strstr(second, "thread 1\nExcSec +2.0") &&
           strstr(second, "only in the second") &&
           !strstr(second, "changed from"),
       "beside a thread that the first run lacks");
    g_object_unref(session);
}

static void
test_lone_threads(void)
{
    HpmvizSession *session = hpmviz_session_new();
    g_autofree char *both = NULL, *old = NULL, *new = NULL;

    open_runs(session, "a.xml", "b.xml", NULL);
    both = details_of(session, "both", 0);
    old = details_of(session, "old", 0);
    new = details_of(session, "new", 0);
    ok(strstr(both, "ExcSec +3.0") && strstr(both, "changed from 1.0") &&
           !strstr(both, "only in"),
       "of a thread of both runs both values are said");
    ok(strstr(old, "only in the first") && !strstr(old, "changed from"),
       "what the second run lacks has not changed to 0");
    ok(strstr(new, "only in the second") && !strstr(new, "changed from"),
       "nor what the first lacks from 0");
    g_object_unref(session);
}

/* ---- all runs -------------------------------------------------------- */

static guint
row_of(const struct hpmviz_trend *trend, const char *label)
{
    for (guint i = 0; i < trend->n_rows; i++) {
        if (strcmp(hpmviz_trend_section(trend, i)->label, label) == 0)
            return i;
    }
    return G_MAXUINT;
}

static void
test_trend(void)
{
    HpmvizSession *session = hpmviz_session_new();
    struct hpmviz_trend *trend;
    guint both, newer;

    open_runs(session, "a.xml", "b.xml", "c.xml");
    trend = hpmviz_trend_new(session);
    is_count(trend->n_rows, 4, "a section of several runs is one row");
    both = row_of(trend, "both"), newer = row_of(trend, "newer");
    ok(hpmviz_trend_number(trend, both, 0, HPMVIZ_TREND_VALUE, "ExcSec") == 1 &&
           hpmviz_trend_number(trend, both, 1, HPMVIZ_TREND_VALUE, "ExcSec") ==
               4 &&
           hpmviz_trend_number(trend, both, 2, HPMVIZ_TREND_VALUE, "ExcSec") ==
               2,
       "on whatever lines, with the value of each run");
    ok(isnan(hpmviz_trend_number(trend, newer, 0, HPMVIZ_TREND_VALUE,
                                 "ExcSec")) &&
           hpmviz_trend_number(trend, newer, 2, HPMVIZ_TREND_VALUE, "ExcSec") ==
               1,
       "what only the last has is no 0 in the others");
    ok(hpmviz_trend_number(trend, both, 1, HPMVIZ_TREND_SPEEDUP, "ExcSec") ==
           0.25,
       "the speed-up is of the reference");
    ok(isnan(
           hpmviz_trend_number(trend, both, 1, HPMVIZ_TREND_SPEEDUP, "PM_CYC")),
       "and of times alone");
    ok(hpmviz_trend_number(trend, both, 2, HPMVIZ_TREND_VALUE, "IPC") == 1.0,
       "metrics have values, too");
    hpmviz_trend_free(trend);
    g_object_unref(session);
}

/* ---- the selection --------------------------------------------------- */

static void
test_selection(void)
{
    HpmvizSession *session = hpmviz_session_new();
    const struct hpm_survey *survey;
    guint n = 0;

    open_runs(session, "a.xml", "b.xml", NULL);
    g_signal_connect_swapped(session, "metric", G_CALLBACK(count), &n);
    g_signal_connect_swapped(session, "place", G_CALLBACK(count), &n);
    survey = hpmviz_session_survey(session);
    ok(survey->quantities[hpmviz_session_metric(session)].kind ==
           HPM_QUANTITY_EXCLUSIVE,
       "at first the metric is exclusive time");
    hpmviz_session_select_metric(session, "Count");
    hpmviz_session_select_metric(session, "Count");
    hpmviz_session_select_place(session, 0, 0);
    hpmviz_session_select_place(session, 0, 0);
    is_count(n, 2, "each change is told, once");
    hpmviz_session_show(session, id_at(session, 0), FALSE);
    survey = hpmviz_session_survey(session);
    is_text(survey->quantities[hpmviz_session_metric(session)].name, "Count",
            "another run has the same metric selected");
    hpmviz_session_select_metric(session, "PM_NOWHERE");
    ok(survey->quantities[hpmviz_session_metric(session)].kind ==
           HPM_QUANTITY_EXCLUSIVE,
       "one that is not there: exclusive time meanwhile");
    g_object_unref(session);
}

int
main(void)
{
    static const char *const names[] = {
        "a.xml",      "b.xml",      "c.xml",      "d.xml",      "\xe9.hpm.xml",
        "mean-a.xml", "mean-b.xml", "wide-a.xml", "wide-b.xml", "foreign.xml"};

    folder = g_dir_make_tmp("hpm-runs-XXXXXX", NULL);
    g_setenv("HPM_DEFS", "", TRUE);
    put("a.xml", 1.0, "old");
    put("b.xml", 4.0, "new");
    put("c.xml", 2.0, "newer");
    test_two();
    test_going();
    test_names();
    test_failing();
    test_missing();
    test_pending();
    test_refused();
    test_more_files();
    test_bytes();
    test_changes();
    test_cells();
    test_metrics_of_run();
    test_metrics_of_two();
    test_enough();
    test_too_few();
    test_marks();
    test_lone_threads();
    test_fewer_threads();
    test_trend();
    test_selection();
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = path_of(names[i]);

        g_unlink(path);
    }
    g_rmdir(folder);
    g_free(folder);
    return done();
}
