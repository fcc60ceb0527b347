/* SPDX-License-Identifier: BSD-3-Clause
 * Source "node": counts of the whole node. */
#include "study/node/nodesource.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mark.h"
#include "host/memory.h"
#include "source/confinement.h"
#include "source/meter.h"
#include "source/obstacle.h"
#include "source/perf.h"
#include "study/node/nodequantity.h"
#include "study/node/nodezones.h"

/* ---- names ----------------------------------------------------------- */

/* The kernel's rule for counting whole processors fails with EACCES; filters,
 * lockdown and security modules fail in other ways. */
static void
explain(int error, struct hpm_error *err)
{
    struct hpm_confinement confinement;

    hpm_confinement_read(&confinement);
    if (error != EACCES || confinement.paranoid <= 0) {
        hpm_obstacle_explain(error, err);
        return;
    }
    hpm_error_set(
        err,
        "what counts whole processors is not permitted "
        "(kernel.perf_event_paranoid is %ld, expected 0 or less); run "
        "hpmcount as root, give it CAP_PERFMON, or as root: sysctl "
        "kernel.perf_event_paranoid=0",
        confinement.paranoid);
}

/* Try each box: the sum is too small if one refuses. */
static bool
try_plan(const struct hpm_nodeplan *plan, struct hpm_error *err)
{
    for (size_t i = 0; i < plan->n_counters; i++) {
        const struct hpm_event event = hpm_nodeplan_event(&plan->counters[i]);
        int fd = hpm_perf_open_on(&event, -1, plan->counters[i].cpu, -1, 0);

        if (fd < 0) {
            explain(errno, err);
            return false;
        }
        hpm_perf_drop(fd);
    }
    return true;
}

/* Name the event as the user did, with the prefix of the node. */
static bool
name_event(struct hpm_event *event, const char *name,
           const struct hpm_nodeplan *plan)
{
    const char *prefix =
        strncmp(name, HPM_NODE_PREFIX, strlen(HPM_NODE_PREFIX)) == 0
            ? ""
            : HPM_NODE_PREFIX;
    struct hpm_string text = {0};

    hpm_string_add_format(&text, "%s%s", prefix, name);
    event->name = hpm_memory_copy_text(hpm_string_text(&text));
    hpm_string_clear(&text);
    hpm_string_add_format(&text, "%s, by %s",
                          hpm_nodequantity_describe(event->name), plan->what);
    event->description = hpm_memory_copy_text(hpm_string_text(&text));
    event->unit = hpm_memory_copy_text(plan->unit);
    hpm_string_finish(&text, &text.failed);
    if (!text.failed && event->name != NULL && event->description != NULL &&
        event->unit != NULL)
        return true;
    hpm_event_clear(event);
    return false;
}

/* Returns ZERO if it fails: the kernel's source would only say that this name
 * counts no program. */
static enum hpm_finding
node_find(const char *name, enum hpm_domain domain, struct hpm_event *ret_event,
          struct hpm_error *err)
{
    struct hpm_nodeplan plan;
    enum hpm_finding finding = hpm_nodequantity_find(name, &plan, err);
    struct hpm_event event = {.domain = HPM_DOMAIN_ALL,
                              .ignores_domain = true,
                              .is_coarse = true,
                              .source = &hpm_source_node};

    (void)domain;
    if (finding == HPM_FINDING_UNKNOWN)
        return finding;
    if (finding == HPM_FINDING_FOUND && !try_plan(&plan, err))
        finding = HPM_FINDING_FAILED;
    if (finding == HPM_FINDING_FOUND && !name_event(&event, name, &plan)) {
        hpm_error_no_memory(err);
        finding = HPM_FINDING_FAILED;
    }
    hpm_nodeplan_clear(&plan);
    if (finding != HPM_FINDING_FOUND)
        return HPM_FINDING_ZERO;
    hpm_memory_free(ret_event->name);
    *ret_event = event;
    return HPM_FINDING_FOUND;
}

/* ---- counting -------------------------------------------------------- */

struct sum {
    size_t event;
    struct hpm_nodeplan plan;
    struct counter {
        int fd;
        uint64_t identity;
    } * counters;
    struct reading {
        uint64_t energy; /* of the zone at the last reading */
    } * readings;
    size_t n_open;
    uint64_t used; /* by all zones so far */
    uint16_t clock_slot;
    bool is_lost;
};

struct node_counting {
    struct hpm_meter *meter;
    struct sum *sums;
    size_t n;
};

static bool
open_counters(struct sum *sum, struct hpm_error *err)
{
    const struct hpm_nodeplan *plan = &sum->plan;

    for (size_t i = 0; i < plan->n_counters; i++) {
        const struct hpm_event event = hpm_nodeplan_event(&plan->counters[i]);
        int fd = hpm_perf_open_on(&event, -1, plan->counters[i].cpu, -1, 0);

        if (fd < 0) {
            explain(errno, err);
            return false;
        }
        sum->counters[i] = (struct counter){fd, hpm_perf_identity(fd)};
        sum->n_open++;
    }
    return true;
}

static bool
read_zones_first(struct sum *sum, struct hpm_error *err)
{
    for (size_t i = 0; i < sum->plan.n_zones; i++) {
        if (!hpm_nodezones_read(&sum->plan.zones[i], &sum->readings[i].energy))
            return hpm_error_set(err, "%s cannot be read",
                                 sum->plan.zones[i].path);
    }
    return true;
}

static bool
open_sum(struct sum *sum, struct hpm_meter *meter, struct hpm_error *err)
{
    const char *name = meter->set->events[sum->event].name;

    if (hpm_nodequantity_find(name, &sum->plan, err) != HPM_FINDING_FOUND)
        return false;
    sum->counters =
        hpm_memory_new(sum->plan.n_counters + 1, sizeof *sum->counters);
    sum->readings =
        hpm_memory_new(sum->plan.n_zones + 1, sizeof *sum->readings);
    if (sum->counters == NULL || sum->readings == NULL)
        return hpm_error_no_memory(err);
    if (!open_counters(sum, err) || !read_zones_first(sum, err))
        return false;
    if (sum->n_open > 0) {
        sum->clock_slot = hpm_meter_add_slots(meter, 2);
        meter->events[sum->event].clock_slot = sum->clock_slot;
    }
    for (size_t i = 0; i < sum->plan.n_zones; i++) {
        uint64_t ns = hpm_nodezones_patience_ns(&sum->plan.zones[i]);

        if (ns < meter->patience_ns)
            meter->patience_ns = ns;
    }
    return true;
}

static void
close_sum(struct sum *sum)
{
    while (sum->n_open-- > 0)
        hpm_perf_close(sum->counters[sum->n_open].fd,
                       sum->counters[sum->n_open].identity);
    hpm_memory_free(sum->counters);
    hpm_memory_free(sum->readings);
    hpm_nodeplan_clear(&sum->plan);
}

static void *
node_open(struct hpm_meter *meter)
{
    struct node_counting *counting = hpm_memory_new(1, sizeof *counting);

    if (counting != NULL) {
        counting->meter = meter;
        counting->sums = hpm_memory_new(meter->n_events, sizeof(struct sum));
    }
    for (size_t i = 0; i < meter->n_events; i++) {
        struct hpm_error err = {.text = ""};
        struct sum *sum;

        if (meter->set->events[i].source != &hpm_source_node)
            continue;
        if (counting == NULL || counting->sums == NULL) {
            hpm_error_no_memory(&err);
            hpm_meter_fail(meter, i, HPM_STATE_UNSUPPORTED, err.text);
            continue;
        }
        sum = &counting->sums[counting->n++];
        *sum = (struct sum){.event = i};
        if (open_sum(sum, meter, &err))
            continue;
        hpm_meter_fail(meter, i, HPM_STATE_UNSUPPORTED, err.text);
        sum->is_lost = true;
    }
    return counting;
}

static void
lose(struct node_counting *counting, struct sum *sum, const char *reason)
{
    hpm_meter_fail(counting->meter, sum->event, HPM_STATE_LOST, reason);
    sum->is_lost = true;
}

/* Counts in the unit.  Whole factors such as 64 keep them exact; others are
 * rounded once, at the end. */
struct total {
    uint64_t whole;
    double parts;
};

static void
add_count(struct total *total, uint64_t count, double factor)
{
    uint64_t whole = (uint64_t)factor;

    if ((double)whole == factor)
        total->whole += count * whole;
    else
        total->parts += (double)count * factor;
}

static void
read_counters(struct node_counting *counting, struct sum *sum, uint64_t *slots)
{
    uint64_t enabled = 0, running = 0;
    struct total total = {0, 0.0};

    for (size_t i = 0; i < sum->n_open; i++) {
        uint64_t words[3];

        if (read(sum->counters[i].fd, words, sizeof words) !=
            (ssize_t)sizeof words) {
            lose(counting, sum,
                 N_("a counter of the node could not be read any more"));
            return;
        }
        add_count(&total, words[0], sum->plan.counters[i].factor);
        enabled += words[1];
        running += words[2];
    }
    slots[1 + sum->event] = total.whole + (uint64_t)(total.parts + 0.5);
    slots[sum->clock_slot] = enabled;
    slots[sum->clock_slot + 1] = running;
}

static void
read_zones(struct node_counting *counting, struct sum *sum, uint64_t *slots)
{
    for (size_t i = 0; i < sum->plan.n_zones; i++) {
        const struct hpm_nodezone *zone = &sum->plan.zones[i];
        uint64_t now, used;

        if (!hpm_nodezones_read(zone, &now) ||
            !hpm_nodezones_used(zone, sum->readings[i].energy, now, &used)) {
            lose(counting, sum,
                 N_("the energy of a zone could not be read any more, or went "
                    "back"));
            return;
        }
        sum->readings[i].energy = now;
        sum->used += used;
    }
    slots[1 + sum->event] = sum->used;
}

static void
node_read(void *context, uint64_t *slots)
{
    struct node_counting *counting = context;
    int saved_errno = errno;

    for (size_t i = 0; i < counting->n; i++) {
        struct sum *sum = &counting->sums[i];

        if (sum->is_lost)
            continue;
        if (sum->plan.n_zones > 0)
            read_zones(counting, sum, slots);
        else
            read_counters(counting, sum, slots);
    }
    errno = saved_errno;
}

static void
node_close(void *context)
{
    struct node_counting *counting = context;

    for (size_t i = 0; i < counting->n; i++)
        close_sum(&counting->sums[i]);
    hpm_memory_free(counting->sums);
    hpm_memory_free(counting);
}

const struct hpm_source hpm_source_node = {
    .name = "node",
    .find = node_find,
    .list = hpm_nodequantity_list,
    .open = node_open,
    .read = node_read,
    .close = node_close,
};

/* ---- sets ------------------------------------------------------------ */

void
hpm_nodesource_add(const struct hpm_source *const *sources,
                   const struct hpm_source **ret_list)
{
    size_t n = 0;

    for (; *sources != NULL && n + 2 < HPM_MAX_SOURCES; sources++) {
        ret_list[n++] = *sources;
        if (*sources == &hpm_source_kernel)
            ret_list[n++] = &hpm_source_node;
    }
    ret_list[n] = NULL;
}

size_t
hpm_nodesource_name(const struct hpm_eventset *set, struct hpm_string *names)
{
    size_t n = 0;

    for (size_t i = 0; i < set->n_events; i++) {
        if (set->events[i].source == &hpm_source_node)
            hpm_string_add_format(names, "%s'%s'", n++ > 0 ? ", " : "",
                                  set->events[i].name);
    }
    return n;
}

void
hpm_nodesource_refuse(struct hpm_eventset *set, const char *reason)
{
    for (size_t i = 0; i < set->n_events; i++) {
        if (set->events[i].source == &hpm_source_node)
            hpm_event_refuse(&set->events[i], reason);
    }
}
