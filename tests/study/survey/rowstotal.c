/* SPDX-License-Identifier: BSD-3-Clause
 * Totals of many records in pieces: as many pieces as there are rows, and the same
 * figures as at once, whatever the survey is used for meanwhile.
 *
 * Section "work" ran in 30 tasks of 10 threads.  The r-th thread had r + 1 calls,
 * 100 (r + 1) cycles and twice as many instructions; every other could not count
 * PM_OTHER, and none but the last has PM_ODD. */
#include "config.h"

#include "study/survey/rowstotal.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/memory.h"
#include "study/file/reader.h"
#include "study/survey/surveying.h"
#include "tap.h"

enum { N_TASKS = 30, N_THREADS = 10, N_ROWS = N_TASKS * N_THREADS };

/* ---- the study ------------------------------------------------------- */

static void
add_count(struct hpm_string *text, const char *name, int value)
{
    hpm_string_add_format(text,
                          "<data name=\"%s\" value=\"%d\" exclusive=\"%d\" "
                          "kind=\"counter\"/>",
                          name, value, value);
}

static void
add_record(struct hpm_string *text, int r)
{
    hpm_string_add_format(
        text,
        "<InstrumentationPt lid=\"x\" tid=\"%d\" task=\"%d\" label=\"work\" "
        "file=\"a.c\" linestart=\"1\" lineend=\"9\" inst=\"1\" id=\"%d\" "
        "scope=\"thread\">"
        "<data name=\"Count\" value=\"%d\" kind=\"counter\"/>"
        "<data name=\"ExcSec\" value=\"%d.5\" kind=\"time\"/>"
        "<data name=\"IncSec\" value=\"%d.5\" kind=\"time\"/>",
        r % N_THREADS, r / N_THREADS, r + 1, r + 1, r + 1, r + 1);
    add_count(text, "PM_CYC", 100 * (r + 1));
    add_count(text, "PM_INST_CMPL", 200 * (r + 1));
    if (r % 2 == 0)
        add_count(text, "PM_OTHER", 1);
    else
        hpm_string_add(text, "<data name=\"PM_OTHER\" kind=\"counter\" "
                             "state=\"unsupported\" reason=\"no\"/>");
    if (r == N_ROWS - 1)
        add_count(text, "PM_ODD", 7);
    hpm_string_add(text, "</InstrumentationPt>");
}

static struct hpm_study *
new_study(void)
{
    struct hpm_reader_report report = {0};
    struct hpm_string text = {0};
    struct hpm_study *study = NULL;
    int fd = memfd_create("study", 0);

    hpm_string_add(&text, "<HPMPerformanceFile version=\"1\" kind=\"merged\">");
    for (int i = 0; i < N_TASKS; i++)
        hpm_string_add_format(&text,
                              "<Run task=\"%d\" program=\"p\" job=\"j\"/>"
                              "<Machine task=\"%d\" pmu=\"%s\"/>",
                              i, i, i < N_TASKS - 1 ? "power4" : "ultra3");
    for (int i = 0; i < N_ROWS; i++)
        add_record(&text, i);
    hpm_string_add(&text, "</HPMPerformanceFile>");
    if (fd >= 0 && !text.failed &&
        write(fd, hpm_string_text(&text), text.length) ==
            (ssize_t)text.length &&
        lseek(fd, 0, SEEK_SET) == 0)
        study = hpm_reader_read_open(fd, "study", 0, &report, NULL);
    if (fd >= 0)
        close(fd);
    hpm_notes_free(&report.notes);
    hpm_string_free(&text);
    return study;
}

/* ---- totals ---------------------------------------------------------- */

static const char *const names[] = {"Count",  "IncSec",   "PM_CYC",
                                    "PM_ODD", "PM_OTHER", "IPC"};

enum { CALLS, SECONDS, CYCLES, ODD, OTHER, IPC, N_NAMES };

static size_t wanted[N_NAMES];

static const struct hpm_figure *
figure_of(const struct hpm_figure *figures, int name)
{
    return &figures[wanted[name]];
}

static bool
equals(const struct hpm_figure *figures, int name, double expected)
{
    double got = hpm_number_to_real(figure_of(figures, name)->value);
    bool is_good = fabs(got - expected) <= 1e-12 * expected;

    if (!is_good)
        printf("# %s: %.17g and not %.17g\n", names[name], got, expected);
    return is_good;
}

static void
visit(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    (void)row;
    (void)figures;
    ++*(size_t *)owner;
}

/* The pieces there were. */
static size_t
sum_in_pieces(struct hpm_survey *survey, struct hpm_rowstotal *total, size_t n,
              size_t most)
{
    size_t n_pieces = 1, n_visits = 0;

    hpm_rowstotal_begin(total, 0, survey->rows, n);
    for (; hpm_rowstotal_work(total, most); n_pieces++)
        hpm_survey_visit_some(survey, 0, 0, 9, visit, &n_visits, NULL);
    return n_pieces;
}

/* Threads 0 to n - 1 have n (n + 1) / 2 calls. */
static void
check_sums(const struct hpm_figure *figures, size_t n, const char *sentence)
{
    double calls = (double)(n * (n + 1)) / 2;

    ok(figures != NULL && equals(figures, CALLS, calls) &&
           equals(figures, SECONDS, calls + (double)n / 2) &&
           equals(figures, CYCLES, 100 * calls) && equals(figures, IPC, 2.0),
       sentence);
}

static void
test_pieces(struct hpm_survey *survey, struct hpm_rowstotal *total)
{
    enum { N = 250 };

    is_count(sum_in_pieces(survey, total, N, 7), 36,
             "250 rows, 7 at a time, are 36 pieces of work");
    check_sums(
        hpm_rowstotal_figures(total), N,
        "calls, times and counters are summed over threads, and a metric "
        "is computed from the sums, although the survey was used between");
    is_count(sum_in_pieces(survey, total, 10, SIZE_MAX), 1,
             "what is summed next begins at 0");
    check_sums(hpm_rowstotal_figures(total), 10, "and is right, too");
    is_count(sum_in_pieces(survey, total, N, SIZE_MAX), 1,
             "all rows at once are one piece");
    check_sums(hpm_rowstotal_figures(total), N, "with the same sums");
}

static void
test_missing(struct hpm_survey *survey, struct hpm_rowstotal *total)
{
    const struct hpm_figure *figure;

    sum_in_pieces(survey, total, 250, 7);
    figure = figure_of(hpm_rowstotal_figures(total), OTHER);
    ok(figure->is_present && figure->value.kind == HPM_NUMBER_NONE &&
           figure->state == HPM_STATE_UNSUPPORTED && figure->reason != NULL &&
           strcmp(figure->reason, "no") == 0,
       "where some rows could not count there is no sum, and their reason");
    ok(!figure_of(hpm_rowstotal_figures(total), ODD)->is_present,
       "what no row has nobody asked for");
    hpm_rowstotal_begin(total, 0, survey->rows, 0);
    ok(!hpm_rowstotal_work(total, 1) && hpm_rowstotal_figures(total) == NULL,
       "no rows have no figures");
}

/* The rows of the last task were counted by another processor. */
static void
test_machines(struct hpm_survey *survey, struct hpm_rowstotal *total)
{
    sum_in_pieces(survey, total, N_ROWS, 100);
    ok(hpm_rowstotal_figures(total) == NULL,
       "processors of several kinds have no total");
    sum_in_pieces(survey, total, 20, 7);
    check_sums(hpm_rowstotal_figures(total), 20, "those of one kind have");
}

/* Of counters alone it does not matter which processor counted. */
static void
test_counters(struct hpm_survey *survey)
{
    struct hpm_rowstotal *total = hpm_rowstotal_new(survey, wanted, IPC);
    const struct hpm_figure *figures, *odd;

    sum_in_pieces(survey, total, N_ROWS, 7);
    figures = hpm_rowstotal_figures(total);
    ok(figures != NULL && equals(figures, CYCLES, 50.0 * N_ROWS * (N_ROWS + 1)),
       "counters are summed over processors of all kinds");
    odd = figures != NULL ? figure_of(figures, ODD) : NULL;
    ok(odd != NULL && odd->is_present && odd->value.kind == HPM_NUMBER_NONE &&
           odd->n_missing == N_ROWS - 1 && odd->n_records == N_ROWS,
       "a counter that one row alone has, in the last piece, has no sum");
    hpm_rowstotal_free(total);
}

/* Without memory there are no figures, and never wrong ones. */
static void
test_no_memory(struct hpm_survey *survey)
{
    bool is_good = true, is_enough = false;

    for (unsigned long n = 1; n < 100 && !is_enough; n++) {
        struct hpm_rowstotal *total;
        const struct hpm_figure *figures = NULL;

        hpm_memory_fail_at(n, true);
        total = hpm_rowstotal_new(survey, wanted, N_NAMES);
        if (total != NULL) {
            sum_in_pieces(survey, total, 20, 7);
            figures = hpm_rowstotal_figures(total);
        }
        hpm_memory_fail_at(0, false);
        is_enough = figures != NULL;
        is_good = is_good && (!is_enough || equals(figures, CALLS, 210));
        hpm_rowstotal_free(total);
    }
    ok(is_good && is_enough, "without memory there are no figures");
}

int
main(void)
{
    struct hpm_study *study = new_study();
    const struct hpm_survey_options options = {.grouping = HPM_GROUP_PATHS};
    struct hpm_survey *survey =
        study != NULL ? hpm_survey_new(study, &options, NULL) : NULL;
    struct hpm_rowstotal *total;

    if (survey == NULL || survey->subjects[0].count != N_ROWS) {
        printf("Bail out! the study was not read\n");
        return 1;
    }
    for (int i = 0; i < N_NAMES; i++) {
        wanted[i] = hpm_survey_find(survey, names[i]);
        if (wanted[i] == HPM_NO_QUANTITY) {
            printf("Bail out! there is no %s\n", names[i]);
            return 1;
        }
    }
    total = hpm_rowstotal_new(survey, wanted, N_NAMES);
    test_pieces(survey, total);
    test_missing(survey, total);
    test_machines(survey, total);
    test_counters(survey);
    test_no_memory(survey);
    hpm_rowstotal_free(total);
    hpm_survey_free(survey);
    hpm_study_free(study);
    return done();
}
