/* SPDX-License-Identifier: BSD-3-Clause
 * From the section tables of a recording to an experiment. */
#include "record/recorder.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/barrier.h"
#include "base/memory.h"
#include "record/checkpoint.h"
#include "record/correct.h"
#include "record/run.h"
#include "source/usage.h"

/* ---- a quiet moment -------------------------------------------------- */

static void
wait_a_millisecond(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* After this no thread starts a call: those that had not seen is_closing have
 * their mark is_busy visible. */
static void
close_for_calls(struct hpm_recorder *recorder)
{
    atomic_store(&recorder->is_closing, true);
    hpm_barrier_everywhere();
}

static bool
is_quiet(struct hpm_thread *thread)
{
    return !atomic_load_explicit(&thread->is_busy, memory_order_acquire);
}

/* Up to a second for all threads together. */
static bool
wait_until_quiet(struct hpm_thread *thread, int *patience)
{
    while (!is_quiet(thread)) {
        if ((*patience)-- <= 0)
            return false;
        wait_a_millisecond();
    }
    return true;
}

/* ---- values ---------------------------------------------------------- */

/* Of a number that may be below 0. */
static uint64_t
to_ns(uint64_t ticks, double ns_per_tick)
{
    return (uint64_t)llrint((double)(int64_t)ticks * ns_per_tick);
}

/* What the records of one forest have in common. */
struct bed {
    struct hpm_experiment *experiment;
    const struct hpm_forest *forest;
    uint64_t *exclusive; /* row of the node whose record is filled */
    const struct hpm_meter *meter;
    struct hpm_correction correction;
    bool is_corrected;
    size_t first_work; /* counter of the first unit of work */
    enum hpm_scope scope;
    int tid;
    int omp;
    int n_threads;
    bool is_closed_by_other;
    double ns_per_tick;
};

/* As it was read: counts that come in large steps. */
static void
fill_as_read(struct hpm_value *value, const struct bed *bed,
             const struct hpm_node *node, size_t event)
{
    struct hpm_count total =
        hpm_meter_count(bed->meter, event, node->inclusive);
    struct hpm_count alone = hpm_meter_count(bed->meter, event, bed->exclusive);

    *value = (struct hpm_value){.is_present = true,
                                .state = total.state,
                                .mean = NAN,
                                .deviation = NAN,
                                .share = NAN};
    if (!hpm_state_has_value(total.state))
        return;
    value->total = total.value;
    value->has_exclusive = hpm_state_has_value(alone.state);
    /* scaled by a share of its own, a part can seem more than the whole */
    value->exclusive = alone.value < total.value ? alone.value : total.value;
    if (total.state == HPM_STATE_SHARED)
        value->share = total.share;
    else
        value->deviation = hpm_node_deviation(
            node, 1 + event, (int64_t)node->inclusive[1 + event]);
}

/* Of what the squares are: without what was charged.  That each call's own
 * reading is in it does not change how far calls are from their mean. */
static int64_t
sum_of_calls(const struct bed *bed, const struct hpm_node *node, size_t slot)
{
    return (int64_t)(node->inclusive[slot] -
                     node->inclusive[bed->forest->n_slots + slot]);
}

/* A value without overhead, of one slot; its total may be below 0 until it is
 * settled.  Returns how far the exclusive value was below 0. */
static uint64_t
fill_corrected(struct hpm_value *value, const struct bed *bed,
               const struct hpm_node *node, size_t slot)
{
    struct hpm_corrected total =
        hpm_correct(&bed->correction, bed->forest, node->inclusive,
                    hpm_correct_inclusive_selves(node), slot);
    struct hpm_corrected alone =
        hpm_correct(&bed->correction, bed->forest, bed->exclusive,
                    hpm_correct_exclusive_selves(bed->forest, node), slot);
    uint64_t missing = alone.value < 0 ? (uint64_t)-alone.value : 0;

    *value = (struct hpm_value){.is_present = true,
                                .has_exclusive = true,
                                .state = HPM_STATE_COUNTED,
                                .total = (uint64_t)total.value,
                                .exclusive = (uint64_t)alone.value + missing,
                                .deviation = hpm_node_deviation(
                                    node, slot, sum_of_calls(bed, node, slot)),
                                .share = NAN,
                                .has_overhead = bed->is_corrected,
                                .overhead = total.overhead,
                                .n_clamped = (total.value < 0) +
                                             (alone.value < 0)};
    return missing;
}

/* What a section's exclusive value was raised by to be no less than 0, those
 * around it have too little of: a whole is the sum of its parts. */
static void
raise_totals(const struct bed *bed, size_t record, size_t slot,
             uint64_t missing)
{
    struct hpm_experiment *experiment = bed->experiment;

    while (missing > 0 && record != HPM_NO_RECORD) {
        struct hpm_record *raised = &experiment->records[record];
        struct hpm_value *value =
            slot == 0 ? &raised->time
                      : hpm_experiment_value(experiment, record, slot - 1);

        if (raised->has_overlap)
            break;
        value->total += missing;
        value->overhead -= missing;
        record = raised->parent;
    }
}

/* Once all sections inside are filled. */
static void
settle(struct hpm_value *value, const struct hpm_record *record)
{
    if (!value->is_present || !hpm_state_has_value(value->state))
        return;
    if (value->has_overhead && (int64_t)value->total < 0) {
        value->overhead += value->total; /* all that was read */
        value->total = 0;
    }
    value->mean = (double)value->total / (double)record->outer;
}

static void
fill_time(struct hpm_value *value, const struct bed *bed,
          const struct hpm_node *node)
{
    double length = bed->ns_per_tick;
    uint64_t missing = fill_corrected(value, bed, node, 0);

    value->total = to_ns(value->total, length);
    value->exclusive = to_ns(value->exclusive, length);
    value->overhead = to_ns(value->overhead, length);
    value->deviation *= length;
    value->uncertainty =
        length * (double)hpm_correct_uncertainty(
                     &bed->correction, bed->forest, node->inclusive,
                     hpm_correct_inclusive_selves(node), 0);
    raise_totals(bed, node->index, 0, to_ns(missing, length));
}

/* Only a counter that ran all the time knows what was charged to it. */
static void
fill_count(struct hpm_value *value, const struct bed *bed,
           const struct hpm_node *node, size_t event)
{
    fill_as_read(value, bed, node, event);
    if (value->state == HPM_STATE_COUNTED && value->has_exclusive &&
        hpm_meter_is_charged(bed->meter, 1 + event))
        raise_totals(bed, node->index, 1 + event,
                     fill_corrected(value, bed, node, 1 + event));
}

/* Hardly longer than it takes to measure them: a few times the pair of calls
 * that has to be made for each. */
static bool
is_too_short(const struct bed *bed, const struct hpm_record *record)
{
    double pair = (double)bed->correction.calibration->pair[0].min *
                  bed->ns_per_tick;

    return bed->is_corrected && !record->is_open &&
           record->time.mean < 3.0 * pair;
}

/* The first reason met stands for the counter in the whole file. */
static bool
keep_reason(struct hpm_counter *counter, enum hpm_state state,
            const struct hpm_metered *metered)
{
    const char *reason = metered->reason;

    if (reason == NULL && state == HPM_STATE_UNSCHEDULED)
        reason = "the hardware never had a free counter for it";
    else if (reason == NULL)
        reason = "only the thread itself can read it, and it was still inside "
                 "a section at the end; end it before the program";
    if (counter->reason != NULL || reason == NULL)
        return true;
    return hpm_experiment_set_text(&counter->reason, reason);
}

/* ---- records --------------------------------------------------------- */

static bool
fill_values(const struct bed *bed, size_t record, const struct hpm_node *node)
{
    struct hpm_experiment *experiment = bed->experiment;

    for (size_t i = 0; i < bed->meter->n_events; i++) {
        struct hpm_value *value = hpm_experiment_value(experiment, record, i);
        const struct hpm_source *source = bed->meter->set->events[i].source;

        fill_count(value, bed, node, i);
        value->lacks_total = node->is_only_exclusive;
        if (node->is_open && bed->is_closed_by_other && source != NULL &&
            source->is_own_thread_only) {
            value->state = HPM_STATE_LOST;
            value->has_exclusive = false;
        }
        if (!hpm_state_has_value(value->state) &&
            !keep_reason(&experiment->counters[i], value->state,
                         &bed->meter->events[i]))
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

/* A counter for each unit of work in the forest that has none yet. */
static bool
add_work_counters(struct hpm_experiment *experiment, size_t first,
                  const struct hpm_forest *forest)
{
    for (const struct hpm_node *node = forest->nodes.first; node != NULL;
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
    value->total += amount;
}

static void
fill_works(const struct bed *bed, size_t record, const struct hpm_node *node)
{
    for (size_t i = 0; i < node->n_works; i++) {
        size_t counter = find_work_counter(bed->experiment, bed->first_work,
                                           node->works[i].unit);
        struct hpm_value *value =
            hpm_experiment_value(bed->experiment, record, counter);

        add_to_work(value, node->works[i].amount);
        value->exclusive = node->works[i].amount;
    }
}

/* Work belongs to all sections above, too.  Children come after parents: going
 * backwards, each record is complete when it is passed on. */
static void
pass_works_up(const struct bed *bed, size_t first)
{
    const struct hpm_experiment *experiment = bed->experiment;

    for (size_t i = experiment->n_records; i-- > first;) {
        const struct hpm_record *record = &experiment->records[i];

        for (size_t j = bed->first_work; j < experiment->n_counters; j++) {
            struct hpm_value *value = hpm_experiment_value(experiment, i, j);

            if (!value->is_present)
                continue;
            value->mean = (double)value->total / (double)record->outer;
            if (record->parent != HPM_NO_RECORD)
                add_to_work(
                    hpm_experiment_value(experiment, record->parent, j),
                    value->total);
        }
    }
}

/* ---- records of a forest --------------------------------------------- */

static bool
add_record(const struct bed *bed, struct hpm_node *node)
{
    struct hpm_experiment *experiment = bed->experiment;
    struct hpm_record *record = hpm_experiment_add_record(experiment);

    if (record == NULL ||
        !hpm_experiment_set_text(&record->label, node->label) ||
        !hpm_experiment_set_text(&record->file, node->file))
        return false;
    node->index = experiment->n_records - 1;
    if (node->parent != NULL)
        record->parent = node->parent->index;
    if (node->within != NULL)
        record->within = node->within->index;
    record->scope = bed->scope;
    record->tid = bed->tid;
    record->omp = bed->omp;
    record->instance = node->instance;
    record->line_start = node->line_start;
    record->line_end = node->line_end;
    record->calls = hpm_node_calls(node);
    record->outer = node->outer;
    record->is_open = node->is_open;
    record->has_overlap = node->has_overlap;
    record->n_skipped = node->n_skipped;
    record->n_threads = bed->n_threads;
    hpm_node_exclusive(node, bed->forest->n_row, bed->exclusive);
    fill_time(&record->time, bed, node);
    record->time.lacks_total = node->is_only_exclusive;
    fill_works(bed, node->index, node);
    return fill_values(bed, node->index, node);
}

static void
settle_record(const struct bed *bed, size_t index)
{
    struct hpm_record *record = &bed->experiment->records[index];

    settle(&record->time, record);
    record->is_short = is_too_short(bed, record);
    for (size_t i = 0; i < bed->meter->n_events; i++)
        settle(hpm_experiment_value(bed->experiment, index, i), record);
}

/* Nodes come in order of first use, so a parent before its children. */
static bool
add_records(const struct bed *bed)
{
    for (struct hpm_node *node = bed->forest->nodes.first; node != NULL;
         node = node->next) {
        if (node->outer > 0 && !add_record(bed, node))
            return false;
    }
    return true;
}

static bool
add_forest(struct bed *bed)
{
    size_t first = bed->experiment->n_records;
    bool is_good;

    bed->exclusive = hpm_memory_new(bed->forest->n_row, sizeof *bed->exclusive);
    is_good = bed->exclusive != NULL && add_records(bed);
    hpm_memory_free(bed->exclusive);
    if (!is_good)
        return false;
    for (size_t i = first; i < bed->experiment->n_records; i++)
        settle_record(bed, i);
    pass_works_up(bed, first);
    return true;
}

/* ---- the parts of a recording ---------------------------------------- */

static bool
add_process(struct hpm_recorder *recorder, struct hpm_experiment *experiment)
{
    const struct hpm_process *process = &recorder->process;
    const struct hpm_calibration *init =
        &recorder->calibrations[HPM_CALIBRATION_PROCESS_INIT];
    struct bed bed = {
        .experiment = experiment,
        .forest = process->forest,
        .meter = process->meter,
        .correction = {&process->costs, &recorder->final_process_costs, init},
        .is_corrected = init->is_done,
        .first_work = recorder->plan->set->n_events,
        .scope = HPM_SCOPE_PROCESS,
        .tid = -1,
        .omp = -1,
        .ns_per_tick = recorder->ns_per_tick};

    hpm_calibration_choose(init,
                           &recorder->calibrations[HPM_CALIBRATION_PROCESS_END],
                           &recorder->final_process_costs);
    return process->forest == NULL || add_forest(&bed);
}

static bool
add_thread(const struct hpm_recorder *recorder,
           const struct hpm_thread *thread, struct hpm_experiment *experiment)
{
    const struct hpm_calibration *init =
        &recorder->calibrations[HPM_CALIBRATION_THREAD_INIT];
    bool is_folded = thread->tid == HPM_TID_FOLDED;
    struct bed bed = {
        .experiment = experiment,
        .forest = thread->forest,
        .meter = thread->meter,
        .correction = {&recorder->costs, &recorder->final_costs, init},
        .is_corrected = init->is_done,
        .first_work = recorder->plan->set->n_events,
        .scope = HPM_SCOPE_THREAD,
        .tid = thread->tid,
        .omp = thread->omp,
        .n_threads = is_folded ? (int)recorder->threads.n_folded : 0,
        .is_closed_by_other = thread->is_closed_by_other,
        .ns_per_tick = recorder->ns_per_tick};

    return add_forest(&bed);
}

/* The list has the newest first; the file has the lowest tid first. */
static struct hpm_thread *
next_thread(struct hpm_thread *threads, int after)
{
    struct hpm_thread *best = NULL;

    for (struct hpm_thread *thread = threads; thread; thread = thread->next) {
        if (thread->tid > after && (best == NULL || thread->tid < best->tid))
            best = thread;
    }
    return best;
}

/* Wait for the threads and close what they have open.  False when one had to
 * be left out. */
static bool
quiet_threads(struct hpm_recorder *recorder, const struct hpm_thread *self)
{
    const struct hpm_place nowhere = {.label = NULL};
    int patience = 1000;
    bool are_all_quiet = true;

    for (struct hpm_thread *thread = recorder->threads.list; thread != NULL;
         thread = thread->next) {
        unsigned long n = atomic_load(&thread->n_calls_in_calls);

        if (n > 0)
            hpm_problems_add(recorder->problems, HPM_PROBLEM_CALL_INSIDE_CALL,
                             &nowhere, n);
        thread->is_left_out =
            thread->is_abandoned ||
            (thread != self && !wait_until_quiet(thread, &patience));
        are_all_quiet = are_all_quiet && !thread->is_left_out;
        if (thread->is_abandoned)
            continue;
        if (thread->is_left_out) {
            hpm_problems_add(recorder->problems, HPM_PROBLEM_THREAD_RUNNING,
                             &nowhere, 1);
        } else if (!thread->has_ended) {
            hpm_thread_close_sections(thread, thread != self);
        }
    }
    return are_all_quiet;
}

static bool
add_all_works(const struct hpm_recorder *recorder, bool has_process,
              struct hpm_experiment *experiment)
{
    const struct hpm_threads *threads = &recorder->threads;
    size_t first = recorder->plan->set->n_events;

    if (has_process && recorder->process.forest != NULL &&
        !add_work_counters(experiment, first, recorder->process.forest))
        return false;
    if (threads->folded != NULL &&
        !add_work_counters(experiment, first, threads->folded->forest))
        return false;
    for (const struct hpm_thread *thread = threads->list; thread != NULL;
         thread = thread->next) {
        if (!thread->is_left_out &&
            !add_work_counters(experiment, first, thread->forest))
            return false;
    }
    return true;
}

static bool
add_threads(const struct hpm_recorder *recorder,
            struct hpm_experiment *experiment)
{
    struct hpm_thread *list = recorder->threads.list;
    struct hpm_thread *folded = recorder->threads.folded;
    struct hpm_thread *thread = next_thread(list, -1);

    for (; thread != NULL; thread = next_thread(list, thread->tid)) {
        if (!thread->is_left_out && !add_thread(recorder, thread, experiment))
            return false;
    }
    return folded == NULL || add_thread(recorder, folded, experiment);
}

/* ---- calibrations ---------------------------------------------------- */

static void
fill_spread(int64_t *ret_three, const struct hpm_spread *spread, double scale)
{
    ret_three[0] = (int64_t)llrint((double)(int64_t)spread->min * scale);
    ret_three[1] = (int64_t)llrint((double)(int64_t)spread->median * scale);
    ret_three[2] = (int64_t)llrint((double)(int64_t)spread->max * scale);
}

/* Is the cost of a calibration's slot one that is taken off? */
static bool
is_charged(const struct hpm_recorder *recorder, size_t slot)
{
    return slot == 0 ||
           hpm_eventset_is_charged(recorder->plan->set, slot - 1);
}

static size_t
count_charged(const struct hpm_recorder *recorder, size_t n_slots)
{
    size_t n = 0;

    for (size_t i = 0; i < n_slots; i++)
        n += is_charged(recorder, i);
    return n;
}

static void
fill_cost(struct hpm_calibrated_cost *cost, const struct hpm_recorder *recorder,
          const struct hpm_calibration *calibration, size_t slot)
{
    double scale = slot == 0 ? recorder->ns_per_tick : 1.0;
    int64_t start =
        (int64_t)calibration->costs.amounts[HPM_COST_START][slot];

    cost->counter = slot == 0 ? HPM_NO_COUNTER : slot - 1;
    fill_spread(cost->self, &calibration->self[slot], scale);
    fill_spread(cost->pair, &calibration->pair[slot], scale);
    cost->start = (int64_t)llrint((double)start * scale);
}

static bool
add_calibration(const struct hpm_recorder *recorder, int which,
                struct hpm_experiment *experiment)
{
    const struct hpm_calibration *calibration = &recorder->calibrations[which];
    bool is_process = which == HPM_CALIBRATION_PROCESS_INIT ||
                      which == HPM_CALIBRATION_PROCESS_END;
    bool is_init = which == HPM_CALIBRATION_PROCESS_INIT ||
                   which == HPM_CALIBRATION_THREAD_INIT;
    struct hpm_calibrated *calibrated;
    size_t n = 0;

    if (!calibration->is_done)
        return true;
    calibrated = hpm_experiment_add_calibration(
        experiment, count_charged(recorder, calibration->n_charged));
    if (calibrated == NULL)
        return false;
    calibrated->scope = is_process ? HPM_SCOPE_PROCESS : HPM_SCOPE_THREAD;
    calibrated->when = is_init ? "init" : "end";
    calibrated->n_calls = calibration->n_calls;
    for (size_t i = 0; i < calibration->n_charged; i++) {
        if (is_charged(recorder, i))
            fill_cost(&calibrated->costs[n++], recorder, calibration, i);
    }
    return true;
}

static bool
add_calibrations(struct hpm_recorder *recorder,
                 struct hpm_experiment *experiment)
{
    bool is_good = true;

    hpm_calibration_choose(
        &recorder->calibrations[HPM_CALIBRATION_THREAD_INIT],
        &recorder->calibrations[HPM_CALIBRATION_THREAD_END],
        &recorder->final_costs);
    for (int which = 0; is_good && which < HPM_N_CALIBRATIONS; which++)
        is_good = add_calibration(recorder, which, experiment);
    return is_good;
}

/* ---- the whole ------------------------------------------------------- */

bool
hpm_recorder_harvest(struct hpm_recorder *recorder,
                     const struct hpm_thread *self,
                     struct hpm_experiment *experiment, struct hpm_error *err)
{
    struct hpm_run *run = &experiment->run;
    struct rusage usage;
    struct hpm_instant end;
    bool has_process, is_good;

    close_for_calls(recorder);
    end = hpm_clock_instant();
    hpm_usage_of_process(&usage);
    recorder->ns_per_tick = hpm_clock_ns_per_tick(recorder->start, end);
    run->ns = end.ns - recorder->start.ns;
    has_process = hpm_process_close_sections(&recorder->process);
    pthread_mutex_lock(&recorder->threads.lock);
    run->is_complete = quiet_threads(recorder, self) && has_process;
    hpm_checkpoint_put_all(recorder, has_process);
    is_good = hpm_run_add_resources(experiment, &usage) &&
              hpm_run_add_counters(experiment, recorder->plan->set) &&
              add_calibrations(recorder, experiment) &&
              add_all_works(recorder, has_process, experiment) &&
              (!has_process || add_process(recorder, experiment)) &&
              add_threads(recorder, experiment);
    pthread_mutex_unlock(&recorder->threads.lock);
    hpm_run_settle_counters(experiment);
    is_good = is_good && hpm_problems_harvest(recorder->problems, experiment);
    if (is_good && !run->is_complete)
        is_good = hpm_experiment_set_text(&run->reason,
                                          "a thread was inside a call when "
                                          "it or the program ended");
    return is_good || hpm_error_no_memory(err);
}
