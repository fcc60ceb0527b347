/* SPDX-License-Identifier: BSD-3-Clause
 * Random starts and stops, in any order, measured by the library and by a slow
 * model of hpm(7) (model.h): both must give the same calls, values, marks and
 * problems.
 *
 *     oracle            10,000 sequences; with a new seed each time
 *     oracle N          so many
 *     oracle N SEED     the same ones again
 *     oracle WORDS      this one: 'thread : +1a 5 -1', see sequence.h
 *
 * A sequence that fails is shortened as far as possible, and printed so that it
 * can be given to the program again. */
#include "record/recorder.h"

#include <stdlib.h>
#include <time.h>

#include "host/literal.h"
#include "host/memory.h"
#include "tap.h"

#include "model.h"
#include "sequence.h"

_Static_assert((int)MODEL_STRICT == (int)HPM_NESTING_STRICT &&
                   (int)MODEL_FREE == (int)HPM_NESTING_FREE,
               "the library's words are the model's");

enum { N_THREADS = 3, N_SEQUENCES = 10000 };

/* The assumed costs of starts and stops of thread sections.  Calls that measure
 * themselves measure 0 here, since no time passes within a call. */
enum {
    START_COST = 7,
    AGAIN_COST = 1000,
    OFF_COST = 50000,
    STOP_COST = 300000,
    COUNTED_COST = 20000000
};

/* ---- the library's side ---------------------------------------------- */

static uint64_t ticks;

static void
read_ticks(void *unused, uint64_t *slots)
{
    (void)unused;
    slots[1] = ticks;
}

/* The source's clock is the meter's own. */
static void *
open_nothing(struct hpm_meter *meter)
{
    (void)meter;
    return NULL;
}

static const struct hpm_source source = {.name = "ticks", .open = open_nothing};
static struct hpm_event event = {
    .name = (char *)"ticks", .source = &source, .state = HPM_STATE_COUNTED};
static struct hpm_eventset set = {
    .events = &event, .n_events = 1, .n_thread_events = 1};
static struct hpm_plan plan = {.set = &set, .n_thread_records = N_THREADS};
static const struct hpm_costs no_costs;
static struct hpm_costs costs;
static struct hpm_recorder *recorder;
static struct hpm_thread *threads[N_THREADS];
static int n_problems;
static int n_starts;

static void
say_nothing(const char *line)
{
    (void)line;
}

static void
make_costs(void)
{
    costs.amounts[HPM_COST_START][1] = START_COST;
    costs.amounts[HPM_COST_SECOND_START][1] = START_COST;
    costs.amounts[HPM_COST_BUCKET_START][1] = START_COST;
    costs.amounts[HPM_COST_AT_START][1] = START_COST;
    costs.amounts[HPM_COST_AT_AGAIN_START][1] = AGAIN_COST;
    costs.amounts[HPM_COST_COUNTED_START][1] = START_COST;
    costs.amounts[HPM_COST_AGAIN_START][1] = AGAIN_COST;
    costs.amounts[HPM_COST_EXCLUDED][1] = OFF_COST;
    costs.amounts[HPM_COST_STOP][1] = STOP_COST;
    costs.amounts[HPM_COST_COUNTED_SELF][1] = COUNTED_COST;
    costs.amounts[HPM_COST_COUNTED_STOP][1] = STOP_COST;
    costs.amounts[HPM_COST_AGAIN_STOP][1] = STOP_COST;
    costs.amounts[HPM_COST_LONG_STOP][1] = STOP_COST;
    costs.amounts[HPM_COST_COUNTED_LONG_STOP][1] = STOP_COST;
}

static bool
set_up(void)
{
    hpm_literal_init();
    make_costs();
    recorder = hpm_recorder_new(&plan, say_nothing, &n_problems, NULL);
    hpm_process_open(&recorder->process);
    recorder->process.meter->read = read_ticks;
    for (int i = 0; i < N_THREADS; i++) {
        threads[i] = hpm_recorder_enter(recorder, NULL);
        if (threads[i] == NULL)
            return false;
        threads[i]->meter->read = read_ticks;
    }
    return recorder->process.tree != NULL;
}

/* Write labels as "a,c". */
static const char *
name_labels(unsigned labels, char *room)
{
    char *end = room;

    for (int i = 1; i < SEQUENCE_N_LABELS; i++) {
        if ((labels & 1u << i) != 0)
            end +=
                sprintf(end, "%s%s", end > room ? "," : "", sequence_labels[i]);
    }
    return end > room ? room : NULL;
}

/* Make empty tables for the thread and the process. */
static struct hpm_calltree *
make_tables(const struct sequence *sequence, struct hpm_filter *filter)
{
    struct hpm_problems *problems = hpm_problems_new(say_nothing, &n_problems);

    n_problems = n_starts = 0;
    ticks = 0;
    recorder->process.problems = problems;
    for (int i = 0; i < N_THREADS; i++) {
        hpm_calltree_free(threads[i]->tree);
        threads[i]->problems = problems;
        threads[i]->tree = hpm_thread_new_calltree(
            threads[i], sequence->is_process ? &no_costs : &costs, filter);
        threads[i]->shown = threads[i]->tree;
    }
    hpm_calltree_free(recorder->process.tree);
    recorder->process.tree =
        hpm_process_new_calltree(&recorder->process, &no_costs, filter);
    return sequence->is_process ? recorder->process.tree : threads[0]->tree;
}

/* ---- steps ----------------------------------------------------------- */

/* The label of a program that changes its labels in place. */
static char changing[8];

static const char *
label_of(const struct sequence *sequence, const struct sequence_step *step)
{
    const char *label = sequence_labels[step->label];

    return sequence->is_changing ? strcpy(changing, label) : label;
}

static int
parent_of(const struct sequence_step *step)
{
    static const int constants[] = {[-MODEL_NO_PARENT] = HPM_PARENT_NONE,
                                    [-MODEL_AUTO_PARENT] = HPM_PARENT_AUTO,
                                    [-MODEL_EXCLUSIVE] = HPM_PARENT_EXCLUSIVE};

    return step->parent < 0 ? constants[-step->parent] : step->parent;
}

/* Like the public call of a site: try the slots, then the rest. */
static uint64_t *
open_by_site(struct hpm_thread *thread, int id, const struct hpm_callsite *site)
{
    struct hpm_calltree *tree = thread->tree;
    unsigned number = hpm_callsite_number(site->number);
    const struct hpm_slot *slot = hpm_calltree_slot(tree, id, number);
    enum hpm_cost cost = HPM_COST_START;

    if (!hpm_calltree_has_slot(tree, slot, id, number)) {
        slot = hpm_calltree_second_slot(tree, id, number);
        cost = HPM_COST_SECOND_START;
    }
    if (!hpm_calltree_has_slot(tree, slot, id, number))
        return hpm_thread_open_site(thread, id, site);
    return hpm_calltree_open_shaped(tree, slot->node, slot->salt, id, cost,
                                    hpm_calltree_shape(tree));
}

/* Half of the starts that a call site can make use a site for each label and
 * line; the others use addresses.  Each section is started in both ways. */
static void
start_in_thread(struct hpm_thread *thread, const struct sequence_step *step,
                const char *label)
{
    static unsigned numbers[SEQUENCE_N_LABELS][SEQUENCE_N_LINES];
    int parent = parent_of(step), line = 1 + step->line;
    uint64_t *row;

    if (parent == HPM_PARENT_AUTO &&
        (step->id + step->label + n_starts++ / 8) % 2 == 0) {
        const struct hpm_callsite site = {sequence_labels[step->label], "a.c",
                                          line,
                                          &numbers[step->label][step->line]};

        row = open_by_site(thread, step->id, &site);
    } else {
        row = hpm_thread_open_at(thread, step->id, parent, label, "a.c", line);
    }
    if (row != NULL)
        hpm_thread_read_start(thread, row);
}

static void
start(const struct sequence *sequence, const struct sequence_step *step)
{
    const char *label = label_of(sequence, step);
    struct hpm_thread *thread = threads[step->thread];
    int line = 1 + step->line, parent = parent_of(step);

    if (sequence->is_process)
        hpm_process_start(&recorder->process, thread, step->id, parent, label,
                          "a.c", line);
    else if (step->kind == '~')
        hpm_thread_start_counted(thread, step->id, parent,
                                 (struct hpm_counted){label, strlen(label)},
                                 (struct hpm_counted){"a.c", 3}, line);
    else
        start_in_thread(thread, step, label);
}

static void
stop(const struct sequence *sequence, const struct sequence_step *step)
{
    struct hpm_thread *thread = threads[step->thread];

    if (sequence->is_process)
        hpm_process_stop(&recorder->process, thread, step->id, "a.c", 9);
    else if (step->kind == '/')
        hpm_thread_stop_counted(thread, step->id,
                                (struct hpm_counted){"a.c", 3}, 9);
    else
        hpm_thread_stop(thread, step->id, "a.c", 9);
}

static bool
work(const struct sequence *sequence, const struct sequence_step *step)
{
    if (sequence->is_process)
        return hpm_process_add_work(&recorder->process, step->id, 1, "cells");
    return hpm_thread_add_work(threads[0], step->id, 1, "cells");
}

static void
do_model_step(struct model *model, const struct sequence_step *step)
{
    const struct model_section section = {step->id, step->label, step->line};

    if (step->kind == 'p')
        model_pass(model, MODEL_TICKS, step->amount);
    else if (step->kind == '-' || step->kind == '/')
        model_stop(model, step->id, step->kind == '/');
    else if (step->kind == '+' || step->kind == '~')
        model_start(model, step->thread, &section, step->parent);
}

static void
do_step(const struct sequence *sequence, const struct sequence_step *step)
{
    if (step->kind == 'p')
        ticks += step->amount;
    else if (step->kind == '-' || step->kind == '/')
        stop(sequence, step);
    else if (step->kind == '+' || step->kind == '~')
        start(sequence, step);
}

/* ---- comparing ------------------------------------------------------- */

static bool is_quiet, is_same; /* is_quiet: differences are not printed */

static void
compare(const char *what, const struct hpm_node *node, uint64_t got,
        uint64_t expected)
{
    if (got == expected)
        return;
    is_same = false;
    if (is_quiet)
        return;
    printf("# ");
    if (node != NULL)
        printf("section %d \"%s\" line %d%s: ", node->instance, node->label,
               node->line_start, node->parent != NULL ? " (inside)" : "");
    printf("%s is %llu, should be %llu\n", what, (unsigned long long)got,
           (unsigned long long)expected);
}

static int
find_label(const char *label)
{
    int i = 0;

    while (strcmp(sequence_labels[i], label) != 0)
        i++;
    return i;
}

/* The record of a node, -1 if there is none; a parent comes before its
 * children. */
static int
record_of(const struct model *model, struct hpm_node *node)
{
    const struct model_section section = {
        node->instance, find_label(node->label), node->line_start - 1};
    int parent = node->parent != NULL ? (int)node->parent->index : -1;
    int record = model_find(model, parent, &section);

    node->index = record >= 0 ? (size_t)record : SIZE_MAX;
    return record;
}

/* Compare the node's sums, with the present call if it is open. */
static void
compare_values(const struct hpm_calltree *tree, const struct hpm_node *node,
               const struct model_record *record)
{
    uint64_t sums[32];
    const uint64_t *inner = sums + tree->n_row + 2 * tree->n_counts;
    const size_t slots[MODEL_N_AMOUNTS] = {1, tree->n_slots + 1,
                                           tree->n_row - 2};
    static const char *const names[][2] = {
        {"inclusive value", "exclusive value"},
        {"inclusive overhead", "exclusive overhead"},
        {"number of starts inside", "number of starts directly inside"}};

    memcpy(sums, node->sums,
           (2 * tree->n_row + 2 * tree->n_counts) * sizeof *sums);
    if (hpm_node_is_in_frame(node))
        hpm_calltree_add_open_call(
            tree, node, hpm_calltree_frame_of(tree, node)->opener, sums);
    for (int i = 0; i < MODEL_N_AMOUNTS; i++) {
        compare(names[i][0], node, sums[slots[i]], record->inclusive[i]);
        compare(names[i][1], node, sums[slots[i]] - inner[slots[i]],
                record->exclusive[i]);
    }
}

static void
compare_node(const struct hpm_calltree *tree, struct hpm_node *node,
             const struct model *model)
{
    int found = record_of(model, node);
    const struct model_record *record = &model->records[found];
    bool is_in_frame = hpm_node_is_in_frame(node);

    compare("records it should have", node, 1, found >= 0);
    if (found < 0)
        return;
    compare_values(tree, node, record);
    compare("Count", node, hpm_node_calls(node), record->calls);
    compare("outer", node, node->outer, record->outer);
    compare("skipped", node, node->n_skipped, record->skipped);
    compare("overlap", node, node->has_overlap, record->has_overlap);
    compare("open", node, node->is_open, record->is_open);
    compare("only exclusive", node, node->is_only_exclusive,
            record->is_only_exclusive);
    compare("work", node, node->n_works > 0 ? node->works[0].amount : 0,
            record->work);
    if (!is_in_frame)
        compare("sum of squares", node, (uint64_t)node->squares[1],
                (uint64_t)record->squares);
}

static size_t
count_measured(const struct model *model)
{
    size_t n = 0;

    for (int i = 0; i < model->n_open; i++)
        n += model->open[i].is_measured;
    return n;
}

static void
compare_tables(struct hpm_calltree *tree, const struct model *model)
{
    tree->now[1] = ticks;
    compare("number of sections", NULL, tree->nodes.n,
            (uint64_t)model->n_records);
    compare("number of open sections", NULL, hpm_calltree_depth(tree),
            count_measured(model));
    compare("number of problems", NULL, (uint64_t)n_problems,
            model->n_problems);
    for (struct hpm_node *node = tree->nodes.first; node != NULL;
         node = node->next)
        compare_node(tree, node, model);
}

/* ---- one sequence ---------------------------------------------------- */

static void
begin_model(struct model *model, const struct sequence *sequence)
{
    model->left_out = sequence->except;
    if (sequence->only != 0)
        model->left_out |= ~sequence->only;
    model->n_skipped = sequence->n_skipped;
    model->is_process = sequence->is_process;
    model->nesting = sequence->is_process ? MODEL_FREE : sequence->nesting;
    model->start_cost = sequence->is_process ? 0 : START_COST;
    model->again_cost = sequence->is_process ? 0 : AGAIN_COST;
    model->off_cost = sequence->is_process ? 0 : OFF_COST;
    model->stop_cost = sequence->is_process ? 0 : STOP_COST;
    model->counted_cost = COUNTED_COST;
    model->n_records = model->n_open = 0;
    model->n_beyond = model->n_problems = 0;
}

static void
close_sections(const struct sequence *sequence)
{
    if (sequence->is_process)
        hpm_process_end_run(&recorder->process, threads[0],
                            recorder->start.ticks);
    else
        hpm_thread_end_run(threads[0], false);
}

/* If all single calls were kept, their sum is the section's value. */
static void
compare_calls(const struct hpm_calltree *tree)
{
    for (const struct hpm_node *node = tree->nodes.first; node != NULL;
         node = node->next) {
        const struct hpm_reservoir *reservoir =
            hpm_reservoirs_of(tree->reservoirs, node->number);
        uint64_t sum[64] = {0};

        if (reservoir == NULL || reservoir->n < node->outer ||
            node->is_only_exclusive)
            continue;
        for (size_t i = 0; i < reservoir->n; i++) {
            const uint64_t *row =
                hpm_reservoir_row(tree->reservoirs, reservoir, i);

            for (size_t j = 0; j < tree->n_row; j++)
                sum[j] += row[2 + j];
        }
        for (size_t j = 0; j < tree->n_row; j++)
            compare("sum of single calls", node, sum[j], node->inclusive[j]);
    }
}

/* Does the library differ from the model? */
static bool
differs(const struct sequence *sequence)
{
    static struct model model;
    char only[16], except[16], calls[16];
    struct hpm_filter filter = {
        name_labels(sequence->only, only),
        name_labels(sequence->except, except), sequence->n_skipped,
        (enum hpm_nesting)sequence->nesting,
        name_labels((unsigned)sequence->n_steps, calls)};
    struct hpm_calltree *tree = make_tables(sequence, &filter);

    begin_model(&model, sequence);
    is_same = true;
    for (int i = 0; i < sequence->n_steps; i++) {
        const struct sequence_step *step = &sequence->steps[i];

        do_step(sequence, step);
        do_model_step(&model, step);
        if (step->kind == '*')
            compare("work taken", NULL, work(sequence, step),
                    model_work(&model, step->id, 1));
        if (step->kind == '?')
            compare_tables(tree, &model);
    }
    close_sections(sequence);
    model_end(&model);
    compare_tables(tree, &model);
    compare_calls(tree);
    hpm_problems_free(recorder->process.problems);
    return !is_same;
}

static bool
differs_quietly(const struct sequence *sequence)
{
    bool is_different;

    is_quiet = true;
    is_different = differs(sequence);
    is_quiet = false;
    return is_different;
}

/* ---- many sequences ------------------------------------------------- */

static void
show(struct sequence *sequence, uint64_t number)
{
    printf("# sequence %llu differs; shortened:\n# ",
           (unsigned long long)number);
    sequence_shrink(sequence, differs_quietly);
    sequence_print(sequence);
    differs(sequence);
}

/* Returns how many differ; prints the first few. */
static unsigned long
run(unsigned long n, uint64_t seed)
{
    static struct sequence sequence;
    unsigned long n_different = 0;

    for (unsigned long i = 0; i < n && n_different < 3; i++) {
        sequence_make(&sequence, seed + i);
        if (!differs_quietly(&sequence))
            continue;
        n_different++;
        show(&sequence, seed + i);
    }
    return n_different;
}

static uint64_t
any_seed(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void
run_one(const char *words)
{
    static struct sequence sequence;
    bool is_sequence = sequence_read(&sequence, words);

    ok(is_sequence, "that is a sequence");
    if (is_sequence)
        ok(!differs(&sequence), "the library and the model agree on it");
}

int
main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : N_SEQUENCES;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : any_seed();

    ok(set_up(), "a recorder counts what the test makes up");
    if (argc > 1 && strchr(argv[1], ':') != NULL) {
        run_one(argv[1]);
    } else {
        printf("# %lu sequences, seed %llu\n", n, (unsigned long long)seed);
        is_count(run(n, seed), 0,
                 "random starts and stops give what the model gives");
    }
    hpm_recorder_free(recorder);
    return done();
}
