/* SPDX-License-Identifier: BSD-3-Clause
 * Records of an experiment, made from a section table. */
#include "record/records.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "record/noted.h"
#include "record/shortclock.h"

/* ---- values ---------------------------------------------------------- */

/* For a number that may be below 0. */
static uint64_t
to_ns(uint64_t ticks, double ns_per_tick)
{
    return (uint64_t)llrint((double)(int64_t)ticks * ns_per_tick);
}

/* The estimate is without overhead, too: the part counted while the counter was
 * on is subtracted from the count, the rest from the estimate.  Returns how
 * much smaller the estimate became. */
static uint64_t
correct_estimate(const struct hpm_records *records, const struct hpm_node *node,
                 size_t event, bool is_exclusive, struct hpm_estimate *estimate)
{
    const uint64_t *sums = is_exclusive ? records->exclusive : node->inclusive;
    uint64_t n_selves = is_exclusive
                            ? hpm_correct_exclusive_selves(records->tree, node)
                            : hpm_correct_inclusive_selves(node);
    size_t clock = records->meter->events[event].clock_slot;
    struct hpm_turns turns = {sums[1 + event], sums[clock], sums[clock + 1]};
    struct hpm_overhead_parts parts = hpm_correct_parts(
        &records->correction, records->tree, sums, n_selves, 1 + event);
    uint64_t before = estimate->value;

    turns.count -= parts.counted < turns.count ? parts.counted : turns.count;
    estimate->value = hpm_estimate_scale(&turns);
    estimate->value -=
        parts.whole < estimate->value ? parts.whole : estimate->value;
    return before - estimate->value;
}

/* The value of an event in a section; an estimate if the counter took turns. */
static void
estimate(const struct hpm_records *records, const struct hpm_node *node,
         size_t event, bool is_exclusive, struct hpm_estimate *ret_estimate)
{
    hpm_meter_estimate(records->meter, event,
                       is_exclusive ? records->exclusive : node->inclusive,
                       hpm_shares_find(records->tree->shares, node->number,
                                       event, is_exclusive),
                       ret_estimate);
}

/* If both values were estimated, the smaller number of degrees of freedom is
 * kept for both. */
static void
fill_turns(struct hpm_value *value, const struct hpm_estimate *total,
           const struct hpm_estimate *alone)
{
    value->share = total->share;
    value->n_windows = total->n_windows;
    value->freedom = total->freedom;
    value->error = total->error;
    value->error_exclusive =
        alone->state == HPM_STATE_SHARED ? alone->error : 0.0;
    if (alone->state == HPM_STATE_SHARED && alone->freedom < value->freedom)
        value->freedom = alone->freedom;
}

/* The library's own use of the process's resources becomes known only when a
 * step of its work is done: if a section begins during that step, too much is
 * subtracted from it. */
static unsigned
raise_to_zero(struct hpm_estimate *estimate)
{
    if (!hpm_state_has_value(estimate->state) || (int64_t)estimate->value >= 0)
        return 0;
    estimate->value = 0;
    return 1;
}

/* Fill in a value without correction: for counts that come in large steps;
 * values of counters that took turns are corrected as estimates. */
static void
fill_as_read(struct hpm_value *value, const struct hpm_records *records,
             const struct hpm_node *node, size_t event)
{
    struct hpm_estimate total, alone;
    unsigned n_clamped;

    estimate(records, node, event, true, &alone);
    total = alone;
    if (!node->is_outside)
        estimate(records, node, event, false, &total);
    n_clamped = records->meter->set->events[event].source == &hpm_source_usage
                    ? raise_to_zero(&total) + raise_to_zero(&alone)
                    : 0;
    *value = (struct hpm_value){.is_present = true,
                                .state = total.state,
                                .mean = NAN,
                                .deviation = NAN,
                                .share = NAN,
                                .n_clamped = n_clamped};
    value->has_exclusive =
        hpm_state_has_value(total.state) && hpm_state_has_value(alone.state);
    if (total.state == HPM_STATE_SHARED || total.state == HPM_STATE_BRIEF)
        fill_turns(value, &total, &alone);
    if (!hpm_state_has_value(total.state))
        return;
    if (total.state == HPM_STATE_SHARED && records->is_corrected &&
        hpm_meter_is_charged(records->meter, 1 + event)) {
        value->has_overhead = true;
        value->overhead =
            correct_estimate(records, node, event, node->is_outside, &total);
        if (alone.state == HPM_STATE_SHARED)
            correct_estimate(records, node, event, true, &alone);
    }
    value->total = total.value;
    /* scaled by a share of its own, a part may seem larger than the whole */
    value->exclusive = alone.value < total.value ? alone.value : total.value;
    if (total.state != HPM_STATE_SHARED)
        value->deviation = hpm_node_deviation(
            node, 1 + event, (int64_t)node->inclusive[1 + event]);
}

/* The sum of the values whose squares were added up: without the charged
 * overhead.  Each call's own reading is still in the values, which does not
 * change their distances from their mean. */
static int64_t
sum_of_calls(const struct hpm_records *records, const struct hpm_node *node,
             size_t slot)
{
    return (int64_t)(node->inclusive[slot] -
                     node->inclusive[records->tree->n_slots + slot]);
}

/* Fill in a value without overhead, of one slot; its total may be below 0 until
 * it is settled.  Returns how far the exclusive value was below 0. */
static uint64_t
fill_corrected(struct hpm_value *value, const struct hpm_records *records,
               const struct hpm_node *node, size_t slot)
{
    struct hpm_corrected total =
        hpm_correct(&records->correction, records->tree, node->inclusive,
                    hpm_correct_inclusive_selves(node), slot);
    struct hpm_corrected alone =
        hpm_correct(&records->correction, records->tree, records->exclusive,
                    hpm_correct_exclusive_selves(records->tree, node), slot);
    uint64_t missing = alone.value < 0 ? (uint64_t)-alone.value : 0;

    if (node->is_outside)
        total = alone;
    *value =
        (struct hpm_value){.is_present = true,
                           .has_exclusive = true,
                           .state = HPM_STATE_COUNTED,
                           .total = (uint64_t)total.value,
                           .exclusive = (uint64_t)alone.value + missing,
                           .deviation = hpm_node_deviation(
                               node, slot, sum_of_calls(records, node, slot)),
                           .share = NAN,
                           .has_overhead = records->is_corrected,
                           .overhead = total.overhead,
                           .overhead_exclusive = alone.overhead - missing,
                           .n_clamped = (total.value < 0) + (alone.value < 0)};
    return missing;
}

/* An exclusive value below 0 was raised to 0: raise the totals of the section
 * and the sections around it by as much, so that a whole is the sum of its
 * parts.  No value becomes more than what was read. */
static void
raise_totals(const struct hpm_records *records, size_t record, size_t slot,
             uint64_t missing)
{
    struct hpm_experiment *experiment = records->experiment;

    while (missing > 0 && record != HPM_NO_RECORD) {
        struct hpm_record *raised = &experiment->records[record];
        struct hpm_value *value =
            slot == 0 ? &raised->time
                      : hpm_experiment_value(experiment, record, slot - 1);

        if (raised->has_overlap)
            break;
        if (missing > value->overhead)
            missing = value->overhead;
        value->total += missing;
        value->overhead -= missing;
        record = raised->parent;
    }
}

/* Call this when all sections inside are filled in. */
static void
settle(struct hpm_value *value, const struct hpm_record *record)
{
    if (!value->is_present || !hpm_state_has_value(value->state))
        return;
    if (value->has_overhead && (int64_t)value->total < 0) {
        value->overhead += value->total; /* total + overhead is what was read */
        value->total = 0;
    }
    value->mean = (double)value->total / (double)record->outer;
    if (record->is_outside)
        value->mean = value->deviation = NAN;
}

static void
fill_time(struct hpm_value *value, const struct hpm_records *records,
          const struct hpm_node *node)
{
    double length = records->ns_per_tick;
    uint64_t missing = fill_corrected(value, records, node, 0);

    value->total = to_ns(value->total, length);
    value->exclusive = to_ns(value->exclusive, length);
    value->overhead = to_ns(value->overhead, length);
    value->overhead_exclusive = to_ns(value->overhead_exclusive, length);
    value->deviation *= length;
    value->uncertainty =
        length * hpm_correct_uncertainty(
                     &records->correction, records->tree, node->inclusive,
                     hpm_correct_inclusive_selves(node), node->n_again);
    raise_totals(records, node->index, 0, to_ns(missing, length));
}

/* A counter that took turns is corrected in fill_as_read. */
static void
fill_count(struct hpm_value *value, const struct hpm_records *records,
           const struct hpm_node *node, size_t event)
{
    fill_as_read(value, records, node, event);
    if (value->state == HPM_STATE_COUNTED && value->has_exclusive &&
        hpm_meter_is_charged(records->meter, 1 + event))
        raise_totals(records, node->index, 1 + event,
                     fill_corrected(value, records, node, 1 + event));
}

/* Are the calls hardly longer than measuring takes: less than three times the
 * cost of a pair of start and stop? */
static bool
is_too_short(const struct hpm_records *records, const struct hpm_record *record)
{
    double pair = records->correction.final->timed[HPM_TIMED_PAIR].middle *
                  records->ns_per_tick;

    return records->is_corrected && !record->is_open &&
           record->time.mean < 3.0 * pair;
}

/* The first reason found is the counter's reason in the whole file. */
static bool
keep_reason(struct hpm_counter *counter, enum hpm_state state,
            const struct hpm_meter *meter, size_t event)
{
    const char *reason = meter->events[event].reason;

    if (reason == NULL && state == HPM_STATE_UNSCHEDULED &&
        meter->set->events[event].source == &hpm_source_papi)
        reason = "its turn never came: each set of PAPI's events has turns of "
                 "10 ms of processor time; let it run longer, or count fewer";
    else if (reason == NULL && state == HPM_STATE_UNSCHEDULED)
        reason = "the hardware never had a free counter for it";
    else if (reason == NULL)
        reason = "only the thread itself can read it, and it was still inside "
                 "a section at the end; end it before the program";
    return counter->reason != NULL ||
           hpm_experiment_set_text(&counter->reason, reason);
}

/* ---- records --------------------------------------------------------- */

/* Leave the value out, even without n/a: no user asked for a value here. */
static bool
lacks_outside(const struct hpm_records *records,
              const struct hpm_source *source)
{
    return records->omits_counts_outside ||
           (records->is_closed_by_other && source != NULL &&
            source->is_own_thread_only);
}

static bool
fill_values(const struct hpm_records *records, size_t record,
            const struct hpm_node *node)
{
    struct hpm_experiment *experiment = records->experiment;

    for (size_t i = 0; i < records->meter->n_events; i++) {
        struct hpm_value *value = hpm_experiment_value(experiment, record, i);
        const struct hpm_source *source = records->meter->set->events[i].source;

        if (node->is_outside && lacks_outside(records, source))
            continue;
        fill_count(value, records, node, i);
        value->lacks_total = node->is_only_exclusive;
        if (node->is_open && records->is_closed_by_other && source != NULL &&
            source->is_own_thread_only) {
            value->state = HPM_STATE_LOST;
            value->has_exclusive = false;
        }
        if (!hpm_state_has_value(value->state) &&
            value->state != HPM_STATE_BRIEF &&
            !keep_reason(&experiment->counters[i], value->state, records->meter,
                         i))
            return false;
    }
    return true;
}

/* ---- work ------------------------------------------------------------ */

static size_t
find_work_counter(const struct hpm_experiment *experiment, size_t first,
                  const char *unit)
{
    size_t i = first;

    while (i < experiment->n_counters &&
           strcmp(experiment->counters[i].unit, unit) != 0)
        i++;
    return i;
}

static bool
add_work_counter(struct hpm_experiment *experiment, const char *unit)
{
    struct hpm_counter *counter = hpm_experiment_add_counter(experiment);
    struct hpm_string name = {0};
    bool is_good;

    hpm_string_add_format(&name, "work::%s", unit);
    is_good = counter != NULL && !name.failed &&
              hpm_experiment_set_text(&counter->name, name.text) &&
              hpm_experiment_set_text(&counter->source, "program") &&
              hpm_experiment_set_text(&counter->unit, unit) &&
              hpm_experiment_set_text(&counter->domain, "all") &&
              hpm_experiment_set_text(&counter->description,
                                      "work the program has counted");
    hpm_string_free(&name);
    return is_good;
}

bool
hpm_records_add_works(struct hpm_experiment *experiment, size_t first,
                      const struct hpm_calltree *tree)
{
    for (const struct hpm_node *node = tree->nodes.first; node != NULL;
         node = node->next) {
        for (size_t i = 0; i < node->n_works; i++) {
            const char *unit = node->works[i].unit;

            if (find_work_counter(experiment, first, unit) ==
                    experiment->n_counters &&
                !add_work_counter(experiment, unit))
                return false;
        }
    }
    return true;
}

static void
add_to_work(struct hpm_value *value, uint64_t amount)
{
    if (!value->is_present)
        *value = (struct hpm_value){.is_present = true,
                                    .has_exclusive = true,
                                    .mean = NAN,
                                    .deviation = NAN,
                                    .share = NAN};
    value->total = hpm_work_sum(value->total, amount);
}

static void
fill_works(const struct hpm_records *records, size_t record,
           const struct hpm_node *node)
{
    for (size_t i = 0; i < node->n_works; i++) {
        size_t counter = find_work_counter(
            records->experiment, records->first_work, node->works[i].unit);
        struct hpm_value *value =
            hpm_experiment_value(records->experiment, record, counter);

        add_to_work(value, node->works[i].amount);
        value->exclusive = node->works[i].amount;
    }
}

static void
settle_work(struct hpm_experiment *experiment, const struct hpm_record *record,
            struct hpm_value *value, size_t counter)
{
    value->mean = (double)value->total / (double)record->outer;
    if (value->total < UINT64_MAX)
        return;
    *value = (struct hpm_value){.is_present = true,
                                .state = HPM_STATE_LOST,
                                .mean = NAN,
                                .deviation = NAN,
                                .share = NAN};
    hpm_experiment_set_text(&experiment->counters[counter].reason,
                            "it is 2^64 - 1 or more in some sections, which is "
                            "too much to be held");
}

/* Work belongs to all sections above, too.  Children come after parents: going
 * backwards, each record is complete before its work is added to the parent. */
static void
pass_works_up(const struct hpm_records *records, size_t first)
{
    struct hpm_experiment *experiment = records->experiment;

    for (size_t i = experiment->n_records; i-- > first;) {
        const struct hpm_record *record = &experiment->records[i];

        for (size_t j = records->first_work; j < experiment->n_counters; j++) {
            struct hpm_value *value = hpm_experiment_value(experiment, i, j);

            if (!value->is_present)
                continue;
            if (record->parent != HPM_NO_RECORD)
                add_to_work(hpm_experiment_value(experiment, record->parent, j),
                            value->total);
            settle_work(experiment, record, value, j);
        }
    }
}

/* ---- records of a tree --------------------------------------------- */

static bool
add_record(const struct hpm_records *records, struct hpm_node *node)
{
    struct hpm_experiment *experiment = records->experiment;
    struct hpm_record *record = hpm_experiment_add_record(experiment);
    unsigned noted;

    if (record == NULL ||
        !hpm_experiment_set_text(&record->label, node->label) ||
        !hpm_experiment_set_text(&record->file, node->file))
        return false;
    node->index = experiment->n_records - 1;
    if (node->parent != NULL)
        record->parent = node->parent->index;
    if (node->within != NULL)
        record->within = node->within->index;
    record->scope = records->scope;
    record->tid = records->tid;
    record->omp = records->omp;
    record->instance = node->is_outside ? 0 : node->instance;
    record->is_outside = node->is_outside;
    record->line_start = node->line_start;
    record->line_end = hpm_node_line_end(node);
    record->calls = hpm_node_calls(node);
    record->outer = node->outer;
    record->is_open = node->is_open;
    record->has_overlap = node->has_overlap;
    noted = node->is_outside ? 0 : node->noted | hpm_noted_get(node->instance);
    record->has_first_calls = (noted & HPM_NOTED_FIRST_CALLS) != 0;
    record->watched.via = noted / HPM_NOTED_VIA;
    record->n_skipped = node->n_skipped;
    record->n_threads = records->n_threads;
    hpm_node_exclusive(node, records->tree->n_row, records->exclusive);
    fill_time(&record->time, records, node);
    record->time.lacks_total = node->is_only_exclusive;
    fill_works(records, node->index, node);
    return fill_values(records, node->index, node);
}

static bool
settle_record(const struct hpm_records *records, size_t index)
{
    struct hpm_record *record = &records->experiment->records[index];

    settle(&record->time, record);
    record->is_short = is_too_short(records, record);
    for (size_t i = 0; i < records->meter->n_events; i++)
        settle(hpm_experiment_value(records->experiment, index, i), record);
    return hpm_shortclock_judge(records->experiment, index, records->meter->set,
                                records->missing_ns);
}

bool
hpm_records_has_sections(const struct hpm_calltree *tree)
{
    if (tree == NULL)
        return false;
    for (const struct hpm_node *node = tree->nodes.first; node != NULL;
         node = node->next) {
        if (node->outer > 0 && !node->is_outside)
            return true;
    }
    return false;
}

/* A section's row does not count recursions of sections inside: count them
 * here. */
static void
count_again(const struct hpm_calltree *tree)
{
    for (struct hpm_node *node = tree->nodes.first; node; node = node->next)
        node->n_again = 0;
    for (struct hpm_node *node = tree->nodes.first; node; node = node->next) {
        for (struct hpm_node *above = node; above && node->again > 0;
             above = above->parent)
            above->n_again += node->again;
    }
}

/* Nodes come in order of first use, so each parent comes before its
 * children. */
static bool
add_records(const struct hpm_records *records)
{
    for (struct hpm_node *node = records->tree->nodes.first; node != NULL;
         node = node->next) {
        if (node->outer > 0 && (records->has_sections || !node->is_outside) &&
            !add_record(records, node))
            return false;
    }
    return true;
}

bool
hpm_records_add(struct hpm_records *records)
{
    size_t first = records->experiment->n_records;
    bool is_good;

    records->exclusive =
        hpm_memory_new(records->tree->n_row, sizeof *records->exclusive);
    count_again(records->tree);
    is_good = records->exclusive != NULL && add_records(records);
    hpm_memory_free(records->exclusive);
    records->exclusive = NULL;
    for (size_t i = first; is_good && i < records->experiment->n_records; i++)
        is_good = settle_record(records, i);
    if (is_good)
        pass_works_up(records, first);
    return is_good;
}

/* ---- calibrations ---------------------------------------------------- */

static void
fill_spread(int64_t *ret_three, const struct hpm_spread *spread, double scale)
{
    ret_three[0] = (int64_t)llrint((double)(int64_t)spread->min * scale);
    ret_three[1] = (int64_t)llrint((double)(int64_t)spread->median * scale);
    ret_three[2] = (int64_t)llrint((double)(int64_t)spread->max * scale);
}

/* Is the cost of a slot subtracted from its values? */
static bool
is_charged(const struct hpm_eventset *set, size_t slot)
{
    return slot == 0 || hpm_eventset_is_charged(set, slot - 1);
}

/* Is the cost also known? */
static bool
is_calibrated(const struct hpm_calibration *calibration,
              const struct hpm_eventset *set, size_t slot)
{
    return is_charged(set, slot) && !calibration->is_unknown[slot];
}

static size_t
count_calibrated(const struct hpm_calibration *calibration,
                 const struct hpm_eventset *set)
{
    size_t n = 0;

    for (size_t i = 0; i < calibration->n_overheads; i++)
        n += is_calibrated(calibration, set, i);
    return n;
}

static void
fill_cost(struct hpm_calibrated_cost *cost,
          const struct hpm_calibration *calibration, size_t slot,
          double ns_per_tick)
{
    double scale = slot == 0 ? ns_per_tick : 1.0;
    int64_t start = (int64_t)calibration->costs.amounts[HPM_COST_START][slot];

    cost->counter = slot == 0 ? HPM_NO_COUNTER : slot - 1;
    fill_spread(cost->self, &calibration->self[slot], scale);
    fill_spread(cost->pair, &calibration->pair[slot], scale);
    cost->start = (int64_t)llrint((double)start * scale);
}

bool
hpm_records_add_calibration(struct hpm_experiment *experiment,
                            const struct hpm_eventset *set,
                            const struct hpm_calibration *calibration,
                            enum hpm_scope scope, const char *when,
                            double ns_per_tick)
{
    struct hpm_calibrated *calibrated;
    size_t n = 0;

    if (!calibration->is_done)
        return true;
    calibrated = hpm_experiment_add_calibration(
        experiment, count_calibrated(calibration, set));
    if (calibrated == NULL)
        return false;
    calibrated->scope = scope;
    calibrated->when = when;
    calibrated->n_calls = calibration->n_calls;
    for (size_t i = 0; i < calibration->n_overheads; i++) {
        if (is_calibrated(calibration, set, i))
            fill_cost(&calibrated->costs[n++], calibration, i, ns_per_tick);
    }
    return true;
}
