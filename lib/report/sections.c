/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment as a text report: one line per section and thread. */
#include "report/sections.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "host/path.h"
#include "model/estimate.h"
#include "report/text.h"

static bool
is_time(const struct hpm_counter *counter)
{
    return strcmp(counter->unit, "ns") == 0;
}

static void
add_columns(struct hpm_table *table, const struct hpm_experiment *experiment,
            const char *title)
{
    hpm_table_add_column(table, "section", title, 0);
    hpm_table_add_column(table, "thread", NULL, 0);
    hpm_table_add_column(table, "calls", NULL, 0);
    hpm_table_add_column(table, "incl", "incl s", 6);
    hpm_table_add_column(table, "excl", "excl s", 6);
    hpm_table_add_column(table, "share", "excl %", 1);
    for (size_t i = 0; i < experiment->n_counters; i++) {
        const struct hpm_counter *counter = &experiment->counters[i];
        struct hpm_string heading = {0};

        if (counter->is_hidden)
            continue;
        hpm_string_add_safe(&heading, counter->name);
        if (is_time(counter))
            hpm_string_add(&heading, " s");
        hpm_table_add_column(table, "counter", hpm_string_text(&heading), 6);
        hpm_string_finish(&heading, &table->failed);
    }
    hpm_table_add_column(table, "where", NULL, 0);
}

/* Adds "solver.c:41-57". */
static void
add_where(struct hpm_table *table, const struct hpm_record *record)
{
    struct hpm_string where = {0};

    if (record->file[0] != '\0') {
        hpm_string_add_format(&where, "%s:%d", hpm_path_base_name(record->file),
                              record->line_start);
        if (record->line_end > record->line_start)
            hpm_string_add_format(&where, "-%d", record->line_end);
        hpm_table_add_text(table, hpm_string_text(&where));
    } else {
        hpm_table_add_none(table);
    }
    hpm_string_finish(&where, &table->failed);
}

/* Adds "1,234 +-1.2%". */
static void
add_estimate(struct hpm_table *table, const struct hpm_counter *counter,
             const struct hpm_value *value)
{
    struct hpm_string text = {0};

    if (is_time(counter))
        hpm_string_add_fixed(&text, (double)value->total / 1e9, 6);
    else
        hpm_string_add_grouped(&text, value->total);
    hpm_text_add_reach(&text, (double)value->total,
                       value->freedom > 0
                           ? value->error * hpm_estimate_reach(value->freedom)
                           : NAN);
    hpm_table_add_string(table, &text);
}

static void
add_value(struct hpm_table *table, const struct hpm_counter *counter,
          const struct hpm_value *value)
{
    if (value->is_present && value->state == HPM_STATE_BRIEF)
        hpm_table_add_text(table, "too short");
    else if (value->is_present && value->state == HPM_STATE_SHARED &&
             !value->lacks_total)
        add_estimate(table, counter, value);
    else if (!value->is_present || value->lacks_total ||
             !hpm_state_has_value(value->state))
        hpm_table_add_none(table);
    else if (is_time(counter))
        hpm_table_add_real(table, (double)value->total / 1e9);
    else
        hpm_table_add_count(table, value->total);
}

/* For threads that share a record, all values are sums, times too. */
static void
add_thread(struct hpm_table *table, const struct hpm_record *record)
{
    struct hpm_string text = {0};

    if (record->scope == HPM_SCOPE_PROCESS) {
        hpm_table_add_text(table, "all");
    } else if (record->n_threads == 0) {
        hpm_table_add_integer(table, record->tid);
    } else {
        hpm_string_add_format(&text, "sum of %d", record->n_threads);
        hpm_table_add_text(table, hpm_string_text(&text));
    }
    table->failed |= text.failed;
    hpm_string_free(&text);
}

static void
add_row(struct hpm_table *table, const struct hpm_experiment *experiment,
        size_t i, double total_ns)
{
    const struct hpm_record *record = &experiment->records[i];
    struct hpm_string label = {0};

    for (size_t d = hpm_experiment_depth(experiment, i); d > 0; d--)
        hpm_string_add(&label, "  ");
    hpm_record_add_label(record, &label);
    if (record->is_short)
        hpm_string_add(&label, " ?");
    hpm_table_add_text(table, hpm_string_text(&label));
    add_thread(table, record);
    if (record->is_outside)
        hpm_table_add_none(table);
    else
        hpm_table_add_count(table, record->calls);
    hpm_table_add_real(table, record->time.lacks_total
                                  ? NAN
                                  : (double)record->time.total / 1e9);
    hpm_table_add_real(table, (double)record->time.exclusive / 1e9);
    hpm_table_add_real(table,
                       total_ns > 0.0
                           ? 100.0 * (double)record->time.exclusive / total_ns
                           : NAN);
    for (size_t j = 0; j < experiment->n_counters; j++) {
        if (!experiment->counters[j].is_hidden)
            add_value(table, &experiment->counters[j],
                      hpm_experiment_value(experiment, i, j));
    }
    add_where(table, record);
    hpm_string_finish(&label, &table->failed);
}

/* Records are stored in the order of first use, which separates parents and
 * children: the report shows each record followed by all records below it. */
struct family {
    const struct hpm_experiment *experiment;
    size_t *next; /* per record: the next child of its parent */
    size_t *last; /* per record: its last child so far */
    size_t *first;
};

/* The entry after the last record stands for the parent of the top level. */
static bool
find_families(struct family *family, const struct hpm_experiment *experiment,
              enum hpm_scope scope)
{
    size_t n = experiment->n_records;
    size_t *room = hpm_memory_new(3 * (n + 1), sizeof *room);

    if (room == NULL)
        return false;
    *family =
        (struct family){experiment, room, room + n + 1, room + 2 * (n + 1)};
    for (size_t i = 0; i < 3 * (n + 1); i++)
        room[i] = HPM_NO_RECORD;
    for (size_t i = 0; i < n; i++) {
        const struct hpm_record *record = &experiment->records[i];
        size_t parent = record->parent != HPM_NO_RECORD ? record->parent : n;

        if (record->scope != scope)
            continue;
        if (family->first[parent] == HPM_NO_RECORD)
            family->first[parent] = i;
        else
            family->next[family->last[parent]] = i;
        family->last[parent] = i;
    }
    return true;
}

static void
add_children(struct hpm_table *table, const struct family *family,
             size_t parent, double total_ns)
{
    for (size_t i = family->first[parent]; i != HPM_NO_RECORD;
         i = family->next[i]) {
        add_row(table, family->experiment, i, total_ns);
        add_children(table, family, i, total_ns);
    }
}

static void
add_scope(struct hpm_string *string, const struct hpm_experiment *experiment,
          enum hpm_scope scope, const char *title)
{
    struct hpm_table table = {0};
    struct family family;
    double total_ns = 0.0;

    if (!find_families(&family, experiment, scope)) {
        string->failed = true;
        return;
    }
    for (size_t i = 0; i < experiment->n_records; i++) {
        if (experiment->records[i].scope == scope)
            total_ns += (double)experiment->records[i].time.exclusive;
    }
    add_columns(&table, experiment, title);
    add_children(&table, &family, experiment->n_records, total_ns);
    if (hpm_table_rows(&table) > 0) {
        hpm_string_add_char(string, '\n');
        hpm_text_add_table(string, &table);
    }
    hpm_table_finish(&table, &string->failed);
    hpm_memory_free(family.next);
}

static bool
has_open_record(const struct hpm_experiment *experiment)
{
    for (size_t i = 0; i < experiment->n_records; i++) {
        if (experiment->records[i].is_open)
            return true;
    }
    return false;
}

/* How a counter that took turns did in all records. */
struct turns {
    double least_share; /* smallest share in a record; 1: not shared */
    size_t n_brief, n_unknown;
};

static struct turns
turns_of(const struct hpm_experiment *experiment, size_t counter)
{
    struct turns turns = {.least_share = 1.0};

    for (size_t i = 0; i < experiment->n_records; i++) {
        const struct hpm_value *value =
            hpm_experiment_value(experiment, i, counter);
        bool is_shared = value->state == HPM_STATE_SHARED;

        if (!value->is_present)
            continue;
        if (is_shared && value->share < turns.least_share)
            turns.least_share = value->share;
        turns.n_brief += value->state == HPM_STATE_BRIEF;
        turns.n_unknown += is_shared && value->freedom == 0;
    }
    return turns;
}

static void
add_share_note(struct hpm_string *string,
               const struct hpm_experiment *experiment, size_t counter,
               const char *prefix)
{
    const char *name = experiment->counters[counter].name;
    struct turns turns = turns_of(experiment, counter);

    if (turns.least_share < 1.0) {
        hpm_string_add(string, prefix);
        hpm_string_add_safe(string, name);
        hpm_string_add(string, ": shared the hardware with other counters: "
                               "counted as little as ");
        hpm_string_add_fixed(string, 100.0 * turns.least_share, 1);
        hpm_string_add(string, " % of the time, and scaled up");
        hpm_string_add(string,
                       turns.n_unknown > 0
                           ? "; how far that is off (+-?) nobody knows\n"
                           : "; +- is its 95 % interval\n");
    }
    if (turns.n_brief > 0) {
        hpm_string_add(string, prefix);
        hpm_string_add_safe(string, name);
        hpm_string_add_format(string,
                              ": in %zu section%s " HPM_REASON_BRIEF "\n",
                              turns.n_brief, turns.n_brief == 1 ? "" : "s");
    }
}

/* ---- overhead -------------------------------------------------------- */

static const struct hpm_calibrated_cost *
pair_cost(const struct hpm_experiment *experiment)
{
    for (size_t i = 0; i < experiment->n_calibrations; i++) {
        const struct hpm_calibrated *calibrated = &experiment->calibrations[i];

        for (size_t j = 0; j < calibrated->n_costs; j++) {
            if (calibrated->scope == HPM_SCOPE_THREAD &&
                calibrated->costs[j].counter == HPM_NO_COUNTER)
                return &calibrated->costs[j];
        }
    }
    return NULL;
}

/* Adds the overhead of top-level records only: it includes that of inner
 * ones. */
static uint64_t
overhead_in_threads(const struct hpm_experiment *experiment)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < experiment->n_records; i++) {
        const struct hpm_record *record = &experiment->records[i];

        if (record->scope == HPM_SCOPE_THREAD &&
            record->parent == HPM_NO_RECORD && record->time.has_overhead)
            sum += record->time.overhead;
    }
    return sum;
}

static size_t
count_sections(const struct hpm_experiment *experiment, bool are_short)
{
    size_t n = 0;

    for (size_t i = 0; i < experiment->n_records; i++) {
        const struct hpm_record *record = &experiment->records[i];

        n += !record->is_outside && (record->is_short || !are_short);
    }
    return n;
}

static void
add_overhead_notes(struct hpm_string *string,
                   const struct hpm_experiment *experiment, const char *prefix)
{
    const struct hpm_calibrated_cost *cost = pair_cost(experiment);
    size_t n_short = count_sections(experiment, true);

    if (cost == NULL)
        return;
    hpm_string_add(string, prefix);
    hpm_string_add(string, "measuring took ");
    hpm_string_add_fixed(string, (double)overhead_in_threads(experiment) / 1e9,
                         6);
    hpm_string_add(string, " s in thread sections, which is subtracted: ");
    hpm_string_add_fixed(string, (double)cost->pair[1] / 1e3, 3);
    hpm_string_add(string, " us for a start and stop\n");
    if (n_short > 0)
        hpm_string_add_format(string,
                              "%s%zu of %zu sections (?) take less than three "
                              "times that in a call: do not trust their "
                              "times\n",
                              prefix, n_short,
                              count_sections(experiment, false));
}

static void
add_counter_notes(struct hpm_string *string,
                  const struct hpm_experiment *experiment, const char *prefix)
{
    for (size_t i = 0; i < experiment->n_counters; i++) {
        const struct hpm_counter *counter = &experiment->counters[i];

        add_share_note(string, experiment, i, prefix);
        if (counter->reason == NULL || counter->is_hidden)
            continue;
        hpm_string_add(string, prefix);
        hpm_string_add_safe(string, counter->name);
        hpm_string_add(string, hpm_state_has_value(counter->state)
                                   ? ": in part not counted: "
                                   : ": not counted: ");
        hpm_string_add_safe(string, counter->reason);
        hpm_string_add_char(string, '\n');
    }
}

static void
add_problem_notes(struct hpm_string *string,
                  const struct hpm_experiment *experiment, const char *prefix)
{
    for (size_t i = 0; i < experiment->n_problems; i++) {
        hpm_string_add(string, prefix);
        hpm_string_add_safe(string, experiment->problems[i].text);
        if (experiment->problems[i].count != 1)
            hpm_string_add_format(
                string, " (%llu times)",
                (unsigned long long)experiment->problems[i].count);
        hpm_string_add_char(string, '\n');
    }
}

void
hpm_sections_add_faults(struct hpm_string *string,
                        const struct hpm_experiment *experiment,
                        const char *prefix)
{
    add_counter_notes(string, experiment, prefix);
    add_problem_notes(string, experiment, prefix);
}

void
hpm_sections_add_notes(struct hpm_string *string,
                       const struct hpm_experiment *experiment,
                       const char *prefix)
{
    add_counter_notes(string, experiment, prefix);
    if (experiment->machine.no_counters_reason != NULL &&
        experiment->n_counters > 0)
        hpm_string_add_format(string, "%sno hardware counters: %s\n", prefix,
                              experiment->machine.no_counters_reason);
    add_overhead_notes(string, experiment, prefix);
    add_problem_notes(string, experiment, prefix);
    if (has_open_record(experiment))
        hpm_string_add_format(string,
                              "%ssections left open were measured until "
                              "the library closed them\n",
                              prefix);
}

void
hpm_sections_add_text(struct hpm_string *string,
                      const struct hpm_experiment *experiment)
{
    const struct hpm_run *run = &experiment->run;

    hpm_string_add_safe(string, run->program != NULL ? run->program : "");
    hpm_string_add_format(string, ", task %d, ", run->task);
    hpm_string_add_fixed(string, (double)run->ns / 1e9, 3);
    hpm_string_add(string, " s wall clock\n");
    add_scope(string, experiment, HPM_SCOPE_PROCESS,
              "process section (all threads)");
    add_scope(string, experiment, HPM_SCOPE_THREAD, "thread section");
    hpm_string_add_char(string, '\n');
    hpm_sections_add_notes(string, experiment, "note: ");
}
