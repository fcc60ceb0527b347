/* SPDX-License-Identifier: BSD-3-Clause
 * The distribution of a metric over places: order, lacks, bins, words, CSV. */
#include "hpmviz/data/distribution.h"

#include "hpmviz/data/choice.h"
#include "hpmviz/data/distributiontext.h"
#include "hpmviz/data/placegrid.h"
#include "hpmviz/data/ranges.h"
#include "hpmviz/data/restriction.h"
#include "hpmviz/data/rooflinepoints.h"
#include "hpmviz/data/topology.h"
#include "study.h"
#include "study/columns/placecut.h"

static struct hpm_study *study;
static struct hpm_survey *survey;
static struct hpmviz_sheet *sheet;

static struct hpmviz_distribution *
distribution_of(const char *name)
{
    guint column = hpmviz_sheet_find_name(sheet, name);

    if (column == HPMVIZ_NONE)
        exit(1);
    return hpmviz_distribution_new(sheet, column);
}

static void
expect_order(const char *name, const char *expected, const char *sentence)
{
    struct hpmviz_distribution *values = distribution_of(name);
    struct hpm_string text = {0};

    for (guint i = 0; i < values->n; i++) {
        const struct hpmviz_place *place = &sheet->places[values->rows[i]];

        hpm_string_add_format(&text, "%s%d.%d", i > 0 ? " " : "", place->task,
                              place->tid);
    }
    is_text(hpm_string_text(&text), expected, sentence);
    hpm_string_free(&text);
    hpmviz_distribution_free(values);
}

static void
test_order(void)
{
    expect_order(
        "ExcSec", "0.0 0.1 1.0 1.1",
        "threads are in the order of their values, without the process");
    expect_order("IPC", "0.0 1.1 0.1 1.0", "whatever the order of places");
    expect_order("PM_CYC", "0.0 0.1 1.0 1.1",
                 "equal values stay in the order of places");
    expect_order("FP_OPS", "0.0 0.1", "what has no value is not in the order");
}

static void
test_lacks(void)
{
    struct hpmviz_distribution *values = distribution_of("FP_OPS");
    guint row = hpmviz_distribution_find(values, 1, 0);

    is_count(values->n_places, 4, "places without a value are counted");
    ok(row != HPMVIZ_NONE && values->ranks[row] == HPMVIZ_NONE &&
           isnan(hpmviz_distribution_value(values, row)),
       "such a place has no rank and no value, and not 0");
    is_count(values->n_derived, 1, "one value is an estimate");
    ok(hpmviz_distribution_is_derived(values,
                                      hpmviz_distribution_find(values, 0, 1)) &&
           !hpmviz_distribution_is_derived(
               values, hpmviz_distribution_find(values, 0, 0)),
       "the one that was counted part of the time");
    ok(hpmviz_distribution_find(values, 0, -1) == HPMVIZ_NONE &&
           hpmviz_distribution_find(values, 5, 0) == HPMVIZ_NONE,
       "the process is no place among threads, nor is what is not there");
    is_text(hpmviz_distribution_node(values, row), "b",
            "a place is on the node of its task");
    hpmviz_distribution_free(values);
}

static guint
process_row(void)
{
    guint row = 0;

    while (sheet->places[row].tid >= 0)
        row++;
    return row;
}

/* Threads beyond HPM_MAX_THREADS have one row with their sum. */
static void
test_summed(void)
{
    struct hpmviz_place *place = &sheet->places[process_row()];
    struct hpmviz_place kept = *place;
    struct hpmviz_distribution *values;
    struct hpm_string text = {0};

    place->tid = -2;
    place->n_threads = 300;
    values = distribution_of("ExcSec");
    hpmviz_distribution_add_summary(values, &text);
    ok(g_str_has_prefix(hpm_string_text(&text),
                        "4 of 4 threads have a value. Left out: 300 threads "
                        "beyond HPM_MAX_THREADS, of which only the sum is "
                        "known. Smallest"),
       "threads that were summed are told as left out");
    hpm_string_free(&text);
    hpmviz_distribution_free(values);
    for (guint i = 0; i < sheet->n_rows; i++)
        sheet->places[i].tid -= 10;
    place->tid = -1;
    values = distribution_of("ExcSec");
    ok(!values->is_process && values->n_places == 0 && values->n == 0,
       "and are never taken as a process");
    hpmviz_distribution_free(values);
    for (guint i = 0; i < sheet->n_rows; i++)
        sheet->places[i].tid += 10;
    *place = kept;
}

static void
test_bins(void)
{
    struct hpmviz_distribution *values = distribution_of("ExcSec");
    guint n = 0;

    for (size_t i = 0; i < values->histogram.n_bins; i++)
        n += values->counts[i];
    is_count(n, 4, "each value is in one bin");
    is_near(values->box.median, 2.5, 1e-12, "the box has the median");
    hpmviz_distribution_free(values);
}

/* ---- words -------------------------------------------------------------- */

static void
expect_place(const struct hpmviz_distribution *values, int task, int tid,
             const char *expected, const char *sentence)
{
    struct hpm_string text = {0};

    hpmviz_distribution_add_place(
        values, hpmviz_distribution_find(values, task, tid), &text);
    is_text(hpm_string_text(&text), expected, sentence);
    hpm_string_free(&text);
}

static void
test_words(void)
{
    struct hpmviz_distribution *values = distribution_of("FP_OPS");
    struct hpm_string text = {0};

    expect_place(values, 0, 1,
                 "task 0 thread 1 on node a: 200, an estimate: counted part of "
                 "the time, number 2 of 2 in the order",
                 "a place is told with its value, mark and rank");
    expect_place(values, 1, 0,
                 "task 1 thread 0 on node b: never ran, too few counters",
                 "and one without a value with the reason");
    hpmviz_distribution_add_summary(values, &text);
    is_text(
        hpm_string_text(&text),
        "2 of 4 threads have a value. 2 have no value (not drawn in the "
        "histogram and in the order): 1 "
        "never ran, 1 n/a. Smallest 100 (task 0 thread 0 on node a), median "
        "150, mean 150, largest 200 (task 0 thread 1 on node a), "
        "largest/mean 1.333. Half of the values lie from 125 to 175; values "
        "beyond the whiskers: 0. Not counted all the time, or partly missing "
        "(hollow): 1.",
        "the summary has all that the plots show");
    hpm_string_free(&text);
    hpmviz_distribution_free(values);
}

static void
test_csv(void)
{
    struct hpmviz_distribution *values = distribution_of("FP_OPS");
    struct hpm_string text = {0};

    hpmviz_distribution_add_csv(values, NULL, &text);
    is_text(hpm_string_text(&text),
            "section,metric,unit,task,thread,node,value,state,is_partial,rank,"
            "reason\n"
            "calc,FP_OPS,,0,0,a,100,counted,no,1,\n"
            "calc,FP_OPS,,0,1,a,200,shared,no,2,\n"
            "calc,FP_OPS,,1,0,b,,unscheduled,no,,too few counters\n"
            "calc,FP_OPS,,1,1,b,,unsupported,no,,no such event\n",
            "the CSV has each place, and an empty field where no value is");
    hpm_string_free(&text);
    hpmviz_distribution_free(values);
}

/* ---- some places ------------------------------------------------------- */

static gboolean
has(const char *text, int number)
{
    g_autofree char *problem = NULL;
    g_autoptr(GArray) ranges = hpmviz_ranges_read(text, &problem);

    return ranges != NULL && hpmviz_ranges_has(ranges, number);
}

static void
test_ranges(void)
{
    static const char *const wrong[] = {"x",   "1-",  "3-1",         "1:0",
                                        "-1",  "1 2", "99999999999", "1,,2",
                                        "1-x", "1:"};
    g_autofree char *problem = NULL;
    gboolean are_wrong = TRUE;

    ok(has("3", 3) && !has("3", 2) && has(" 1 - 4 , 9", 9) && has("1-4,9", 4) &&
           !has("1-4,9", 5),
       "numbers and ranges, with blanks or without");
    ok(has("4-12:4", 8) && has("4-12:4", 12) && !has("4-12:4", 6),
       "every fourth number of a range");
    ok(has("", 7) && has(" ", -1), "no text stands for all");
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *why = NULL;
        g_autoptr(GArray) ranges = hpmviz_ranges_read(wrong[i], &why);

        are_wrong &= ranges == NULL && why != NULL;
    }
    ok(are_wrong, "what is no range is refused");
    ok(hpmviz_ranges_read("1-3, 5x", &problem) == NULL,
       "also behind a good one");
    is_text(problem,
            "'5x': expected numbers and ranges, such as 0-7, 12, 16-64:4",
            "and named");
}

static void
expect_choice(const struct hpmviz_choice *choice, const char *expected,
              const char *sentence)
{
    struct hpm_string text = {0};

    for (size_t i = 0; choice != NULL && i < study->n_places; i++) {
        const struct hpm_study_place *place = &study->places[i];

        if (choice->are_kept[i])
            hpm_string_add_format(&text, " %d.%d",
                                  study->tasks[place->task].number, place->tid);
    }
    is_text(hpm_string_text(&text), expected, sentence);
    hpm_string_free(&text);
}

static void
test_choice(void)
{
    gboolean are_taken[5] = {FALSE};
    const struct hpmviz_loaded loaded = {.study = study};
    g_autofree char *problem = NULL;
    struct hpmviz_choice *choice =
        hpmviz_choice_of_ranges(&loaded, "0", "", &problem);

    expect_choice(choice, " 0.0 0.1 0.-1",
                  "all places of a task are chosen by its number, the process "
                  "too");
    is_text(choice->name, "tasks 0", "and told by it");
    hpmviz_choice_free(choice);
    choice = hpmviz_choice_of_ranges(&loaded, " ", "", &problem);
    expect_choice(choice, " 0.0 0.1 0.-1 1.0 1.1",
                  "fields that are empty choose all places");
    hpmviz_choice_free(choice);
    choice = hpmviz_choice_of_ranges(&loaded, "", "1", &problem);
    expect_choice(choice, " 0.1 1.1", "a thread of each task by the thread's");
    hpmviz_choice_free(choice);
    ok(hpmviz_choice_of_ranges(&loaded, "7", "0-3", &problem) == NULL,
       "numbers that no place has choose nothing");
    is_text(problem, "The open files have no tasks 7, threads 0-3.",
            "which is said");
    for (guint i = 0; i < sheet->n_rows; i++)
        are_taken[i] = sheet->places[i].tid >= 0 &&
                       sheet->places[i].task != sheet->places[i].tid;
    choice = hpmviz_choice_of_rows(&loaded, sheet, are_taken, "some");
    ok(choice != NULL && strcmp(choice->name, "some") == 0, "rows are chosen");
    expect_choice(choice, " 0.1 1.0", "with their places");
    hpmviz_choice_free(choice);
    for (guint i = 0; i < sheet->n_rows; i++)
        are_taken[i] = sheet->places[i].tid == -1;
    choice = hpmviz_choice_of_rows(&loaded, sheet, are_taken, "some");
    expect_choice(choice, " 0.0 0.1 0.-1",
                  "of a process all places of its task are chosen");
    hpmviz_choice_free(choice);
}

/* As loaded with these places alone; the sentence about them. */
static void
expect_restriction(bool are_kept[5], const char *expected, const char *said)
{
    struct hpm_error err = {""};
    struct hpmviz_loaded whole = {.study = study};
    struct hpmviz_loaded loaded = {
        .whole = &whole, .group = HPMVIZ_NO_GROUP, .chosen = (char[]){"some"}};
    g_autofree char *sentence = NULL;

    loaded.study = hpm_placecut_new(study, are_kept, 0, &err);
    sentence = hpmviz_restriction_sentence(&loaded);
    is_text(sentence, expected, said);
    hpm_study_free(loaded.study);
}

/* As if the file were a mean of eight runs. */
static void
test_runs(void)
{
    struct hpmviz_distribution *values =
        hpmviz_distribution_new(sheet, hpmviz_sheet_find_name(sheet, "ExcSec"));
    struct hpmviz_value *value =
        &sheet->values[values->rows[0] * sheet->n_columns + values->column];
    const struct hpmviz_value before = *value;
    struct hpm_string text = {0};

    value->n_runs = 8;
    hpmviz_distribution_add_place(values, values->rows[0], &text);
    ok(strstr(hpm_string_text(&text),
              ", mean of 8 runs, whose spread is not in the file, number 1") !=
           NULL,
       "of a mean without its spread that is said");
    hpm_string_clear(&text);
    value->run_min = 0.5;
    value->run_max = 1.5;
    value->run_dev = 0.25;
    hpmviz_distribution_add_place(values, values->rows[0], &text);
    ok(strstr(hpm_string_text(&text),
              ", mean of 8 runs from 0.500000 s to 1.500000 s, deviation "
              "0.250000 s, number 1") != NULL,
       "else how far apart the runs were");
    *value = before;
    hpm_string_free(&text);
    hpmviz_distribution_free(values);
}

static void
test_restriction(void)
{
    bool first_task[5] = {true, true, true, false, false};
    bool first_threads[5] = {true, false, false, true, false};

    expect_restriction(first_task, "Only 1 of 2 tasks are shown: some",
                       "of whole tasks tasks are counted");
    expect_restriction(first_threads, "Only 2 of 4 threads are shown: some",
                       "of others threads");
}

/* ---- planes ------------------------------------------------------------- */

static gboolean
is_topology(const char *text, const char *name)
{
    g_autofree char *problem = NULL, *found = NULL;
    struct hpmviz_topology topology;

    if (!hpmviz_topology_read(text, &topology, &problem))
        return name == NULL && problem != NULL;
    found = hpmviz_topology_name(&topology);
    return g_strcmp0(found, name) == 0;
}

static void
test_topology(void)
{
    static const char *const wrong[] = {"",
                                        "x",
                                        "8x",
                                        "8x0",
                                        "8x-1",
                                        "8 x8",
                                        "8xx8",
                                        "1048577",
                                        "2048x2048",
                                        "99999999999999999999x9",
                                        "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"};
    gboolean are_wrong = TRUE;

    ok(is_topology("8x8x4", "8x8x4") && is_topology(" 64 ", "64") &&
           is_topology("2X3", "2x3") && is_topology("1024x1024", "1024x1024"),
       "dimensions are read");
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++)
        are_wrong &= is_topology(wrong[i], NULL);
    ok(are_wrong, "what is no grid, or too large, is refused");
}

/* Cells as task.thread, "." for a place without a row, "|" for a gap. */
static void
expect_cells(const struct hpmviz_placegrid *grid, const char *expected,
             const char *sentence)
{
    struct hpm_string text = {0};

    for (guint i = 0; i < grid->n_columns * grid->n_rows; i++) {
        guint row = grid->cells[i];

        hpm_string_add(&text, i > 0 && i % grid->n_columns == 0 ? "/" : " ");
        if (row >= HPMVIZ_GAP)
            hpm_string_add(&text, row == HPMVIZ_GAP ? "|" : ".");
        else
            hpm_string_add_format(&text, "%d.%d", sheet->places[row].task,
                                  sheet->places[row].tid);
    }
    is_text(hpm_string_text(&text), expected, sentence);
    hpm_string_free(&text);
}

static void
expect_given(const struct hpmviz_distribution *values, const char *topology,
             const char *words, const char *cells, const char *sentence)
{
    struct hpmviz_placegrid *grid = hpmviz_placegrid_new(values, topology);

    is_text(grid->words, words, "what the plane shows is told");
    expect_cells(grid, cells, sentence);
    hpmviz_placegrid_free(grid);
}

static void
test_planes(void)
{
    struct hpmviz_distribution *values = distribution_of("ExcSec");
    struct hpmviz_placegrid *grid = hpmviz_placegrid_of_threads(values);
    guint row = hpmviz_distribution_find(values, 0, 0);

    ok(hpmviz_placegrid_step(grid, values, row, 1, 0) ==
               hpmviz_distribution_find(values, 0, 1) &&
           hpmviz_placegrid_step(grid, values, row, 0, 1) ==
               hpmviz_distribution_find(values, 1, 0) &&
           hpmviz_placegrid_step(grid, values, row, -1, 0) == HPMVIZ_NONE,
       "steps go to the places beside, and not beyond the edge");
    hpmviz_placegrid_free(grid);
    expect_given(values, NULL, "tasks by threads", " 0.0 0.1/1.0 1.1",
                 "a row for each task");
    expect_given(values, "1x1x2", "1x1x2, tasks by their numbers",
                 " 0.0 0.1 1.0 1.1",
                 "a task is as many cells as threads, the last dimension to "
                 "the right");
    expect_given(values, "3x1x1", "3x1x1, tasks by their numbers",
                 " 0.0 0.1 | 1.0 1.1 | . .",
                 "planes stand beside each other with gaps between them");
    expect_given(values, "1",
                 "1, tasks by their numbers; 2 threads have no place in it",
                 " 0.0 0.1", "who has no place in a grid is counted");
    expect_given(values, "8by8",
                 "topology '8by8': expected 1 to 16 numbers above 0 with an x "
                 "between them, such as 8x8x4, and at most 1048576 places",
                 " 0.0 0.1/1.0 1.1", "what is no grid changes nothing");
    hpmviz_distribution_free(values);
}

/* The grid of task 0, as a damaged file may have it. */
static void
expect_recorded(const struct hpmviz_distribution *values, const char *dims,
                const char *coords, const char *cells)
{
    struct hpm_task *task = &study->tasks[0];
    struct hpm_task kept = *task;
    g_autofree char *sentence = g_strdup_printf("the grid %s of a file", dims);
    struct hpmviz_placegrid *grid;

    task->dims = dims;
    task->coords = coords;
    task->periods = &"0 0 0 0"[7 - strlen(coords)];
    grid = hpmviz_placegrid_new(values, NULL);
    expect_cells(grid, cells, sentence);
    ok(g_str_has_prefix(grid->words, "tasks by threads: the grid ") ==
           (strchr(cells, '/') != NULL),
       "and a sentence says where that grid is too large");
    hpmviz_placegrid_free(grid);
    *task = kept;
}

static void
test_large_planes(void)
{
    struct hpmviz_distribution *values = distribution_of("ExcSec");

    expect_recorded(values, "2 1 2", "1 0 1", " . . . . | . . 0.0 0.1");
    expect_recorded(values, "65537 1 65535", "9 0 0", " 0.0 0.1/1.0 1.1");
    expect_recorded(values, "1431655765", "0", " 0.0 0.1/1.0 1.1");
    expect_recorded(values, "2147483647", "9", " 0.0 0.1/1.0 1.1");
    expect_recorded(values, "65536 65536 1 1", "1 1 0 0", " 0.0 0.1/1.0 1.1");
    expect_given(values, "1024x1024",
                 "tasks by threads: the grid 1024x1024 has more than 1048576 "
                 "cells, with one for each thread of a task and the gaps "
                 "between planes; give a smaller grid",
                 " 0.0 0.1/1.0 1.1",
                 "a grid that has too many cells for its threads only");
    hpmviz_distribution_free(values);
}

/* ---- two metrics, and roofs ---------------------------------------------- */

static void
test_pair(void)
{
    struct hpmviz_distribution *x = distribution_of("FP_OPS");
    struct hpmviz_distribution *y = distribution_of("IPC");
    struct hpm_string text = {0};

    hpmviz_distribution_add_pair(x, y, &text);
    is_text(
        hpm_string_text(&text),
        "2 of 4 threads have both values. FP_OPS is from 100 to 200. IPC is "
        "from 0.500 to 2.500.",
        "places with both values are counted");
    hpm_string_free(&text);
    hpmviz_distribution_free(x);
    hpmviz_distribution_free(y);
}

static void
test_no_roofs(void)
{
    struct hpmviz_distribution *values = distribution_of("ExcSec");
    struct hpmviz_roofline *roofline = hpmviz_roofline_new(values);
    struct hpm_string text = {0};

    hpmviz_roofline_add_summary(roofline, values, &text);
    ok(roofline->n == 0 && strstr(hpm_string_text(&text), "hpm doctor --roofs"),
       "without roofs there is no roofline, and how to get one is said");
    ok(hpmviz_roofline_find(roofline, 0) == NULL, "no row has a point then");
    hpm_string_free(&text);
    hpmviz_roofline_free(roofline);
    hpmviz_distribution_free(values);
}

int
main(void)
{
    g_setenv("HPM_DEFS", "", TRUE);
    study = read_study_of("calc", 10);
    survey = survey_of(study);
    sheet = hpmviz_sheet_new(survey, 0);
    hpmviz_sheet_fill(sheet, G_MAXUINT);
    test_order();
    test_lacks();
    test_summed();
    test_bins();
    test_words();
    test_csv();
    test_ranges();
    test_choice();
    test_restriction();
    test_runs();
    test_topology();
    test_planes();
    test_large_planes();
    test_pair();
    test_no_roofs();
    hpmviz_sheet_free(sheet);
    hpm_survey_free(survey);
    hpm_study_free(study);
    return done();
}
