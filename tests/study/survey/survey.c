/* SPDX-License-Identifier: BSD-3-Clause
 * Spread, order and text of a survey, and the report of a lack of memory.
 * tests/cli/report.py checks the output of hpm report. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/memory.h"
#include "study/file/reader.h"
#include "study/report/paragraph.h"
#include "study/report/report.h"
#include "study/survey/surveying.h"
#include "tap.h"

/* ---- prose ----------------------------------------------------------- */

static void
check_prose(const char *text, size_t width, const char *expected,
            const char *sentence)
{
    struct hpm_string string = {0};

    hpm_paragraph_add(&string, text, width, 2);
    is_text(hpm_string_text(&string), expected, sentence);
    hpm_string_free(&string);
}

static void
test_prose(void)
{
    check_prose("one two three", 0, "one two three\n", "no bound, one line");
    check_prose("one two three", 13, "one two three\n", "what fits stays");
    check_prose("one two three", 12, "one two\n  three\n",
                "what does not is broken between words");
    check_prose("one verylongword x ", 8, "one\n  verylongword\n  x\n",
                "a word that is too long has a line of its own");
    check_prose("l\xc3\xb6ng\x1b w\xc3\xb6rds", 14,
                "l\xc3\xb6ng\\x1B w\xc3\xb6rds\n",
                "characters are counted, and none drives the terminal");
}

/* ---- a study --------------------------------------------------------- */

static const char file[] =
    "<HPMPerformanceFile version=\"1\" kind=\"merged\">"
    "<Run task=\"0\" program=\"p\" job=\"j\" seconds=\"2.0\"/>"
    "<Run task=\"1\" program=\"p\" job=\"j\" seconds=\"2.0\"/>"
    "<Machine task=\"0\" pmu=\"power4\" host=\"a\"/>"
    "<Machine task=\"1\" pmu=\"opteron\" host=\"b\"/>"
    "<Problem task=\"1\" text=\"odd\" count=\"2\"/>"
    "<InstrumentationPt lid=\"x\" tid=\"0\" task=\"0\" label=\"outer\" "
    "file=\"a.c\" linestart=\"1\" lineend=\"9\" inst=\"1\" id=\"1\">"
    "<data name=\"Count\" value=\"1\" kind=\"counter\"/>"
    "<data name=\"ExcSec\" value=\"0.500000000\" kind=\"time\"/>"
    "<data name=\"IncSec\" value=\"1.500000000\" kind=\"time\"/>"
    "<data name=\"PM_CYC\" value=\"3000\" exclusive=\"1000\" "
    "kind=\"counter\"/></InstrumentationPt>"
    "<InstrumentationPt lid=\"x\" tid=\"0\" task=\"0\" label=\"inner\" "
    "file=\"a.c\" linestart=\"3\" lineend=\"5\" inst=\"2\" id=\"2\" "
    "parent=\"1\"><data name=\"Count\" value=\"4\" kind=\"counter\"/>"
    "<data name=\"ExcSec\" value=\"1.000000000\" kind=\"time\"/>"
    "<data name=\"IncSec\" value=\"1.000000000\" kind=\"time\"/>"
    "<data name=\"PM_CYC\" value=\"2000\" exclusive=\"2000\" "
    "kind=\"counter\"/>"
    "<data name=\"PM_INST_CMPL\" value=\"1000\" exclusive=\"1000\" "
    "kind=\"counter\"/><data name=\"Own\" value=\"1.5\" kind=\"metric\" "
    "dbad=\"-2.0\"/></InstrumentationPt>"
    "<InstrumentationPt lid=\"x\" tid=\"0\" task=\"1\" label=\"inner\" "
    "file=\"a.c\" linestart=\"3\" lineend=\"5\" inst=\"2\" id=\"3\" "
    "short=\"yes\"><data name=\"Count\" value=\"4\" kind=\"counter\"/>"
    "<data name=\"ExcSec\" value=\"2.000000000\" kind=\"time\"/>"
    "<data name=\"IncSec\" value=\"2.000000000\" kind=\"time\"/>"
    "</InstrumentationPt></HPMPerformanceFile>";

static struct hpm_study *
read_text(const char *text)
{
    struct hpm_reader_report report = {0};
    struct hpm_study *study = NULL;
    int fd = memfd_create("study", 0);

    if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) &&
        lseek(fd, 0, SEEK_SET) == 0)
        study = hpm_reader_read_open(fd, "study", 0, &report, NULL);
    if (fd >= 0)
        close(fd);
    hpm_notes_free(&report.notes);
    return study;
}

static struct hpm_study *
read_study(void)
{
    return read_text(file);
}

/* ---- parts of sums --------------------------------------------------- */

/* In one thread "work" is entered on two paths, on one of them with
 * HPM_ONLY_EXCLUSIVE; in another thread without it. */
#define POINT(id, tid, around, label, line)                                    \
    "<InstrumentationPt tid=\"" #tid "\" task=\"0\" label=\"" label            \
    "\" file=\"a.c\" linestart=\"" #line "\" inst=\"1\" id=\"" #id "\"" around \
    "><data name=\"Count\" value=\"1\" kind=\"counter\"/>"
#define TIME(name, value)                                                      \
    "<data name=\"" name "\" value=\"" value "\" kind=\"time\"/>"
#define WHOLE                                                                  \
    TIME("ExcSec", "1.0")                                                      \
    TIME("IncSec", "3.0")                                                      \
    "<data name=\"PM_CYC\" value=\"30\" exclusive=\"10\" kind=\"counter\"/>"   \
    "</InstrumentationPt>"
#define ONLY                                                                   \
    TIME("ExcSec", "1.5")                                                      \
    "<data name=\"PM_CYC\" exclusive=\"15\" kind=\"counter\"/>"                \
    "</InstrumentationPt>"
#define MIXED(first, second)                                                   \
    "<HPMPerformanceFile version=\"1\" kind=\"run\">" POINT(1, 0, "", "a", 1)  \
        WHOLE POINT(2, 0, " parent=\"1\"", "work", 3)                          \
            first POINT(3, 0, "", "b", 2)                                      \
                WHOLE POINT(4, 0, " parent=\"3\"", "work", 3)                  \
                    second POINT(5, 1, "", "work", 3) WHOLE                    \
        "</HPMPerformanceFile>"

static bool
is_partial(const struct hpm_survey *survey, size_t subject, size_t quantity,
           double value)
{
    const struct hpm_entry *entry =
        hpm_subject_entry(&survey->subjects[subject], quantity);

    return entry != NULL && entry->figure.is_partial &&
           hpm_number_to_real(entry->figure.value) == value;
}

static size_t
find_work(const struct hpm_survey *survey)
{
    size_t i = 0;

    while (strcmp(survey->study->sections[survey->subjects[i].section].label,
                  "work") != 0)
        i++;
    return i;
}

static void
check_parts(const char *text, const char *order)
{
    struct hpm_study *study = read_text(text);

    for (int is_brief = 0; is_brief < 2; is_brief++) {
        struct hpm_survey_options how = {.is_brief = is_brief != 0,
                                         .paths = ""};
        struct hpm_survey *survey = hpm_survey_new(study, &how, NULL);
        size_t work = find_work(survey);
        size_t time = hpm_survey_find_kind(survey, HPM_QUANTITY_INCLUSIVE);
        size_t cycles = hpm_survey_find(survey, "PM_CYC");

        printf("# %s, %s\n", order, is_brief ? "in brief" : "whole");
        ok(is_partial(survey, work, time, 4.5),
           "an inclusive time that lacks a path is partial");
        ok(hpm_survey_task_value(survey, work, time, 0) == 4.5,
           "and that of a task is no smaller");
        ok(is_brief || (is_partial(survey, work, cycles, 75) &&
                        hpm_survey_task_value(survey, work, cycles, 0) == 45),
           "so are counters");
        hpm_survey_free(survey);
    }
    hpm_study_free(study);
}

static void
test_mixed(void)
{
    check_parts(MIXED(WHOLE, ONLY), "the path without it last");
    check_parts(MIXED(ONLY, WHOLE), "the path without it first");
}

typedef void add_report(struct hpm_string *string, struct hpm_survey *survey,
                        const struct hpm_view_options *options);

/* The report of a view in a format; false when memory ran out and this was
 * reported. */
static bool
make(const struct hpm_study *study, enum hpm_view view, add_report *add,
     const char *filter_text, struct hpm_string *string)
{
    struct hpm_survey_options how = {.grouping = hpm_view_grouping(view),
                                     .precision = HPM_PRECISION_DOUBLE,
                                     .paths = ""};
    struct hpm_view_options options = {
        .view = view, .has_sort = true, .style = {100, true}};
    struct hpm_error err = {""};
    struct hpm_survey *survey = hpm_survey_new(study, &how, &err);
    struct hpm_line_filter *filter = NULL;
    bool is_whole = false;

    if (survey != NULL)
        filter = hpm_line_filter_new(survey, filter_text, &err);
    if (filter != NULL && hpm_sort_read(survey, "label", &options.sort, &err)) {
        options.filter = filter;
        add(string, survey, &options);
        is_whole = !string->failed;
    } else if (err.text[0] == '\0') {
        ok(false, "a failure has a sentence");
    }
    hpm_line_filter_free(filter);
    hpm_survey_free(survey);
    return is_whole;
}

/* Every k-th allocation fails, once or for ever: this is reported, or nothing
 * is missing. */
static void
check_no_memory(const struct hpm_study *study, enum hpm_view view,
                add_report *add, const char *sentence)
{
    static const char filter[] = "*n* or (excl > 0 and not calls = 7)";
    struct hpm_string expected = {0};
    bool is_right = make(study, view, add, filter, &expected);
    int n_whole = 0;

    ok(is_right && expected.length > 100, "there is a report");
    for (unsigned long k = 1; k < 1000000 && n_whole < 2 && is_right;
         k += 1 + k / 64) {
        n_whole = 0;
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            struct hpm_string string = {0};

            hpm_memory_fail_at(k, for_ever != 0);
            if (make(study, view, add, filter, &string)) {
                n_whole++;
                is_right &= strcmp(hpm_string_text(&string),
                                   hpm_string_text(&expected)) == 0;
            }
            hpm_memory_fail_at(0, false);
            hpm_string_free(&string);
        }
    }
    ok(is_right && n_whole == 2, sentence);
    hpm_string_free(&expected);
}

static void
test_no_memory(void)
{
    struct hpm_study *study = read_study();

    ok(study != NULL, "the study is read");
    if (study == NULL)
        return;
    check_no_memory(study, HPM_VIEW_SECTION, hpm_report_add_text,
                    "by section: nothing is missing, or it is said");
    check_no_memory(study, HPM_VIEW_TREE, hpm_report_add_csv,
                    "by tree, as CSV");
    check_no_memory(study, HPM_VIEW_THREAD, hpm_report_add_text, "by thread");
    check_no_memory(study, HPM_VIEW_METRIC, hpm_report_add_json,
                    "by metric, as JSON");
    hpm_study_free(study);
}

/* ---- in brief -------------------------------------------------------- */

static bool
is_equal(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool
is_same_value(const struct hpm_survey *whole, const struct hpm_survey *brief,
              size_t subject, enum hpm_quantity_kind kind)
{
    const struct hpm_entry *a = hpm_subject_entry(
        &whole->subjects[subject], hpm_survey_find_kind(whole, kind));
    const struct hpm_entry *b = hpm_subject_entry(
        &brief->subjects[subject], hpm_survey_find_kind(brief, kind));

    if (a == NULL || b == NULL)
        return a == b;
    return hpm_number_compare(a->figure.value, b->figure.value) == 0 &&
           a->threads.n == b->threads.n && a->threads.max == b->threads.max &&
           a->threads.min == b->threads.min &&
           is_equal(a->threads.mean, b->threads.mean);
}

static void
test_brief(void)
{
    static const enum hpm_grouping groupings[] = {HPM_GROUP_SECTIONS,
                                                  HPM_GROUP_PATHS};
    struct hpm_study *study = read_study();

    for (int i = 0; i < 2; i++) {
        struct hpm_survey_options options = {.grouping = groupings[i],
                                             .paths = ""};
        struct hpm_survey *whole = hpm_survey_new(study, &options, NULL);
        struct hpm_survey *brief;
        bool is_same;

        options.is_brief = true;
        brief = hpm_survey_new(study, &options, NULL);
        is_same = whole->n_subjects == brief->n_subjects &&
                  whole->n_subjects == 2 + (size_t)i;
        for (size_t j = 0; j < whole->n_subjects && is_same; j++)
            is_same =
                is_same_value(whole, brief, j, HPM_QUANTITY_CALLS) &&
                is_same_value(whole, brief, j, HPM_QUANTITY_EXCLUSIVE) &&
                is_same_value(whole, brief, j, HPM_QUANTITY_INCLUSIVE) &&
                is_equal(whole->subjects[j].share, brief->subjects[j].share);
        ok(is_same, "in brief there are the same subjects, calls and times");
        is_count(brief->n_quantities, 3, "and nothing else");
        hpm_survey_free(whole);
        hpm_survey_free(brief);
    }
    hpm_study_free(study);
}

/* ---- in parts -------------------------------------------------------- */

static size_t say(struct hpm_survey *survey, struct hpm_string *string);

/* The text contains hints and their places. */
static void
test_parts(void)
{
    struct hpm_study *study = read_study();
    struct hpm_survey_options options = {.grouping = HPM_GROUP_SECTIONS,
                                         .precision = HPM_PRECISION_DOUBLE,
                                         .paths = ""};
    struct hpm_survey *whole = hpm_survey_new(study, &options, NULL);
    struct hpm_string expected = {0}, joined = {0};
    size_t n_bad = say(whole, &expected);

    for (size_t n = 1; n <= 3; n++) {
        struct hpm_survey *parts[3];

        options.n_parts = n;
        for (options.part = 0; options.part < n; options.part++)
            parts[options.part] = hpm_survey_new(study, &options, NULL);
        for (size_t i = n - 1; i > 0; i--)
            hpm_survey_join(parts[0], parts[i]);
        is_count(say(parts[0], &joined), n_bad,
                 "joined parts have all that is "
                 "bad");
        is_text(hpm_string_text(&joined), hpm_string_text(&expected),
                "and say what a survey says that was made at once");
        hpm_survey_free(parts[0]);
    }
    hpm_string_free(&expected);
    hpm_string_free(&joined);
    hpm_survey_free(whole);
    hpm_study_free(study);
}

/* ---- judged again ---------------------------------------------------- */

/* The text of a survey, and the number of bad metrics. */
static size_t
say(struct hpm_survey *survey, struct hpm_string *string)
{
    struct hpm_view_options options = {.view = HPM_VIEW_SECTION,
                                       .style = {100, true}};
    size_t n_bad = 0;

    hpm_string_clear(string);
    hpm_report_add_text(string, survey, &options);
    options.view = HPM_VIEW_THREAD;
    hpm_report_add_csv(string, survey, &options);
    for (size_t i = 0; i < survey->n_subjects; i++)
        n_bad += survey->subjects[i].n_bad;
    return n_bad;
}

static void
test_judge(void)
{
    static const enum hpm_precision precisions[] = {
        HPM_PRECISION_SINGLE, HPM_PRECISION_DOUBLE, HPM_PRECISION_SINGLE};
    struct hpm_study *study = read_study();
    struct hpm_survey_options options = {.precision = HPM_PRECISION_DOUBLE,
                                         .paths = ""};
    struct hpm_survey *survey = hpm_survey_new(study, &options, NULL);
    struct hpm_string again = {0}, anew = {0}, before = {0};

    say(survey, &before);
    for (int i = 0; i < 3; i++) {
        struct hpm_survey *other;
        size_t n_bad;

        options.precision = precisions[i];
        other = hpm_survey_new(study, &options, NULL);
        hpm_survey_judge(survey, precisions[i]);
        n_bad = say(survey, &again);
        is_count(n_bad, say(other, &anew), "as many are bad");
        is_text(hpm_string_text(&again), hpm_string_text(&anew),
                "judged again it says what a new survey says");
        hpm_survey_free(other);
    }
    ok(strcmp(hpm_string_text(&before), hpm_string_text(&again)) != 0,
       "which is not the same for both precisions");
    hpm_string_free(&before);
    hpm_string_free(&again);
    hpm_string_free(&anew);
    hpm_survey_free(survey);
    hpm_study_free(study);
}

static void
test_rank(void)
{
    struct hpm_study *study = read_study();
    const struct hpm_survey_options options = {.precision =
                                                   HPM_PRECISION_DOUBLE};
    struct hpm_survey *survey = hpm_survey_new(study, &options, NULL);
    struct hpm_ranking rankings[2][2];
    struct hpm_hint hints[HPM_MAX_HINTS];
    size_t n;

    for (size_t i = 0; i < survey->n_machines; i++)
        for (int j = 0; j < 2; j++)
            hpm_ranking_init(&rankings[i][j],
                             survey->machines[i].library.metrics,
                             (enum hpm_precision)j, NULL);
    is_count(hpm_survey_visit_some(survey, 1, 0, 1, NULL, NULL, rankings), 1,
             "a piece of one row ends behind it");
    is_count(hpm_survey_visit_some(survey, 1, 1, 9, NULL, NULL, rankings), 2,
             "and the last piece at the end");
    n = hpm_ranking_get(&rankings[0][1], hints);
    ok(n > 0 && hints[0].place == 0 && hints[0].seconds == 1.0 &&
           strcmp(rankings[0][1].metrics->metrics[hints[0].metric].shown,
                  "IPC") == 0,
       "of one section the hints are those of its threads: IPC of 0.5");
    is_count(hpm_ranking_get(&rankings[1][1], hints), 0,
             "the other machine, which counted nothing, has none");
    for (size_t i = 0; i < survey->n_machines; i++)
        for (int j = 0; j < 2; j++)
            hpm_ranking_clear(&rankings[i][j]);
    hpm_survey_free(survey);
    hpm_study_free(study);
}

/* ---- of all ---------------------------------------------------------- */

static const char two_tasks[] =
    "<HPMPerformanceFile version=\"1\" kind=\"merged\">"
    "<Run task=\"0\" program=\"p\" job=\"j\" seconds=\"8.0\"/>"
    "<Run task=\"1\" program=\"p\" job=\"j\" seconds=\"5.0\"/>"
    "<Machine task=\"0\" pmu=\"power4\"/><Machine task=\"1\" pmu=\"power4\"/>"
    "<InstrumentationPt tid=\"0\" task=\"0\" label=\"work\" file=\"a.c\" "
    "linestart=\"3\" inst=\"1\" id=\"1\">" TIME("ExcSec", "1.0")
        TIME("IncSec",
             "2.0") "</InstrumentationPt>"
                    "<InstrumentationPt tid=\"0\" task=\"1\" label=\"work\" "
                    "file=\"a.c\" "
                    "linestart=\"3\" inst=\"1\" id=\"2\">" TIME("ExcSec", "1.0")
                        TIME("IncSec",
                             "1.0") "</InstrumentationPt></HPMPerformanceFile>";

/* 2 s of the 8 s of the task that took longest: neither of the 3 s in sections
 * nor of the 13 s of both tasks. */
static void
test_total(void)
{
    static const char own[] = "ratio PART = time::wall / total(time::wall)\n";
    char path[64];
    int fd = memfd_create("own", 0);
    struct hpm_survey_options options = {.precision = HPM_PRECISION_DOUBLE,
                                         .paths = path};
    struct hpm_study *study = read_text(two_tasks);
    const struct hpm_entry *entry;
    struct hpm_survey *survey;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ok(write(fd, own, sizeof own - 1) == (ssize_t)sizeof own - 1,
       "a definition of our own");
    survey = hpm_survey_new(study, &options, NULL);
    entry = hpm_subject_entry(&survey->subjects[0],
                              hpm_survey_find(survey, "PART"));
    is_near(entry != NULL ? hpm_number_to_real(entry->figure.value) : NAN, 0.25,
            1e-15, "total() of the wall clock is the longest task's");
    hpm_survey_free(survey);
    hpm_study_free(study);
    close(fd);
}

int
main(void)
{
    test_total();
    test_prose();
    test_brief();
    test_parts();
    test_judge();
    test_rank();
    test_no_memory();
    test_mixed();
    return done();
}
