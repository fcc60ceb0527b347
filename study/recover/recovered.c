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
#include "source/source.h"
#include "source/usage.h"
#include "study/recover/revival.h"

/* ---- the run --------------------------------------------------------- */

static void
read_description(struct hpm_revival *revival, struct hpm_words *words)
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

static void
read_counter(struct hpm_revival *revival, struct hpm_words *words)
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
read_resource(struct hpm_revival *revival, struct hpm_words *words)
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
read_calibration(struct hpm_revival *revival, struct hpm_words *words)
{
    char *scope = hpm_revival_read_text(words),
         *when = hpm_revival_read_text(words);
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
read_problem(struct hpm_revival *revival, struct hpm_words *words)
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
read_run(struct hpm_revival *revival, struct hpm_words *words)
{
    size_t n;

    read_description(revival, words);
    n = hpm_words_count(words, 8);
    words->is_wrong |= n > HPM_MAX_ALL_EVENTS;
    for (size_t i = 0; i < n && !words->is_wrong; i++)
        read_counter(revival, words);
    revival->n_counters = revival->experiment->n_counters;
    hpm_revival_take_instant(revival, words);
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

/* Read the copy if it is of that kind. */
static void
take_table(struct hpm_revival *revival, const struct hpm_copy *copy, int kind,
           const struct hpm_revived_table *process)
{
    struct hpm_words words = {.copy = copy};
    struct hpm_revived_table *table = &revival->tables[revival->n_tables];

    int found = hpm_words_int(&words);

    if (found != kind) {
        /* looked for last: what is no thread's then is nobody's we know */
        revival->n_wrong += kind == HPM_SNAPSHOT_THREAD &&
                            found != HPM_SNAPSHOT_RUN &&
                            found != HPM_SNAPSHOT_PROCESS;
        return;
    }
    *table = (struct hpm_revived_table){.kind = kind};
    if (hpm_revival_read_table(revival, process, table, &words)) {
        revival->n_tables++;
        return;
    }
    hpm_revival_clear_table(table);
    revival->n_wrong++;
}

static const struct hpm_revived_table *
find_process(const struct hpm_revival *revival)
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
    const struct hpm_revived_table *x = a, *y = b;

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
settle_tables(struct hpm_revival *revival)
{
    if (revival->n_tables > 0)
        qsort(revival->tables, revival->n_tables, sizeof *revival->tables,
              compare_threads);
    for (size_t i = 0; i < revival->n_tables; i++)
        revival->tables[i].meter->set = &revival->tables[i].set;
}

static void
settle_clock(struct hpm_revival *revival)
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
add_calibrations(const struct hpm_revival *revival,
                 const struct hpm_eventset *set)
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
describe_calibrations(const struct hpm_revival *revival)
{
    struct hpm_event events[HPM_MAX_ALL_EVENTS] = {{.name = NULL}};
    struct hpm_eventset set = {.events = events,
                               .n_events = revival->n_counters};

    for (size_t i = 0; i < revival->n_counters; i++)
        events[i].source = revival->is_charged[i] ? &hpm_revival_charged : NULL;
    return add_calibrations(revival, &set);
}

/* As the harvest decides it. */
static bool
have_sections(const struct hpm_revival *revival, int kind)
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
begin_of(const struct hpm_revival *revival)
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
add_calls(struct hpm_revival *revival, const struct hpm_records *records)
{
    size_t n =
        revival->experiment->n_calls + count_draws(records->tree->reservoirs);

    hpm_keptcalls_add(records);
    revival->n_no_room += n - revival->experiment->n_calls;
}

static bool
add_table(struct hpm_revival *revival, struct hpm_revived_table *table)
{
    const struct hpm_calibration *init =
        hpm_revival_calibration(revival, table->kind);
    bool is_process = table->kind == HPM_SNAPSHOT_PROCESS;
    const struct hpm_calibration *of_threads =
        hpm_revival_calibration(revival, HPM_SNAPSHOT_THREAD);
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
add_profile(struct hpm_revival *revival)
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
add_problem(struct hpm_revival *revival, size_t n, const char *what)
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
say_damage(struct hpm_revival *revival, const struct hpm_copies *copies)
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
make_experiment(struct hpm_revival *revival, const struct hpm_copies *copies)
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
find_run(struct hpm_revival *revival, const struct hpm_copies *copies)
{
    for (size_t i = 0; i < copies->n; i++) {
        struct hpm_words words = {.copy = &copies->all[i]};

        if (hpm_words_int(&words) == HPM_SNAPSHOT_RUN)
            return read_run(revival, &words);
    }
    return false;
}

static bool
revive(struct hpm_revival *revival, const struct hpm_copies *copies,
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
    struct hpm_revival *revival = hpm_memory_new(1, sizeof *revival);
    bool is_good;

    if (revival == NULL)
        return hpm_error_no_memory(err);
    is_good = revive(revival, copies, name, err);
    for (size_t i = 0; i < revival->n_tables; i++)
        hpm_revival_clear_table(&revival->tables[i]);
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
