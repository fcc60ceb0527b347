/* SPDX-License-Identifier: BSD-3-Clause
 * The counters of running targets. */
#include "hpmcount/watch.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mark.h"
#include "host/folder.h"
#include "host/memory.h"
#include "hpmcount/refusal.h"
#include "source/clock.h"
#include "source/machine/procfile.h"
#include "source/perf.h"
#include "study/node/nodesource.h"

/* ---- listing threads -------------------------------------------------- */

static bool
add_unit(struct watch *watch, const struct watch_unit *unit,
         struct hpm_error *err)
{
    if (!hpm_memory_grow(&watch->units, &watch->units_capacity,
                         watch->n_units + 1, sizeof *watch->units))
        return hpm_error_no_memory(err);
    watch->units[watch->n_units++] = *unit;
    return true;
}

/* List the threads of a process; none if it has ended meanwhile. */
static bool
list_threads_of(struct watch *watch, pid_t process, struct hpm_error *err)
{
    struct hpm_folder folder;
    const char *id;
    char path[64];
    bool is_good = true;

    snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
    if (!hpm_folder_open(&folder, path))
        return true;
    while (is_good && (id = hpm_folder_next(&folder)) != NULL)
        is_good = add_unit(watch,
                           &(struct watch_unit){.process = process,
                                                .thread = (pid_t)atol(id),
                                                .cpu = -1},
                           err);
    hpm_folder_close(&folder);
    return is_good;
}

static bool
list_units(struct watch *watch, struct hpm_error *err)
{
    const struct targets *targets = watch->targets;
    bool is_good = true;

    for (size_t i = 0; i < targets->n && is_good; i++) {
        int id = targets->ids[i];

        if (targets->kind == TARGETS_PROCESSES)
            is_good = list_threads_of(watch, id, err);
        else if (targets->kind == TARGETS_THREADS)
            is_good = add_unit(
                watch,
                &(struct watch_unit){
                    .process = targets_process_of(id), .thread = id, .cpu = -1},
                err);
        else
            is_good = add_unit(
                watch,
                &(struct watch_unit){.process = -1, .thread = -1, .cpu = id},
                err);
    }
    return is_good;
}

static bool
has_thread(const struct watch *watch, pid_t thread)
{
    for (size_t i = 0; i < watch->n_units; i++) {
        if (watch->units[i].thread == thread)
            return true;
    }
    return false;
}

/* The number of threads that are there now but not in the list. */
static bool
count_new(const struct watch *watch, size_t *ret_n, struct hpm_error *err)
{
    struct watch now = {.targets = watch->targets};
    bool is_good = list_units(&now, err);

    *ret_n = 0;
    for (size_t i = 0; i < now.n_units; i++)
        *ret_n += !has_thread(watch, now.units[i].thread);
    hpm_memory_free(now.units);
    return is_good;
}

/* ---- counters --------------------------------------------------------- */

static void
close_units(struct watch *watch)
{
    for (size_t i = 0; i < watch->n_units; i++)
        hpm_meter_close(watch->units[i].meter);
    watch->n_units = 0;
}

static enum hpm_target
target_of(const struct watch *watch)
{
    if (watch->targets->kind == TARGETS_CGROUP)
        return HPM_TARGET_CGROUP;
    return watch->targets->kind == TARGETS_CPUS ? HPM_TARGET_CPU
                                                : HPM_TARGET_RUNNING;
}

static bool
open_unit(const struct watch *watch, struct watch_unit *unit,
          struct hpm_error *err)
{
    pid_t pid =
        watch->targets->cgroup >= 0 ? watch->targets->cgroup : unit->thread;

    unit->meter = hpm_meter_open_running(watch->set, target_of(watch), pid,
                                         unit->cpu, err);
    return unit->meter != NULL;
}

/* Did the thread end while its counters were opened, so that some are missing?
 * The kernel opens no counters for a thread that has begun to end, but /proc
 * shows the thread a little longer. */
static bool
has_vanished(const struct watch_unit *unit)
{
    const struct hpm_meter *meter = unit->meter;

    for (size_t i = 0; i < meter->n_events && unit->cpu < 0; i++) {
        const struct hpm_event *event = &meter->set->events[i];
        int fd;

        if (event->source != &hpm_source_kernel ||
            hpm_state_has_value(meter->events[i].state))
            continue;
        fd = hpm_perf_open_on(event, unit->thread, -1, -1, HPM_PERF_INHERIT);
        if (fd >= 0)
            hpm_perf_drop(fd);
        else if (errno == ESRCH)
            return true;
    }
    return false;
}

/* Leave out threads that ended: the threads they started before are not in the
 * list, and get all counters in the next attempt. */
static bool
open_units(struct watch *watch, struct hpm_error *err)
{
    size_t n = 0;
    bool is_good = true;

    for (size_t i = 0; i < watch->n_units; i++) {
        struct watch_unit unit = watch->units[i];

        is_good = is_good && open_unit(watch, &unit, err);
        if (is_good && has_vanished(&unit)) {
            hpm_meter_close(unit.meter);
            continue;
        }
        watch->units[n++] = unit;
    }
    watch->n_units = n;
    return is_good;
}

/* A thread created while counters are opened may inherit some of them, all or
 * none, and there is no way to tell: close all and try again, until no thread
 * was created.  For a program that creates threads all the time, try until the
 * time is over. */
static bool
open_settled(struct watch *watch, struct hpm_error *err)
{
    static const uint64_t patience_ns = 2000000000;
    uint64_t end_ns = hpm_clock_instant().ns + patience_ns;

    do {
        close_units(watch);
        if (!list_units(watch, err) || !open_units(watch, err) ||
            !count_new(watch, &watch->n_unsettled, err))
            return false;
    } while (watch->n_unsettled > 0 && hpm_clock_instant().ns < end_ns);
    return true;
}

/* On a whole processor the kernel counts this clock also while the processor is
 * idle. */
static void
fail_task_clock(struct watch *watch)
{
    for (size_t i = 0; i < watch->set->n_events; i++) {
        const struct hpm_event *event = &watch->set->events[i];

        if (event->source == &hpm_source_kernel &&
            event->encoding.type == PERF_TYPE_SOFTWARE &&
            event->encoding.config == PERF_COUNT_SW_TASK_CLOCK)
            hpm_meter_fail(watch_meter(watch), i, HPM_STATE_UNSUPPORTED,
                           N_("of a whole processor it is the time that has "
                              "passed, busy or not; see processor time"));
    }
}

/* If one meter has no value of an event, the sum over all would be too small:
 * then the event has no value. */
static void
fail_together(struct watch *watch)
{
    struct hpm_meter *first = watch_meter(watch);

    for (size_t i = 1; i < watch->n_units; i++) {
        const struct hpm_meter *meter = watch->units[i].meter;

        for (size_t j = 0; j < meter->n_events; j++) {
            if (!hpm_state_has_value(meter->events[j].state))
                hpm_meter_fail(first, j, meter->events[j].state,
                               meter->events[j].reason);
        }
    }
}

/* Counts of the node belong to no thread and no core; they are only possible
 * for all parts together. */
static void
open_node(struct watch *watch)
{
    for (size_t i = 0; watch->has_parts && i < watch->set->n_events; i++) {
        if (watch->set->events[i].source == &hpm_source_node)
            hpm_meter_fail(
                watch_meter(watch), i, HPM_STATE_UNSUPPORTED,
                N_("it is of the whole node and not of one thread or "
                   "core; leave out --per-thread and --per-core"));
    }
    if (!watch->has_parts)
        hpm_meter_open_brought(watch_meter(watch));
}

/* ---- parts ------------------------------------------------------------ */

/* The number of the core's first processor. */
static int
core_of(int cpu)
{
    char path[96], list[256];

    snprintf(path, sizeof path,
             "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
             cpu);
    return hpm_procfile_line(path, list, sizeof list) ? atoi(list) : cpu;
}

static void
name_part(struct watch_part *ret_part, const struct watch_unit *unit)
{
    struct hpm_string name = {0};

    *ret_part = (struct watch_part){.number = unit->thread};
    if (unit->cpu >= 0) {
        ret_part->number = core_of(unit->cpu);
        hpm_string_add_format(&name, "core %d", ret_part->number);
    } else if (!targets_add_name(&name, unit->thread)) {
        hpm_string_add(&name, "thread");
    }
    snprintf(ret_part->name, sizeof ret_part->name, "%s",
             hpm_string_text(&name));
    hpm_string_free(&name);
}

static bool
find_parts(struct watch *watch, struct hpm_error *err)
{
    for (size_t i = 0; i < watch->n_units; i++) {
        struct watch_part part = {.name = "all", .number = -1};
        size_t at = 0;

        if (watch->has_parts)
            name_part(&part, &watch->units[i]);
        while (at < watch->n_parts && watch->parts[at].number != part.number)
            at++;
        if (at == watch->n_parts) {
            if (!hpm_memory_grow(&watch->parts, &watch->parts_capacity,
                                 watch->n_parts + 1, sizeof *watch->parts))
                return hpm_error_no_memory(err);
            watch->parts[watch->n_parts++] = part;
        }
        watch->units[i].part = at;
    }
    return true;
}

/* ---- public functions ------------------------------------------------- */

/* Each thread needs a descriptor for each event; raise the limit as far as
 * allowed. */
static void
allow_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
        limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

bool
watch_open(struct watch *ret_watch, const struct targets *targets,
           const struct hpm_eventset *set, bool has_parts,
           struct hpm_error *err)
{
    *ret_watch =
        (struct watch){.targets = targets, .set = set, .has_parts = has_parts};
    allow_descriptors();
    if (!refusal_check(targets, set, err) || !open_settled(ret_watch, err))
        return false;
    if (ret_watch->n_units == 0)
        return hpm_error_set(err,
                             "'%.60s' has ended before it could be "
                             "counted",
                             targets->name);
    open_node(ret_watch);
    fail_together(ret_watch);
    if (targets->kind == TARGETS_CPUS)
        fail_task_clock(ret_watch);
    return find_parts(ret_watch, err);
}

struct hpm_meter *
watch_meter(const struct watch *watch)
{
    return watch->units[0].meter;
}

void
watch_read(const struct watch *watch, uint64_t *ret_rows)
{
    size_t n_slots = watch_meter(watch)->n_slots;

    memset(ret_rows, 0, watch->n_parts * n_slots * sizeof *ret_rows);
    for (size_t i = 0; i < watch->n_units; i++) {
        const struct watch_unit *unit = &watch->units[i];
        uint64_t *row = ret_rows + unit->part * n_slots;
        uint64_t slots[HPM_MAX_SLOTS] = {0};

        hpm_meter_read(unit->meter, slots);
        for (size_t j = 0; j < n_slots; j++)
            row[j] += slots[j];
    }
}

void
watch_close(struct watch *watch)
{
    close_units(watch);
    hpm_memory_free(watch->units);
    hpm_memory_free(watch->parts);
    *watch = (struct watch){0};
}
