/* SPDX-License-Identifier: BSD-3-Clause
 * The algebra of studies: properties that hold for any measurement. */
#include "config.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/memory.h"
#include "study/columns/anchor.h"
#include "study/columns/cut.h"
#include "study/columns/placecut.h"
#include "study/columns/diff.h"
#include "study/columns/lacks.h"
#include "study/columns/mean.h"
#include "study/columns/merge.h"
#include "study/file/reader.h"
#include "study/file/studyfile.h"
#include "tap.h"

static uint64_t random_state = 20261121;

/* Random numbers, always the same. */
static uint64_t
next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int
below(int n)
{
    return (int)(next_random() % (unsigned)n);
}

/* ---- studies made by hand -------------------------------------------- */

struct making {
    struct hpm_study *study;
    uint32_t rows[16];
    uint32_t task;
    uint32_t after; /* the column that was set last in the row */
};

static const char *
text(struct hpm_study *study, const char *words)
{
    return hpm_names_keep_text(&study->names, words);
}

static uint32_t
begin_task(struct hpm_study *study, int number, const char *program,
           const char *start)
{
    uint32_t i = hpm_study_add_task(study, number);
    struct hpm_task *task = &study->tasks[i];

    task->has_run = true;
    task->program = text(study, program);
    task->job = text(study, "");
    task->start = text(study, start);
    task->seconds =
        (struct hpm_number){.amount = 2000000000, .kind = HPM_NUMBER_SECONDS};
    task->is_complete = HPM_YES;
    return i;
}

/* The counters of the task, in its order. */
static void
describe_counters(struct hpm_study *study, uint32_t i)
{
    static const char *const names[] = {"loads", "cycles", "misses"};
    struct hpm_task *task = &study->tasks[i];

    task->has_counters = true;
    task->counters = hpm_arena_new(&study->arena, 3, sizeof *task->counters);
    task->counters_capacity = task->n_counters = 3;
    for (int j = 0; j < 3; j++)
        task->counters[j].name = text(study, names[j]);
}

static void
add_source(struct hpm_study *study, const char *file)
{
    study->sources = hpm_arena_new(&study->arena, 8, sizeof *study->sources);
    study->sources_capacity = 8;
    study->sources[study->n_sources++].file = text(study, file);
}

static uint32_t
add_row(struct hpm_study *study, uint32_t task, int tid, uint32_t parent,
        const char *label, int line)
{
    struct hpm_study_section section = {
        .parent = parent == HPM_NO_INDEX
                      ? HPM_NO_INDEX
                      : hpm_study_row(study, parent)->section,
        .scope = HPM_SCOPE_THREAD,
        .instance = 1,
        .line = line,
        .label = text(study, label),
        .base = text(study, "swim.f"),
        .file = text(study, "/src/swim.f")};
    struct hpm_row row = {.section = hpm_study_add_section(study, &section),
                          .place = hpm_study_add_place(study, task, tid),
                          .parent = parent,
                          .within = HPM_NO_INDEX,
                          .line_end = line + 5};

    return hpm_study_add_row(study, &row);
}

static void
add_datum(struct hpm_study *study, uint32_t row, const char *name,
          const struct hpm_datum *datum)
{
    uint32_t column = hpm_study_add_column(study, text(study, name), NULL,
                                           HPM_COLUMN_COUNTER);
    uint32_t after = column > 0 ? column - 1 : HPM_NO_INDEX;

    hpm_study_set_datum(study, row, column, after, datum);
}

static void
add_count(struct hpm_study *study, uint32_t row, const char *name,
          uint64_t value, uint64_t exclusive)
{
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};

    datum.numbers[HPM_FIELD_VALUE] = hpm_number_count(value);
    datum.numbers[HPM_FIELD_EXCLUSIVE] = hpm_number_count(exclusive);
    add_datum(study, row, name, &datum);
}

/* A study of one section "main" in one thread. */
static struct hpm_study *
make_simple(int task, const char *file, const char *counter, uint64_t value)
{
    struct hpm_study *study = hpm_study_new(0);
    uint32_t i = begin_task(study, task, "swim", "2026-11-20T11:30:00.123Z");
    uint32_t row = add_row(study, i, 0, HPM_NO_INDEX, "main", 7);

    add_source(study, file);
    add_count(study, row, "Count", 1, 1);
    add_count(study, row, counter, value, value);
    return study;
}

/* ---- studies of all kinds -------------------------------------------- */

static struct hpm_number
random_number(void)
{
    switch (below(3)) {
    case 0:
        return hpm_number_count(next_random() >> (16 + below(48)));
    case 1:
        return (struct hpm_number){.amount = next_random() >> 24,
                                   .kind = HPM_NUMBER_SECONDS};
    default:
        return hpm_number_real((double)(next_random() >> 30) / 3.0);
    }
}

static void
add_random_data(struct hpm_study *study, uint32_t row)
{
    static const char *const names[] = {"cycles", "misses", "loads"};
    uint64_t calls = 1 + (uint64_t)below(9);

    add_count(study, row, "Count", calls, calls);
    for (int i = 0; i < 3; i++) {
        struct hpm_datum datum = {.state = HPM_STATE_COUNTED};

        if (below(4) == 0)
            continue;
        datum.numbers[HPM_FIELD_VALUE] = random_number();
        datum.numbers[HPM_FIELD_EXCLUSIVE] = random_number();
        datum.numbers[HPM_FIELD_MEAN] = hpm_number_real(below(1000) / 7.0);
        if (calls > 1)
            datum.numbers[HPM_FIELD_SDEV] = hpm_number_real(below(100) / 3.0);
        if (below(6) == 0) {
            datum = (struct hpm_datum){.state = HPM_STATE_UNSUPPORTED,
                                       .reason = text(study, "no such event")};
        } else if (below(6) == 0) {
            datum.state = HPM_STATE_SHARED;
            datum.numbers[HPM_FIELD_SHARE] = hpm_number_real(0.5);
        }
        add_datum(study, row, names[i], &datum);
    }
    if (below(4) == 0)
        hpm_study_set_extra(study, row, HPM_EXTRA_OUTER, hpm_number_count(1));
}

/* Sections of a fixed tree, some of them in each thread. */
static void
add_random_rows(struct hpm_study *study, uint32_t task)
{
    static const char *const labels[] = {"main",  "init",  "loop",
                                         "solve", "solve", "sum"};
    static const int parents[] = {-1, 0, 0, 1, 2, 2};

    for (int tid = 0; tid < 2; tid++) {
        uint32_t rows[6];

        for (int i = 0; i < 6; i++) {
            bool has_parent =
                parents[i] < 0 || rows[parents[i]] != HPM_NO_INDEX;

            rows[i] = HPM_NO_INDEX;
            if (!has_parent || below(5) == 0)
                continue;
            rows[i] = add_row(study, task, tid,
                              parents[i] < 0 ? HPM_NO_INDEX : rows[parents[i]],
                              labels[i], 10 * (i % 4) + 1);
            add_random_data(study, rows[i]);
        }
    }
}

static struct hpm_study *
make_random(int task, const char *file)
{
    struct hpm_study *study = hpm_study_new(0);
    uint32_t i = begin_task(study, task, "swim", "2026-11-20T11:30:00.123Z");

    add_source(study, file);
    describe_counters(study, i);
    add_random_rows(study, i);
    hpm_study_rank_columns(study);
    return study;
}

/* ---- as bytes -------------------------------------------------------- */

static char *
print(const struct hpm_study *study)
{
    struct hpm_string string = {0};
    char *copy;

    if (study == NULL)
        return strdup("none");
    hpm_studyfile_print(study, &string);
    copy = strdup(hpm_string_text(&string));
    hpm_string_free(&string);
    return copy;
}

static bool
are_same(const struct hpm_study *a, const struct hpm_study *b)
{
    char *x = print(a), *y = print(b);
    bool is_same = strcmp(x, y) == 0;

    if (!is_same)
        printf("# ---- got\n%s# ---- expected\n%s", x, y);
    free(x);
    free(y);
    return is_same;
}

/* Written to a file and read again. */
static struct hpm_study *
through_file(const struct hpm_study *study)
{
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};
    struct hpm_study *again;
    char *bytes = print(study);
    int fd = memfd_create("test", MFD_CLOEXEC);

    if (write(fd, bytes, strlen(bytes)) < 0 || lseek(fd, 0, SEEK_SET) != 0)
        exit(99);
    again = hpm_reader_read_open(fd, "x", 0, &report, &err);
    if (again == NULL || report.notes.n > 0 || report.n_unknown > 0)
        printf("# %s %s\n", err.text, hpm_string_text(&report.notes.lines));
    if (report.notes.n > 0 || report.n_unknown > 0) {
        hpm_study_free(again);
        again = NULL;
    }
    hpm_notes_free(&report.notes);
    close(fd);
    free(bytes);
    return again;
}

static bool
comes_back(const struct hpm_study *study)
{
    struct hpm_study *again = study != NULL ? through_file(study) : NULL;
    bool is_same = again != NULL && are_same(again, study);

    hpm_study_free(again);
    return is_same;
}

/* The number of a section's counter in the first thread that has it. */
static struct hpm_number
find_number(const struct hpm_study *study, const char *label,
            const char *counter, enum hpm_field field)
{
    for (uint32_t i = 0; study != NULL && i < study->n_rows; i++) {
        uint32_t section = hpm_study_row(study, i)->section;

        for (uint32_t j = 0; j < study->n_columns; j++) {
            if (strcmp(study->sections[section].label, label) == 0 &&
                strcmp(study->columns[j].name, counter) == 0)
                return hpm_study_number(study, i, j, field);
        }
    }
    return (struct hpm_number){0};
}

static void
check_number(const struct hpm_study *study, const char *label,
             const char *counter, enum hpm_field field, const char *expected,
             const char *sentence)
{
    struct hpm_string string = {0};

    hpm_number_add(&string, find_number(study, label, counter, field));
    is_text(hpm_string_text(&string), expected, sentence);
    hpm_string_free(&string);
}

/* ---- merge ----------------------------------------------------------- */

static struct hpm_study *
merge(const struct hpm_study *const *studies, size_t n)
{
    struct hpm_study *merged = hpm_study_new(0);
    struct hpm_error err = {""};
    bool is_broken;

    for (size_t i = 0; i < n; i++) {
        if (!hpm_merge_add(merged, studies[i], false, &is_broken, &err))
            printf("# %s\n", err.text);
    }
    if (hpm_merge_end(merged, false, &err))
        return merged;
    printf("# %s\n", err.text);
    hpm_study_free(merged);
    return NULL;
}

enum { N_STUDIES = 4 };

static void
make_tasks(struct hpm_study **studies)
{
    static const char *const files[] = {"a.xml", "b.xml", "c.xml", "d.xml"};

    for (int i = 0; i < N_STUDIES; i++)
        studies[i] = make_random((i * 7 + 3) % 10, files[i]);
}

static void
free_all(struct hpm_study **studies, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hpm_study_free(studies[i]);
}

static void
shuffle(const struct hpm_study **studies, size_t n)
{
    for (size_t i = n - 1; i > 0; i--) {
        size_t j = next_random() % (i + 1);
        const struct hpm_study *kept = studies[i];

        studies[i] = studies[j];
        studies[j] = kept;
    }
}

/* ((a b) (c d)), with files in between. */
static bool
is_associative(const struct hpm_study *const *studies,
               const struct hpm_study *all)
{
    struct hpm_study *left = merge(studies, 2);
    struct hpm_study *right = merge(studies + 2, 2);
    const struct hpm_study *halves[] = {right, through_file(left)};
    struct hpm_study *both = merge(halves, 2);
    bool is_same = are_same(both, all);

    hpm_study_free((struct hpm_study *)halves[1]);
    hpm_study_free(left);
    hpm_study_free(right);
    hpm_study_free(both);
    return is_same;
}

static void
test_merge(void)
{
    bool is_commutative = true, associates = true, is_kept = true;

    for (int i = 0; i < 60; i++) {
        struct hpm_study *studies[N_STUDIES], *all, *again;
        const struct hpm_study *order[N_STUDIES];

        make_tasks(studies);
        memcpy(order, studies, sizeof order);
        all = merge(order, N_STUDIES);
        shuffle(order, N_STUDIES);
        again = merge(order, N_STUDIES);
        is_commutative = is_commutative && are_same(again, all);
        associates = associates && is_associative(order, all);
        is_kept = is_kept && comes_back(all) && all->n_tasks == N_STUDIES;
        hpm_study_free(all);
        hpm_study_free(again);
        free_all(studies, N_STUDIES);
    }
    ok(is_commutative, "merged in any order, the bytes are the same");
    ok(associates, "merged in steps, through files, too");
    ok(is_kept, "what was merged can be written and read again");
}

static bool
is_refused(const struct hpm_study *a, const struct hpm_study *b,
           const char *word)
{
    struct hpm_study *merged = hpm_study_new(0);
    struct hpm_error err = {""};
    bool is_broken, is_right;

    hpm_merge_add(merged, a, false, &is_broken, &err);
    is_right = !hpm_merge_add(merged, b, false, &is_broken, &err) &&
               !is_broken && merged->n_tasks == a->n_tasks;
    is_right = (is_right || !hpm_merge_end(merged, false, &err)) &&
               strstr(err.text, word) != NULL;
    if (!is_right)
        printf("# %s\n", err.text);
    hpm_study_free(merged);
    return is_right;
}

/* A task whose time is not known does not affect the tasks after it. */
static void
test_unknown_time(void)
{
    struct hpm_study *merged = hpm_study_new(0);
    struct hpm_error err = {""};
    bool is_broken, is_good = true;

    for (int i = 0; i < 3; i++) {
        static const char *const starts[] = {"", "2026-11-20T11:30:00.123Z",
                                             "2026-11-20T11:30:03.000Z"};
        struct hpm_study *study = make_simple(i, "a.xml", "cycles", 10);

        study->tasks[0].start = text(study, starts[i]);
        is_good &= hpm_merge_add(merged, study, false, &is_broken, &err);
        hpm_study_free(study);
    }
    ok(is_good && !hpm_merge_end(merged, false, &err) &&
           strstr(err.text, "task 2 began 0.87") != NULL,
       "behind a task of unknown time, one that began too late is named");
    hpm_study_free(merged);
}

static void
test_one_run(void)
{
    struct hpm_study *a = make_simple(0, "a.xml", "cycles", 10);
    struct hpm_study *b = make_simple(0, "b.xml", "cycles", 20);
    struct hpm_study *c = make_simple(1, "c.xml", "cycles", 20);
    struct hpm_study *merged = hpm_study_new(0);
    bool is_broken;

    ok(is_refused(a, b, "b.xml is of task 0"), "a task twice is named");
    c->tasks[0].program = text(c, "mg");
    ok(is_refused(a, c, "c.xml is of the program 'mg'"),
       "another program is named");
    c->tasks[0].program = text(c, "swim");
    c->tasks[0].job = text(c, "77");
    ok(is_refused(a, c, "c.xml is of the job '77'"), "another job is named");
    c->tasks[0].job = text(c, "");
    c->tasks[0].start = text(c, "2026-11-20T11:30:03.000Z");
    ok(is_refused(a, c, "task 1 began 0.87"),
       "a task that began after another had ended is named");
    ok(hpm_merge_add(merged, a, true, &is_broken, NULL) &&
           hpm_merge_add(merged, b, true, &is_broken, NULL) &&
           hpm_merge_add(merged, c, true, &is_broken, NULL) &&
           hpm_merge_end(merged, true, NULL) && merged->n_tasks == 3 &&
           merged->tasks[1].number == 1 && merged->tasks[2].number == 2,
       "forced, all are taken, and no number twice");
    hpm_study_free(merged);
    merged = hpm_study_new(0);
    a->tasks[0].number = b->tasks[0].number = INT_MAX;
    ok(hpm_merge_add(merged, a, true, &is_broken, NULL) &&
           hpm_merge_add(merged, b, true, &is_broken, NULL) &&
           merged->n_tasks == 2 && merged->tasks[0].number == INT_MAX &&
           merged->tasks[1].number == 0,
       "behind the largest number comes the first free one");
    hpm_study_free(merged);
    hpm_study_free(a);
    hpm_study_free(b);
    hpm_study_free(c);
}

/* ---- mean ------------------------------------------------------------ */

static const struct hpm_mean_options plain = {0};

static struct hpm_study *
mean(const struct hpm_study *const *studies, size_t n)
{
    struct hpm_error err = {""};
    struct hpm_study *result = hpm_mean(studies, n, &plain, &err);

    if (result == NULL)
        printf("# %s\n", err.text);
    return result;
}

static void
make_runs(struct hpm_study **studies)
{
    static const char *const files[] = {"a.xml", "b.xml", "c.xml", "d.xml"};

    for (int i = 0; i < N_STUDIES; i++)
        studies[i] = make_random(0, files[i]);
}

static void
test_mean_properties(void)
{
    bool is_itself = true, is_commutative = true, is_kept = true;

    for (int i = 0; i < 60; i++) {
        struct hpm_study *studies[N_STUDIES], *all, *again, *one;
        const struct hpm_study *order[N_STUDIES];

        make_runs(studies);
        memcpy(order, studies, sizeof order);
        one = mean(order, 1);
        is_itself = is_itself && are_same(one, studies[0]);
        all = mean(order, N_STUDIES);
        shuffle(order, N_STUDIES);
        again = mean(order, N_STUDIES);
        is_commutative = is_commutative && are_same(again, all);
        is_kept = is_kept && comes_back(all);
        hpm_study_free(one);
        hpm_study_free(all);
        hpm_study_free(again);
        free_all(studies, N_STUDIES);
    }
    ok(is_itself, "the mean of one is itself");
    ok(is_commutative, "averaged in any order, the bytes are the same");
    ok(is_kept, "a mean can be written and read again");
}

static void
test_mean_values(void)
{
    struct hpm_study *studies[] = {make_simple(0, "a.xml", "cycles", 1),
                                   make_simple(0, "b.xml", "cycles", 2),
                                   make_simple(0, "c.xml", "cycles", 6)};
    const struct hpm_study *const *all =
        (const struct hpm_study *const *)studies;
    struct hpm_study *of_all = mean(all, 3), *of_two = mean(all, 2);
    const struct hpm_study *steps[] = {of_two, studies[2]};
    struct hpm_study *in_steps = mean(steps, 2);

    check_number(of_all, "main", "cycles", HPM_FIELD_VALUE, "3",
                 "the mean of 1, 2 and 6 is 3");
    check_number(of_all, "main", "cycles", HPM_FIELD_RUNS, "3",
                 "it is of three runs");
    check_number(of_all, "main", "cycles", HPM_FIELD_MIN, "1",
                 "the smallest is kept");
    check_number(of_all, "main", "cycles", HPM_FIELD_MAX, "6",
                 "the largest is kept");
    is_near(hpm_number_to_real(
                find_number(of_all, "main", "cycles", HPM_FIELD_DEV)),
            sqrt(7), 1e-15, "their deviation is the root of 7");
    check_number(of_two, "main", "cycles", HPM_FIELD_VALUE, "1.5",
                 "a mean need not be whole");
    check_number(in_steps, "main", "cycles", HPM_FIELD_VALUE, "3",
                 "the mean of a mean of two and one is that of three");
    check_number(in_steps, "main", "cycles", HPM_FIELD_RUNS, "3",
                 "with all runs");
    is_near(hpm_number_to_real(
                find_number(in_steps, "main", "cycles", HPM_FIELD_DEV)),
            sqrt(7), 1e-12, "and their deviation");
    check_number(of_all, "main", "Count", HPM_FIELD_DEV, "0",
                 "what is the same in all runs has no deviation");
    hpm_study_free(of_all);
    hpm_study_free(of_two);
    hpm_study_free(in_steps);
    free_all(studies, 3);
}

/* 2^64 - 1 and 2^64 - 3: a double could not tell them apart. */
/* A section lacks a value that the section around it has, in a column before
 * its own. */
static void
test_mean_columns(void)
{
    struct hpm_study *studies[] = {make_simple(0, "a.xml", "loads", 100),
                                   make_simple(0, "b.xml", "loads", 100)};
    struct hpm_study *result;

    for (int i = 0; i < 2; i++)
        add_count(studies[i], add_row(studies[i], 0, 0, 0, "inner", 20),
                  "cycles", 7, 7);
    result = mean((const struct hpm_study *const *)studies, 2);
    check_number(result, "inner", "cycles", HPM_FIELD_VALUE, "7",
                 "what a section lacks hides nothing else of it");
    hpm_study_free(result);
    free_all(studies, 2);
}

static void
test_mean_exact(void)
{
    struct hpm_study *studies[] = {
        make_simple(0, "a.xml", "cycles", UINT64_MAX),
        make_simple(0, "b.xml", "cycles", UINT64_MAX - 2)};
    struct hpm_study *result =
        mean((const struct hpm_study *const *)studies, 2);

    check_number(result, "main", "cycles", HPM_FIELD_VALUE,
                 "18446744073709551614", "counts of 64 bits average exactly");
    hpm_study_free(result);
    free_all(studies, 2);
}

/* Per-call values: 2 calls of mean 10, 3 calls of mean 20. */
static void
test_mean_per_call(void)
{
    struct hpm_study *studies[2];
    struct hpm_study *result;

    for (int i = 0; i < 2; i++) {
        struct hpm_datum datum = {.state = HPM_STATE_COUNTED};
        uint32_t task;
        uint32_t row;

        studies[i] = hpm_study_new(0);
        task = begin_task(studies[i], 0, "swim", "2026-11-20T11:30:00.123Z");
        row = add_row(studies[i], task, 0, HPM_NO_INDEX, "main", 7);
        add_count(studies[i], row, "Count", i == 0 ? 2 : 3, 0);
        datum.numbers[HPM_FIELD_VALUE] = hpm_number_count(i == 0 ? 20 : 60);
        datum.numbers[HPM_FIELD_MEAN] = hpm_number_real(i == 0 ? 10 : 20);
        datum.numbers[HPM_FIELD_SDEV] = hpm_number_real(0);
        add_datum(studies[i], row, "cycles", &datum);
    }
    result = mean((const struct hpm_study *const *)studies, 2);
    is_near(hpm_number_to_real(
                find_number(result, "main", "cycles", HPM_FIELD_MEAN)),
            16, 1e-14, "the mean per call is over the calls of all runs");
    is_near(hpm_number_to_real(
                find_number(result, "main", "cycles", HPM_FIELD_SDEV)),
            sqrt(120.0 / 4), 1e-13, "and so is the deviation");
    hpm_study_free(result);
    free_all(studies, 2);
}

static void
test_mean_refusals(void)
{
    struct hpm_study *studies[] = {make_simple(0, "a.xml", "cycles", 1),
                                   make_simple(0, "b.xml", "cycles", 2)};
    const struct hpm_study *const *both =
        (const struct hpm_study *const *)studies;
    struct hpm_error err = {""};

    studies[1]->tasks[0].program = text(studies[1], "mg");
    ok(hpm_mean(both, 2, &plain, &err) == NULL &&
           strstr(err.text, "b.xml is of the program 'mg'") != NULL,
       "runs of different programs are named");
    studies[0]->tasks[0].machine.pmu = text(studies[0], "skl");
    studies[1]->tasks[0].machine.pmu = text(studies[1], "amd64_zen2");
    ok(hpm_mean(both, 2, &(struct hpm_mean_options){.is_forced = true}, &err) ==
               NULL &&
           strstr(err.text, "different processors") != NULL,
       "counters of different processors are not combined, forced or not");
    ok(hpm_mean(both, 0, &plain, &err) == NULL, "of nothing there is no mean");
    free_all(studies, 2);
}

static struct hpm_study *
make_of_tasks(const int *numbers, size_t n, uint64_t cycles)
{
    struct hpm_study *studies[4], *merged;

    for (size_t i = 0; i < n; i++)
        studies[i] = make_simple(numbers[i], "a.xml", "cycles", cycles);
    merged = merge((const struct hpm_study *const *)studies, n);
    free_all(studies, n);
    return merged;
}

/* The tasks before it have no PMU, or the same one. */
static void
test_mean_last_pmu(void)
{
    static const int numbers[] = {0, 1, 2};
    struct hpm_study *studies[] = {make_of_tasks(numbers, 3, 10),
                                   make_of_tasks(numbers, 3, 20)};
    struct hpm_error err = {""};

    studies[0]->tasks[1].machine.pmu = text(studies[0], "skl");
    studies[1]->tasks[1].machine.pmu = text(studies[1], "skl");
    studies[1]->tasks[2].machine.pmu = text(studies[1], "amd64_zen2");
    ok(hpm_mean((const struct hpm_study *const *)studies, 2, &plain, &err) ==
               NULL &&
           strstr(err.text, "different processors") != NULL,
       "nor are those of which only the last task is of another processor");
    free_all(studies, 2);
}

static void
test_mean_last_program(void)
{
    struct hpm_study *studies[] = {make_simple(0, "a.xml", "cycles", 1),
                                   make_simple(0, "b.xml", "cycles", 2),
                                   make_simple(0, "c.xml", "cycles", 3),
                                   make_simple(0, "d.xml", "cycles", 4)};
    struct hpm_error err = {""};

    studies[0]->tasks[0].program = NULL;
    studies[2]->tasks[0].program = NULL;
    studies[3]->tasks[0].program = text(studies[3], "mg");
    ok(hpm_mean((const struct hpm_study *const *)studies, 4, &plain, &err) ==
               NULL &&
           strstr(err.text, "d.xml is of the program 'mg', others are of "
                            "'swim'") != NULL,
       "nor those of which only the last is of another program");
    printf("# %s\n", err.text);
    free_all(studies, 4);
}

/* ---- tasks left out ------------------------------------------------- */

static void
check_left_out(const struct hpm_study *study, uint64_t n_said,
               const char *expected, const char *sentence)
{
    struct hpm_string lines = {0};

    hpm_lacks_add_lines(study, n_said, &lines);
    is_text(hpm_string_text(&lines), expected, sentence);
    hpm_string_free(&lines);
}

static void
test_left_out(void)
{
    struct hpm_study *study = make_simple(0, "a.xml", "cycles", 1);

    check_left_out(study, 0, "", "nothing is left out, nothing is said");
    hpm_lacks_add(study, "y", NULL);
    check_left_out(study, 0, "1 file was left out: 'y'\n", "one file");
    hpm_lacks_add(study, "x", "torn");
    hpm_lacks_add(study, "y", NULL);
    check_left_out(study, 0, "2 files were left out: 'x' (torn); 'y'\n",
                   "two, each said once");
    check_left_out(study, 1, "2 files were left out: 'x' (torn); 'y'\n",
                   "one more than was spoken of");
    check_left_out(study, 2, "", "of both was spoken already");
    hpm_study_free(study);
}

/* ---- integrate ------------------------------------------------------- */

static struct hpm_study *
integrate(const struct hpm_study *const *studies, size_t n)
{
    struct hpm_error err = {""};
    struct hpm_study *result = hpm_integrate(studies, n, &plain, &err);

    if (result == NULL)
        printf("# %s\n", err.text);
    return result;
}

static void
test_integrate(void)
{
    struct hpm_study *studies[] = {make_simple(0, "a.xml", "loads", 100),
                                   make_simple(0, "b.xml", "stores", 50),
                                   make_simple(0, "c.xml", "loads", 104)};
    const struct hpm_study *order[] = {studies[0], studies[1], studies[2]};
    struct hpm_study *all = integrate(order, 3), *again;

    check_number(all, "main", "loads", HPM_FIELD_VALUE, "102",
                 "what two runs counted is their mean");
    check_number(all, "main", "loads", HPM_FIELD_RUNS, "2",
                 "with the number of them");
    check_number(all, "main", "stores", HPM_FIELD_VALUE, "50",
                 "what one run counted is there");
    check_number(all, "main", "stores", HPM_FIELD_RUNS, "", "and is no mean");
    order[0] = studies[2];
    order[2] = studies[0];
    again = integrate(order, 3);
    ok(are_same(again, all), "integrated in any order, the bytes are the same");
    ok(comes_back(all), "what was integrated can be written and read again");
    hpm_study_free(all);
    hpm_study_free(again);
    free_all(studies, 3);
}

static void
test_integrate_states(void)
{
    struct hpm_study *studies[] = {make_simple(0, "a.xml", "loads", 100),
                                   make_simple(0, "b.xml", "Count", 1)};
    struct hpm_datum shared = {.state = HPM_STATE_SHARED};
    struct hpm_study *result;

    shared.numbers[HPM_FIELD_VALUE] = hpm_number_count(200);
    add_datum(studies[1], 0, "loads", &shared);
    result = integrate((const struct hpm_study *const *)studies, 2);
    check_number(result, "main", "loads", HPM_FIELD_VALUE, "100",
                 "what was counted is preferred to what was scaled up");
    hpm_study_free(result);
    result = mean((const struct hpm_study *const *)studies, 2);
    check_number(result, "main", "loads", HPM_FIELD_VALUE, "150",
                 "a mean takes all values");
    hpm_study_free(result);
    free_all(studies, 2);
}

static void
test_integrate_metrics(void)
{
    struct hpm_study *studies[] = {make_simple(0, "a.xml", "loads", 100),
                                   make_simple(0, "b.xml", "loads", 100)};
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};
    struct hpm_study *result;
    uint32_t column;

    datum.numbers[HPM_FIELD_VALUE] = hpm_number_real(0.5);
    for (int i = 0; i < 2; i++) {
        column = hpm_study_add_column(studies[i], text(studies[i], "IPC"), NULL,
                                      HPM_COLUMN_METRIC);
        hpm_study_set_datum(studies[i], 0, column, HPM_NO_INDEX, &datum);
    }
    result = integrate((const struct hpm_study *const *)studies, 2);
    ok(result != NULL &&
           find_number(result, "main", "IPC", HPM_FIELD_VALUE).kind ==
               HPM_NUMBER_NONE,
       "recorded metrics are not averaged");
    hpm_study_free(result);
    free_all(studies, 2);
}

static bool
has_problem(const struct hpm_study *study, const char *word)
{
    for (size_t i = 0; study != NULL && i < study->tasks[0].n_problems; i++) {
        if (strstr(study->tasks[0].problems[i].text, word) != NULL)
            return true;
    }
    return false;
}

static void
test_anchors(void)
{
    struct hpm_study *studies[] = {make_simple(0, "a.xml", "cycles", 1000),
                                   make_simple(0, "b.xml", "cycles", 1300),
                                   make_simple(0, "c.xml", "cycles", 1010)};
    const struct hpm_study *const *all =
        (const struct hpm_study *const *)studies;
    struct hpm_study *result = integrate(all, 3);

    ok(has_problem(result, "b.xml: its cycles are 28.7 % above"),
       "a run whose cycles disagree is named, with the figure");
    ok(!has_problem(result, "a.xml") && !has_problem(result, "c.xml"),
       "the others are not");
    hpm_study_free(result);
    result = hpm_integrate(all, 3, &(struct hpm_mean_options){.tolerance = 0.5},
                           NULL);
    ok(!has_problem(result, "b.xml"), "within the tolerance none is");
    hpm_study_free(result);
    free_all(studies, 3);
    ok(hpm_anchor_is_one("PAPI_TOT_CYC") && hpm_anchor_is_one("cycles:u") &&
           hpm_anchor_is_one("skl::INST_RETIRED:ANY_P") &&
           hpm_anchor_is_one("PM_INST_CMPL") &&
           !hpm_anchor_is_one("page-faults") &&
           !hpm_anchor_is_one("cycles_stalled"),
       "cycles and instructions are known by name");
}

/* ---- difference ------------------------------------------------------ */

static bool
is_all_zero(const struct hpm_study *study)
{
    for (uint32_t i = 0; i < study->n_rows; i++) {
        if (hpm_study_row(study, i)->flags & (HPM_ROW_SIDE_A | HPM_ROW_SIDE_B))
            return false;
        for (uint32_t j = 0; j < study->n_columns; j++) {
            struct hpm_number value =
                hpm_study_number(study, i, j, HPM_FIELD_VALUE);

            if (value.kind != HPM_NUMBER_NONE && hpm_number_to_real(value) != 0)
                return false;
        }
    }
    return true;
}

/* Is every value of one study minus that of the other? */
static bool
is_opposite(const struct hpm_study *a, const struct hpm_study *b)
{
    if (a->n_rows != b->n_rows)
        return false;
    for (uint32_t i = 0; i < a->n_rows; i++) {
        const struct hpm_row *row = hpm_study_row(a, i);
        const char *label = a->sections[row->section].label;
        long double sums[2] = {0, 0};

        /* rows of the two may be in another order: compare the sums for each
         * label */
        for (uint32_t k = 0; k < a->n_rows; k++) {
            for (uint32_t j = 0; j < a->n_columns; j++) {
                const struct hpm_row *x = hpm_study_row(a, k);
                const struct hpm_row *y = hpm_study_row(b, k);
                double u = hpm_number_to_real(
                    hpm_study_number(a, k, j, HPM_FIELD_VALUE));
                double v = hpm_number_to_real(
                    hpm_study_number(b, k, j, HPM_FIELD_VALUE));

                if (!isnan(u) &&
                    strcmp(a->sections[x->section].label, label) == 0)
                    sums[0] += u;
                if (!isnan(v) &&
                    strcmp(b->sections[y->section].label, label) == 0)
                    sums[1] += v;
            }
        }
        if (fabsl(sums[0] + sums[1]) > 1e-9L * fabsl(sums[0]))
            return false;
    }
    return true;
}

static void
test_diff_properties(void)
{
    bool is_zero = true, is_anti = true, is_kept = true;

    for (int i = 0; i < 60; i++) {
        struct hpm_study *studies[N_STUDIES], *none, *there, *back;

        make_runs(studies);
        none = hpm_diff(studies[0], studies[0], 0, NULL);
        there = hpm_diff(studies[0], studies[1], 0, NULL);
        back = hpm_diff(studies[1], studies[0], 0, NULL);
        is_zero = is_zero && is_all_zero(none) && comes_back(none);
        is_anti = is_anti && is_opposite(there, back);
        is_kept = is_kept && comes_back(there);
        hpm_study_free(none);
        hpm_study_free(there);
        hpm_study_free(back);
        free_all(studies, N_STUDIES);
    }
    ok(is_zero, "the difference with itself is zero");
    ok(is_anti, "b - a is minus a - b");
    ok(is_kept, "a difference can be written and read again");
}

static void
test_diff_values(void)
{
    struct hpm_study *a = make_simple(0, "a.xml", "cycles", 100);
    struct hpm_study *b = make_simple(0, "b.xml", "cycles", 90);
    struct hpm_study *result;

    add_count(a, add_row(a, 0, 0, 0, "old", 20), "cycles", 7, 7);
    add_count(b, add_row(b, 0, 0, 0, "new", 30), "cycles", 5, 5);
    result = hpm_diff(a, b, 0, NULL);
    check_number(result, "main", "cycles", HPM_FIELD_VALUE, "-10",
                 "a difference has a sign");
    check_number(result, "main", "cycles", HPM_FIELD_BASE, "100",
                 "and what it was before");
    check_number(result, "main", "cycles", HPM_FIELD_BASE_EXCLUSIVE, "100",
                 "in the section itself, too");
    check_number(result, "old", "cycles", HPM_FIELD_VALUE, "-7",
                 "a section that is gone used less");
    check_number(result, "new", "cycles", HPM_FIELD_VALUE, "5",
                 "a section that is new used more");
    check_number(result, "new", "cycles", HPM_FIELD_BASE, "",
                 "and has no base");
    ok(hpm_study_row(result, 1)->flags == HPM_ROW_SIDE_A &&
           hpm_study_row(result, 2)->flags == HPM_ROW_SIDE_B &&
           hpm_study_row(result, 0)->flags == 0,
       "sections of one side say which");
    ok(result->sources[0].side == HPM_SIDE_A &&
           result->sources[1].side == HPM_SIDE_B,
       "sources say their side");
    hpm_study_free(result);
    hpm_study_free(a);
    hpm_study_free(b);
}

/* Lines move between builds: 20 -> 22, 30 -> 32, and 20 is new. */
static void
test_diff_builds(void)
{
    struct hpm_study *a = hpm_study_new(0), *b = hpm_study_new(0), *result;
    uint32_t task = begin_task(a, 0, "swim", "2026-11-20T11:30:00.123Z");

    add_count(a, add_row(a, task, 0, HPM_NO_INDEX, "loop", 20), "cycles", 10,
              10);
    add_count(a, add_row(a, task, 0, HPM_NO_INDEX, "loop", 30), "cycles", 100,
              100);
    task = begin_task(b, 0, "swim", "2026-11-20T11:31:00.123Z");
    add_count(b, add_row(b, task, 0, HPM_NO_INDEX, "loop", 22), "cycles", 11,
              11);
    add_count(b, add_row(b, task, 0, HPM_NO_INDEX, "loop", 32), "cycles", 102,
              102);
    result = hpm_diff(a, b, 0, NULL);
    ok(result->n_rows == 2 &&
           hpm_study_number(result, 0, 0, HPM_FIELD_VALUE).amount == 1 &&
           hpm_study_number(result, 1, 0, HPM_FIELD_VALUE).amount == 2,
       "sections that moved to other lines are still the same");
    hpm_study_free(result);
    hpm_study_row(b, 0);
    add_count(b, add_row(b, task, 0, HPM_NO_INDEX, "loop", 30), "cycles", 108,
              108);
    result = hpm_diff(a, b, 0, NULL);
    ok(result->n_rows == 3 &&
           hpm_study_number(result, 1, 0, HPM_FIELD_VALUE).amount == 8,
       "but a line that agrees decides");
    hpm_study_free(result);
    hpm_study_free(a);
    hpm_study_free(b);
}

/* ---- cut ------------------------------------------------------------- */

/* main (100, own 10) > init (40, own 15) > solve (25)
 *                    > loop (50, own 20) > solve (30) */
static struct hpm_study *
make_tree(void)
{
    struct hpm_study *study = hpm_study_new(0);
    uint32_t task = begin_task(study, 0, "swim", "2026-11-20T11:30:00.123Z");
    uint32_t top = add_row(study, task, 0, HPM_NO_INDEX, "main", 1);
    uint32_t init = add_row(study, task, 0, top, "init", 2);
    uint32_t in_init = add_row(study, task, 0, init, "solve", 3);
    uint32_t loop = add_row(study, task, 0, top, "loop", 4);
    uint32_t in_loop = add_row(study, task, 0, loop, "solve", 3);

    add_count(study, top, "cycles", 100, 10);
    add_count(study, init, "cycles", 40, 15);
    add_count(study, in_init, "cycles", 25, 25);
    add_count(study, loop, "cycles", 50, 20);
    add_count(study, in_loop, "cycles", 30, 30);
    return study;
}

static void
test_cut_root(void)
{
    struct hpm_study *study = make_tree();
    struct hpm_study *loop = hpm_cut_root(study, "loop", 0, NULL);
    struct hpm_study *solve = hpm_cut_root(study, "solve", 0, NULL);
    struct hpm_study *again = hpm_cut_root(loop, "loop", 0, NULL);
    struct hpm_error err = {""};

    ok(loop->n_rows == 2 && hpm_study_row(loop, 0)->parent == HPM_NO_INDEX &&
           hpm_study_row(loop, 1)->parent == 0,
       "a section and what is inside it are left");
    check_number(loop, "loop", "cycles", HPM_FIELD_VALUE, "50",
                 "with their values");
    ok(are_same(again, loop), "cut once more, nothing changes");
    ok(solve->n_rows == 1, "one section on two paths becomes one");
    check_number(solve, "solve", "cycles", HPM_FIELD_VALUE, "55",
                 "with the sum of both");
    ok(comes_back(loop) && comes_back(solve),
       "a cut can be written and read again");
    ok(hpm_cut_root(study, "Loop", 0, &err) == NULL &&
           strstr(err.text, "'Loop'") != NULL,
       "a label that is not there is named");
    hpm_study_free(study);
    hpm_study_free(loop);
    hpm_study_free(solve);
    hpm_study_free(again);
}

/* Two threads of a task inside a section of the process, and one of another
 * task. */
static void
test_cut_places(void)
{
    struct hpm_study *study = hpm_study_new(0), *all, *some;
    uint32_t tasks[] = {
        begin_task(study, 0, "swim", "2026-11-20T11:30:00.123Z"), 0};
    uint32_t whole = add_row(study, tasks[0], -1, HPM_NO_INDEX, "main", 1);
    bool are_kept[8] = {true, true, true, true, true, true, true, true};
    uint32_t rows[3];

    for (int i = 0; i < 3; i++) {
        uint32_t outer;

        if (i == 2)
            tasks[1] = begin_task(study, 5, "swim", "2026-11-20T11:30:00.123Z");
        outer = add_row(study, tasks[i / 2], i % 2, HPM_NO_INDEX, "loop", 4);
        rows[i] = add_row(study, tasks[i / 2], i % 2, outer, "solve", 3);
        if (i < 2)
            hpm_study_row(study, outer)->within = whole;
        add_count(study, outer, "cycles", 50 + i, 20);
        add_count(study, rows[i], "cycles", 30 + i, 30 + i);
    }
    all = hpm_placecut_new(study, are_kept, 0, NULL);
    ok(are_same(all, study) && !hpm_study_counts_others(all, 1, true),
       "of all places, a study stays as it is, and counts nobody else");
    are_kept[hpm_study_row(study, whole)->place] = false;
    are_kept[hpm_study_row(study, rows[0])->place] = false;
    some = hpm_placecut_new(study, are_kept, 0, NULL);
    ok(some->n_rows == 4 && some->n_tasks == 2 && some->tasks[1].number == 5 &&
           hpm_study_place_of(some, 0)->tid == 1 &&
           hpm_study_place_of(some, 2)->tid == 0,
       "threads that are kept are there, with their tasks");
    ok(hpm_study_row(some, 0)->within == HPM_NO_INDEX &&
           hpm_study_row(some, 1)->parent == 0 &&
           hpm_study_row(some, 3)->parent == 2,
       "inside each other as before, and inside nothing that is gone");
    check_number(some, "solve", "cycles", HPM_FIELD_VALUE, "31",
                 "with their values");
    ok(hpm_study_counts_others(some, 1, false) &&
           !hpm_study_counts_others(some, 3, true),
       "counts of a process have others in them where these are gone");
    are_kept[hpm_study_row(study, rows[1])->place] = false;
    hpm_study_free(some);
    some = hpm_placecut_new(study, are_kept, 0, NULL);
    ok(some->n_rows == 2 && some->n_tasks == 1 && some->tasks[0].number == 5,
       "a task of which nothing is kept is gone");
    ok(hpm_study_counts_others(some, 1, true) &&
           !hpm_study_counts_others(some, 1, false),
       "counts of the node have it in them, for the node is not known");
    ok(comes_back(some), "what is left can be written and read again");
    hpm_study_free(study);
    hpm_study_free(all);
    hpm_study_free(some);
}

static void
test_cut_remove(void)
{
    struct hpm_study *study = make_tree();
    struct hpm_study *rest = hpm_cut_remove(study, "solve", 0, NULL);
    struct hpm_study *less = hpm_cut_remove(study, "loop", 0, NULL);
    struct hpm_study *none = hpm_cut_remove(study, "main", 0, NULL);

    ok(rest->n_rows == 3, "a section is gone wherever it was");
    check_number(rest, "init", "cycles", HPM_FIELD_EXCLUSIVE, "40",
                 "what it used belongs to the section around it");
    check_number(rest, "loop", "cycles", HPM_FIELD_EXCLUSIVE, "50",
                 "and to the other one");
    check_number(rest, "main", "cycles", HPM_FIELD_EXCLUSIVE, "10",
                 "but to no further one");
    check_number(less, "main", "cycles", HPM_FIELD_EXCLUSIVE, "60",
                 "what was inside goes along");
    check_number(less, "main", "cycles", HPM_FIELD_VALUE, "100",
                 "inclusive values stay");
    is_count(none->n_rows, 0, "without the root nothing is left");
    ok(comes_back(rest) && comes_back(less),
       "the rest can be written and read again");
    hpm_study_free(study);
    hpm_study_free(rest);
    hpm_study_free(less);
    hpm_study_free(none);
}

/* ---- sums of unlike values ------------------------------------------ */

/* main > a > work (value 300, own 100), main > b > work (own 150 only). */
static struct hpm_study *
make_mixed(void)
{
    struct hpm_study *study = hpm_study_new(0);
    uint32_t task = begin_task(study, 0, "swim", "2026-11-20T11:30:00.123Z");
    uint32_t top = add_row(study, task, 0, HPM_NO_INDEX, "main", 1);
    uint32_t a = add_row(study, task, 0, top, "a", 2);
    uint32_t b = add_row(study, task, 0, top, "b", 3);
    uint32_t in_a = add_row(study, task, 0, a, "work", 4);
    uint32_t in_b = add_row(study, task, 0, b, "work", 4);
    struct hpm_datum only = {.state = HPM_STATE_COUNTED};

    add_count(study, top, "cycles", 900, 100);
    add_count(study, a, "cycles", 400, 100);
    add_count(study, b, "cycles", 400, 100);
    add_count(study, in_a, "cycles", 300, 100);
    only.numbers[HPM_FIELD_EXCLUSIVE] = hpm_number_count(150);
    only.reason = text(study, HPM_REASON_ONLY_EXCLUSIVE);
    add_datum(study, in_b, "cycles", &only);
    return study;
}

static void
test_only_exclusive(void)
{
    struct hpm_study *study = make_mixed();
    struct hpm_study *work = hpm_cut_root(study, "work", 0, NULL);
    struct hpm_study *twice[] = {study, make_mixed()};
    struct hpm_study *mean_of = mean((const struct hpm_study *const *)twice, 2);
    struct hpm_study *of_mean = hpm_cut_root(mean_of, "work", 0, NULL);
    struct hpm_study *more = hpm_diff(work, work, 0, NULL);

    check_number(work, "work", "cycles", HPM_FIELD_VALUE, "450",
                 "a value not wanted is at least the exclusive one");
    check_number(work, "work", "cycles", HPM_FIELD_PARTIAL, "1",
                 "the sum is partial");
    check_number(work, "work", "cycles", HPM_FIELD_ONLY_EXCLUSIVE, "150",
                 "what of it is exclusive only is said");
    check_number(work, "work", "cycles", HPM_FIELD_EXCLUSIVE, "250",
                 "the exclusive sum is whole");
    ok(comes_back(work), "it can be written and read again");
    check_number(of_mean, "work", "cycles", HPM_FIELD_PARTIAL, "1",
                 "a sum in a mean is partial, too");
    check_number(of_mean, "work", "cycles", HPM_FIELD_ONLY_EXCLUSIVE, "150",
                 "and says how much");
    check_number(more, "work", "cycles", HPM_FIELD_PARTIAL, "1",
                 "a difference of partial values is partial");
    hpm_study_free(twice[1]);
    hpm_study_free(study);
    hpm_study_free(work);
    hpm_study_free(mean_of);
    hpm_study_free(of_mean);
    hpm_study_free(more);
}

/* main 100 > work 40 in one state, 30 in the other. */
static struct hpm_study *
make_states(enum hpm_state state)
{
    struct hpm_study *study = hpm_study_new(0);
    uint32_t task = begin_task(study, 0, "swim", "2026-11-20T11:30:00.123Z");
    uint32_t a = add_row(study, task, 0, HPM_NO_INDEX, "a", 2);
    uint32_t b = add_row(study, task, 0, HPM_NO_INDEX, "b", 3);
    struct hpm_datum datum = {.state = state};

    add_count(study, a, "cycles", 40, 40);
    add_count(study, b, "cycles", 30, 30);
    add_count(study, add_row(study, task, 0, a, "work", 4), "cycles", 40, 40);
    datum.numbers[HPM_FIELD_VALUE] = hpm_number_count(30);
    datum.numbers[HPM_FIELD_EXCLUSIVE] = hpm_number_count(30);
    datum.numbers[HPM_FIELD_CHILDREN] = hpm_number_count(1);
    if (!hpm_state_has_value(state)) {
        datum.numbers[HPM_FIELD_VALUE] = (struct hpm_number){0};
        datum.numbers[HPM_FIELD_EXCLUSIVE] = (struct hpm_number){0};
        datum.reason = text(study, "gone");
    }
    add_datum(study, add_row(study, task, 0, b, "work", 4), "cycles", &datum);
    return study;
}

static void
test_states(void)
{
    struct hpm_study *study = make_states(HPM_STATE_SHARED);
    struct hpm_study *work = hpm_cut_root(study, "work", 0, NULL);
    struct hpm_datum datum = {0};

    hpm_study_get_datum(work, 0, 0, &datum);
    ok(datum.state == HPM_STATE_SHARED &&
           datum.numbers[HPM_FIELD_VALUE].amount == 70,
       "what was counted here and shared there has a sum, which is shared");
    is_count(datum.numbers[HPM_FIELD_CHILDREN].amount, 1,
             "that children were not counted is kept");
    hpm_study_free(study);
    hpm_study_free(work);
    study = make_states(HPM_STATE_LOST);
    work = hpm_cut_root(study, "work", 0, NULL);
    hpm_study_get_datum(work, 0, 0, &datum);
    ok(datum.state == HPM_STATE_LOST && datum.reason != NULL &&
           strcmp(datum.reason, "gone") == 0,
       "what is lost in one of them is lost, and it is said why");
    hpm_study_free(work);
    work = hpm_cut_remove(study, "work", 0, NULL);
    check_number(work, "b", "cycles", HPM_FIELD_VALUE, "30",
                 "without a section that lost its value the one around has "
                 "its own");
    check_number(work, "b", "cycles", HPM_FIELD_EXCLUSIVE, "",
                 "but does not know its exclusive one");
    hpm_study_free(study);
    hpm_study_free(work);
}

/* Only exclusive values around a section whose own value is lost. */
static void
test_nothing_left(void)
{
    struct hpm_study *study = make_mixed(), *rest;
    struct hpm_datum lost = {.state = HPM_STATE_LOST};
    struct hpm_datum datum = {0};

    lost.reason = text(study, "gone");
    add_datum(study, add_row(study, 0, 0, 4, "inner", 9), "cycles", &lost);
    rest = hpm_cut_remove(study, "inner", 0, NULL);
    hpm_study_get_datum(rest, 4, 0, &datum);
    ok(!hpm_state_has_value(datum.state) && datum.reason != NULL &&
           strstr(datum.reason, "cut out") != NULL,
       "where a cut leaves no value it says why");
    ok(comes_back(rest), "and that can be written and read again");
    hpm_study_free(study);
    hpm_study_free(rest);
}

/* ---- tasks that differ ----------------------------------------------- */

/* Task 0 is only in the second study, task 2 only in the first; task 3 is in
 * both, after them. */
static void
test_other_tasks(void)
{
    struct hpm_study *studies[] = {
        make_of_tasks((const int[]){1, 2, 3}, 3, 10),
        make_of_tasks((const int[]){0, 1, 3}, 3, 20)};
    struct hpm_study *both = mean((const struct hpm_study *const *)studies, 2);
    struct hpm_study *more = hpm_diff(studies[0], studies[1], 0, NULL);
    bool is_right = both->n_tasks == 4, is_change = more->n_tasks == 4;
    static const double means[] = {20, 15, 10, 15};
    static const double changes[] = {20, 10, -10, 10};

    for (size_t i = 0; i < 4; i++) {
        is_right &= both->tasks[i].n_rows == 1;
        is_change &= more->tasks[i].n_rows == 1;
    }
    for (uint32_t i = 0; i < 4 && is_right && is_change; i++) {
        is_right &=
            hpm_number_to_real(hpm_study_number(both, i, 1, HPM_FIELD_VALUE)) ==
            means[i];
        is_change &=
            hpm_number_to_real(hpm_study_number(more, i, 1, HPM_FIELD_VALUE)) ==
            changes[i];
    }
    ok(is_right, "the mean of runs with different tasks has all records");
    ok(is_change, "and so has the difference");
    hpm_study_free(both);
    hpm_study_free(more);
    free_all(studies, 2);
}

/* ---- spread over runs ------------------------------------------------ */

static double
real_number(const struct hpm_study *study, const char *label,
            enum hpm_field field)
{
    return hpm_number_to_real(find_number(study, label, "cycles", field));
}

/* Two paths to "work", of 100 and 10 cycles in the first run, and this many
 * more in the next. */
static struct hpm_study *
make_apart(uint64_t more, uint64_t more_there)
{
    struct hpm_study *study = hpm_study_new(0);
    uint32_t task = begin_task(study, 0, "swim", "2026-11-20T11:30:00.123Z");
    uint32_t a = add_row(study, task, 0, HPM_NO_INDEX, "a", 2);
    uint32_t b = add_row(study, task, 0, HPM_NO_INDEX, "b", 3);

    add_source(study, "a.xml");
    add_count(study, a, "cycles", 1000, 1000);
    add_count(study, b, "cycles", 1000, 1000);
    add_count(study, add_row(study, task, 0, a, "work", 4), "cycles",
              100 + more, 100);
    add_count(study, add_row(study, task, 0, b, "work", 4), "cycles",
              10 + more_there, 10);
    return study;
}

static struct hpm_study *
mean_apart(uint64_t more, uint64_t more_there)
{
    struct hpm_study *runs[] = {make_apart(0, 0), make_apart(more, more_there),
                                make_apart(2 * more, 2 * more_there)};
    struct hpm_study *result = mean((const struct hpm_study *const *)runs, 3);

    free_all(runs, 3);
    return result;
}

static void
test_bounds(void)
{
    struct hpm_study *both = mean_apart(6, 4), *one = mean_apart(6, 0);
    struct hpm_study *sum = hpm_cut_root(both, "work", 0, NULL);
    struct hpm_study *exact = hpm_cut_root(one, "work", 0, NULL);

    check_number(sum, "work", "cycles", HPM_FIELD_VALUE, "120",
                 "a sum of two means is the mean of the sums");
    ok(real_number(sum, "work", HPM_FIELD_DEV) == 10 &&
           real_number(sum, "work", HPM_FIELD_MIN) == 110 &&
           real_number(sum, "work", HPM_FIELD_MAX) == 130 &&
           real_number(sum, "work", HPM_FIELD_BOUNDS) == 1,
       "how far its runs are apart has bounds, which are said to be such");
    ok(comes_back(sum), "bounds can be written and read again");
    ok(real_number(exact, "work", HPM_FIELD_DEV) == 6 &&
           isnan(real_number(exact, "work", HPM_FIELD_BOUNDS)),
       "where one part alone differs it is exact");
    hpm_study_free(both);
    hpm_study_free(one);
    hpm_study_free(sum);
    hpm_study_free(exact);
}

static void
test_spread_of_difference(void)
{
    struct hpm_study *a = mean_apart(6, 4), *b = mean_apart(8, 0);
    struct hpm_study *run = make_apart(0, 0);
    struct hpm_study *both = hpm_diff(a, b, 0, NULL);
    struct hpm_study *half = hpm_diff(a, run, 0, NULL);
    struct hpm_study *none = hpm_diff(run, run, 0, NULL);

    ok(real_number(both, "work", HPM_FIELD_VALUE) == 2 &&
           real_number(both, "work", HPM_FIELD_DEV) == 10 &&
           real_number(both, "work", HPM_FIELD_MIN) == 100 - 112 &&
           real_number(both, "work", HPM_FIELD_MAX) == 116 - 100 &&
           real_number(both, "work", HPM_FIELD_RUNS) == 3,
       "the spread of a difference of means is that of run from run");
    ok(comes_back(both), "it can be written and read again");
    ok(real_number(half, "work", HPM_FIELD_RUNS) == 1 &&
           isnan(real_number(half, "work", HPM_FIELD_DEV)),
       "a difference from a single run has none, and says so");
    ok(isnan(real_number(none, "work", HPM_FIELD_RUNS)),
       "a difference of single runs says nothing of runs");
    hpm_study_free(a);
    hpm_study_free(b);
    hpm_study_free(run);
    hpm_study_free(both);
    hpm_study_free(half);
    hpm_study_free(none);
}

/* If one mean does not tell its spread, the spread of all is not known. */
static void
test_unknown_spread(void)
{
    struct hpm_study *runs[] = {make_simple(0, "a.xml", "cycles", 1),
                                make_simple(0, "b.xml", "cycles", 3)};
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};
    struct hpm_study *result;

    datum.numbers[HPM_FIELD_VALUE] = hpm_number_count(3);
    datum.numbers[HPM_FIELD_RUNS] = hpm_number_count(4);
    add_datum(runs[1], 0, "cycles", &datum);
    result = mean((const struct hpm_study *const *)runs, 2);
    check_number(result, "main", "cycles", HPM_FIELD_RUNS, "5",
                 "a mean without spread has the weight of its runs");
    check_number(result, "main", "cycles", HPM_FIELD_DEV, "",
                 "but what it does not tell is not taken for none");
    check_number(result, "main", "cycles", HPM_FIELD_MIN, "",
                 "nor its mean for the smallest");
    hpm_study_free(result);
    free_all(runs, 2);
}

/* After a cut, an exclusive time grows in each run by the part that was cut
 * out. */
static void
test_cut_mean(void)
{
    struct hpm_study *runs[2], *both, *rest;

    for (int i = 0; i < 2; i++) {
        uint32_t task, top;

        runs[i] = hpm_study_new(0);
        task = begin_task(runs[i], 0, "swim", "2026-11-20T11:30:00.123Z");
        top = add_row(runs[i], task, 0, HPM_NO_INDEX, "main", 1);
        add_count(runs[i], top, "ExcSec", 10, 0);
        add_count(runs[i], add_row(runs[i], task, 0, top, "in", 2), "ExcSec",
                  i == 0 ? 5 : 7, 0);
    }
    both = mean((const struct hpm_study *const *)runs, 2);
    rest = hpm_cut_remove(both, "in", 0, NULL);
    check_number(rest, "main", "ExcSec", HPM_FIELD_VALUE, "16",
                 "an exclusive time inherits");
    check_number(rest, "main", "ExcSec", HPM_FIELD_MIN, "15",
                 "and so does its smallest run");
    hpm_study_free(both);
    hpm_study_free(rest);
    free_all(runs, 2);
}

/* ---- size and memory ------------------------------------------------- */

static size_t
count_numbers(const struct hpm_study *study)
{
    size_t n = 0;

    for (uint32_t i = 0; i < study->n_columns; i++) {
        for (uint32_t j = 0; j < study->n_rows; j++) {
            for (int k = 0; k < HPM_N_NUMBERS; k++)
                n += hpm_study_number(study, j, i, (enum hpm_field)k).kind !=
                     HPM_NUMBER_NONE;
        }
    }
    return n;
}

/* 500 tasks with 4 threads and 25 sections, and 10 counters that only the even
 * tasks have. */
static void
test_size(void)
{
    struct hpm_study *study = hpm_study_new(0);

    for (int i = 0; i < 500; i++) {
        uint32_t task =
            begin_task(study, i, "swim", "2026-11-20T11:30:00.123Z");

        for (int j = 0; j < 100; j++) {
            uint32_t row =
                add_row(study, task, j / 25, HPM_NO_INDEX, "loop", j % 25);

            add_count(study, row, "Count", 1, 1);
            for (int k = 0; k < 10; k++) {
                char name[16];

                snprintf(name, sizeof name, "event%d", 10 * (i % 2) + k);
                add_count(study, row, name, 1000, 10);
            }
        }
    }
    printf("# %.1f bytes a number\n",
           (double)study->arena.taken / (double)count_numbers(study));
    ok(study->arena.taken <= 16 * count_numbers(study),
       "all in all a number takes at most 16 bytes");
    hpm_study_free(study);
}

static bool
do_all(const struct hpm_study *const *runs, bool *ret_is_right)
{
    struct hpm_error err = {""};
    struct hpm_study *studies[5] = {NULL};
    struct hpm_study *merged = hpm_study_new(0);
    bool is_broken, is_done = merged != NULL;

    is_done = is_done &&
              hpm_merge_add(merged, runs[0], true, &is_broken, &err) &&
              hpm_merge_add(merged, runs[1], true, &is_broken, &err) &&
              hpm_merge_end(merged, true, &err);
    if (is_done)
        studies[0] = hpm_mean(runs, 2, &plain, &err);
    if (studies[0] != NULL)
        studies[1] = hpm_integrate(runs, 2, &plain, &err);
    if (studies[1] != NULL)
        studies[2] = hpm_diff(runs[0], runs[1], 0, &err);
    if (studies[2] != NULL)
        studies[3] = hpm_cut_root(runs[0], "main", 0, &err);
    if (studies[3] != NULL)
        studies[4] = hpm_cut_remove(runs[0], "main", 0, &err);
    is_done = studies[4] != NULL;
    *ret_is_right = is_done || merged == NULL || err.text[0] != '\0';
    hpm_study_free(merged);
    free_all(studies, 5);
    return is_done;
}

static void
test_no_memory(void)
{
    struct hpm_study *runs[] = {make_random(0, "a.xml"),
                                make_random(0, "b.xml")};
    bool is_done = false, is_right = true;
    unsigned long k;

    for (k = 1; k < 10000 && !is_done && is_right; k++) {
        hpm_memory_fail_at(k, true);
        is_done = do_all((const struct hpm_study *const *)runs, &is_right);
        hpm_memory_fail_at(0, false);
    }
    ok(is_done && k > 5, "every allocation has failed");
    ok(is_right, "without memory there is no result, and it is said");
    free_all(runs, 2);
}

static struct hpm_study *
make_many_tasks(int n)
{
    struct hpm_study *study = hpm_study_new(0);

    for (int i = 0; i < n; i++)
        begin_task(study, i, "swim", "2026-11-21T10:00:00");
    return study;
}

/* So many tasks that the data about all of them have an allocation of their
 * own; when it fails, the next ones find memory. */
static void
test_no_memory_once(void)
{
    enum { N_TASKS = 2000 };
    struct hpm_study *runs[] = {make_many_tasks(N_TASKS),
                                make_many_tasks(N_TASKS)};
    unsigned long n_failed = 0;
    bool is_right = true;

    for (unsigned long k = 1; k < 100 && is_right; k++) {
        struct hpm_error err = {""};
        struct hpm_study *result;

        hpm_memory_fail_at(k, false);
        result = hpm_diff(runs[0], runs[1], 0, &err);
        hpm_memory_fail_at(0, false);
        n_failed += result == NULL;
        is_right =
            result != NULL ? result->n_tasks == N_TASKS : err.text[0] != '\0';
        hpm_study_free(result);
    }
    ok(n_failed > 5, "single allocations of a difference have failed");
    ok(is_right, "it has all tasks, or there is none, and that is said");
    free_all(runs, 2);
}

int
main(void)
{
    test_merge();
    test_one_run();
    test_unknown_time();
    test_mean_properties();
    test_mean_values();
    test_mean_columns();
    test_mean_exact();
    test_mean_per_call();
    test_mean_refusals();
    test_mean_last_pmu();
    test_mean_last_program();
    test_left_out();
    test_integrate();
    test_integrate_states();
    test_integrate_metrics();
    test_anchors();
    test_diff_properties();
    test_diff_values();
    test_diff_builds();
    test_cut_root();
    test_cut_places();
    test_cut_remove();
    test_only_exclusive();
    test_states();
    test_nothing_left();
    test_other_tasks();
    test_bounds();
    test_spread_of_difference();
    test_unknown_spread();
    test_cut_mean();
    test_size();
    test_no_memory();
    test_no_memory_once();
    return done();
}
