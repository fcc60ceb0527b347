/* SPDX-License-Identifier: BSD-3-Clause
 * Source "kernel": what perf_event_open counts.  Software events, the
 * kernel's generic names, and the PMU events sysfs and libpfm4 list. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/memory.h"
#include "base/string.h"
#include "source/fit.h"
#include "source/generic.h"
#include "source/hardware.h"
#include "source/meter.h"
#include "source/perf.h"
#include "source/pfm.h"
#include "source/source.h"
#include "source/sysfs.h"
#include "source/tasks.h"

/* ---- find and list --------------------------------------------------- */

/* ":u", ":k" and ":uk" at the end of a name choose the domain. */
static bool
split_modifier(const char *name, char *ret_name, size_t size,
               enum hpm_domain *ret_domain)
{
    static const struct {
        const char *suffix;
        enum hpm_domain domain;
    } modifiers[] = {{":u", HPM_DOMAIN_USER},
                     {":k", HPM_DOMAIN_KERNEL},
                     {":uk", HPM_DOMAIN_ALL},
                     {":ku", HPM_DOMAIN_ALL}};
    size_t length = strlen(name);

    snprintf(ret_name, size, "%s", name);
    for (size_t i = 0; i < sizeof modifiers / sizeof modifiers[0]; i++) {
        size_t suffix = strlen(modifiers[i].suffix);

        if (length > suffix && length < size &&
            strcmp(name + length - suffix, modifiers[i].suffix) == 0) {
            ret_name[length - suffix] = '\0';
            *ret_domain = modifiers[i].domain;
            return true;
        }
    }
    return false;
}

static bool
is_hardware(uint32_t type)
{
    return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE ||
           type == PERF_TYPE_RAW;
}

/* Open it once, in the domain wanted or the nearest one allowed. */
static bool
try_event(struct hpm_event *event, const struct hpm_generic *generic,
          bool is_domain_fixed, struct hpm_error *err)
{
    bool is_software = event->encoding.type == PERF_TYPE_SOFTWARE;
    int fd;

    /* Software events mean little without their kernel part: page faults and
     * processor time are the program's even while the kernel serves it. */
    if (is_software && !is_domain_fixed)
        event->domain = HPM_DOMAIN_ALL;
    fd = hpm_perf_open(event, 0, -1, 0);
    if (fd < 0 && !is_domain_fixed && is_software &&
        (errno == EACCES || errno == EPERM) && !generic->needs_kernel) {
        event->domain = HPM_DOMAIN_USER;
        fd = hpm_perf_open(event, 0, -1, 0);
    } else if (fd < 0 && !is_domain_fixed && !is_software && errno == EINVAL) {
        /* some PMUs cannot tell user and kernel apart */
        event->domain = HPM_DOMAIN_ALL;
        fd = hpm_perf_open(event, 0, -1, 0);
    }
    if (fd < 0) {
        if (errno == ENOENT && is_hardware(event->encoding.type) &&
            !hpm_hardware_is_usable(err))
            return false;
        hpm_perf_explain(errno, err);
        return false;
    }
    if (generic->must_count && !hpm_perf_counts(fd)) {
        hpm_perf_drop(fd);
        return hpm_error_set(err, "reads 0, which it cannot be: this virtual "
                                  "machine has only part of a PMU");
    }
    hpm_perf_drop(fd);
    if (generic->needs_kernel && event->domain == HPM_DOMAIN_USER)
        return hpm_error_set(err, "happens in the kernel only; count it "
                                  "without ':u'");
    return true;
}

/* What is known of a name before it is tried. */
struct candidate {
    struct hpm_encoding encoding;
    struct hpm_generic generic; /* but for its encoding and description */
    enum hpm_domain domain;
    bool is_domain_fixed;
    char description[192];
    char unit[32];
};

/* libpfm4 reads ":u" and ":k" itself, but not ":uk". */
static enum hpm_finding
find_by_pfm(const char *name, const char *plain, enum hpm_domain asked,
            struct candidate *candidate, struct hpm_error *err)
{
    struct hpm_pfm_event found;
    enum hpm_finding finding = hpm_pfm_find(name, asked, &found, err);

    if (finding != HPM_FINDING_FOUND && candidate->is_domain_fixed) {
        struct hpm_error why;
        enum hpm_finding second =
            hpm_pfm_find(plain, candidate->domain, &found, &why);

        if (second == HPM_FINDING_FOUND)
            finding = second;
    } else if (finding == HPM_FINDING_FOUND) {
        candidate->domain = found.domain;
        candidate->is_domain_fixed = found.is_domain_fixed;
    }
    if (finding == HPM_FINDING_FOUND) {
        candidate->encoding = found.encoding;
        memcpy(candidate->description, found.description,
               sizeof candidate->description);
    }
    return finding;
}

/* The kernel's names, then the PMU's as the kernel lists them, then the
 * vendor's as libpfm4 does. */
static enum hpm_finding
find_candidate(const char *name, enum hpm_domain domain,
               struct candidate *candidate, struct hpm_error *err)
{
    char plain[256];
    enum hpm_finding finding;

    *candidate = (struct candidate){.domain = domain, .generic.unit = ""};
    candidate->is_domain_fixed =
        split_modifier(name, plain, sizeof plain, &candidate->domain);
    if (hpm_generic_find(plain, &candidate->generic)) {
        candidate->encoding = candidate->generic.encoding;
        snprintf(candidate->description, sizeof candidate->description, "%s",
                 candidate->generic.description);
        snprintf(candidate->unit, sizeof candidate->unit, "%s",
                 candidate->generic.unit);
        return HPM_FINDING_FOUND;
    }
    finding = hpm_sysfs_find(plain, &candidate->encoding, candidate->unit,
                             sizeof candidate->unit, err);
    snprintf(candidate->description, sizeof candidate->description,
             "event of the PMU");
    return finding != HPM_FINDING_UNKNOWN
               ? finding
               : find_by_pfm(name, plain, domain, candidate, err);
}

static enum hpm_finding
kernel_find(const char *name, enum hpm_domain domain,
            struct hpm_event *ret_event, struct hpm_error *err)
{
    struct hpm_event event = {0};
    struct candidate candidate;
    enum hpm_finding finding = find_candidate(name, domain, &candidate, err);

    if (finding != HPM_FINDING_FOUND)
        return finding;
    event.encoding = candidate.encoding;
    event.domain = candidate.domain;
    if (!try_event(&event, &candidate.generic, candidate.is_domain_fixed, err))
        return HPM_FINDING_FAILED;
    event.description = hpm_memory_copy_text(candidate.description);
    event.unit = hpm_memory_copy_text(candidate.unit);
    if (event.description == NULL || event.unit == NULL) {
        hpm_event_clear(&event);
        hpm_error_no_memory(err);
        return HPM_FINDING_FAILED;
    }
    event.ignores_domain = candidate.generic.ignores_domain;
    event.name = ret_event->name;
    event.source = &hpm_source_kernel;
    *ret_event = event;
    return HPM_FINDING_FOUND;
}

static void
kernel_list(void (*visit)(const char *name, void *context), void *context)
{
    hpm_generic_list(visit, context);
    hpm_sysfs_list(visit, context);
    hpm_pfm_list(visit, context);
}

/* ---- counting -------------------------------------------------------- */

struct counter {
    int fd;
    uint64_t identity;
    uint16_t slot;
};

/* Counters one read gives together.  For a thread: a scheduling group, read
 * through its leader, the first.  For a process or program: one event, each
 * counter (one per thread that was there) read apart, because group reads of
 * inherited counters fail while a child exits. */
struct group {
    struct counter *counters;
    size_t n_counters;
    size_t capacity;
    uint16_t clock_slot; /* enabled; running is the next one */
    bool is_lost;
};

struct kernel_counting {
    struct hpm_meter *meter;
    struct group groups[HPM_MAX_ALL_EVENTS];
    size_t n_groups;
    size_t n_slots_before; /* what others have of the meter's slots */
    bool is_exposed; /* the program's files may get our descriptors' numbers */
};

enum { MAX_GROUP_READ = 3 + HPM_MAX_ALL_EVENTS };

static bool
add_counter(struct group *group, int fd, size_t event)
{
    if (!hpm_memory_grow(&group->counters, &group->capacity,
                         group->n_counters + 1, sizeof *group->counters)) {
        hpm_perf_drop(fd);
        return false;
    }
    group->counters[group->n_counters++] = (struct counter){
        fd, hpm_perf_identity(fd), (uint16_t)(1 + event)};
    return true;
}

static void
close_group(struct group *group)
{
    /* members before their leader */
    for (size_t i = group->n_counters; i-- > 0;)
        hpm_perf_close(group->counters[i].fd, group->counters[i].identity);
    hpm_memory_free(group->counters);
}

static struct group *
new_group(struct kernel_counting *counting)
{
    struct group *group = &counting->groups[counting->n_groups++];

    *group = (struct group){.clock_slot =
                                hpm_meter_add_slots(counting->meter, 2)};
    return group;
}

static void
fail_event(struct hpm_meter *meter, size_t event, int error)
{
    struct hpm_error err;

    hpm_perf_explain(error, &err);
    hpm_meter_fail(meter, event, HPM_STATE_UNSUPPORTED, err.text);
}

static void
fail_all(struct hpm_meter *meter, int error)
{
    for (size_t i = 0; i < meter->n_events; i++) {
        if (meter->set->events[i].source == &hpm_source_kernel)
            fail_event(meter, i, error);
    }
}

/* Into the first group that takes it, else a group of its own. */
static void
open_in_thread(struct kernel_counting *counting, size_t event)
{
    struct hpm_meter *meter = counting->meter;
    const struct hpm_event *wanted = &meter->set->events[event];
    struct group *group = NULL;
    int fd = -1;

    for (size_t i = 0; i < counting->n_groups && fd < 0; i++) {
        group = &counting->groups[i];
        fd = hpm_perf_open(wanted, 0, group->counters[0].fd, HPM_PERF_GROUP);
        if (fd < 0 && errno != EINVAL)
            break;
    }
    if (fd < 0) {
        fd = hpm_perf_open(wanted, 0, -1, HPM_PERF_GROUP);
        if (fd >= 0)
            group = new_group(counting);
    }
    if (fd < 0) {
        fail_event(meter, event, errno);
    } else if (!add_counter(group, fd, event)) {
        fail_event(meter, event, ENOMEM);
        if (group->n_counters == 0)
            counting->n_groups--; /* it has no leader */
    } else {
        meter->events[event].clock_slot = group->clock_slot;
    }
}

/* One counter per thread, inherited by what each starts. */
static void
open_in_threads(struct kernel_counting *counting, const pid_t *ids, size_t n,
                size_t event, unsigned flags)
{
    struct hpm_meter *meter = counting->meter;
    struct group *group = new_group(counting);
    int error = 0;

    for (size_t i = 0; i < n && error == 0; i++) {
        int fd = hpm_perf_open(&meter->set->events[event], ids[i], -1,
                               HPM_PERF_INHERIT | flags);

        if (fd < 0 && errno == ESRCH)
            continue; /* that thread has just ended */
        if (fd < 0)
            error = errno;
        else if (!add_counter(group, fd, event))
            error = ENOMEM;
    }
    meter->events[event].clock_slot = group->clock_slot;
    if (error == 0 && group->n_counters == 0)
        error = ESRCH;
    if (error != 0)
        fail_event(meter, event, error);
}

static void
open_events(struct kernel_counting *counting, const pid_t *ids, size_t n,
            unsigned flags)
{
    const struct hpm_meter *meter = counting->meter;

    for (size_t i = 0; i < meter->n_events; i++) {
        if (meter->set->events[i].source != &hpm_source_kernel)
            continue;
        if (meter->target == HPM_TARGET_THREAD)
            open_in_thread(counting, i);
        else
            open_in_threads(counting, ids, n, i, flags);
    }
}

static void
close_groups(struct kernel_counting *counting)
{
    for (size_t i = 0; i < counting->n_groups; i++)
        close_group(&counting->groups[i]);
    counting->n_groups = 0;
}

/* As before the attempt: no counters, no slots, no failures. */
static void
undo_attempt(void *context)
{
    struct kernel_counting *counting = context;
    struct hpm_meter *meter = counting->meter;

    close_groups(counting);
    meter->n_slots = counting->n_slots_before;
    for (size_t i = 0; i < meter->n_events; i++) {
        if (meter->set->events[i].source != &hpm_source_kernel)
            continue;
        hpm_memory_free(meter->events[i].reason);
        meter->events[i] = (struct hpm_metered){.state = HPM_STATE_COUNTED};
    }
}

static void
open_for_threads(const pid_t *ids, size_t n, void *context)
{
    open_events(context, ids, n, 0);
}

static void
open_in_process(struct kernel_counting *counting)
{
    const struct hpm_tasks_work work = {open_for_threads, undo_attempt,
                                        counting};
    enum hpm_tasks_end end;

    counting->n_slots_before = counting->meter->n_slots;
    end = hpm_tasks_open(&work);
    switch (end) {
    case HPM_TASKS_COMPLETE:
        break;
    case HPM_TASKS_RESTLESS:
    case HPM_TASKS_UNKNOWN:
        counting->meter->tasks = end;
        break;
    case HPM_TASKS_NO_MEMORY:
        fail_all(counting->meter, ENOMEM);
        break;
    }
}

static void
open_in_own_thread(struct kernel_counting *counting)
{
    open_events(counting, NULL, 0, 0);
    for (size_t i = 0; i < counting->n_groups; i++)
        hpm_perf_enable_group(counting->groups[i].counters[0].fd);
}

static void *
kernel_open(struct hpm_meter *meter)
{
    struct kernel_counting *counting = hpm_memory_new(1, sizeof *counting);
    int saved_errno = errno;

    if (counting == NULL) {
        fail_all(meter, ENOMEM);
        return NULL;
    }
    counting->meter = meter;
    counting->is_exposed = !hpm_descriptor_has_upper();
    if (meter->target == HPM_TARGET_PROGRAM)
        open_events(counting, &meter->pid, 1, HPM_PERF_ON_EXEC);
    else if (meter->target == HPM_TARGET_PROCESS)
        open_in_process(counting);
    else
        open_in_own_thread(counting);
    errno = saved_errno;
    return counting;
}

static void
lose_group(struct kernel_counting *counting, struct group *group)
{
    if (group->is_lost)
        return;
    group->is_lost = true;
    for (size_t i = 0; i < group->n_counters; i++)
        hpm_meter_fail(counting->meter, group->counters[i].slot - 1u,
                       HPM_STATE_LOST,
                       "the counter was closed or taken away while it was in "
                       "use; leave descriptors alone that the program has not "
                       "opened");
}

/* syscall() and not read(): that one is a point of thread cancellation, and
 * its length depends on the number of threads. */
static bool
read_exactly(int fd, uint64_t *ret_words, size_t n)
{
    long size = (long)(n * sizeof *ret_words);

    return syscall(SYS_read, fd, ret_words, size) == size;
}

/* A read from a file the program has opened in the counter's place would take
 * what is the program's, or wait for ever. */
static bool
is_there(const struct kernel_counting *counting,
         const struct counter *counter)
{
    return __builtin_expect(!counting->is_exposed, 1) ||
           hpm_perf_identity(counter->fd) == counter->identity;
}

static void
read_group(struct kernel_counting *counting, struct group *group,
           uint64_t *slots)
{
    uint64_t words[MAX_GROUP_READ]; /* number, enabled, running, counts */

    if (!is_there(counting, &group->counters[0]) ||
        !read_exactly(group->counters[0].fd, words, 3 + group->n_counters)) {
        lose_group(counting, group);
        return;
    }
    slots[group->clock_slot] = words[1];
    slots[group->clock_slot + 1] = words[2];
    for (size_t i = 0; i < group->n_counters; i++)
        slots[group->counters[i].slot] = words[3 + i];
}

static void
read_apart(struct kernel_counting *counting, struct group *group,
           uint64_t *slots)
{
    uint64_t sum[3] = {0};

    for (size_t i = 0; i < group->n_counters; i++) {
        uint64_t words[3]; /* count, enabled, running */

        if (!is_there(counting, &group->counters[i]) ||
            !read_exactly(group->counters[i].fd, words, 3)) {
            lose_group(counting, group);
            return;
        }
        for (int j = 0; j < 3; j++)
            sum[j] += words[j];
    }
    if (group->n_counters == 0)
        return;
    slots[group->counters[0].slot] = sum[0];
    slots[group->clock_slot] = sum[1];
    slots[group->clock_slot + 1] = sum[2];
}

static void
kernel_read(void *context, uint64_t *slots)
{
    struct kernel_counting *counting = context;
    bool is_thread = counting->meter->target == HPM_TARGET_THREAD;
    int saved_errno = errno;

    for (size_t i = 0; i < counting->n_groups; i++) {
        struct group *group = &counting->groups[i];

        if (group->is_lost)
            continue;
        if (is_thread)
            read_group(counting, group, slots);
        else
            read_apart(counting, group, slots);
    }
    errno = saved_errno;
}

static void
kernel_close(void *context)
{
    close_groups(context);
    hpm_memory_free(context);
}

const struct hpm_source hpm_source_kernel = {
    .name = "kernel",
    .find = kernel_find,
    .list = kernel_list,
    .settle = hpm_fit_settle,
    .open = kernel_open,
    .read = kernel_read,
    .close = kernel_close,
};
