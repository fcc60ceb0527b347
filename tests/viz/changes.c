/* SPDX-License-Identifier: BSD-3-Clause
 * What changed from one run to another: values of both sides, what is judged, what
 * one side lacks, and how all of it is said. */
#include "hpmviz/data/change.h"

#include <math.h>
#include <string.h>

#include "hpmviz/data/details.h"
#include "hpmviz/data/metriclist.h"
#include "hpmviz/sections/sectiontable.h"
#include "runfiles.h"
#include "tap.h"

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

/* Of a run whose only section has these data, and another one around it if that
 * is wanted. */
static char *
worst_with(const char *data, gboolean has_outer)
{
    HpmvizSession *session = hpmviz_session_new();
    g_autofree char *path = path_of("alone.xml");
    g_autoptr(GString) text = g_string_new(
        "<HPMPerformanceFile version=\"1\" complete=\"yes\" kind=\"run\">"
        "<Run task=\"0\" program=\"p\" job=\"j\" seconds=\"9.0\"></Run>"
        "<Machine task=\"0\" host=\"a\" pmu=\"power4\"/>"
        "<InstrumentationPt lid=\"x\" tid=\"0\" task=\"0\" label=\"alone\" "
        "file=\"a.f\" linestart=\"1\" lineend=\"5\" scope=\"thread\" "
        "inst=\"1\" id=\"1\"><data name=\"Count\" value=\"1\" "
        "kind=\"counter\"/><data name=\"ExcSec\" value=\"2\" kind=\"time\" "
        "unit=\"s\"/>");
    struct hpmviz_metriclist *list;
    char *worst;

    g_string_append_printf(text,
                           "<data name=\"IncSec\" value=\"%d\" "
                           "kind=\"time\" unit=\"s\"/>%s"
                           "</InstrumentationPt></HPMPerformanceFile>",
                           has_outer ? 3 : 2, data);
    g_file_set_contents(path, text->str, -1, NULL);
    hpmviz_session_open(session, (char *[]){path, NULL});
    settle(session);
    list = hpmviz_metriclist_new(session, find(session, "alone"));
    worst = worst_of(list);
    hpmviz_metriclist_free(list);
    g_object_unref(session);
    return worst;
}

#define COUNTER(name, words)                                                   \
    "<data name=\"" name "\" kind=\"counter\" " words "/>"
#define NONE "state=\"unsupported\" reason=\"there is no PMU\""

static void
test_without_verdicts(void)
{
    g_autofree char *times = worst_with("", FALSE);
    g_autofree char *lost = worst_with(
        COUNTER("PM_CYC", NONE) COUNTER("PM_INST_CMPL", NONE), FALSE);
    g_autofree char *inner =
        worst_with(COUNTER("PM_CYC", "value=\"9000000000\" "
                                     "exclusive=\"9000000000\"")
                       COUNTER("PM_INST_CMPL", "value=\"1000000000\" "
                                               "exclusive=\"1000000000\""),
                   TRUE);

    ok(g_str_has_prefix(times, "alone: no metric was measured here\ntry: ") &&
           strstr(times, "HPM_EVENTS=task-clock") != NULL,
       "of times alone it is said how to count events");
    ok(strstr(lost, "nothing here was judged\nwhy: ") != NULL &&
           strstr(lost, "PM_INST_CMPL', which is unsupported") != NULL &&
           strstr(lost, "\ntry: ") != NULL,
       "what could not be counted has the reason, and what can be");
    ok(strstr(inner, " with the sections inside it (bad ") != NULL,
       "a value that is not the section's own says so");
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

int
main(void)
{
    begin_files();
    test_changes();
    test_cells();
    test_metrics_of_run();
    test_without_verdicts();
    test_metrics_of_two();
    test_enough();
    test_too_few();
    test_marks();
    test_lone_threads();
    test_fewer_threads();
    end_files();
    return done();
}
