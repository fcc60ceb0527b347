/* SPDX-License-Identifier: BSD-3-Clause
 * Copies for a journal: word by word as described in the header of
 * snapshots. */
#include "config.h"

#include "record/snapshot.h"

#include <limits.h>

#include "source/clock.h"
#include "source/source.h"
#include "tap.h"

enum { N_SLOTS = 2, N_ROW = 2 * N_SLOTS + HPM_N_EDGES };

static const struct hpm_costs no_costs;
static struct hpm_string copy;
static size_t at; /* words read so far */

static void
begin(void)
{
    hpm_string_clear(&copy);
    at = 0;
}

static uint64_t
next_word(void)
{
    uint64_t word = 0xdead;

    if (at + 8 <= copy.length)
        memcpy(&word, copy.text + at, 8);
    at += 8;
    return word;
}

static void
check_word(uint64_t expected, const char *sentence)
{
    is_count(next_word(), expected, sentence);
}

static void
check_words(const uint64_t *expected, size_t n, const char *sentence)
{
    bool are_right = true;

    for (size_t i = 0; i < n; i++) {
        uint64_t word = next_word();

        are_right = are_right && word == expected[i];
        printf("# %lld %lld\n", (long long)word, (long long)expected[i]);
    }
    ok(are_right, sentence);
}

static void
check_text(const char *expected, const char *sentence)
{
    char text[128] = "";
    uint64_t length = next_word();

    if (length == HPM_JOURNAL_NO_TEXT) {
        is_text(NULL, expected, sentence);
        return;
    }
    if (length < sizeof text && at + length <= copy.length)
        memcpy(text, copy.text + at, length);
    at += (length + 7) / 8 * 8;
    is_text(text, expected, sentence);
}

#define WORDS(...)                                                             \
    (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8

/* ---- a section table --------------------------------------------------- */

static struct hpm_metered metered = {
    .clock_slot = 3, .state = HPM_STATE_LOST, .reason = (char *)"gone"};
static const struct hpm_meter meter = {
    .n_events = 1, .n_slots = N_SLOTS, .events = &metered};

static void
start(struct hpm_calltree *tree, uint64_t ticks, int id, const char *label,
      const struct hpm_node *within)
{
    uint64_t *row = hpm_calltree_start(tree, id, HPM_PARENT_AUTO, label, "a.c",
                                       id + 10, within);

    row[0] = ticks;
    row[1] = 10 * ticks;
}

static void
read_at(struct hpm_calltree *tree, uint64_t ticks)
{
    tree->now[0] = ticks;
    tree->now[1] = 10 * ticks;
}

static void
stop(struct hpm_calltree *tree, uint64_t ticks)
{
    read_at(tree, ticks);
    hpm_calltree_close_top(tree, 99, HPM_COST_STOP);
}

static void
check_head(uint64_t n_sections)
{
    check_words(WORDS(HPM_SNAPSHOT_THREAD, 4, (uint64_t)-1, 5, 1000, 2000,
                      N_SLOTS, N_SLOTS, N_SLOTS, 1, 3),
                "whose it is, when, its shape and its events");
    check_text("lost", "with their states");
    check_text("gone", "and reasons");
    check_word(n_sections, "then its sections");
}

/* "outer" from 1 to 9, with "inner" from 3 to 5, is open at 7. */
static void
test_table(void)
{
    const struct hpm_shape shape = {N_SLOTS, N_SLOTS, N_SLOTS};
    struct hpm_node process = {.number = 6};
    struct hpm_calltree *tree = hpm_calltree_new(&shape, &no_costs, NULL, NULL);
    struct hpm_snapshot table = {.kind = HPM_SNAPSHOT_THREAD,
                                 .tid = 4,
                                 .omp = -1,
                                 .n_threads = 5,
                                 .tree = tree,
                                 .meter = &meter};

    read_at(tree, 0);
    hpm_calltree_begin_run(tree);
    start(tree, 1, 1, "outer", &process);
    start(tree, 3, 2, "inner", NULL);
    hpm_calltree_add_work(tree, 2, 50, "cells");
    stop(tree, 5);
    read_at(tree, 7);
    tree->nodes.first->n_skipped = 8;
    tree->nodes.last->has_overlap = true;
    begin();
    hpm_snapshot_add_table(&copy, &table, (struct hpm_instant){1000, 2000});
    check_head(3);
    check_words(WORDS(0, 7, 1, 11, 11, HPM_SNAPSHOT_OPEN, 1, 1, 8),
                "a section that is open: where it is, and its calls");
    check_text("outer", "its label");
    check_text("a.c", "and file");
    check_words(WORDS(0, 6, 60, 0, 0, 1, 1, 4, 40, 0, 0, 1, 1),
                "no work, its sums until now, and those of its own");
    check_words(WORDS(36, 0, 3600, 0), "and the squares of its calls");
    check_words(WORDS(1, 0, 2, 12, 99, HPM_SNAPSHOT_OVERLAP, 1, 1, 0),
                "one that is closed inside it");
    check_text("inner", "its label");
    check_text("a.c", "and file");
    check_word(1, "its work");
    check_text("cells", "of a unit");
    check_words(WORDS(50, 2, 20, 0, 0, 0, 0, 2, 20, 0, 0, 0, 0, 4, 0, 400, 0),
                "its amount, sums and squares");
    check_words(
        WORDS(0, 0, (uint64_t)INT_MIN, 0, 0, HPM_SNAPSHOT_OUTSIDE, 1, 1, 0),
        "what is outside, while the run goes on");
    check_text(HPM_OUTSIDE_LABEL, "its label");
    check_text("", "and no file");
    check_words(WORDS(0, 7, 70), "all of the run,");
    at += 8 * (N_ROW - N_SLOTS);
    check_words(WORDS(1, 10), "of which the sections do not cover so much,");
    at += 8 * (N_ROW - N_SLOTS);
    check_words(WORDS(0, 0, 0, 0), "no squares,");
    check_word(0, "no samples,");
    check_word(0, "and no single calls");
    is_count(at, copy.length, "that is all");
    hpm_calltree_free(tree);
}

/* A run longer than its counting, and one that has ended. */
static void
test_flags(void)
{
    const struct hpm_shape shape = {N_SLOTS, N_SLOTS, N_SLOTS};
    struct hpm_calltree *tree = hpm_calltree_new(&shape, &no_costs, NULL, NULL);
    struct hpm_snapshot table = {.kind = HPM_SNAPSHOT_THREAD,
                                 .tid = 4,
                                 .omp = -1,
                                 .n_threads = 5,
                                 .uncounted = 100,
                                 .tree = tree,
                                 .meter = &meter};

    read_at(tree, 0);
    hpm_calltree_begin_run(tree);
    read_at(tree, 7);
    begin();
    hpm_snapshot_add_table(&copy, &table, (struct hpm_instant){1000, 2000});
    check_head(1);
    check_words(WORDS(0, 0, (uint64_t)INT_MIN, 0, 0,
                      HPM_SNAPSHOT_OUTSIDE | HPM_SNAPSHOT_ONLY_TIME, 1, 1, 0),
                "of a run longer than its counting only the time is known");
    check_text(HPM_OUTSIDE_LABEL, "its label");
    check_text("", "and no file");
    check_words(WORDS(0, 107), "from its begin on");
    start(tree, 8, 1, "a", NULL);
    stop(tree, 9);
    tree->nodes.first->is_only_exclusive = true;
    tree->nodes.first->is_excluded = true;
    tree->nodes.first->line_end = HPM_LINE_OF_SCOPE;
    hpm_calltree_end_run(tree);
    begin();
    hpm_snapshot_add_table(&copy, &table, (struct hpm_instant){1000, 2000});
    check_head(2);
    check_words(WORDS(0, 0, 1, 11, 0,
                      HPM_SNAPSHOT_ONLY_EXCLUSIVE | HPM_SNAPSHOT_EXCLUDED, 1, 1,
                      0),
                "the end of a scope has no line");
    check_text("a", "its label");
    check_text("a.c", "and file");
    at += 8 * (1 + 2 * N_ROW + 2 * N_SLOTS);
    check_words(
        WORDS(0, 0, (uint64_t)INT_MIN, 0, 0, HPM_SNAPSHOT_OUTSIDE, 1, 1, 0),
        "what is outside of a run that has ended is one of them");
    hpm_calltree_free(tree);
}

static void
test_samples(void)
{
    const struct hpm_shape shape = {N_SLOTS, N_SLOTS, N_SLOTS};
    struct hpm_node node = {.number = 2}, process = {.number = 6};
    struct hpm_sample_count counts[4] = {
        [1] = {&node, &process, 0x100, 3, 1, 9},
        [3] = {NULL, NULL, HPM_SAMPLER_LOST, HPM_MODULES_NO_PART, 0, 8}};
    struct hpm_sampler samples = {
        .counts = counts,
        .n_slots = 4,
        .n_counts = 2,
        .n_dropped = 7,
        .totals = {{true, true, 0, 100}, {true, false, 0, 0}}};
    struct hpm_calltree *tree = hpm_calltree_new(&shape, &no_costs, NULL, NULL);
    struct hpm_snapshot table = {.kind = HPM_SNAPSHOT_THREAD,
                                 .tid = 4,
                                 .omp = -1,
                                 .n_threads = 5,
                                 .tree = tree,
                                 .meter = &meter,
                                 .samples = &samples};

    begin();
    hpm_snapshot_add_table(&copy, &table, (struct hpm_instant){1000, 2000});
    check_head(0);
    check_words(WORDS(HPM_MAX_SAMPLED, 1, 1, 100, 1, 0, 0, 0, 0, 0, 0, 0, 0),
                "what is known of each sampled event");
    check_words(WORDS(7, 2), "how many were dropped, and are there");
    check_words(WORDS(3, 7, 0x100, 3, 1, 9), "a sample of two sections");
    check_words(WORDS(0, 0, UINT64_MAX, UINT32_MAX, 0, 8), "and lost ones");
    check_word(0, "and no single calls");
    is_count(at, copy.length, "that is all");
    hpm_calltree_free(tree);
}

/* Two calls of section 0, three of section 2. */
static void
test_kept_calls(void)
{
    const struct hpm_shape shape = {N_SLOTS, N_SLOTS, N_SLOTS};
    static const uint64_t from[N_ROW], to[N_ROW] = {5};
    struct hpm_calltree *tree = hpm_calltree_new(&shape, &no_costs, NULL, NULL);
    struct hpm_snapshot table = {.kind = HPM_SNAPSHOT_THREAD,
                                 .tid = 4,
                                 .omp = -1,
                                 .n_threads = 5,
                                 .tree = tree,
                                 .meter = &meter,
                                 .most_words = 2 * (2 + N_ROW)};

    tree->reservoirs = hpm_reservoirs_new(N_ROW);
    for (unsigned i = 0; i <= 2; i += 2) {
        hpm_reservoirs_choose(tree->reservoirs, i, 9, 0);
        for (unsigned call = 0; call < 2 + i / 2; call++)
            hpm_reservoir_keep(tree->reservoirs,
                               hpm_reservoirs_of(tree->reservoirs, i), call + 1,
                               from, to);
    }
    begin();
    hpm_snapshot_add_table(&copy, &table, (struct hpm_instant){1000, 2000});
    check_head(0);
    check_words(WORDS(0, 3, 2, 2), "single calls for which there is room");
    at += 8 * 2 * (2 + N_ROW);
    check_words(WORDS(0, 3, 0), "and none where it is too little for all");
    is_count(at, copy.length, "that is all");
    table.most_words = SIZE_MAX;
    begin();
    hpm_snapshot_add_table(&copy, &table, (struct hpm_instant){1000, 2000});
    check_head(0);
    check_words(WORDS(0, 3, 2, 2), "all of them");
    at += 8 * 2 * (2 + N_ROW);
    check_words(WORDS(0, 3, 3, 1), "in a copy of a checkpoint");
    at += 8 * 3 * (2 + N_ROW) - 8;
    is_count(at, copy.length, "that is all");
    hpm_calltree_free(tree);
}

/* ---- the run ----------------------------------------------------------- */

/* Texts from "a" on, in the order of the copy; the last text of the run comes
 * after its numbers. */
static void
describe(struct hpm_experiment *experiment)
{
    struct hpm_run *run = &experiment->run;
    struct hpm_machine *machine = &experiment->machine;
    char **texts[] = {&run->program,
                      &run->job,
                      &run->start,
                      &machine->host,
                      &machine->system,
                      &machine->architecture,
                      &machine->cpu,
                      &machine->pmu,
                      &machine->facts,
                      &machine->mhz_source,
                      &machine->no_counters_reason};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hpm_experiment_set_text(texts[i], (const char[]){(char)('a' + i), 0});
    run->task = 2;
    run->pid = 3;
    run->forked_from = -1;
    machine->mhz = 0.0;
    machine->n_cpus = 8;
    machine->n_allowed = 4;
    machine->has_hardware_counters = true;
}

static void
check_counter(const char *name, uint64_t flags)
{
    check_text(name, "a counter");
    check_text("source", "its source,");
    check_text("words", "description,");
    check_text("", "unit,");
    check_text("user", "domain,");
    check_text("counted", "state,");
    check_text("reason", "and reason");
    check_word(flags, "is it hidden, charged, and of threads?");
}

/* The part that is written once. */
static void
test_description(void)
{
    struct hpm_event events[] = {
        {.name = (char *)"x", .source = &hpm_source_kernel},
        {.name = (char *)"y", .is_hidden = true},
        {.name = (char *)"z"}};
    const struct hpm_eventset set = {
        .events = events, .n_events = 3, .n_thread_events = 2};
    struct hpm_experiment *experiment = hpm_experiment_new();

    describe(experiment);
    for (size_t i = 0; i < 3; i++) {
        struct hpm_counter *counter = hpm_experiment_add_counter(experiment);

        hpm_experiment_set_text(&counter->name, events[i].name);
        hpm_experiment_set_text(&counter->description, "words");
        hpm_experiment_set_text(&counter->unit, "");
        hpm_experiment_set_text(&counter->reason, "reason");
        hpm_experiment_set_text(&counter->source, "source");
        hpm_experiment_set_text(&counter->domain, "user");
        counter->state = HPM_STATE_COUNTED;
        counter->is_hidden = events[i].is_hidden;
    }
    begin();
    hpm_snapshot_add_description(&copy, "a.hpm", experiment, &set,
                                 (struct hpm_instant){1000, 2000});
    check_word(HPM_SNAPSHOT_RUN, "it is a run's");
    check_text(PACKAGE_VERSION, "of this version,");
    check_text("a.hpm", "for this file");
    check_text("a", "its program");
    check_text("b", "and job");
    check_words(WORDS(2, 3, (uint64_t)-1), "and numbers");
    check_text("c", "and its begin");
    check_words(WORDS(1000, 2000, hpm_clock_is_tick), "by which clock");
    for (char word[] = "d"; word[0] <= 'k'; word[0]++)
        check_text(word, "what the machine is");
    check_words(WORDS(0, 8, 4, 0, 1, 3), "its numbers, and three counters:");
    check_counter("x", 2 + 4);
    check_counter("y", 1 + 4);
    check_counter("z", 0);
    is_count(at, copy.length, "that is all");
    hpm_experiment_free(experiment);
}

static void
test_state(void)
{
    struct hpm_calibration thread = {.n_calls = 7, .n_overheads = 1};
    const struct hpm_calibration *calibrations[HPM_N_CALIBRATIONS] = {NULL};
    struct hpm_calibration undone = {.n_calls = 9};
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_resource *resource = hpm_experiment_add_resource(experiment);
    struct hpm_problem *problem = hpm_experiment_add_problem(experiment);

    *resource =
        (struct hpm_resource){.name = "r", .value = 5, .is_known = true};
    hpm_experiment_set_text(&experiment->run.place[HPM_PLACE_DIMS], "4 2");
    hpm_experiment_set_text(&experiment->run.place[HPM_PLACE_COORDS], "3 1");
    hpm_experiment_set_text(&experiment->run.place[HPM_PLACE_DEGREES], "1 0");
    hpm_experiment_set_text(&experiment->run.place[HPM_PLACE_SOURCES], "7");
    hpm_experiment_set_text(&experiment->run.place[HPM_PLACE_DESTINATIONS], "");
    hpm_experiment_set_text(&problem->text, "a problem");
    problem->count = 6;
    thread.is_done = true;
    thread.self[0] = (struct hpm_spread){1, 2, 3};
    thread.pair[0] = (struct hpm_spread){4, 5, 6};
    thread.costs.amounts[HPM_COST_SELF][0] = 10;
    thread.costs.amounts[HPM_COST_START][0] = 11;
    thread.costs.amounts[HPM_COST_STOP][0] = 12;
    thread.costs.amounts[HPM_COST_AGAIN_START][0] = 100;
    thread.costs.amounts[HPM_COST_AGAIN_STOP][0] = 1000;
    calibrations[HPM_CALIBRATION_THREAD_INIT] = &thread;
    calibrations[HPM_CALIBRATION_THREAD_END] = &undone;
    calibrations[HPM_CALIBRATION_PROCESS_END] = &thread;
    begin();
    hpm_snapshot_add_state(&copy, (struct hpm_instant){1000, 2000},
                           calibrations, experiment);
    check_words(WORDS(1000, 2000), "when it is");
    check_text("4 2", "the dimensions of the grid");
    check_word(HPM_JOURNAL_NO_TEXT, "no periods");
    check_text("3 1", "where the task is in the grid");
    check_text("1 0", "how many neighbours it has in a graph");
    check_text("7", "the one it receives from");
    check_text("", "and none to send to, which is not unknown");
    check_word(1, "a resource");
    check_text("r", "with its name");
    check_words(WORDS(5, 1, 2), "and value, and two calibrations");
    for (int i = 0; i < 2; i++) {
        const char *first = next_word() == 6 ? "thread" : "process";

        at -= 8;
        check_text(first, "one of threads, and one of the process");
        check_text(strcmp(first, "thread") == 0 ? "init" : "end",
                   "each with its time");
        check_words(WORDS(7, 1, 1, 2, 3, 4, 5, 6, 10, 11, 12),
                    "what calls cost");
        at += 8 * 3 * HPM_N_TIMED;
        check_word(1100, "and those that start again");
    }
    check_word(1, "a problem");
    check_text("a problem", "in its words");
    check_word(6, "so often");
    is_count(at, copy.length, "that is all");
    hpm_experiment_free(experiment);
}

static void
test_sampling(void)
{
    static const struct hpm_mapped mapped = {0x1000,   0x2000, 0x30,
                                             "lib.so", {0xab}, 1};
    struct hpm_sampling sampling = {
        .events = {{.event = {.name = (char *)"cycles",
                              .unit = (char *)"",
                              .domain = HPM_DOMAIN_ALL},
                    .period = 5}}};
    struct hpm_modules modules;

    hpm_modules_init(&modules);
    hpm_modules_add(&modules, &mapped);
    begin();
    is_count(hpm_snapshot_add_sampling(&copy, &sampling, 3, &modules), 0,
             "where nothing is sampled nothing is mapped");
    check_word(0, "and nothing more is said");
    is_count(at, copy.length, "that is all");
    sampling.n_events = 1;
    begin();
    is_count(hpm_snapshot_add_sampling(&copy, &sampling, 3, &modules), 1,
             "so many parts are mapped");
    check_word(1, "what is sampled:");
    check_text("cycles", "its name,");
    check_text("", "unit,");
    check_words(WORDS(HPM_DOMAIN_ALL, 5), "domain and period,");
    check_words(WORDS(3, 1), "threads without, and a module:");
    check_text("lib.so", "its path");
    check_text("ab", "and build id,");
    check_words(WORDS(1, 0x1000, 0x2000, 0x30, 0), "and where it is");
    is_count(at, copy.length, "that is all");
    hpm_modules_clear(&modules);
}

int
main(void)
{
    test_table();
    test_flags();
    test_samples();
    test_kept_calls();
    test_description();
    test_state();
    test_sampling();
    hpm_string_free(&copy);
    return done();
}
