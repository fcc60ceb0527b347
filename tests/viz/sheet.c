/* SPDX-License-Identifier: BSD-3-Clause
 * The values of a section: rows and columns, order, spread, the text about a
 * value, and export. */
#include "hpmviz/data/sheet.h"

#include <gio/gio.h>
#include <locale.h>
#include <math.h>

#include "hpmviz/data/details.h"
#include "hpmviz/data/export.h"
#include "hpmviz/data/facts.h"
#include "hpmviz/data/identity.h"
#include "hpmviz/data/spread.h"
#include "study.h"
#include "study/survey/surveying.h"

static struct hpm_study *study;
static struct hpm_survey *survey;
static struct hpmviz_sheet *sheet;

static guint
column_of(const char *name)
{
    guint column = hpmviz_sheet_find_name(sheet, name);

    if (column == HPMVIZ_NONE) {
        printf("# no column %s\n", name);
        exit(1);
    }
    return column;
}

/* ---- rows and columns ------------------------------------------------ */

static void
test_rows(void)
{
    static const int places[5][2] = {{0, 0}, {0, 1}, {0, -1}, {1, 0}, {1, 1}};
    gboolean is_right = sheet->n_rows == 5;
    guint n_processes = 0;

    for (guint i = 0; i < sheet->n_rows; i++) {
        gboolean is_in = FALSE;

        for (int j = 0; j < 5; j++)
            is_in |= sheet->places[i].task == places[j][0] &&
                     sheet->places[i].tid == places[j][1];
        is_right &= is_in;
        n_processes += hpmviz_sheet_is_process(sheet, i) ? 1 : 0;
    }
    ok(is_right, "there is a row for each task and thread");
    is_count(n_processes, 1, "and one for the process");
}

static void
test_pieces(void)
{
    struct hpmviz_sheet *slow = hpmviz_sheet_new(survey, 0);
    int n = 1;
    gboolean is_same = TRUE;

    while (hpmviz_sheet_fill(slow, 1))
        n++;
    is_count((size_t)n, 5, "a sheet is filled row by row");
    for (guint i = 0; i < 5 * sheet->n_columns && slow->n_rows == 5; i++)
        is_same &= slow->values[i].value == sheet->values[i].value ||
                   isnan(slow->values[i].value);
    ok(is_same && slow->n_rows == 5, "with the same values");
    hpmviz_sheet_free(slow);
}

static void
test_columns(void)
{
    ok(column_of("IPC") < column_of("PM_CYC") &&
           column_of("IncSec") < column_of("IPC"),
       "times come before metrics, and these before counts");
    ok(hpmviz_sheet_is_wanted(sheet, column_of("IPC")) &&
           hpmviz_sheet_is_wanted(sheet, column_of("ExcSec")) &&
           !hpmviz_sheet_is_wanted(sheet, column_of("PM_CYC")),
       "raw counts are hidden at first where there are metrics");
    ok(hpmviz_sheet_find_own(sheet, column_of("IPC"), 2.5) != HPMVIZ_NONE &&
           sheet->places[hpmviz_sheet_find_own(sheet, column_of("IPC"), 2.5)]
                   .task == 1,
       "a value that a hint names is found");
    ok(sheet->places[hpmviz_sheet_find_own(sheet, column_of("PM_CYC"), 1000)]
                   .tid == 1 &&
           sheet->places[hpmviz_sheet_find_own(sheet, column_of("PM_CYC"),
                                               1000)]
                   .task == 1,
       "of several with one value the one that took longest");
}

/* ---- order ----------------------------------------------------------- */

struct order {
    guint key;
    gboolean is_rising;
};

static int
compare(const void *a, const void *b, void *data)
{
    const struct order *order = data;

    return hpmviz_sheet_compare(sheet, *(const guint *)a, *(const guint *)b,
                                order->key, order->is_rising);
}

static void
expect_order(guint key, gboolean is_rising, const char *expected,
             const char *sentence)
{
    struct order order = {key, is_rising};
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < sheet->n_rows; i++)
        g_array_append_val(rows, i);
    g_array_sort_with_data(rows, (GCompareDataFunc)compare, &order);
    for (guint i = 0; i < rows->len; i++) {
        const struct hpmviz_place *place =
            &sheet->places[g_array_index(rows, guint, i)];

        g_string_append_printf(text, "%s%d.%d", i > 0 ? " " : "", place->task,
                               place->tid);
    }
    is_text(text->str, expected, sentence);
    g_string_free(text, TRUE);
    g_array_unref(rows);
}

static void
test_order(void)
{
    guint ipc = HPMVIZ_KEY_COLUMN + column_of("IPC");
    guint fp = HPMVIZ_KEY_COLUMN + column_of("FP_OPS");

    expect_order(ipc, TRUE, "0.0 1.1 0.1 1.0 0.-1",
                 "rising, the process behind the threads");
    expect_order(ipc, FALSE, "1.0 0.1 1.1 0.0 0.-1",
                 "falling, the process behind them, too");
    expect_order(fp, TRUE, "0.0 0.1 1.0 1.1 0.-1",
                 "rising, what has no value comes last");
    expect_order(fp, FALSE, "0.1 0.0 1.0 1.1 0.-1",
                 "falling, too, in the order it had");
    expect_order(HPMVIZ_KEY_TASK, FALSE, "1.0 1.1 0.0 0.1 0.-1",
                 "by task, threads stay in their order");
}

/* ---- spread ---------------------------------------------------------- */

static void
test_spread(void)
{
    struct hpmviz_spread spread =
        hpmviz_spread_of(sheet, column_of("ExcSec"), FALSE);

    ok(spread.n == 4 && spread.n_rows == 4 && spread.n_tasks == 2,
       "four threads of two tasks have a time");
    ok(spread.min == 1 && spread.max == 4, "smallest and largest");
    is_near(spread.low, 1.15, 1e-12, "5 %: 0.15 of the way from 1 to 2");
    is_near(spread.median, 2.5, 1e-12, "the median lies between 2 and 3");
    is_near(spread.mean, 2.5, 1e-12, "the mean is without the process");
    is_near(spread.high, 3.85, 1e-12, "95 %: 0.85 of the way from 3 to 4");
    is_near(spread.deviation, sqrt(1.25), 1e-12, "the deviation");
    is_near(spread.ratio, 1.6, 1e-12, "max / mean");
    ok(sheet->places[spread.max_at].task == 1 &&
           sheet->places[spread.max_at].tid == 1,
       "who has the largest");
    spread = hpmviz_spread_of(sheet, column_of("ExcSec"), TRUE);
    ok(spread.n == 1 && spread.min == 9 && spread.max == 9,
       "processes have a spread of their own");
    spread = hpmviz_spread_of(sheet, column_of("IPC"), FALSE);
    ok(spread.n_bad[1] == 2 && spread.n_good[1] == 1,
       "IPC is bad in two threads and good in one");
    is_near(
        hpmviz_sheet_value(sheet, spread.worst_at[1], column_of("IPC"))->value,
        0.5, 1e-12, "the worst of them");
    spread = hpmviz_spread_of(sheet, column_of("Own"), FALSE);
    ok(spread.n_bad[0] == 0 && spread.n_bad[1] == 2,
       "single and double precision have their own verdicts");
    spread = hpmviz_spread_of(sheet, column_of("FP_OPS"), FALSE);
    ok(spread.n == 2 && spread.n_rows == 4 && spread.n_tasks == 1,
       "two of four threads, in one task, have this count");
    spread = hpmviz_spread_of(sheet, column_of("FP_OPS"), TRUE);
    ok(spread.n == 0 && isnan(spread.min) && spread.min_at == HPMVIZ_NONE,
       "without values there is no number");
}

/* ---- texts about values --------------------------------------------- */

static guint
row_of(int task, int tid)
{
    guint row = 0;

    while (sheet->places[row].task != task || sheet->places[row].tid != tid)
        row++;
    return row;
}

static void
expect_text(int task, int tid, const char *name, const char *expected,
            const char *sentence)
{
    struct hpm_string text = {0};

    hpmviz_details_add_text(
        sheet, column_of(name),
        hpmviz_sheet_value(sheet, row_of(task, tid), column_of(name)), &text);
    is_text(hpm_string_text(&text), expected, sentence);
    hpm_string_free(&text);
}

static void
expect_details(int task, int tid, const char *name, const char *part,
               const char *sentence)
{
    struct hpm_string text = {0};

    hpmviz_details_add(sheet, row_of(task, tid), column_of(name),
                       HPM_PRECISION_DOUBLE, &text);
    ok(strstr(hpm_string_text(&text), part) != NULL, sentence);
    if (strstr(hpm_string_text(&text), part) == NULL)
        printf("# \"%s\"\n", hpm_string_text(&text));
    hpm_string_free(&text);
}

static void
test_texts(void)
{
    expect_text(0, 0, "IPC", "0.500", "a ratio has three decimals");
    expect_text(0, -1, "PM_CYC", "5,000", "a count has commas");
    expect_text(0, 1, "ExcSec", "2.000000", "a time has six decimals");
    expect_text(0, 1, "FP_OPS", "200 s", "time-shared is marked");
    expect_text(1, 0, "FP_OPS", "never ran", "never scheduled is said");
    expect_text(1, 1, "FP_OPS", "n/a", "unsupported is n/a, not 0");
    expect_text(0, -1, "FP_OPS", "–", "what nobody asked for is a dash");
    expect_text(0, 0, "Own", "1.000 r", "recorded is marked");
}

static void
test_stories(void)
{
    expect_details(0, 0, "IPC", "task 0, thread 0\nIPC 0.500",
                   "a details begins with place, name and value");
    expect_details(0, 0, "IPC", ", bad (bad below 1, good above 2)",
                   "has verdict and limits");
    expect_details(0, 0, "IPC", "= INSTRUCTION / CYCLES", "the formula");
    expect_details(0, 0, "IPC", "hint: ", "and, where it is bad, the hint");
    expect_details(0, 1, "FP_OPS", "50 %, give or take 7",
                   "time-shared: which part, and the error");
    expect_details(1, 0, "FP_OPS", "unscheduled: too few counters",
                   "without a value: why");
    expect_details(0, -1, "IPC", "task 0, whole process",
                   "a process is named one");
    expect_details(0, 0, "Own", "bad below 2.5",
                   "limits of the file are told, too");
}

/* ---- export --------------------------------------------------------- */

static void
test_export(void)
{
    guint rows[] = {row_of(1, 0), row_of(0, 1)};
    guint columns[] = {column_of("IPC"), column_of("PM_CYC"),
                       column_of("FP_OPS")};
    struct hpmviz_extract extract = {sheet, rows, 2, columns, 3};
    struct hpm_string text = {0};

    hpmviz_export_add_tsv(&extract, &text);
    is_text(hpm_string_text(&text),
            "task\tthread\tIPC\tPM_CYC\tFP_OPS\n"
            "1\t0\t2.5\t1000\t\n0\t1\t1.5\t1000\t200\n",
            "TSV has the rows and columns as they are given");
    hpm_string_clear(&text);
    hpmviz_export_add_csv(&extract, &text);
    is_text(hpm_string_text(&text),
            "task,thread,IPC,PM_CYC,FP_OPS\n1,0,2.5,1000,\n0,1,1.5,1000,200\n",
            "CSV the same");
    hpm_string_free(&text);
}

static const char *
value_of_fact(const GPtrArray *facts, const char *name)
{
    for (guint i = 0; i < facts->len; i++) {
        const struct hpmviz_fact *fact = facts->pdata[i];

        if (strcmp(fact->name, name) == 0)
            return fact->value;
    }
    return "";
}

static void
test_facts(void)
{
    GPtrArray *facts = hpmviz_facts_new(sheet);
    gboolean is_ordered = TRUE;

    for (guint i = 0; i < facts->len; i++) {
        guint parent = ((struct hpmviz_fact *)facts->pdata[i])->parent;

        is_ordered &= parent == HPMVIZ_NONE || parent < i;
    }
    ok(is_ordered, "a fact comes after the one it is below");
    is_text(value_of_fact(facts, "label"), "calc", "the label is told");
    is_text(value_of_fact(facts, "lines"), "10 to 19", "the lines");
    is_text(value_of_fact(facts, "task 1"), "b", "where a task ran");
    is_text(value_of_fact(facts, "bound to processors"), "2,3",
            "on which processors");
    is_text(value_of_fact(facts, "receives from tasks"), "1: 0",
            "its neighbours in a graph of tasks, and how many");
    is_text(value_of_fact(facts, "sends to tasks"), "2: 0 1",
            "those that it sends to");
    is_text(value_of_fact(facts, "formula"), "INSTRUCTION / CYCLES",
            "a formula");
    is_text(value_of_fact(facts, "limits, double precision"),
            "bad below 1, good above 2", "limits");
    g_ptr_array_unref(facts);
}

/* ---- finding again -------------------------------------------------- */

static void
expect_found(const struct hpmviz_identity *identity, const char *label,
             int line, gboolean is_there, const char *sentence)
{
    struct hpm_study *other = read_study_of(label, line);
    struct hpm_survey *there = survey_of(other);

    ok((hpmviz_identity_find(identity, there) != HPM_NO_SUBJECT) == is_there,
       sentence);
    hpm_survey_free(there);
    hpm_study_free(other);
}

static void
test_identity(void)
{
    struct hpmviz_identity *identity = hpmviz_identity_new(survey, 0);

    expect_found(identity, "calc", 10, TRUE, "a section is found again");
    expect_found(identity, "calc", 12, TRUE, "also when its lines have moved");
    expect_found(identity, "other", 10, FALSE, "another one is not it");
    hpmviz_identity_free(identity);
}

/* As root, replacing /dev/full would remove it for all programs. */
static void
test_device(void)
{
    GError *error = NULL;

    ok(!hpmviz_export_put("/dev/null", "x", 1, &error) &&
           g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE) &&
           !g_file_test("/dev/null", G_FILE_TEST_IS_REGULAR),
       "a device is not replaced by an export");
    g_clear_error(&error);
}

/* Treat the file as a mean of five runs, some of which wanted only exclusive
 * values. */
static void
test_runs(void)
{
    guint row = row_of(0, 0), column = column_of("PM_CYC");
    struct hpmviz_value *value =
        &sheet->values[(gsize)row * sheet->n_columns + column];
    const struct hpmviz_value kept = *value;

    ok(value->n_runs == 0 && isnan(value->run_dev),
       "a single run has no spread over runs");
    value->n_runs = 5;
    expect_details(0, 0, "PM_CYC", "runs: 5\n",
                   "of a mean whose spread nobody knows, the runs");
    value->run_dev = 12;
    value->run_min = 990;
    value->run_max = 1010;
    expect_details(0, 0, "PM_CYC",
                   "runs: 5, their deviation (n - 1) 12, from 990 to 1,010\n",
                   "of a mean, how far its runs are apart");
    value->is_run_bound = TRUE;
    expect_details(0, 0, "PM_CYC",
                   "their deviation (n - 1) at most 12, all between 990 and "
                   "1,010\n",
                   "of a sum, within which bounds");
    value->is_partial = TRUE;
    value->only_exclusive = 0.25f;
    expect_details(0, 0, "PM_CYC",
                   "(HPM_ONLY_EXCLUSIVE): 25.0 % of the exclusive value\n",
                   "of a partial value, which part is exclusive only");
    *value = kept;
}

int
main(void)
{
    setlocale(LC_ALL, "de_DE.UTF-8"); /* if this locale exists */
    study = read_study_of("calc", 10);
    survey = survey_of(study);
    sheet = hpmviz_sheet_new(survey, 0);
    hpmviz_sheet_fill(sheet, G_MAXUINT);
    test_rows();
    test_pieces();
    test_columns();
    test_order();
    test_spread();
    test_texts();
    test_stories();
    test_runs();
    test_export();
    test_facts();
    test_identity();
    hpmviz_sheet_free(sheet);
    hpm_survey_free(survey);
    hpm_study_free(study);
    test_device();
    return done();
}
