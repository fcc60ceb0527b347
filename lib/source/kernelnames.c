/* SPDX-License-Identifier: BSD-3-Clause
 * Names of events that the kernel counts. */
#include "source/kernelnames.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/mark.h"
#include "host/memory.h"
#include "source/busy.h"
#include "source/defined.h"
#include "source/generic.h"
#include "source/hardware.h"
#include "source/machine/tracepoint.h"
#include "source/obstacle.h"
#include "source/sysfs.h"
#include "source/kinds.h"
#include "source/perf.h"
#include "source/pfm.h"

static bool
is_hardware(uint32_t type)
{
    return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE ||
           type == PERF_TYPE_RAW;
}

/* Every kernel with perf_event_open counts these software events. */
static bool
is_everywhere(const struct hpm_encoding *encoding)
{
    return encoding->type == PERF_TYPE_SOFTWARE &&
           encoding->config <= PERF_COUNT_SW_EMULATION_FAULTS;
}

/* The kernel accepts or refuses all its software events alike, so task-clock
 * stands for them.  The first and the last open event of another kind make the
 * kernel change its own code on all processors (a static key, 50 us each);
 * task-clock has no such key. */
static int
open_task_clock(const struct hpm_event *event)
{
    struct hpm_event clock = {.domain = event->domain,
                              .encoding = {.type = PERF_TYPE_SOFTWARE,
                                           .config = PERF_COUNT_SW_TASK_CLOCK}};

    return hpm_perf_open(&clock, 0, -1, 0);
}

/* Opens the event as it would be opened for counting, in a group of its own. */
static int
open_for_trial(const struct hpm_event *event)
{
    struct hpm_event leader = hpm_perf_leader(event);
    int leader_fd, fd, saved_errno;

    if (is_everywhere(&event->encoding))
        return open_task_clock(event);
    if (event->encoding.leader == 0)
        return hpm_perf_open(event, 0, -1, 0);
    leader_fd = hpm_perf_open(&leader, 0, -1, 0);
    if (leader_fd < 0)
        return -1;
    fd = hpm_perf_open(event, 0, leader_fd, 0);
    saved_errno = errno;
    hpm_perf_drop(leader_fd);
    errno = saved_errno;
    return fd;
}

/* Open the event once, in the domain asked for or the nearest one allowed. */
static enum hpm_finding
try_event(struct hpm_event *event, const struct hpm_generic *generic,
          bool is_domain_fixed, struct hpm_error *err)
{
    bool is_software = event->encoding.type == PERF_TYPE_SOFTWARE ||
                       event->encoding.type == PERF_TYPE_TRACEPOINT;
    int fd;

    /* Without the kernel's part a software event is not what its name says:
     * page faults of the program happen while the kernel serves it.  Clocks
     * include the kernel's part in any domain. */
    if (is_software && !is_domain_fixed)
        event->domain = HPM_DOMAIN_ALL;
    fd = open_for_trial(event);
    if (fd < 0 && !is_domain_fixed && generic->ignores_domain &&
        (errno == EACCES || errno == EPERM)) {
        event->domain = HPM_DOMAIN_USER;
        fd = open_for_trial(event);
    } else if (fd < 0 && !is_domain_fixed && !is_software && errno == EINVAL) {
        /* some PMUs cannot separate user and kernel */
        event->domain = HPM_DOMAIN_ALL;
        fd = open_for_trial(event);
    }
    if (fd < 0) {
        if (errno == ENOENT && is_hardware(event->encoding.type) &&
            !hpm_hardware_is_usable(err))
            return HPM_FINDING_FAILED;
        hpm_obstacle_explain(errno, err);
        return HPM_FINDING_FAILED;
    }
    if (generic->must_count && !hpm_perf_counts(fd)) {
        hpm_perf_drop(fd);
        hpm_error_set(err, "reads 0, which it cannot be: this virtual machine "
                           "has only part of a PMU");
        return HPM_FINDING_ZERO;
    }
    hpm_perf_drop(fd);
    if (generic->needs_kernel && event->domain == HPM_DOMAIN_USER) {
        hpm_error_set(err, "happens in the kernel only; count it without ':u'");
        return HPM_FINDING_FAILED;
    }
    return HPM_FINDING_FOUND;
}

/* All that is known of a name before the event is tried. */
struct candidate {
    struct hpm_encoding encoding;
    struct hpm_generic generic; /* without encoding and description */
    enum hpm_domain domain;
    bool is_domain_fixed;
    char description[192];
    char unit[32];
    char name[128]; /* replaces the name asked for, or is "" */
};

/* libpfm4 itself reads ":u" and ":k", but not ":uk". */
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
        else if (second == HPM_FINDING_FAILED) /* the second answer says more */
            *err = why;
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

/* Finds an event that the kernel lists, or that has a code. */
static enum hpm_finding
find_listed(const char *name, struct candidate *candidate,
            struct hpm_error *err)
{
    struct hpm_sysfs_event event;
    enum hpm_finding finding = hpm_sysfs_find(name, &event, err);

    if (finding != HPM_FINDING_FOUND)
        return finding;
    candidate->encoding = event.encoding;
    memcpy(candidate->unit, event.unit, sizeof candidate->unit);
    memcpy(candidate->name, event.name, sizeof candidate->name);
    snprintf(candidate->description, sizeof candidate->description, "%.180s",
             event.name[0] != '\0' ? name : N_("event of the PMU"));
    return finding;
}

/* Finds an event by the code in a definition, except events of the whole node.
 * If the code is faulty, no other source is asked. */
static enum hpm_finding
find_defined(const char *name, struct candidate *candidate,
             struct hpm_error *err)
{
    struct hpm_defined_event event;
    struct hpm_error why;

    if (strchr(name, '/') != NULL || strncmp(name, "node::", 6) == 0 ||
        !hpm_defined_find(name, &event))
        return HPM_FINDING_UNKNOWN;
    if (find_listed(event.code, candidate, &why) != HPM_FINDING_FOUND) {
        hpm_error_set(err, "its definition, %.100s, cannot be counted here: %s",
                      event.code, why.text);
        return HPM_FINDING_ZERO;
    }
    snprintf(candidate->description, sizeof candidate->description, "%s",
             event.label != NULL ? event.label : event.code);
    if (event.unit != NULL)
        snprintf(candidate->unit, sizeof candidate->unit, "%s", event.unit);
    return HPM_FINDING_FOUND;
}

static enum hpm_finding
find_tracepoint(const char *name, struct candidate *candidate)
{
    uint64_t id;

    if (!hpm_tracepoint_find(name, &id))
        return HPM_FINDING_UNKNOWN;
    candidate->encoding =
        (struct hpm_encoding){.type = PERF_TYPE_TRACEPOINT, .config = id};
    candidate->generic.needs_kernel = true;
    candidate->generic.must_count = false;
    snprintf(candidate->description, sizeof candidate->description, "%s",
             "times the kernel passed this tracepoint");
    return HPM_FINDING_FOUND;
}

/* An event without a kind would be counted on one kind of cores, and shown as
 * if it were on all: refuse it. */
static enum hpm_finding
refuse_mixture(const char *name, struct hpm_error *err)
{
    char first[128], second[128];

    if (!hpm_kinds_spell(name, 0, first, sizeof first) ||
        !hpm_kinds_spell(name, 1, second, sizeof second))
        return HPM_FINDING_UNKNOWN;
    hpm_error_set(err,
                  "this processor has cores of several kinds, each with "
                  "counters of its own; name the event of one: %s or %s",
                  first, second);
    return HPM_FINDING_ZERO;
}

static void
take_generic(struct candidate *candidate)
{
    candidate->encoding = candidate->generic.encoding;
    snprintf(candidate->description, sizeof candidate->description, "%s",
             candidate->generic.description);
    snprintf(candidate->unit, sizeof candidate->unit, "%s",
             candidate->generic.unit);
}

/* Looks for the kernel's names, then for definitions, events in sysfs and
 * tracepoints, then for the vendor's names in libpfm4. */
static enum hpm_finding
find_candidate(const char *name, enum hpm_domain domain,
               struct candidate *candidate, struct hpm_error *err)
{
    char plain[256];
    enum hpm_finding finding;

    *candidate = (struct candidate){.domain = domain, .generic.unit = ""};
    candidate->is_domain_fixed =
        hpm_domain_split(name, plain, sizeof plain, &candidate->domain);
    if (hpm_kinds_count() > 0 &&
        refuse_mixture(plain, err) != HPM_FINDING_UNKNOWN)
        return HPM_FINDING_ZERO;
    if (hpm_generic_find(plain, &candidate->generic) ||
        hpm_kinds_read_name(plain, &candidate->generic)) {
        take_generic(candidate);
        return HPM_FINDING_FOUND;
    }
    candidate->generic.must_count = hpm_busy_must_count(plain);
    finding = find_defined(plain, candidate, err);
    if (finding == HPM_FINDING_UNKNOWN)
        finding = find_listed(plain, candidate, err);
    if (finding == HPM_FINDING_UNKNOWN)
        finding = find_tracepoint(plain, candidate);
    if (finding == HPM_FINDING_UNKNOWN)
        finding = find_by_pfm(name, plain, domain, candidate, err);
    if (finding == HPM_FINDING_UNKNOWN && hpm_tracepoint_explain(plain, err))
        finding = HPM_FINDING_FAILED;
    return finding;
}

/* Shows "cpu/event=0xa4,name=STALLS/" as STALLS. */
static void
rename_event(struct hpm_event *event, const char *name)
{
    char *copy = event->name != NULL && name[0] != '\0'
                     ? hpm_memory_copy_text(name)
                     : NULL;

    if (copy == NULL)
        return;
    hpm_memory_free(event->name);
    event->name = copy;
}

enum hpm_finding
hpm_kernelnames_find(const char *name, enum hpm_domain domain,
                     struct hpm_event *ret_event, struct hpm_error *err)
{
    struct hpm_event event = {0};
    struct candidate candidate;
    enum hpm_finding finding = find_candidate(name, domain, &candidate, err);

    if (finding != HPM_FINDING_FOUND)
        return finding;
    event.encoding = candidate.encoding;
    event.domain = candidate.domain;
    finding =
        try_event(&event, &candidate.generic, candidate.is_domain_fixed, err);
    if (finding != HPM_FINDING_FOUND)
        return finding;
    event.description = hpm_memory_copy_text(candidate.description);
    event.unit = hpm_memory_copy_text(candidate.unit);
    if (event.description == NULL || event.unit == NULL) {
        hpm_event_clear(&event);
        hpm_error_no_memory(err);
        return HPM_FINDING_FAILED;
    }
    event.ignores_domain = candidate.generic.ignores_domain;
    event.name = ret_event->name;
    rename_event(&event, candidate.name);
    event.source = &hpm_source_kernel;
    *ret_event = event;
    return HPM_FINDING_FOUND;
}

void
hpm_kernelnames_list(void (*visit)(const char *name, void *context),
                     void *context)
{
    hpm_generic_list(visit, context);
    hpm_sysfs_list(visit, context);
    hpm_defined_list(visit, context);
    hpm_pfm_list(visit, context);
}
