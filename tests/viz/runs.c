/* SPDX-License-Identifier: BSD-3-Clause
 * Several runs in one session: which run is A, which survey is shown, what
 * stays selected, and what happens when runs are removed or read again. */
#include "hpmviz/data/runs.h"

#include <glib/gstdio.h>
#include <string.h>

#include "hpmviz/data/change.h"
#include "hpmviz/data/trend.h"
#include "runfiles.h"
#include "tap.h"

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
    begin_files();
    test_two();
    test_going();
    test_names();
    test_failing();
    test_missing();
    test_pending();
    test_refused();
    test_more_files();
    test_bytes();
    test_trend();
    test_selection();
    end_files();
    return done();
}
