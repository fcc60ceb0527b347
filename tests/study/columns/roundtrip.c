/* SPDX-License-Identifier: BSD-3-Clause
 * A file is read as it was written: random studies, and results of the algebra,
 * are written, read and written again, and must give the same bytes.  And every
 * missing value has a reason.
 *
 * The seed is printed; it is the same at each run except with HPM_TEST_ALL.
 * HPM_TEST_SEED sets another one, HPM_TEST_ROUNDS the number of studies. */
#include "config.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "study/columns/cut.h"
#include "study/columns/diff.h"
#include "study/columns/jobsummary.h"
#include "study/columns/mean.h"
#include "study/columns/merge.h"
#include "study/columns/placecut.h"
#include "study/columns/studybytes.h"
#include "study/columns/transfer.h"
#include "study/file/reader.h"
#include "study/file/studyfile.h"
#include "study/metric/renew.h"
#include "tap.h"

enum { N_RUNS = 3, MOST_ROWS = 48, N_LABELS = 6 };

static uint64_t random_state;

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

/* One time in n. */
static bool
rarely(int n)
{
    return below(n) == 0;
}

static const char *
text(struct hpm_study *study, const char *words)
{
    return hpm_names_keep_text(&study->names, words);
}

/* ---- random values --------------------------------------------------- */

static struct hpm_number
count(void)
{
    return hpm_number_count(next_random() >> (20 + below(44)));
}

static struct hpm_number
seconds(void)
{
    return (struct hpm_number){.amount = next_random() >> (24 + below(30)),
                               .kind = HPM_NUMBER_SECONDS};
}

static struct hpm_number
real(void)
{
    return hpm_number_real((double)(next_random() >> 30) / 7.0);
}

static void
set(struct hpm_study *study, uint32_t row, const char *name, const char *unit,
    enum hpm_column_kind kind, const struct hpm_datum *datum)
{
    uint32_t column =
        hpm_study_add_column(study, text(study, name),
                             unit != NULL ? text(study, unit) : NULL, kind);
    const struct hpm_task *task = hpm_study_task_of(study, row);
    uint32_t after = HPM_NO_INDEX;

    for (size_t i = 0; i < task->n_columns; i++) {
        enum hpm_state state;

        if (hpm_study_get_state(study, row, task->columns[i], &state))
            after = task->columns[i];
    }
    hpm_study_set_datum(study, row, column, after, datum);
}

/* A counter as one of the toolkit's writers could have written it. */
static void
add_counter(struct hpm_study *study, uint32_t row, const char *name,
            bool is_only_exclusive)
{
    static const char *const reasons[] = {"no such event", "it was closed"};
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};

    if (rarely(8)) {
        datum.state = (enum hpm_state)(HPM_STATE_LOST + below(3));
        datum.reason = text(study, reasons[below(2)]);
        datum.is_hidden = rarely(4);
        set(study, row, name, NULL, HPM_COLUMN_COUNTER, &datum);
        return;
    }
    if (!is_only_exclusive)
        datum.numbers[HPM_FIELD_VALUE] = rarely(3) ? real() : count();
    else
        datum.reason = text(study, HPM_REASON_ONLY_EXCLUSIVE);
    if (is_only_exclusive || !rarely(6))
        datum.numbers[HPM_FIELD_EXCLUSIVE] = count();
    if (!is_only_exclusive && !rarely(3)) {
        datum.numbers[HPM_FIELD_MEAN] = real();
        datum.numbers[HPM_FIELD_SDEV] = real();
        datum.numbers[HPM_FIELD_OVERHEAD] = count();
    }
    if (rarely(6)) {
        datum.state = HPM_STATE_SHARED;
        datum.numbers[HPM_FIELD_SHARE] = hpm_number_real(0.25 * below(5));
        datum.numbers[HPM_FIELD_ERROR] = real();
        datum.numbers[HPM_FIELD_ERROR_EXCLUSIVE] = real();
        datum.numbers[HPM_FIELD_WINDOWS] = hpm_number_count(4 + below(90));
        datum.numbers[HPM_FIELD_FREEDOM] = hpm_number_count(3 + below(12));
    }
    if (rarely(9))
        datum.numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
    if (rarely(9))
        datum.numbers[HPM_FIELD_CHILDREN] = hpm_number_count(1);
    if (rarely(9))
        datum.numbers[HPM_FIELD_CLAMPED] = hpm_number_count(1);
    set(study, row, name, NULL, HPM_COLUMN_COUNTER, &datum);
}

static void
add_one(struct hpm_study *study, uint32_t row, const char *name,
        const char *unit, enum hpm_column_kind kind, struct hpm_number number)
{
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};

    datum.numbers[HPM_FIELD_VALUE] = number;
    set(study, row, name, unit, kind, &datum);
}

/* Not every record has all values, nor in the same order. */
static void
add_data(struct hpm_study *study, uint32_t row)
{
    static const char *const names[] = {"PM_CYC", "PM_INST_CMPL",
                                        "PM_LD_REF_L1", "ru::utime"};
    bool is_only_exclusive = rarely(4);
    int first = rarely(5) ? below(4) : 0;

    add_one(study, row, "Count", NULL, HPM_COLUMN_COUNTER,
            hpm_number_count(1 + (uint64_t)below(9)));
    add_one(study, row, "ExcSec", "s", HPM_COLUMN_TIME, seconds());
    if (!is_only_exclusive)
        add_one(study, row, "IncSec", "s", HPM_COLUMN_TIME, seconds());
    for (int i = 0; i < 4; i++) {
        if (!rarely(5))
            add_counter(study, row, names[(i + first) % 4], is_only_exclusive);
    }
    if (rarely(3))
        add_one(study, row, "work::cells", "cells", HPM_COLUMN_COUNTER,
                count());
    if (rarely(3))
        add_one(study, row, "IPC", NULL, HPM_COLUMN_METRIC, real());
    if (rarely(4))
        hpm_study_set_extra(study, row, HPM_EXTRA_OUTER, hpm_number_count(1));
    if (rarely(9))
        hpm_study_set_extra(study, row, HPM_EXTRA_SKIPPED, hpm_number_count(3));
    if (rarely(9))
        hpm_study_set_extra(study, row, HPM_EXTRA_OMP, hpm_number_count(1));
}

/* ---- random studies -------------------------------------------------- */

static const char *const labels[N_LABELS] = {"main", "solve", "sum",
                                             "sum",  "io",    ""};

/* A section cannot be open twice on a path. */
static bool
is_on_path(const struct hpm_study *study, uint32_t section, int which)
{
    for (; section != HPM_NO_INDEX; section = study->sections[section].parent) {
        if (study->sections[section].line == 10 * which + 1)
            return true;
    }
    return false;
}

static void
add_row(struct hpm_study *study, uint32_t place, bool is_process,
        uint32_t parent, uint32_t within)
{
    static const unsigned flags[] = {HPM_ROW_OPEN, HPM_ROW_SHORT,
                                     HPM_ROW_OVERLAP, HPM_ROW_FIRST_CALLS,
                                     HPM_ROW_HIDDEN};
    int which = below(N_LABELS);
    uint32_t above = parent != HPM_NO_INDEX
                         ? hpm_study_row(study, parent)->section
                         : HPM_NO_INDEX;
    struct hpm_study_section section = {
        .parent = above,
        .scope = is_process ? HPM_SCOPE_PROCESS : HPM_SCOPE_THREAD,
        .instance = which % 3,
        .line = 10 * which + 1,
        .label = text(study, labels[which]),
        .base = text(study, which == 4 ? "" : "swim.f"),
        .file = text(study, which == 4 ? "" : "/src/swim.f")};
    struct hpm_row row = {.place = place,
                          .parent = parent,
                          .within = within,
                          .line_end = section.line + below(9)};

    if (is_on_path(study, above, which))
        return;
    row.section = hpm_study_add_section(study, &section);
    for (uint32_t i = 0; i < study->n_rows; i++) {
        const struct hpm_row *other = hpm_study_row(study, i);

        if (other->section == row.section && other->place == place)
            return;
    }
    for (int i = 0; i < 4; i++)
        row.flags |= rarely(7) ? flags[i] : 0;
    add_data(study, hpm_study_add_row(study, &row));
}

static void
add_place(struct hpm_study *study, uint32_t task, int tid)
{
    uint32_t place = hpm_study_add_place(study, task, tid);
    uint32_t first = (uint32_t)study->n_rows;
    int n = 1 + below(9);

    for (int i = 0; i < n; i++) {
        uint32_t n_here = (uint32_t)study->n_rows - first;
        uint32_t parent = n_here > 0 && !rarely(4)
                              ? first + (uint32_t)below((int)n_here)
                              : HPM_NO_INDEX;
        uint32_t within = HPM_NO_INDEX;

        if (tid >= 0 && rarely(3) && study->tasks[task].n_rows > 0 &&
            study->places[hpm_study_row(study, study->tasks[task].first_row)
                              ->place]
                    .tid == -1)
            within = (uint32_t)study->tasks[task].first_row;
        add_row(study, place, tid < 0, parent, within);
    }
}

static void
describe(struct hpm_study *study, uint32_t i)
{
    static const char *const names[] = {"PM_CYC", "PM_INST_CMPL"};
    struct hpm_task *task = &study->tasks[i];

    task->has_run = task->has_machine = true;
    task->program = text(study, "swim");
    task->job = text(study, "");
    task->start = text(study, "2026-11-20T11:30:00.123Z");
    task->seconds = seconds();
    task->is_complete = rarely(4) ? HPM_NO : HPM_YES;
    if (task->is_complete == HPM_NO)
        task->reason = text(study, "ended by signal 9");
    task->machine.pmu = text(study, "power4");
    task->machine.n_cpus = hpm_number_count(4);
    if (rarely(2))
        return;
    task->has_counters = true;
    task->counters = hpm_arena_new(&study->arena, 2, sizeof *task->counters);
    task->counters_capacity = task->n_counters = 2;
    for (int j = 0; j < 2; j++)
        task->counters[j].name = text(study, names[j]);
}

static struct hpm_study *
make(int task, int run)
{
    struct hpm_study *study = hpm_study_new(0);
    uint32_t i = hpm_study_add_task(study, task);
    char name[40];

    snprintf(name, sizeof name, "%d.%d.hpm.xml", run, task);
    study->sources = hpm_arena_new(&study->arena, 8, sizeof *study->sources);
    study->sources_capacity = 8;
    study->sources[study->n_sources++].file = text(study, name);
    describe(study, i);
    if (rarely(2))
        add_place(study, i, -1);
    for (int tid = 0; tid < 1 + below(2); tid++)
        add_place(study, i, tid);
    hpm_study_rank_columns(study);
    return study;
}

/* ---- the properties -------------------------------------------------- */

static char *
print(const struct hpm_study *study)
{
    struct hpm_string string = {0};
    char *copy;

    hpm_studyfile_print(study, &string);
    copy = strdup(hpm_string_text(&string));
    hpm_string_free(&string);
    return copy;
}

/* NULL, with a message, when it cannot be read without a note. */
static struct hpm_study *
read_again(const char *bytes)
{
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};
    struct hpm_study *study;
    int fd = memfd_create("again", MFD_CLOEXEC);

    if (write(fd, bytes, strlen(bytes)) < 0 || lseek(fd, 0, SEEK_SET) != 0)
        exit(99);
    study = hpm_reader_read_open(fd, "again", 0, &report, &err);
    if (study == NULL || report.notes.n > 0 || report.n_unknown > 0) {
        printf("# %s %s\n", err.text, hpm_string_text(&report.notes.lines));
        hpm_study_free(study);
        study = NULL;
    }
    hpm_notes_free(&report.notes);
    close(fd);
    return study;
}

/* Show the first line in which two texts differ. */
static void
show_difference(const char *a, const char *b)
{
    const char *line_a = a, *line_b = b;

    for (; *a != '\0' && *a == *b; a++, b++) {
        if (*a == '\n') {
            line_a = a + 1;
            line_b = b + 1;
        }
    }
    printf("# first:  %.*s\n# second: %.*s\n", (int)strcspn(line_a, "\n"),
           line_a, (int)strcspn(line_b, "\n"), line_b);
}

static bool
is_told(const struct hpm_study *study)
{
    struct hpm_datum datum;

    for (uint32_t i = 0; i < study->n_rows; i++) {
        for (uint32_t j = 0; j < study->n_columns; j++) {
            bool has_value, has_exclusive;

            if (!hpm_study_get_datum(study, i, j, &datum))
                continue;
            has_value = datum.numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE;
            has_exclusive =
                datum.numbers[HPM_FIELD_EXCLUSIVE].kind != HPM_NUMBER_NONE;
            if (has_value == (datum.reason == NULL) &&
                (has_value || has_exclusive ||
                 !hpm_state_has_value(datum.state)))
                continue;
            printf("# record %u, %s: value %d, exclusive %d, %s, %s\n", i + 1,
                   study->columns[j].name, has_value, has_exclusive,
                   hpm_state_name(datum.state),
                   datum.reason != NULL ? datum.reason : "no reason");
            return false;
        }
    }
    return true;
}

/* Numbers of trials and of failures. */
static int n_tried, n_changed, n_untold, n_moved_wrong, n_summed_wrong;
static int n_worked_out_wrong;

/* ---- as bytes, from task to task --------------------------------------- */

/* Which of the bytes are changed is random; each study is read, or refused. */
static void
read_damaged(const struct hpm_string *bytes)
{
    for (int i = 0; i < 20; i++) {
        size_t at = (size_t)below((int)bytes->length);
        char kept = bytes->text[at];
        struct hpm_error err = {""};
        size_t length = rarely(2) ? at : bytes->length;
        struct hpm_study *study;

        bytes->text[at] = (char)next_random();
        study = hpm_studybytes_read(bytes->text, length, 64 << 20, &err);
        if (study == NULL && err.text[0] == '\0')
            n_moved_wrong++;
        if (study != NULL && length < bytes->length)
            n_moved_wrong++;
        hpm_study_free(study);
        bytes->text[at] = kept;
    }
}

/* What another task reads is what this one has. */
static void
move(const struct hpm_study *study, const char *what)
{
    struct hpm_study *copy = hpm_transfer_copy(study, 0), *moved = NULL;
    struct hpm_string bytes = {0};
    struct hpm_error err = {""};
    char *first, *second;

    if (copy != NULL && hpm_studybytes_write(copy, &bytes, &err))
        moved = hpm_studybytes_read(bytes.text, bytes.length, 0, &err);
    first = copy != NULL ? print(copy) : strdup("no copy\n");
    second = moved != NULL ? print(moved) : strdup("not read\n");
    if (strcmp(first, second) != 0) {
        printf("# %s, sent as bytes: changed; %s\n", what, err.text);
        show_difference(first, second);
        n_moved_wrong++;
    }
    if (bytes.length > 0)
        read_damaged(&bytes);
    free(first);
    free(second);
    hpm_string_free(&bytes);
    hpm_study_free(copy);
    hpm_study_free(moved);
}

/* Returns the study as it was read again; frees the given one. */
static struct hpm_study *
check(struct hpm_study *study, const char *what)
{
    struct hpm_study *again;
    char *first, *second;

    if (study == NULL)
        return NULL;
    n_tried++;
    first = print(study);
    again = read_again(first);
    second = again != NULL ? print(again) : strdup("not read\n");
    if (strcmp(first, second) != 0) {
        printf("# %s: changed\n", what);
        show_difference(first, second);
        n_changed++;
    }
    if (n_tried % 4 == 0)
        move(study, what);
    if (!is_told(study) || (again != NULL && !is_told(again))) {
        printf("# in %s\n", what);
        n_untold++;
    }
    free(first);
    free(second);
    hpm_study_free(study);
    return again;
}

/* ---- results of the algebra ----------------------------------------- */

/* Metrics are computed again before anything is written. */
static struct hpm_study *
renew(struct hpm_study *study)
{
    struct hpm_string complaints = {0};
    struct hpm_error err = {""};

    if (study != NULL && !hpm_renew(study, NULL, &complaints, &err))
        printf("# %s\n", err.text);
    hpm_string_free(&complaints);
    return study;
}

static struct hpm_study *
merge(int run)
{
    struct hpm_study *merged = hpm_study_new(0);
    struct hpm_error err = {""};
    bool is_broken;

    for (int task = 0; task < 2; task++) {
        struct hpm_study *study = check(make(task, run), "a run");

        if (study == NULL ||
            !hpm_merge_add(merged, study, true, &is_broken, &err))
            printf("# %s\n", err.text);
        hpm_study_free(study);
    }
    if (!hpm_merge_end(merged, true, &err))
        printf("# %s\n", err.text);
    return check(merged, "a merge");
}

static void
cut_all(const struct hpm_study *study, const char *what)
{
    for (int i = 0; i < N_LABELS; i++) {
        struct hpm_error err = {""};

        hpm_study_free(
            check(renew(hpm_cut_root(study, labels[i], 0, &err)), what));
        hpm_study_free(
            check(renew(hpm_cut_remove(study, labels[i], 0, &err)), what));
    }
}

/* ---- summaries ------------------------------------------------------- */

enum { N_SUMMED = 5 };

/* The summary of some studies, in this order; NULL, with a message, on
 * failure. */
static struct hpm_study *
sum_up(struct hpm_study *const *studies, size_t n)
{
    struct hpm_jobsummary *summary = hpm_jobsummary_new();
    struct hpm_error err = {""};
    struct hpm_study *study = NULL;
    bool is_good = true;

    for (size_t i = 0; i < n && is_good; i++)
        is_good = studies[i] != NULL &&
                  hpm_jobsummary_add(summary, studies[i], false, &err);
    if (is_good)
        study = hpm_jobsummary_study(summary, &err);
    if (study == NULL)
        printf("# %s\n", err.text);
    hpm_jobsummary_free(summary);
    return study;
}

/* A summary names no files, but a file that is read is its own source. */
static struct hpm_study *
with_source(struct hpm_study *study)
{
    if (study == NULL)
        return NULL;
    study->sources = hpm_arena_new(&study->arena, 1, sizeof *study->sources);
    study->sources_capacity = study->n_sources = 1;
    study->sources[0].file = text(study, "again");
    return study;
}

/* The same study, sent as bytes; frees the given one. */
static struct hpm_study *
send(struct hpm_study *study)
{
    struct hpm_string bytes = {0};
    struct hpm_error err = {""};
    struct hpm_study *sent = NULL;

    if (study != NULL && hpm_studybytes_write(study, &bytes, &err))
        sent = hpm_studybytes_read(bytes.text, bytes.length, 0, &err);
    hpm_string_free(&bytes);
    hpm_study_free(study);
    return sent;
}

static void
compare_summaries(const struct hpm_study *a, const struct hpm_study *b)
{
    char *first = a != NULL ? print(a) : strdup("none\n");
    char *second = b != NULL ? print(b) : strdup("none either\n");

    if (strcmp(first, second) != 0) {
        printf("# a summary differs\n");
        show_difference(first, second);
        n_summed_wrong++;
    }
    free(first);
    free(second);
}

/* The summary of tasks at once is that of their summaries, however grouped: of
 * summaries sent to another task, and of those in files. */
static void
try_summary(void)
{
    struct hpm_study *tasks[N_SUMMED], *parts[2], *all, *of_parts;
    size_t first = 1 + (size_t)below(N_SUMMED - 1);

    for (int i = 0; i < N_SUMMED; i++)
        tasks[i] = make(i, 0);
    all = sum_up(tasks, N_SUMMED);
    parts[0] = send(sum_up(tasks, first));
    parts[1] = check(with_source(sum_up(tasks + first, N_SUMMED - first)),
                     "a summary");
    of_parts = sum_up(parts, 2);
    compare_summaries(all, of_parts);
    for (int i = 0; i < 2; i++)
        hpm_study_free(parts[i]);
    hpm_study_free(of_parts);
    hpm_study_free(check(with_source(all), "a summary"));
    for (int i = 0; i < N_SUMMED; i++)
        hpm_study_free(tasks[i]);
}

static void
compare_texts(char *first, char *second, const char *what)
{
    if (strcmp(first, second) != 0) {
        printf("# %s: numbers worked out from both sides differ\n", what);
        show_difference(first, second);
        n_worked_out_wrong++;
    }
    free(first);
    free(second);
}

/* What a difference keeps and what it works out from both sides are the same
 * numbers, also in a copy. */
static void
compare_differences(const struct hpm_study *a, const struct hpm_study *b)
{
    struct hpm_error err = {""};
    struct hpm_study *all = hpm_diff(a, b, 0, &err);
    struct hpm_study *half = hpm_diff_of_kept(a, b, 0, &err);
    struct hpm_study *copies[2];

    if (all == NULL || half == NULL)
        exit(99);
    copies[0] = hpm_placecut_new(all, NULL, 0, &err);
    copies[1] = hpm_placecut_new(half, NULL, 0, &err);
    if (copies[0] == NULL || copies[1] == NULL)
        exit(99);
    compare_texts(print(all), print(half), "a difference");
    compare_texts(print(copies[0]), print(copies[1]), "a copy");
    hpm_study_free(copies[0]);
    hpm_study_free(copies[1]);
    hpm_study_free(half);
    hpm_study_free(all);
}

static void
try_one(void)
{
    const struct hpm_mean_options options = {.is_forced = true};
    struct hpm_study *runs[N_RUNS], *mean, *of_two, *all, *difference;
    const struct hpm_study *const *given =
        (const struct hpm_study *const *)runs;
    struct hpm_error err = {""};

    for (int i = 0; i < N_RUNS; i++)
        runs[i] = rarely(2) ? check(make(0, i), "a run") : merge(i);
    mean = check(renew(hpm_mean(given, N_RUNS, &options, &err)), "a mean");
    of_two = check(renew(hpm_mean(given, 2, &options, &err)), "a mean of two");
    all = check(renew(hpm_integrate(given, N_RUNS, &options, &err)),
                "an integration");
    difference =
        check(renew(hpm_diff(of_two, mean, 0, &err)), "a difference of means");
    hpm_study_free(
        check(renew(hpm_diff(runs[0], runs[1], 0, &err)), "a difference"));
    compare_differences(runs[0], runs[1]);
    compare_differences(of_two, mean);
    cut_all(runs[0], "a cut");
    cut_all(mean, "a cut of a mean");
    cut_all(difference, "a cut of a difference");
    cut_all(all, "a cut of an integration");
    hpm_study_free(mean);
    hpm_study_free(of_two);
    hpm_study_free(all);
    hpm_study_free(difference);
    for (int i = 0; i < N_RUNS; i++)
        hpm_study_free(runs[i]);
}

static uint64_t
number_of(const char *variable, uint64_t otherwise)
{
    const char *value = getenv(variable);

    return value != NULL ? strtoull(value, NULL, 10) : otherwise;
}

int
main(void)
{
    uint64_t rounds = number_of("HPM_TEST_ROUNDS", 12);

    random_state = number_of(
        "HPM_TEST_SEED", getenv("HPM_TEST_ALL") != NULL
                             ? (uint64_t)time(NULL) * 1000 + (uint64_t)getpid()
                             : 20261127);
    printf("# HPM_TEST_SEED=%llu\n", (unsigned long long)random_state);
    for (uint64_t i = 0; i < rounds; i++) {
        try_one();
        try_summary();
    }
    printf("# %d studies\n", n_tried);
    ok(n_tried > 30 * (int)rounds, "studies of all kinds were made");
    is_count((uint64_t)n_changed, 0,
             "written, read and written: no byte is "
             "another one");
    is_count((uint64_t)n_moved_wrong, 0,
             "sent as bytes from task to task: none is another one, damaged "
             "ones are refused or read");
    is_count((uint64_t)n_summed_wrong, 0,
             "a summary of tasks is that of their summaries, to the byte");
    is_count((uint64_t)n_worked_out_wrong, 0,
             "a difference that works out numbers from both sides has those of "
             "one that keeps them");
    is_count((uint64_t)n_untold, 0, "each value is there, or says why not");
    return done();
}
