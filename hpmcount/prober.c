/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of an unmodified program as sections. */
#include "hpmcount/prober.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mark.h"
#include "base/string.h"
#include "host/memory.h"
#include "hpmcount/say.h"
#include "record/records.h"
#include "source/clock.h"
#include "source/meter.h"

/* A ring of 4 MiB has room for 30,000 records.  All that the kernel wrote up to a
 * millisecond before the rings are read is in them, for every processor. */
enum { PAUSE_NS = 20000000, LATE_NS = 1000000 };

/* ---- records of the rings ---------------------------------------------- */

static size_t
n_words(const struct prober *prober, const struct proberings_record *record)
{
    return record->kind == PROBERINGS_OTHER ? record->other.n_words
                                            : prober->rings.n_counted;
}

static void
queue(void *context, const struct proberings_record *record)
{
    struct prober *prober = context;
    bool is_other = record->kind == PROBERINGS_OTHER;
    size_t n = n_words(prober, record);
    const uint64_t *words = is_other ? record->other.words : record->counts;
    struct prober_entry *entry;

    if (!hpm_memory_grow(&prober->queue, &prober->queue_capacity,
                         prober->n_queue + 1, sizeof *prober->queue) ||
        !hpm_memory_grow(&prober->store, &prober->store_capacity,
                         prober->n_store + n + 1, sizeof *prober->store)) {
        prober->is_lacking = true;
        return;
    }
    entry = &prober->queue[prober->n_queue];
    *entry = (struct prober_entry){*record, prober->n_store, prober->n_queue};
    memcpy(prober->store + prober->n_store, words, n * sizeof *words);
    prober->store[prober->n_store + n] = 0; /* ends a path */
    prober->n_store += n + 1;
    prober->n_queue++;
}

static int
compare_entries(const void *first, const void *second)
{
    const struct prober_entry *a = first, *b = second;

    if (a->record.ns != b->record.ns)
        return a->record.ns < b->record.ns ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* ---- following them ---------------------------------------------------- */

static const struct probeplan_point *
find_point(struct prober *prober, const struct proberings_record *record)
{
    size_t module = HPM_PROFILE_NO_MODULE;
    uint64_t offset = 0;
    const struct probeplan_point *point;
    const char *path;

    if (record->kind != PROBERINGS_ENTRY && record->kind != PROBERINGS_BACK)
        return NULL;
    if (!mappings_find(&prober->mappings, record->pid, false, record->address,
                       &module, &offset)) {
        prober->is_lacking = true;
        return NULL;
    }
    if (module == HPM_PROFILE_NO_MODULE)
        return NULL;
    path = prober->modules.modules[module].path;
    point = probeplan_find(prober->plan, path, offset);
    return point != NULL ? point
                         : probeplan_find(&prober->others, path, offset);
}

/* Is this the address that the kernel puts in the place of return addresses?  It is
 * in memory of its own, which older kernels tell nobody. */
static bool
is_of_probes(struct prober *prober, const struct proberings_record *record)
{
    size_t module = HPM_PROFILE_NO_MODULE;
    uint64_t offset;

    if (!mappings_find(&prober->mappings, record->pid, false, record->caller,
                       &module, &offset))
        prober->is_lacking = true;
    return module == HPM_PROFILE_NO_MODULE ||
           strcmp(prober->modules.modules[module].path, "[uprobes]") == 0;
}

static void
take(struct prober *prober, struct prober_entry *entry)
{
    struct proberings_record *record = &entry->record;

    if (record->kind == PROBERINGS_OTHER)
        record->other.words = prober->store + entry->at;
    else
        record->counts = prober->store + entry->at;
    if (record->kind == PROBERINGS_OTHER &&
        !mappings_take(&prober->mappings, &record->other))
        prober->is_lacking = true;
    record->is_tail =
        record->kind == PROBERINGS_ENTRY && is_of_probes(prober, record);
    probethreads_take(&prober->threads, record, find_point(prober, record));
}

/* Keep only the words of entries that wait: while a program calls its functions
 * without a pause, some always do. */
static void
keep_words(struct prober *prober)
{
    uint64_t *words = prober->store;
    size_t n = 0, capacity = prober->store_capacity;

    if (!hpm_memory_grow(&prober->spare, &prober->spare_capacity,
                         prober->n_store + 1, sizeof *prober->spare))
        return; /* they are kept in vain, until the next time */
    for (size_t i = 0; i < prober->n_queue; i++) {
        struct prober_entry *entry = &prober->queue[i];
        size_t n_own = n_words(prober, &entry->record) + 1;

        memcpy(prober->spare + n, words + entry->at, n_own * sizeof *words);
        entry->at = n;
        n += n_own;
    }
    prober->store = prober->spare;
    prober->store_capacity = prober->spare_capacity;
    prober->n_store = n;
    prober->spare = words;
    prober->spare_capacity = capacity;
}

static void
tidy(struct prober *prober, size_t n_taken)
{
    if (n_taken == 0)
        return;
    prober->n_queue -= n_taken;
    memmove(prober->queue, prober->queue + n_taken,
            prober->n_queue * sizeof *prober->queue);
    keep_words(prober);
}

/* Process all records up to that time. */
static void
follow(struct prober *prober, uint64_t ns)
{
    size_t n = 0;

    if (prober->n_queue > 0)
        qsort(prober->queue, prober->n_queue, sizeof *prober->queue,
              compare_entries);
    for (; n < prober->n_queue && prober->queue[n].record.ns <= ns; n++)
        take(prober, &prober->queue[n]);
    tidy(prober, n);
    for (size_t i = 0; i < prober->n_queue; i++)
        prober->queue[i].number = i;
}

/* ---- life -------------------------------------------------------------- */

/* As root define the probes of the functions and of what costs are measured on. */
static bool
define(struct prober *prober, struct tracefs_place *places, size_t n_own,
       struct hpm_error *err)
{
    const struct probeplan *plan = prober->plan;

    return tracefs_define(&prober->tracefs, places, n_own + plan->n,
                          plan->is_entry_only, err);
}

/* The file's code at a probe that nobody asks for; where it cannot be read, the usual
 * kind. */
static enum hpm_instruction_kind
kind_at(const struct tracefs_place *place)
{
    unsigned char code[HPM_INSTRUCTION_MOST];
    int descriptor = open(place->path, O_RDONLY | O_CLOEXEC);
    ssize_t n = -1;

    if (descriptor >= 0)
        n = pread(descriptor, code, sizeof code, (off_t)place->offset);
    if (descriptor >= 0)
        close(descriptor);
    return hpm_instruction_kind(code, n > 0 ? (size_t)n : 0);
}

static bool
list_others(struct prober *prober, struct hpm_error *err)
{
    const struct tracefs *tracefs = &prober->tracefs;
    struct probeplan *others = &prober->others;

    others->points =
        hpm_memory_new(tracefs->n_others + 1, sizeof *others->points);
    if (others->points == NULL)
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < tracefs->n_others; i++) {
        const struct tracefs_place *place = &tracefs->others[i];

        others->points[others->n++] =
            (struct probeplan_point){.path = place->path,
                                     .offset = place->offset,
                                     .kind = kind_at(place)};
    }
    probeplan_sort(others);
    return true;
}

/* As another user take the probes that root has defined. */
static bool
use(struct prober *prober, struct tracefs_place *places, size_t n_own,
    struct hpm_error *err)
{
    const struct probeplan *plan = prober->plan;
    struct hpm_error why;
    size_t n_missing = 0, missing = 0;

    if (!tracefs_use(&prober->tracefs, places + n_own, plan->n,
                     plan->is_entry_only, err))
        return false;
    if (n_own > 0 && (!tracefs_use(&prober->own, places, n_own, false, &why) ||
                      places[0].is_missing))
        return hpm_error_set(err, "--section: root has defined probes for "
                                  "another hpmcount than this one; as root: "
                                  "'hpm probes define' once more");
    for (size_t i = 0; i < plan->n; i++) {
        if (places[n_own + i].is_missing && n_missing++ == 0)
            missing = i;
    }
    if (n_missing > 0)
        say("--section: functions for which root has defined no probe: %zu, "
            "such as '%.100s'; they are left out",
            n_missing, plan->points[missing].label);
    return list_others(prober, err);
}

static bool
set_probes(struct prober *prober, struct hpm_error *err)
{
    const struct probeplan *plan = prober->plan;
    size_t n_own = plan->is_entry_only ? 0 : PROBECOSTS_PLACES;
    struct tracefs_place *places =
        hpm_memory_new(n_own + plan->n, sizeof *places);
    char own[PATH_MAX];
    bool is_good = places != NULL || hpm_error_no_memory(err);

    if (n_own > 0)
        is_good = is_good && probecosts_places(own, places, err);
    for (size_t i = 0; is_good && i < plan->n; i++)
        places[n_own + i] = (struct tracefs_place){
            plan->points[i].path, plan->points[i].offset, false};
    if (is_good && (geteuid() == 0 || tracefs_is_writable()))
        is_good = define(prober, places, n_own, err);
    else if (is_good)
        is_good = use(prober, places, n_own, err);
    hpm_memory_free(places);
    return is_good;
}

/* Where the kernel reads no counters at probes, calls and their time remain. */
static bool
find_costs(struct prober *prober, struct hpm_error *err)
{
    const struct tracefs *tracefs =
        prober->tracefs.is_defined ? &prober->tracefs : &prober->own;
    struct hpm_error other;

    prober->extent = PROBERINGS_COUNTS;
    if (probecosts_find(prober->set, tracefs, prober->extent, &prober->costs,
                        err))
        return true;
    prober->extent = PROBERINGS_TIMES;
    if (!probecosts_find(prober->set, tracefs, prober->extent, &prober->costs,
                         &other))
        return false;
    say("%s; sections have calls and time, and no counters", err->text);
    prober->no_counts = hpm_memory_copy_text(err->text);
    return prober->no_counts != NULL || hpm_error_no_memory(err);
}

bool
prober_open(struct prober *prober, const struct probeplan *plan,
            const struct hpm_eventset *set, pid_t pid, struct hpm_error *err)
{
    *prober = (struct prober){.next_ns = UINT64_MAX};
    if (plan == NULL || plan->n == 0)
        return true;
    prober->plan = plan;
    prober->set = set;
    prober->mappings.profile = &prober->modules;
    if (!set_probes(prober, err) ||
        (!plan->is_entry_only && !find_costs(prober, err)) ||
        !proberings_open(&prober->rings, set, &prober->tracefs, pid, false,
                         prober->extent, err))
        return false;
    if (!probethreads_init(&prober->threads, &prober->rings, &prober->costs))
        return hpm_error_no_memory(err);
    prober->next_ns = hpm_clock_instant().ns + PAUSE_NS;
    return true;
}

void
prober_look(struct prober *prober)
{
    uint64_t begin = hpm_clock_instant().ns;

    if (begin < prober->next_ns)
        return;
    proberings_read(&prober->rings, queue, prober);
    follow(prober, begin - LATE_NS);
    prober->next_ns = begin + PAUSE_NS;
}

void
prober_end(struct prober *prober)
{
    if (prober->plan == NULL)
        return;
    proberings_read(&prober->rings, queue, prober);
    follow(prober, UINT64_MAX);
    probethreads_end(&prober->threads);
    prober->next_ns = UINT64_MAX;
}

void
prober_clear(struct prober *prober)
{
    if (prober->plan == NULL)
        return;
    proberings_close(&prober->rings);
    tracefs_remove(&prober->tracefs);
    tracefs_remove(&prober->own);
    probeplan_clear(&prober->others);
    hpm_memory_free(prober->no_counts);
    if (prober->threads.problems != NULL)
        probethreads_clear(&prober->threads);
    mappings_clear(&prober->mappings);
    hpm_profile_clear(&prober->modules);
    hpm_memory_free(prober->queue);
    hpm_memory_free(prober->store);
    hpm_memory_free(prober->spare);
    *prober = (struct prober){.next_ns = UINT64_MAX};
}

/* ---- the sections ------------------------------------------------------ */

static const char *
why_uncounted(const struct prober *prober)
{
    if (prober->plan->is_entry_only)
        return HPM_REASON_ENTRY_ONLY;
    if (prober->no_counts != NULL)
        return prober->no_counts;
    return N_("it is not read at calls of functions (--section)");
}

/* What records need to know of the counters. */
static struct hpm_meter *
make_meter(const struct prober *prober)
{
    const struct hpm_eventset *set = prober->set;
    struct hpm_meter *meter = hpm_memory_new(1, sizeof *meter);

    if (meter == NULL)
        return NULL;
    meter->set = set;
    meter->n_events = set->n_events;
    meter->n_slots = 1 + set->n_events;
    meter->events = hpm_memory_new(set->n_events + 1, sizeof *meter->events);
    for (size_t i = 0; meter->events != NULL && i < set->n_events; i++) {
        meter->events[i].state = HPM_STATE_COUNTED;
        if (prober->rings.is_counted[i])
            continue;
        meter->events[i].state = HPM_STATE_UNSUPPORTED;
        meter->events[i].reason = hpm_memory_copy_text(why_uncounted(prober));
    }
    return meter;
}

static void
free_meter(struct hpm_meter *meter)
{
    for (size_t i = 0;
         meter != NULL && meter->events != NULL && i < meter->n_events; i++)
        hpm_memory_free(meter->events[i].reason);
    if (meter != NULL)
        hpm_memory_free(meter->events);
    hpm_memory_free(meter);
}

/* What was not counted at the calls has no value there; the program as a whole may
 * have one. */
static void
leave_out_uncounted(const struct prober *prober,
                    struct hpm_experiment *experiment, size_t first)
{
    for (size_t r = first; r < experiment->n_records; r++) {
        for (size_t i = 0; i < prober->set->n_events; i++) {
            if (!prober->rings.is_counted[i])
                *hpm_experiment_value(experiment, r, i) =
                    (struct hpm_value){.is_present = false};
        }
    }
}

static bool
add_threads(const struct prober *prober, const struct hpm_final *final,
            const struct hpm_meter *meter, struct hpm_experiment *experiment)
{
    for (int number = 0; number < prober->threads.n_numbered; number++) {
        const struct probethread *thread = prober->threads.list;

        while (thread->number != number)
            thread++;
        struct hpm_records records = {
            .experiment = experiment,
            .tree = thread->tree,
            .meter = meter,
            .correction = {&prober->costs.calibration.costs, final, NULL},
            .is_corrected = !prober->plan->is_entry_only,
            .first_work = experiment->n_counters,
            .has_sections = false,
            .scope = HPM_SCOPE_THREAD,
            .tid = number,
            .omp = -1,
            .ns_per_tick = 1.0};

        if (!hpm_records_add(&records))
            return false;
    }
    return true;
}

/* Of entries alone nobody knows how long a call took. */
static void
leave_out_times(const struct prober *prober, struct hpm_experiment *experiment,
                size_t first)
{
    for (size_t r = first;
         prober->plan->is_entry_only && r < experiment->n_records; r++)
        experiment->records[r].time =
            (struct hpm_value){.state = HPM_STATE_UNSUPPORTED};
}

/* What a section's function is, and where. */
static bool
tell_places(const struct prober *prober, struct hpm_experiment *experiment,
            size_t first)
{
    const struct probeplan *plan = prober->plan;
    bool is_good = true;

    for (size_t r = first; r < experiment->n_records; r++) {
        struct hpm_record *record = &experiment->records[r];
        size_t i = 0;

        while (i < plan->n && plan->points[i].instance != record->instance)
            i++;
        if (record->is_outside || i == plan->n)
            continue;
        record->watched.via = HPM_VIA_UPROBE;
        record->watched.offset = plan->points[i].start;
        is_good = is_good && hpm_experiment_set_text(&record->watched.module,
                                                     plan->points[i].path);
    }
    return is_good;
}

/* A sentence of how many times something happened, if it did. */
static bool
tell_times(struct hpm_experiment *experiment, uint64_t n, const char *format)
{
    struct hpm_string text = {0};

    if (n == 0)
        return true;
    hpm_string_add_format(&text, format, (unsigned long long)n);
    return hpm_experiment_tell(experiment, &text);
}

static bool
tell(const struct prober *prober, struct hpm_experiment *experiment)
{
    uint64_t n_lost = proberings_lost(&prober->rings);

    if (proberings_failed(&prober->rings)) {
        experiment->run.is_complete = false;
        return hpm_experiment_set_text(
            &experiment->run.reason,
            N_("--section: the processor has no counters for all events at "
               "once; count fewer"));
    }
    if (n_lost > 0) {
        experiment->run.is_complete = false;
        if (!hpm_experiment_set_text(&experiment->run.reason,
                                     N_("records of calls are lost")))
            return false;
    }
    return tell_times(experiment, n_lost,
                      N_("%llu records of calls are lost: the kernel's memory "
                         "for them was full; measure fewer functions")) &&
           tell_times(experiment, prober->threads.n_left,
                      N_("%llu calls of functions had no return: they were "
                         "left by a jump, or were more than 64 deep; their "
                         "time ends with the next call or return that was "
                         "seen")) &&
           tell_times(experiment, prober->threads.n_again,
                      N_("%llu times a measured function jumped to its own "
                         "beginning (a loop): each costs as much as a call, "
                         "so its time is uncertain; measure what calls it"));
}

bool
prober_give(struct prober *prober, struct hpm_experiment *experiment)
{
    static const struct hpm_calibration none;
    size_t first = experiment->n_records;
    struct hpm_meter *meter;
    struct hpm_final final;
    bool is_good;

    if (prober->plan == NULL)
        return true;
    meter = make_meter(prober);
    hpm_calibration_choose(&prober->costs.calibration, &none, &final);
    is_good = meter != NULL && meter->events != NULL && !prober->is_lacking &&
              !prober->threads.is_lacking &&
              add_threads(prober, &final, meter, experiment) &&
              tell_places(prober, experiment, first) &&
              hpm_records_add_calibration(experiment, prober->set,
                                          &prober->costs.calibration,
                                          HPM_SCOPE_THREAD, "init", 1.0) &&
              tell(prober, experiment);
    leave_out_uncounted(prober, experiment, first);
    leave_out_times(prober, experiment, first);
    free_meter(meter);
    return is_good;
}
