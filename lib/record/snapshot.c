/* SPDX-License-Identifier: BSD-3-Clause
 * Copies for a journal: a section table, or the run. */
#include "config.h"

#include "record/snapshot.h"

#include <limits.h>
#include <string.h>

#include "record/noted.h"

enum { MOST_ROW = HPM_MAX_SLOTS + HPM_MAX_CHARGED + HPM_N_EDGES };

#define add_word hpm_journal_add_word
#define add_text hpm_journal_add_text
#define add_fields hpm_journal_add_fields

/* ---- the fields ------------------------------------------------------ */

#define FIELD(TYPE, thing, member)                                             \
    {                                                                          \
        HPM_JOURNAL_##TYPE, offsetof(struct thing, member)                     \
    }
#define END                                                                    \
    {                                                                          \
        HPM_JOURNAL_END, 0                                                     \
    }

const struct hpm_journal_field hpm_snapshot_run[] = {
    FIELD(TEXT, hpm_run, program),
    FIELD(TEXT, hpm_run, job),
    FIELD(INT, hpm_run, task),
    FIELD(LONG, hpm_run, pid),
    FIELD(LONG, hpm_run, forked_from),
    FIELD(TEXT, hpm_run, start),
    END};

/* A program that runs already makes the grid or graph. */
const struct hpm_journal_field hpm_snapshot_place[] = {
    FIELD(TEXT, hpm_run, place[HPM_PLACE_DIMS]),
    FIELD(TEXT, hpm_run, place[HPM_PLACE_PERIODS]),
    FIELD(TEXT, hpm_run, place[HPM_PLACE_COORDS]),
    FIELD(TEXT, hpm_run, place[HPM_PLACE_DEGREES]),
    FIELD(TEXT, hpm_run, place[HPM_PLACE_SOURCES]),
    FIELD(TEXT, hpm_run, place[HPM_PLACE_DESTINATIONS]),
    END};

const struct hpm_journal_field hpm_snapshot_machine[] = {
    FIELD(TEXT, hpm_machine, host),
    FIELD(TEXT, hpm_machine, system),
    FIELD(TEXT, hpm_machine, architecture),
    FIELD(TEXT, hpm_machine, cpu),
    FIELD(TEXT, hpm_machine, pmu),
    FIELD(TEXT, hpm_machine, facts),
    FIELD(TEXT, hpm_machine, mhz_source),
    FIELD(TEXT, hpm_machine, no_counters_reason),
    FIELD(REAL, hpm_machine, mhz),
    FIELD(INT, hpm_machine, n_cpus),
    FIELD(INT, hpm_machine, n_allowed),
    FIELD(BOOL, hpm_machine, is_virtual),
    FIELD(BOOL, hpm_machine, has_hardware_counters),
    END};

const struct hpm_journal_field hpm_snapshot_counter[] = {
    FIELD(PRESENT, hpm_counter, name),     FIELD(TEXT, hpm_counter, source),
    FIELD(TEXT, hpm_counter, description), FIELD(PRESENT, hpm_counter, unit),
    FIELD(TEXT, hpm_counter, domain),      FIELD(STATE, hpm_counter, state),
    FIELD(TEXT, hpm_counter, reason),      END};

const struct hpm_journal_field hpm_snapshot_instant[] = {
    FIELD(WORD, hpm_instant, ticks), FIELD(WORD, hpm_instant, ns), END};

const struct hpm_journal_field hpm_snapshot_resource[] = {
    FIELD(TEXT, hpm_resource, name), FIELD(WORD, hpm_resource, value),
    FIELD(BOOL, hpm_resource, is_known), END};

const struct hpm_journal_field hpm_snapshot_spread[] = {
    FIELD(WORD, hpm_spread, min), FIELD(WORD, hpm_spread, median),
    FIELD(WORD, hpm_spread, max), END};

const struct hpm_journal_field hpm_snapshot_timecost[] = {
    FIELD(REAL, hpm_timecost, middle), FIELD(REAL, hpm_timecost, low),
    FIELD(REAL, hpm_timecost, high), END};

const struct hpm_journal_field hpm_snapshot_problem[] = {
    FIELD(PRESENT, hpm_problem, text), FIELD(WORD, hpm_problem, count), END};

const struct hpm_journal_field hpm_snapshot_event[] = {
    FIELD(HALF, hpm_metered, clock_slot), FIELD(STATE, hpm_metered, state),
    FIELD(TEXT, hpm_metered, reason), END};

const struct hpm_journal_field hpm_snapshot_section[] = {
    FIELD(WORD, hpm_snapshot_section, parent),
    FIELD(WORD, hpm_snapshot_section, within),
    FIELD(INT, hpm_snapshot_section, instance),
    FIELD(INT, hpm_snapshot_section, line_start),
    FIELD(INT, hpm_snapshot_section, line_end),
    FIELD(WORD, hpm_snapshot_section, flags),
    FIELD(WORD, hpm_snapshot_section, calls),
    FIELD(WORD, hpm_snapshot_section, outer),
    FIELD(WORD, hpm_snapshot_section, n_skipped),
    FIELD(PRESENT, hpm_snapshot_section, label),
    FIELD(PRESENT, hpm_snapshot_section, file),
    END};

const struct hpm_journal_field hpm_snapshot_sampled[] = {
    FIELD(PRESENT, hpm_sampled, event.name),
    FIELD(TEXT, hpm_sampled, event.unit), FIELD(INT, hpm_sampled, event.domain),
    FIELD(WORD, hpm_sampled, period), END};

const struct hpm_journal_field hpm_snapshot_total[] = {
    FIELD(BOOL, hpm_sample_total, is_sampled),
    FIELD(BOOL, hpm_sample_total, is_known),
    FIELD(WORD, hpm_sample_total, count), END};

static void
add_int(struct hpm_string *copy, int value)
{
    add_word(copy, (uint64_t)(int64_t)value);
}

/* ---- a section table ------------------------------------------------- */

static void
add_events(struct hpm_string *copy, const struct hpm_meter *meter)
{
    add_word(copy, meter->n_events);
    for (size_t i = 0; i < meter->n_events; i++)
        add_fields(copy, hpm_snapshot_event, &meter->events[i]);
}

static uint64_t
number_of(const struct hpm_node *node)
{
    return node != NULL ? (uint64_t)node->number + 1 : 0;
}

static uint64_t
flags_of(const struct hpm_node *node)
{
    bool is_open = node->is_open || hpm_node_is_in_frame(node);

    return (is_open ? HPM_SNAPSHOT_OPEN : 0u) |
           (node->has_overlap ? HPM_SNAPSHOT_OVERLAP : 0u) |
           (node->is_only_exclusive ? HPM_SNAPSHOT_ONLY_EXCLUSIVE : 0u) |
           (node->is_excluded ? HPM_SNAPSHOT_EXCLUDED : 0u) |
           (node->is_outside ? HPM_SNAPSHOT_OUTSIDE : 0u) |
           hpm_noted_get(node->instance) * HPM_SNAPSHOT_NOTED;
}

/* Write inclusive sums, exclusive sums, squares.  The present call of an open
 * node is added in the copy, and the inner sums there become exclusive ones.
 * That call needs the node's order (squares before inner sums); the two are
 * swapped at the end, with extra room behind. */
static void
add_sums(struct hpm_string *copy, const struct hpm_snapshot *table,
         const struct hpm_node *node)
{
    const struct hpm_calltree *tree = table->tree;
    size_t n_row = tree->n_row, n_squares = 2 * tree->n_counts;
    uint64_t *end, *inner, *squares, *sums;

    hpm_journal_add_words(copy, node->sums, 2 * n_row + n_squares);
    hpm_journal_add_words(copy, (const uint64_t *)node->squares, n_squares);
    if (copy->failed)
        return;
    end = (uint64_t *)(void *)(copy->text + copy->length) - n_squares;
    inner = end - n_row;
    squares = inner - n_squares;
    sums = squares - n_row;
    if (hpm_node_is_in_frame(node))
        hpm_calltree_add_open_call(tree, node, table->opener, sums);
    for (size_t i = 0; i < n_row; i++)
        inner[i] = sums[i] - inner[i];
    memcpy(end, squares, n_squares * sizeof *end);
    memmove(squares, inner, (n_row + n_squares) * sizeof *inner);
    copy->length -= n_squares * sizeof *end;
}

static void
add_section(struct hpm_string *copy, const struct hpm_snapshot *table,
            const struct hpm_node *node)
{
    const struct hpm_snapshot_section section = {
        .parent = number_of(node->parent),
        .within = number_of(node->within),
        .instance = node->instance,
        .line_start = node->line_start,
        .line_end = hpm_node_line_end(node),
        .flags = flags_of(node),
        .calls = hpm_node_calls(node),
        .outer = node->outer + hpm_node_is_in_frame(node),
        .n_skipped = node->n_skipped,
        .label = (char *)node->label,
        .file = (char *)node->file};

    add_fields(copy, hpm_snapshot_section, &section);
    add_word(copy, node->n_works);
    for (size_t i = 0; i < node->n_works; i++) {
        add_text(copy, node->works[i].unit);
        add_word(copy, node->works[i].amount);
    }
    add_sums(copy, table, node);
}

/* While the run goes on, no node has what no section covers. */
static void
add_outside(struct hpm_string *copy, const struct hpm_snapshot *table)
{
    const struct hpm_calltree *tree = table->tree;
    const struct hpm_snapshot_section section = {
        .instance = INT_MIN,
        .flags = HPM_SNAPSHOT_OUTSIDE |
                 (table->uncounted > 0 ? HPM_SNAPSHOT_ONLY_TIME : 0u),
        .calls = 1,
        .outer = 1,
        .label = (char *)HPM_OUTSIDE_LABEL,
        .file = (char *)""};
    static const uint64_t no_squares[2 * HPM_MAX_SLOTS];
    uint64_t all[MOST_ROW], covered[MOST_ROW];

    hpm_calltree_read_run(tree, all, covered);
    all[table->meter->time_slot] += table->uncounted;
    for (size_t i = 0; i < tree->n_row; i++)
        covered[i] = all[i] - covered[i];
    add_fields(copy, hpm_snapshot_section, &section);
    add_word(copy, 0); /* works */
    hpm_journal_add_words(copy, all, tree->n_row);
    hpm_journal_add_words(copy, covered, tree->n_row);
    hpm_journal_add_words(copy, no_squares, 2 * tree->n_counts);
}

static void
add_sample(struct hpm_string *copy, const struct hpm_sample_count *count)
{
    const uint64_t words[HPM_SNAPSHOT_SAMPLE_WORDS] = {
        [HPM_SNAPSHOT_NODE] = number_of(count->node),
        [HPM_SNAPSHOT_WITHIN] = number_of(count->within),
        [HPM_SNAPSHOT_ADDRESS] = count->address,
        [HPM_SNAPSHOT_PART] = count->part,
        [HPM_SNAPSHOT_SAMPLED] = count->event,
        [HPM_SNAPSHOT_N] = count->n};

    hpm_journal_add_words(copy, words, HPM_SNAPSHOT_SAMPLE_WORDS);
}

static void
add_samples(struct hpm_string *copy, const struct hpm_sampler *samples)
{
    add_word(copy, samples != NULL ? HPM_MAX_SAMPLED : 0);
    if (samples == NULL)
        return;
    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++) {
        struct hpm_sample_total total = hpm_sampler_total(samples, i);

        add_fields(copy, hpm_snapshot_total, &total);
    }
    add_word(copy, samples->n_dropped);
    add_word(copy, samples->n_counts);
    for (size_t i = 0; i < samples->n_slots; i++) {
        if (samples->counts[i].n > 0)
            add_sample(copy, &samples->counts[i]);
    }
}

/* In the order of the sections' numbers; sections after the last chosen one are
 * left out. */
static void
add_kept_calls(struct hpm_string *copy, const struct hpm_calltree *tree,
               size_t most_words)
{
    const struct hpm_reservoirs *reservoirs = tree->reservoirs;
    size_t n_nodes = reservoirs != NULL ? reservoirs->n_nodes : 0;

    add_word(copy, n_nodes);
    for (size_t i = 0; i < n_nodes; i++) {
        const struct hpm_reservoir *reservoir = reservoirs->of_nodes[i];
        size_t n_row = 2 + tree->n_row, n;

        add_word(copy, reservoir != NULL ? reservoir->n_made : 0);
        if (reservoir == NULL || reservoir->n_made == 0)
            continue;
        n = reservoir->n * n_row <= most_words ? reservoir->n : 0;
        most_words -= n * n_row;
        add_word(copy, n);
        hpm_journal_add_words(copy, reservoir->rows, n * n_row);
    }
}

void
hpm_snapshot_add_table(struct hpm_string *copy,
                       const struct hpm_snapshot *table, struct hpm_instant now)
{
    const struct hpm_calltree *tree = table->tree;

    add_int(copy, table->kind);
    add_int(copy, table->tid);
    add_int(copy, table->omp);
    add_word(copy, table->n_threads);
    add_fields(copy, hpm_snapshot_instant, &now);
    add_word(copy, tree->n_slots);
    add_word(copy, tree->n_counts);
    add_word(copy, tree->n_overheads);
    add_events(copy, table->meter);
    add_word(copy, tree->nodes.n + tree->is_running);
    for (const struct hpm_node *node = tree->nodes.first; node != NULL;
         node = node->next)
        add_section(copy, table, node);
    if (tree->is_running)
        add_outside(copy, table);
    add_samples(copy, table->samples);
    add_kept_calls(copy, tree, table->most_words);
}

/* ---- the run --------------------------------------------------------- */

static void
add_counter(struct hpm_string *copy, const struct hpm_counter *counter,
            const struct hpm_eventset *set, size_t event)
{
    add_fields(copy, hpm_snapshot_counter, counter);
    add_word(copy, (uint64_t)counter->is_hidden |
                       (uint64_t)hpm_eventset_is_charged(set, event) << 1 |
                       (uint64_t)(event < set->n_thread_events) << 2);
}

void
hpm_snapshot_add_description(struct hpm_string *copy, const char *file,
                             const struct hpm_experiment *experiment,
                             const struct hpm_eventset *set,
                             struct hpm_instant start)
{
    add_int(copy, HPM_SNAPSHOT_RUN);
    add_text(copy, PACKAGE_VERSION);
    add_text(copy, file);
    add_fields(copy, hpm_snapshot_run, &experiment->run);
    add_fields(copy, hpm_snapshot_instant, &start);
    add_word(copy, hpm_clock_is_tick);
    add_fields(copy, hpm_snapshot_machine, &experiment->machine);
    add_word(copy, experiment->n_counters);
    for (size_t i = 0; i < experiment->n_counters; i++)
        add_counter(copy, &experiment->counters[i], set, i);
}

static void
add_resources(struct hpm_string *copy, const struct hpm_experiment *experiment)
{
    add_word(copy, experiment->n_resources);
    for (size_t i = 0; i < experiment->n_resources; i++)
        add_fields(copy, hpm_snapshot_resource, &experiment->resources[i]);
}

static void
add_calibration(struct hpm_string *copy,
                const struct hpm_calibration *calibration, int which)
{
    bool is_process = which == HPM_CALIBRATION_PROCESS_INIT ||
                      which == HPM_CALIBRATION_PROCESS_END;
    bool is_init = which == HPM_CALIBRATION_PROCESS_INIT ||
                   which == HPM_CALIBRATION_THREAD_INIT;

    add_text(copy,
             hpm_scope_name(is_process ? HPM_SCOPE_PROCESS : HPM_SCOPE_THREAD));
    add_text(copy, is_init ? "init" : "end");
    add_int(copy, calibration->n_calls);
    add_word(copy, calibration->n_overheads);
    for (size_t i = 0; i < calibration->n_overheads; i++) {
        add_fields(copy, hpm_snapshot_spread, &calibration->self[i]);
        add_fields(copy, hpm_snapshot_spread, &calibration->pair[i]);
        add_word(copy, calibration->costs.amounts[HPM_COST_SELF][i]);
        add_word(copy, calibration->costs.amounts[HPM_COST_START][i]);
        add_word(copy, calibration->costs.amounts[HPM_COST_STOP][i]);
    }
    for (int i = 0; i < HPM_N_TIMED; i++)
        add_fields(copy, hpm_snapshot_timecost, &calibration->timed[i]);
    add_word(copy, calibration->costs.amounts[HPM_COST_AGAIN_START][0] +
                       calibration->costs.amounts[HPM_COST_AGAIN_STOP][0]);
}

static void
add_calibrations(
    struct hpm_string *copy,
    const struct hpm_calibration *const calibrations[HPM_N_CALIBRATIONS])
{
    size_t n = 0;

    for (int which = 0; which < HPM_N_CALIBRATIONS; which++)
        n += calibrations[which] != NULL && calibrations[which]->is_done;
    add_word(copy, n);
    for (int which = 0; which < HPM_N_CALIBRATIONS; which++) {
        if (calibrations[which] != NULL && calibrations[which]->is_done)
            add_calibration(copy, calibrations[which], which);
    }
}

void
hpm_snapshot_add_state(
    struct hpm_string *copy, struct hpm_instant now,
    const struct hpm_calibration *const calibrations[HPM_N_CALIBRATIONS],
    const struct hpm_experiment *experiment)
{
    add_fields(copy, hpm_snapshot_instant, &now);
    add_fields(copy, hpm_snapshot_place, &experiment->run);
    add_resources(copy, experiment);
    add_calibrations(copy, calibrations);
    add_word(copy, experiment->n_problems);
    for (size_t i = 0; i < experiment->n_problems; i++)
        add_fields(copy, hpm_snapshot_problem, &experiment->problems[i]);
}

/* ---- sampling ------------------------------------------------------- */

static size_t
add_modules(struct hpm_string *copy, const struct hpm_modules *modules)
{
    add_word(copy, modules->n_modules);
    for (size_t i = 0; i < modules->n_modules; i++) {
        add_text(copy, modules->modules[i].path);
        add_text(copy, modules->modules[i].build_id);
    }
    add_word(copy, modules->n_parts);
    for (size_t i = 0; i < modules->n_parts; i++) {
        const struct hpm_module_part *part = &modules->parts[i];
        const uint64_t words[] = {part->start, part->end, part->offset,
                                  part->module};

        hpm_journal_add_words(copy, words, 4);
    }
    return modules->n_parts;
}

size_t
hpm_snapshot_add_sampling(struct hpm_string *copy,
                          const struct hpm_sampling *sampling,
                          uint64_t n_without, struct hpm_modules *modules)
{
    size_t n_parts;

    add_word(copy, sampling->n_events);
    if (sampling->n_events == 0)
        return 0;
    for (size_t i = 0; i < sampling->n_events; i++)
        add_fields(copy, hpm_snapshot_sampled, &sampling->events[i]);
    add_word(copy, n_without);
    pthread_mutex_lock(&modules->lock);
    n_parts = add_modules(copy, modules);
    pthread_mutex_unlock(&modules->lock);
    return n_parts;
}
