/* SPDX-License-Identifier: BSD-3-Clause
 * What a journal's copies say: a section table, or the run around them. */
#include "config.h"

#include "record/snapshot.h"

#include <limits.h>

#include "file/journal.h"

enum { MOST_ROW = HPM_MAX_SLOTS + HPM_MAX_CHARGED + HPM_N_EDGES };

#define add_word hpm_journal_add_word
#define add_real hpm_journal_add_real
#define add_text hpm_journal_add_text

static void
add_int(struct hpm_string *copy, long value)
{
    add_word(copy, (uint64_t)(int64_t)value);
}

static void
add_instant(struct hpm_string *copy, struct hpm_instant instant)
{
    add_word(copy, instant.ticks);
    add_word(copy, instant.ns);
}

/* ---- a section table ------------------------------------------------- */

static void
add_events(struct hpm_string *copy, const struct hpm_meter *meter)
{
    add_word(copy, meter->n_events);
    for (size_t i = 0; i < meter->n_events; i++) {
        const struct hpm_metered *metered = &meter->events[i];

        add_word(copy, metered->clock_slot);
        add_text(copy, hpm_state_name(metered->state));
        add_text(copy, metered->reason);
    }
}

static uint64_t
number_of(const struct hpm_node *node)
{
    return node != NULL ? (uint64_t)node->number + 1 : 0;
}

static uint64_t
flags_of(const struct hpm_node *node)
{
    return (uint64_t)(node->is_open || hpm_node_is_in_frame(node)) |
           (uint64_t)node->has_overlap << 1 |
           (uint64_t)node->is_only_exclusive << 2 |
           (uint64_t)node->is_excluded << 3 | (uint64_t)node->is_outside << 4;
}

/* The present call of an open one is added where the sums have been copied to,
 * and what ran inside is taken off there. */
static void
add_sums(struct hpm_string *copy, const struct hpm_snapshot *table,
         const struct hpm_node *node)
{
    const struct hpm_calltree *tree = table->tree;
    size_t n = 2 * tree->n_row + 2 * tree->n_counts;
    uint64_t *sums;

    hpm_journal_add_words(copy, node->sums, n);
    if (copy->failed)
        return;
    sums = (uint64_t *)(void *)(copy->text + copy->length) - n;
    if (hpm_node_is_in_frame(node))
        hpm_calltree_add_open_call(tree, node, table->opener, sums);
    for (size_t i = 0; i < tree->n_row; i++)
        sums[tree->n_row + i] = sums[i] - sums[tree->n_row + i];
}

static void
add_section(struct hpm_string *copy, const struct hpm_snapshot *table,
            const struct hpm_node *node)
{
    add_word(copy, number_of(node->parent));
    add_word(copy, number_of(node->within));
    add_int(copy, node->instance);
    add_int(copy, node->line_start);
    add_int(copy, node->line_end);
    add_word(copy, flags_of(node));
    add_word(copy, hpm_node_calls(node));
    add_word(copy, node->outer + hpm_node_is_in_frame(node));
    add_word(copy, node->n_skipped);
    add_text(copy, node->label);
    add_text(copy, node->file);
    add_word(copy, node->n_works);
    for (size_t i = 0; i < node->n_works; i++) {
        add_text(copy, node->works[i].unit);
        add_word(copy, node->works[i].amount);
    }
    add_sums(copy, table, node);
}

/* While the run goes on there is no node of it. */
static void
add_outside(struct hpm_string *copy, const struct hpm_snapshot *table)
{
    const struct hpm_calltree *tree = table->tree;
    uint64_t flags = 1u << 4 | (uint64_t)(table->uncounted > 0) << 5;
    const uint64_t numbers[] = {
        0, 0, (uint64_t)(int64_t)INT_MIN, 0, 0, flags, 1, 1, 0};
    static const uint64_t no_squares[2 * HPM_MAX_SLOTS];
    uint64_t all[MOST_ROW], covered[MOST_ROW];

    hpm_calltree_read_run(tree, all, covered);
    all[table->meter->time_slot] += table->uncounted;
    for (size_t i = 0; i < tree->n_row; i++)
        covered[i] = all[i] - covered[i];
    hpm_journal_add_words(copy, numbers, sizeof numbers / sizeof *numbers);
    add_text(copy, HPM_OUTSIDE_LABEL);
    add_text(copy, "");
    add_word(copy, 0); /* works */
    hpm_journal_add_words(copy, all, tree->n_row);
    hpm_journal_add_words(copy, covered, tree->n_row);
    hpm_journal_add_words(copy, no_squares, 2 * tree->n_counts);
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
    add_instant(copy, now);
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
}

/* ---- the run --------------------------------------------------------- */

static void
add_machine(struct hpm_string *copy, const struct hpm_machine *machine)
{
    add_text(copy, machine->host);
    add_text(copy, machine->system);
    add_text(copy, machine->architecture);
    add_text(copy, machine->cpu);
    add_text(copy, machine->pmu);
    add_text(copy, machine->facts);
    add_text(copy, machine->mhz_source);
    add_text(copy, machine->no_counters_reason);
    add_real(copy, machine->mhz);
    add_int(copy, machine->n_cpus);
    add_int(copy, machine->n_allowed);
    add_word(copy, machine->is_virtual);
    add_word(copy, machine->has_hardware_counters);
}

static void
add_counter(struct hpm_string *copy, const struct hpm_counter *counter,
            const struct hpm_eventset *set, size_t event)
{
    add_text(copy, counter->name);
    add_text(copy, counter->source);
    add_text(copy, counter->description);
    add_text(copy, counter->unit);
    add_text(copy, counter->domain);
    add_text(copy, hpm_state_name(counter->state));
    add_text(copy, counter->reason);
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
    const struct hpm_run *run = &experiment->run;

    add_int(copy, HPM_SNAPSHOT_RUN);
    add_text(copy, PACKAGE_VERSION);
    add_text(copy, file);
    add_text(copy, run->program);
    add_text(copy, run->job);
    add_int(copy, run->task);
    add_int(copy, run->pid);
    add_int(copy, run->forked_from);
    add_text(copy, run->start);
    add_instant(copy, start);
    add_word(copy, hpm_clock_is_tick);
    add_machine(copy, &experiment->machine);
    add_word(copy, experiment->n_counters);
    for (size_t i = 0; i < experiment->n_counters; i++)
        add_counter(copy, &experiment->counters[i], set, i);
}

static void
add_resources(struct hpm_string *copy, const struct hpm_experiment *experiment)
{
    add_word(copy, experiment->n_resources);
    for (size_t i = 0; i < experiment->n_resources; i++) {
        const struct hpm_resource *resource = &experiment->resources[i];

        add_text(copy, resource->name);
        add_word(copy, resource->value);
        add_word(copy, resource->is_known);
    }
}

static void
add_spread(struct hpm_string *copy, const struct hpm_spread *spread)
{
    add_word(copy, spread->min);
    add_word(copy, spread->median);
    add_word(copy, spread->max);
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
        add_spread(copy, &calibration->self[i]);
        add_spread(copy, &calibration->pair[i]);
        add_word(copy, calibration->costs.amounts[HPM_COST_SELF][i]);
        add_word(copy, calibration->costs.amounts[HPM_COST_START][i]);
        add_word(copy, calibration->costs.amounts[HPM_COST_STOP][i]);
    }
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
    add_instant(copy, now);
    add_resources(copy, experiment);
    add_calibrations(copy, calibrations);
    add_word(copy, experiment->n_problems);
    for (size_t i = 0; i < experiment->n_problems; i++) {
        add_text(copy, experiment->problems[i].text);
        add_word(copy, experiment->problems[i].count);
    }
}
