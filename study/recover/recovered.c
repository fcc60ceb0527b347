/* SPDX-License-Identifier: BSD-3-Clause
 * The experiment a journal has put aside.
 *
 * Section tables are built up again as the recorder had them, closed, and
 * then become records by the way of the harvest (record/records.h).
 */
#include "study/recover/recovered.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "record/keptcalls.h"
#include "record/profiling.h"
#include "record/records.h"
#include "record/run.h"
#include "record/shortclock.h"
#include "record/snapshot.h"
#include "record/thread.h"
#include "source/generic.h"
#include "source/source.h"
#include "source/usage.h"
#include "study/recover/samples.h"

/* Words of the largest row that a table may have. */
enum { MOST_ROW = HPM_MAX_SLOTS + HPM_MAX_CHARGED + HPM_N_EDGES };

/* A section table. */
struct table {
    int kind, tid, omp;
    size_t n_threads;
    struct hpm_eventset set; /* its events, of which is known what kind of time
                                they are, and whether what measuring does is
                                taken off */
    struct hpm_meter *meter;
    struct hpm_calltree *tree;
    struct hpm_node **nodes; /* by number */
    size_t n_nodes;
    struct hpm_sampler *samples; /* NULL: none */
    size_t first_record;
    bool omits_counts_outside; /* of these only the time is known */
};

struct revival {
    struct hpm_experiment *experiment;
    struct hpm_instant start, latest;
    bool is_tick;
    size_t n_counters; /* beside those of work */
    bool is_charged[HPM_MAX_ALL_EVENTS];
    struct hpm_calibration calibrations[HPM_N_CALIBRATIONS];
    struct hpm_samples_run samples;
    struct table *tables;
    size_t n_tables;
    size_t n_wrong;
    size_t n_left_out; /* sections whose single calls are not in the copy */
    size_t n_no_room;  /* and those that have fewer here for want of memory */
    double ns_per_tick;
};

/* Stands for the source of an event that is charged; nobody reads it. */
static const struct hpm_source charged_source = {.name = "journal"};

static void
take_instant(struct revival *revival, struct hpm_words *words)
{
    struct hpm_instant instant;

    hpm_words_fields(words, hpm_snapshot_instant, &instant);
    if (!words->is_wrong && instant.ns > revival->latest.ns)
        revival->latest = instant;
}

/* ---- the run --------------------------------------------------------- */

static void
read_description(struct revival *revival, struct hpm_words *words)
{
    hpm_memory_free(hpm_words_text(words)); /* the toolkit's version */
    hpm_memory_free(hpm_words_text(words)); /* the path of the file to be */
    hpm_words_fields(words, hpm_snapshot_run, &revival->experiment->run);
    hpm_words_fields(words, hpm_snapshot_instant, &revival->start);
    revival->latest = revival->start;
    revival->is_tick = hpm_words_word(words) != 0;
    hpm_words_fields(words, hpm_snapshot_machine,
                     &revival->experiment->machine);
}

/* A text that is never NULL in an experiment. */
static char *
read_present_text(struct hpm_words *words)
{
    char *text = hpm_words_text(words);

    words->is_wrong |= text == NULL;
    return text;
}

static void
read_counter(struct revival *revival, struct hpm_words *words)
{
    struct hpm_counter *counter =
        hpm_experiment_add_counter(revival->experiment);
    uint64_t flags;

    if (counter == NULL) {
        words->is_wrong = true;
        return;
    }
    hpm_words_fields(words, hpm_snapshot_counter, counter);
    flags = hpm_words_word(words);
    counter->is_hidden = (flags & 1) != 0;
    revival->is_charged[revival->experiment->n_counters - 1] = (flags & 2) != 0;
}

/* Names and units are constants of ours. */
static void
read_resource(struct revival *revival, struct hpm_words *words)
{
    size_t n_before = revival->experiment->n_resources;
    struct hpm_resource read;

    hpm_words_fields(words, hpm_snapshot_resource, &read);
    for (size_t i = 0; i < HPM_USAGE_FIELDS && read.name != NULL; i++) {
        const struct hpm_usage_field *field = &hpm_usage_fields[i];
        struct hpm_resource *resource;

        if (strcmp(field->name, read.name) != 0)
            continue;
        resource = hpm_experiment_add_resource(revival->experiment);
        if (resource != NULL)
            *resource =
                (struct hpm_resource){field->name, field->description,
                                      field->unit, read.value, read.is_known};
        words->is_wrong |= resource == NULL;
    }
    revival->n_wrong += revival->experiment->n_resources == n_before;
    hpm_memory_free((char *)read.name);
}

static void
read_costs(struct hpm_words *words, struct hpm_calibration *calibration)
{
    calibration->n_overheads = hpm_words_count(words, 9);
    if (calibration->n_overheads > HPM_MAX_CHARGED) {
        words->is_wrong = true;
        return;
    }
    for (size_t i = 0; i < calibration->n_overheads; i++) {
        hpm_words_fields(words, hpm_snapshot_spread, &calibration->self[i]);
        hpm_words_fields(words, hpm_snapshot_spread, &calibration->pair[i]);
        calibration->costs.amounts[HPM_COST_SELF][i] = hpm_words_word(words);
        calibration->costs.amounts[HPM_COST_START][i] = hpm_words_word(words);
        calibration->costs.amounts[HPM_COST_STOP][i] = hpm_words_word(words);
    }
    for (int i = 0; i < HPM_N_TIMED; i++)
        hpm_words_fields(words, hpm_snapshot_timecost, &calibration->timed[i]);
    calibration->costs.amounts[HPM_COST_AGAIN_STOP][0] = hpm_words_word(words);
}

static void
read_calibration(struct revival *revival, struct hpm_words *words)
{
    char *scope = read_present_text(words), *when = read_present_text(words);
    int which = HPM_CALIBRATION_THREAD_INIT;
    struct hpm_calibration *calibration;

    if (!words->is_wrong) {
        if (strcmp(scope, hpm_scope_name(HPM_SCOPE_PROCESS)) == 0)
            which = HPM_CALIBRATION_PROCESS_INIT;
        which += strcmp(when, "end") == 0;
    }
    calibration = &revival->calibrations[which];
    calibration->n_calls = hpm_words_int(words);
    read_costs(words, calibration);
    calibration->is_done = true;
    hpm_memory_free(scope);
    hpm_memory_free(when);
}

static void
read_problem(struct revival *revival, struct hpm_words *words)
{
    struct hpm_problem *problem =
        hpm_experiment_add_problem(revival->experiment);

    if (problem == NULL) {
        words->is_wrong = true;
        return;
    }
    hpm_words_fields(words, hpm_snapshot_problem, problem);
}

static bool
read_run(struct revival *revival, struct hpm_words *words)
{
    size_t n;

    read_description(revival, words);
    n = hpm_words_count(words, 8);
    words->is_wrong |= n > HPM_MAX_ALL_EVENTS;
    for (size_t i = 0; i < n && !words->is_wrong; i++)
        read_counter(revival, words);
    revival->n_counters = revival->experiment->n_counters;
    take_instant(revival, words);
    hpm_words_fields(words, hpm_snapshot_place, &revival->experiment->run);
    n = hpm_words_count(words, 3);
    for (size_t i = 0; i < n && !words->is_wrong; i++)
        read_resource(revival, words);
    n = hpm_words_count(words, 4);
    for (size_t i = 0; i < n && !words->is_wrong; i++)
        read_calibration(revival, words);
    n = hpm_words_count(words, 2);
    for (size_t i = 0; i < n && !words->is_wrong; i++)
        read_problem(revival, words);
    hpm_samples_read_run(&revival->samples, words);
    return hpm_words_end(words);
}

/* ---- section tables -------------------------------------------------- */

/* The event of a counter, as far as its values depend on that. */
static struct hpm_event
event_of(const struct hpm_counter *counter, bool is_charged)
{
    const char *source = counter->source != NULL ? counter->source : "";
    struct hpm_event event = {.source = is_charged ? &charged_source : NULL};
    struct hpm_generic generic;
    enum hpm_domain domain;
    struct hpm_error ignored;
    char name[256];

    hpm_domain_split(counter->name, name, sizeof name, &domain);
    if (strcmp(source, hpm_source_kernel.name) == 0 &&
        hpm_generic_find(name, &generic)) {
        event.source = &hpm_source_kernel;
        event.encoding = generic.encoding;
    } else if (strcmp(source, hpm_source_usage.name) == 0 &&
               hpm_source_usage.find(name, HPM_DOMAIN_ALL, &event, &ignored) ==
                   HPM_FINDING_FOUND) {
        hpm_memory_free(event.description);
        hpm_memory_free(event.unit);
        event.description = event.unit = NULL;
    }
    event.is_coarse = !is_charged;
    return event;
}

static bool
make_meter(struct table *table, const struct hpm_shape *shape, size_t n_events,
           const struct revival *revival)
{
    struct hpm_meter *meter = hpm_memory_new(1, sizeof *meter);

    table->meter = meter;
    if (meter == NULL)
        return false;
    meter->set = &table->set;
    meter->n_events = n_events;
    meter->n_slots = shape->n_slots;
    meter->events = hpm_memory_new(n_events + 1, sizeof *meter->events);
    table->set.events = hpm_memory_new(n_events + 1, sizeof(struct hpm_event));
    if (meter->events == NULL || table->set.events == NULL)
        return false;
    table->set.n_events = n_events;
    for (size_t i = 0; i < n_events; i++) {
        table->set.events[i] =
            event_of(&revival->experiment->counters[i],
                     revival->is_charged[i] && 1 + i < shape->n_overheads);
    }
    return true;
}

static void
read_events(struct table *table, struct hpm_words *words)
{
    for (size_t i = 0; i < table->meter->n_events && !words->is_wrong; i++) {
        struct hpm_metered *metered = &table->meter->events[i];

        hpm_words_fields(words, hpm_snapshot_event, metered);
        words->is_wrong |= metered->clock_slot != 0 &&
                           metered->clock_slot >= table->meter->n_slots - 1;
    }
}

/* number + 1 of a node of that table, 0 for none. */
static struct hpm_node *
find_node(const struct table *table, uint64_t reference,
          struct hpm_words *words)
{
    if (reference == 0)
        return NULL;
    if (table != NULL && reference <= table->n_nodes)
        return table->nodes[reference - 1];
    words->is_wrong = true;
    return NULL;
}

static void
read_works(struct hpm_words *words, struct hpm_node *node)
{
    size_t n = hpm_words_count(words, 2);

    for (size_t i = 0; i < n && !words->is_wrong; i++) {
        char *unit = read_present_text(words);
        uint64_t amount = hpm_words_word(words);

        if (!words->is_wrong && !hpm_node_add_work(node, amount, unit))
            words->is_wrong = true;
        hpm_memory_free(unit);
    }
}

static struct hpm_node *
add_node(struct table *table, const struct hpm_snapshot_section *section,
         struct hpm_words *words)
{
    const struct hpm_identity identity = {section->instance, section->label,
                                          section->file, section->line_start};
    struct hpm_calltree *tree = table->tree;
    struct hpm_node *parent = find_node(table, section->parent, words);
    struct hpm_node *node;

    if (words->is_wrong)
        return NULL;
    node = hpm_nodes_add(&tree->nodes, parent, &identity, tree->n_row,
                         tree->n_counts);
    if (node == NULL) {
        words->is_wrong = true;
        return NULL;
    }
    node->line_end = section->line_end;
    node->is_open = (section->flags & HPM_SNAPSHOT_OPEN) != 0;
    node->has_overlap = (section->flags & HPM_SNAPSHOT_OVERLAP) != 0;
    node->is_only_exclusive =
        (section->flags & HPM_SNAPSHOT_ONLY_EXCLUSIVE) != 0;
    node->is_excluded = (section->flags & HPM_SNAPSHOT_EXCLUDED) != 0;
    node->is_outside = (section->flags & HPM_SNAPSHOT_OUTSIDE) != 0;
    table->omits_counts_outside |=
        (section->flags & HPM_SNAPSHOT_ONLY_TIME) != 0;
    node->outer = section->outer;
    node->again = section->calls - section->outer;
    node->n_skipped = section->n_skipped;
    return node;
}

/* A section around that was never entered has no record to point to. */
static void
read_section(struct table *table, const struct table *process,
             struct hpm_words *words)
{
    struct hpm_snapshot_section section;
    const struct hpm_calltree *tree = table->tree;
    struct hpm_node *node = NULL;

    hpm_words_fields(words, hpm_snapshot_section, &section);
    if (!words->is_wrong)
        node = add_node(table, &section, words);
    hpm_memory_free(section.label);
    hpm_memory_free(section.file);
    if (node == NULL)
        return;
    if (process != NULL && section.within <= process->n_nodes)
        node->within = find_node(process, section.within, words);
    if (node->within != NULL && node->within->outer == 0)
        node->within = NULL;
    read_works(words, node);
    hpm_words_take(words, node->inclusive, tree->n_row);
    hpm_words_take(words, node->inner, tree->n_row);
    hpm_words_take(words, (uint64_t *)node->squares, 2 * tree->n_counts);
    for (size_t i = 0; i < tree->n_row; i++) /* the journal has the rest */
        node->inner[i] = node->inclusive[i] - node->inner[i];
    table->nodes[table->n_nodes++] = node;
}

/* In the order of the journal each of them has a row, for there are as many.  False
 * when there is no room for it.  The reservoir may be NULL. */
static bool
keep_call(const struct hpm_calltree *tree, struct hpm_reservoir *reservoir,
          struct hpm_words *words)
{
    uint64_t start[MOST_ROW] = {0}, end[MOST_ROW] = {0};
    uint64_t number = hpm_words_word(words);

    start[0] = hpm_words_word(words);
    hpm_words_take(words, end, tree->n_row);
    end[0] += start[0];
    return words->is_wrong ||
           (reservoir != NULL && hpm_reservoir_keep(tree->reservoirs, reservoir,
                                                    number, start, end));
}

/* NULL when there is no memory. */
static struct hpm_reservoir *
add_reservoir(struct hpm_calltree *tree, unsigned number, size_t n)
{
    if (tree->reservoirs == NULL)
        tree->reservoirs = hpm_reservoirs_new(tree->n_row);
    return tree->reservoirs != NULL &&
                   hpm_reservoirs_choose(tree->reservoirs, number, n, 0)
               ? hpm_reservoirs_of(tree->reservoirs, number)
               : NULL;
}

/* All n of a section, or as many as there is room for: these are still a fair
 * draw. */
static void
keep_calls(struct revival *revival, struct hpm_calltree *tree, unsigned number,
           uint64_t n_made, size_t n, struct hpm_words *words)
{
    struct hpm_reservoir *reservoir = add_reservoir(tree, number, n);
    bool have_room = true;

    for (size_t i = 0; i < n; i++)
        have_room &= keep_call(tree, reservoir, words);
    revival->n_no_room += !have_room;
    if (reservoir != NULL)
        reservoir->n_made = reservoir->n > 0 ? n_made : 0;
}

/* The single calls of a section, of which some calls have ended.  False where the
 * words are wrong. */
static bool
read_calls_of(struct revival *revival, const struct table *table,
              unsigned number, struct hpm_words *words)
{
    uint64_t n_made = hpm_words_word(words);
    size_t n;

    if (n_made == 0)
        return !words->is_wrong;
    n = hpm_words_count(words, 2 + table->tree->n_row);
    if (words->is_wrong || n > n_made || number >= table->n_nodes ||
        table->nodes[number]->outer == 0)
        return false;
    if (n > 0)
        keep_calls(revival, table->tree, number, n_made, n, words);
    revival->n_left_out += n == 0;
    return !words->is_wrong;
}

static bool
read_calls(struct revival *revival, const struct table *table,
           struct hpm_words *words)
{
    size_t n = hpm_words_count(words, 1);

    for (size_t i = 0; i < n; i++) {
        if (!read_calls_of(revival, table, (unsigned)i, words))
            return false;
    }
    return true;
}

static bool
read_shape(struct hpm_words *words, struct hpm_shape *ret_shape)
{
    ret_shape->n_slots = hpm_words_word(words);
    ret_shape->n_counts = hpm_words_word(words);
    ret_shape->n_overheads = hpm_words_word(words);
    return !words->is_wrong && ret_shape->n_slots <= HPM_MAX_SLOTS &&
           ret_shape->n_counts >= 1 &&
           ret_shape->n_counts <= ret_shape->n_slots &&
           ret_shape->n_overheads >= 1 &&
           ret_shape->n_overheads <= ret_shape->n_counts &&
           ret_shape->n_overheads <= HPM_MAX_CHARGED;
}

/* The costs it was charged with: those its scope was calibrated with. */
static const struct hpm_calibration *
calibration_of(const struct revival *revival, int kind)
{
    return &revival->calibrations[kind == HPM_SNAPSHOT_PROCESS
                                      ? HPM_CALIBRATION_PROCESS_INIT
                                      : HPM_CALIBRATION_THREAD_INIT];
}

static struct hpm_samples_nodes
nodes_of(const struct table *table)
{
    if (table == NULL)
        return (struct hpm_samples_nodes){.n = 0};
    return (struct hpm_samples_nodes){table->nodes, table->n_nodes};
}

/* Behind its kind; `process` is the table of the process, or NULL. */
static bool
read_table(struct revival *revival, const struct table *process,
           struct table *table, struct hpm_words *words)
{
    struct hpm_shape shape;
    size_t n_events, n_sections;

    table->tid = hpm_words_int(words);
    table->omp = hpm_words_int(words);
    table->n_threads = hpm_words_word(words);
    take_instant(revival, words);
    if (!read_shape(words, &shape))
        return false;
    n_events = hpm_words_count(words, 3);
    if (n_events > revival->n_counters || n_events >= shape.n_counts + 1 ||
        !make_meter(table, &shape, n_events, revival))
        return false;
    read_events(table, words);
    n_sections = hpm_words_count(words, 13);
    table->tree = hpm_calltree_new(
        &shape, &calibration_of(revival, table->kind)->costs, NULL, NULL);
    table->nodes = hpm_memory_new(n_sections + 1, sizeof *table->nodes);
    if (table->tree == NULL || table->nodes == NULL)
        return false;
    for (size_t i = 0; i < n_sections && !words->is_wrong; i++)
        read_section(table, process, words);
    hpm_calltree_shrink(table->tree);
    table->samples = hpm_samples_read(&revival->samples, nodes_of(table),
                                      nodes_of(process), words);
    return read_calls(revival, table, words) && hpm_words_end(words);
}

static void
clear_table(struct table *table)
{
    for (size_t i = 0; table->meter != NULL && table->meter->events != NULL &&
                       i < table->meter->n_events;
         i++)
        hpm_memory_free(table->meter->events[i].reason);
    if (table->meter != NULL)
        hpm_memory_free(table->meter->events);
    hpm_memory_free(table->meter);
    hpm_memory_free(table->set.events);
    hpm_memory_free(table->nodes);
    hpm_sampler_free(table->samples);
    hpm_calltree_free(table->tree);
}

/* Read the copy if it is of that kind. */
static void
take_table(struct revival *revival, const struct hpm_copy *copy, int kind,
           const struct table *process)
{
    struct hpm_words words = {.copy = copy};
    struct table *table = &revival->tables[revival->n_tables];

    int found = hpm_words_int(&words);

    if (found != kind) {
        /* looked for last: what is no thread's then is nobody's we know */
        revival->n_wrong += kind == HPM_SNAPSHOT_THREAD &&
                            found != HPM_SNAPSHOT_RUN &&
                            found != HPM_SNAPSHOT_PROCESS;
        return;
    }
    *table = (struct table){.kind = kind};
    if (read_table(revival, process, table, &words)) {
        revival->n_tables++;
        return;
    }
    clear_table(table);
    revival->n_wrong++;
}

static const struct table *
find_process(const struct revival *revival)
{
    return revival->n_tables > 0 &&
                   revival->tables[0].kind == HPM_SNAPSHOT_PROCESS
               ? &revival->tables[0]
               : NULL;
}

/* Threads by their numbers, those folded last, as a file has them. */
static int
compare_threads(const void *a, const void *b)
{
    const struct table *x = a, *y = b;

    if (x->kind != y->kind)
        return x->kind == HPM_SNAPSHOT_PROCESS ? -1 : 1;
    if ((x->tid < 0) != (y->tid < 0))
        return x->tid < 0 ? 1 : -1;
    return (x->tid > y->tid) - (x->tid < y->tid);
}

/* ---- the experiment -------------------------------------------------- */

/* Meters point into their tables: those must stay where they are from now
 * on. */
static void
settle_tables(struct revival *revival)
{
    if (revival->n_tables > 0)
        qsort(revival->tables, revival->n_tables, sizeof *revival->tables,
              compare_threads);
    for (size_t i = 0; i < revival->n_tables; i++)
        revival->tables[i].meter->set = &revival->tables[i].set;
}

static void
settle_clock(struct revival *revival)
{
    struct hpm_run *run = &revival->experiment->run;
    struct hpm_machine *machine = &revival->experiment->machine;
    uint64_t ticks = revival->latest.ticks - revival->start.ticks;

    run->ns = revival->latest.ns - revival->start.ns;
    revival->ns_per_tick = 1.0;
    if (!revival->is_tick || ticks == 0 ||
        revival->latest.ticks < revival->start.ticks)
        return;
    revival->ns_per_tick = (double)run->ns / (double)ticks;
    if (machine->mhz_source != NULL && machine->mhz <= 0.0)
        machine->mhz =
            (double)(long)(1e3 / revival->ns_per_tick * 10.0 + 0.5) / 10.0;
}

static bool
add_calibrations(const struct revival *revival, const struct hpm_eventset *set)
{
    static const struct {
        enum hpm_scope scope;
        const char *when;
    } names[HPM_N_CALIBRATIONS] = {
        [HPM_CALIBRATION_THREAD_INIT] = {HPM_SCOPE_THREAD, "init"},
        [HPM_CALIBRATION_THREAD_END] = {HPM_SCOPE_THREAD, "end"},
        [HPM_CALIBRATION_PROCESS_INIT] = {HPM_SCOPE_PROCESS, "init"},
        [HPM_CALIBRATION_PROCESS_END] = {HPM_SCOPE_PROCESS, "end"},
    };
    bool is_good = true;

    for (int i = 0; i < HPM_N_CALIBRATIONS && is_good; i++) {
        if (revival->calibrations[i].n_overheads <= set->n_events + 1)
            is_good = hpm_records_add_calibration(
                revival->experiment, set, &revival->calibrations[i],
                names[i].scope, names[i].when, revival->ns_per_tick);
    }
    return is_good;
}

/* Of all counters, as calibrations are. */
static bool
describe_calibrations(const struct revival *revival)
{
    struct hpm_event events[HPM_MAX_ALL_EVENTS] = {{.name = NULL}};
    struct hpm_eventset set = {.events = events,
                               .n_events = revival->n_counters};

    for (size_t i = 0; i < revival->n_counters; i++)
        events[i].source = revival->is_charged[i] ? &charged_source : NULL;
    return add_calibrations(revival, &set);
}

/* As the harvest decides it. */
static bool
have_sections(const struct revival *revival, int kind)
{
    if (kind == HPM_SNAPSHOT_THREAD && revival->samples.sampling.n_events > 0)
        return true;
    for (size_t i = 0; i < revival->n_tables; i++) {
        if (revival->tables[i].kind == kind &&
            hpm_records_has_sections(revival->tables[i].tree))
            return true;
    }
    return false;
}

/* Replayed times begin with 0. */
static uint64_t
begin_of(const struct revival *revival)
{
    const struct hpm_experiment *experiment = revival->experiment;

    for (size_t i = 0; i < revival->n_counters; i++) {
        const char *source = experiment->counters[i].source;

        if (source != NULL && strcmp(source, "replay") == 0)
            return 0;
    }
    return revival->start.ticks;
}

static size_t
count_draws(const struct hpm_reservoirs *reservoirs)
{
    size_t n_nodes = reservoirs != NULL ? reservoirs->n_nodes : 0, n = 0;

    for (size_t i = 0; i < n_nodes; i++)
        n += reservoirs->of_nodes[i] != NULL &&
             reservoirs->of_nodes[i]->n_made > 0;
    return n;
}

static void
add_calls(struct revival *revival, const struct hpm_records *records)
{
    size_t n =
        revival->experiment->n_calls + count_draws(records->tree->reservoirs);

    hpm_keptcalls_add(records);
    revival->n_no_room += n - revival->experiment->n_calls;
}

static bool
add_table(struct revival *revival, struct table *table)
{
    const struct hpm_calibration *init = calibration_of(revival, table->kind);
    bool is_process = table->kind == HPM_SNAPSHOT_PROCESS;
    const struct hpm_calibration *of_threads =
        calibration_of(revival, HPM_SNAPSHOT_THREAD);
    struct hpm_final final, threads;
    struct hpm_records records = {
        .experiment = revival->experiment,
        .tree = table->tree,
        .meter = table->meter,
        .correction = {&init->costs, &final, is_process ? &threads : NULL},
        .is_corrected = init->is_done,
        .first_work = revival->n_counters,
        .has_sections = have_sections(revival, table->kind),
        .omits_counts_outside = table->omits_counts_outside,
        .scope = is_process ? HPM_SCOPE_PROCESS : HPM_SCOPE_THREAD,
        .tid = table->tid,
        .omp = table->omp,
        .n_threads = table->tid == HPM_TID_FOLDED ? (int)table->n_threads : 0,
        .missing_ns = HPM_SHORTCLOCK_UNKNOWN,
        .ns_per_tick = revival->ns_per_tick,
        .begin = begin_of(revival)};

    hpm_calibration_choose(init, init + 1, &final); /* init, end */
    hpm_calibration_choose(of_threads, of_threads + 1, &threads);
    table->first_record = revival->experiment->n_records;
    if (!hpm_records_add(&records))
        return false;
    add_calls(revival, &records);
    return true;
}

static bool
add_profile(struct revival *revival)
{
    struct hpm_samples_run *run = &revival->samples;
    struct hpm_profiling profiling;
    bool is_good;

    if (run->sampling.n_events == 0)
        return true;
    is_good =
        hpm_profiling_begin(&profiling, revival->experiment, &run->sampling,
                            run->n_without, &run->modules);
    for (size_t i = 0; i < revival->n_tables && is_good; i++) {
        if (revival->tables[i].kind == HPM_SNAPSHOT_THREAD)
            is_good = hpm_profiling_add(&profiling, revival->tables[i].samples,
                                        revival->tables[i].first_record);
    }
    hpm_profiling_end(&profiling);
    return is_good;
}

static bool
add_problem(struct revival *revival, size_t n, const char *what)
{
    struct hpm_problem *problem =
        n > 0 ? hpm_experiment_add_problem(revival->experiment) : NULL;

    if (problem == NULL)
        return n == 0;
    problem->count = n;
    return hpm_experiment_set_text(&problem->text, what);
}

/* What is missing of a damaged journal is not seen from what is left. */
static bool
say_damage(struct revival *revival, const struct hpm_copies *copies)
{
    return add_problem(revival, copies->is_cut,
                       "its journal was cut off: sections may be missing, or "
                       "as they were at an earlier checkpoint") &&
           add_problem(revival, copies->n_lost,
                       "tables of its journal are lost, of a thread or of the "
                       "process each: their sections are missing") &&
           add_problem(
               revival, (size_t)revival->samples.n_elsewhere,
               "samples are of sections of the process that its journal "
               "does not have: they are in those of threads alone") &&
           add_problem(revival, revival->n_left_out,
                       "sections have none of their single calls (HPM_CALLS): "
                       "their journal's newest copy has none, because a new "
                       "section had it written or memory had run out") &&
           add_problem(revival, revival->n_no_room,
                       "sections have fewer of their single calls (HPM_CALLS) "
                       "than their journal, or none: memory ran out") &&
           add_problem(revival, copies->n_damaged + revival->n_wrong,
                       "parts of its journal are damaged, or were being "
                       "written: their sections are as they were at an "
                       "earlier checkpoint, or missing");
}

static bool
make_experiment(struct revival *revival, const struct hpm_copies *copies)
{
    struct hpm_run *run = &revival->experiment->run;
    bool is_good = describe_calibrations(revival);

    for (size_t i = 0; i < revival->n_tables && is_good; i++)
        is_good = hpm_records_add_works(
            revival->experiment, revival->n_counters, revival->tables[i].tree);
    for (size_t i = 0; i < revival->n_tables && is_good; i++)
        is_good = add_table(revival, &revival->tables[i]);
    is_good = is_good && add_profile(revival);
    hpm_run_settle_counters(revival->experiment);
    run->is_complete = false;
    return is_good && say_damage(revival, copies) &&
           hpm_experiment_set_text(&run->reason,
                                   "the program stopped without its end; "
                                   "recovered from its journal");
}

/* ---- the call -------------------------------------------------------- */

static bool
find_run(struct revival *revival, const struct hpm_copies *copies)
{
    for (size_t i = 0; i < copies->n; i++) {
        struct hpm_words words = {.copy = &copies->all[i]};

        if (hpm_words_int(&words) == HPM_SNAPSHOT_RUN)
            return read_run(revival, &words);
    }
    return false;
}

static bool
revive(struct revival *revival, const struct hpm_copies *copies,
       const char *name, struct hpm_error *err)
{
    revival->experiment = hpm_experiment_new();
    revival->tables = hpm_memory_new(copies->n + 1, sizeof *revival->tables);
    if (revival->experiment == NULL || revival->tables == NULL)
        return hpm_error_no_memory(err);
    if (!find_run(revival, copies))
        return hpm_error_set(err, "%s: no whole copy of the run is in it",
                             name);
    for (size_t i = 0; i < copies->n; i++)
        take_table(revival, &copies->all[i], HPM_SNAPSHOT_PROCESS, NULL);
    for (size_t i = 0; i < copies->n; i++)
        take_table(revival, &copies->all[i], HPM_SNAPSHOT_THREAD,
                   find_process(revival));
    settle_tables(revival);
    settle_clock(revival);
    return make_experiment(revival, copies) || hpm_error_no_memory(err);
}

bool
hpm_recovered_read(const struct hpm_copies *copies, const char *name,
                   struct hpm_recovered *ret_revived, struct hpm_error *err)
{
    struct revival *revival = hpm_memory_new(1, sizeof *revival);
    bool is_good;

    if (revival == NULL)
        return hpm_error_no_memory(err);
    is_good = revive(revival, copies, name, err);
    for (size_t i = 0; i < revival->n_tables; i++)
        clear_table(&revival->tables[i]);
    hpm_memory_free(revival->tables);
    hpm_samples_clear_run(&revival->samples);
    *ret_revived =
        (struct hpm_recovered){revival->experiment, revival->n_wrong,
                               revival->n_no_room, revival->n_left_out};
    if (!is_good)
        hpm_recovered_clear(ret_revived);
    hpm_memory_free(revival);
    return is_good;
}

void
hpm_recovered_clear(struct hpm_recovered *recovered)
{
    hpm_experiment_free(recovered->experiment);
    *recovered = (struct hpm_recovered){.experiment = NULL};
}
