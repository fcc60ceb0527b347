/* SPDX-License-Identifier: BSD-3-Clause
 * The boxes of a PMU that counts whole packages. */
#include "study/node/nodeboxes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/machine/devices.h"
#include "source/sysfs.h"

bool
hpm_nodeboxes_is_box(const char *pmu)
{
    return hpm_devices_have(pmu, "", "type") &&
           hpm_devices_have(pmu, "", "cpumask");
}

static bool
is_of_family(const char *pmu, const char *family)
{
    size_t length = strlen(family);

    if (strncmp(pmu, family, length) != 0 || !hpm_nodeboxes_is_box(pmu))
        return false;
    pmu += length;
    return pmu[0] == '\0' || (pmu[0] == '_' && pmu[1] != '\0' &&
                              pmu[1 + strspn(pmu + 1, "0123456789")] == '\0');
}

struct search {
    const char *family;
    const char *event;
    bool is_found;
};

static bool
look_at(const char *pmu, void *context)
{
    struct search *search = context;

    search->is_found = is_of_family(pmu, search->family) &&
                       (search->event == NULL ||
                        hpm_devices_have(pmu, "events", search->event));
    return search->is_found;
}

bool
hpm_nodeboxes_are_there(const char *family, const char *event)
{
    struct search search = {family, event, false};

    hpm_devices_each(look_at, &search);
    return search.is_found;
}

/* ---- adding ---------------------------------------------------------- */

struct boxes {
    struct hpm_nodeplan *plan;
    const char *family;
    const char *what;
    struct hpm_error *err; /* from the last box that did not take the event */
    bool is_good; /* false: a box fails, and the sum without it would be too
                   * small */
};

/* The mask has a processor of each package: "0", "0,18", "0-1". */
static bool
add_cpus(struct boxes *boxes, const char *mask, struct hpm_nodecounter counter)
{
    while (*mask >= '0' && *mask <= '9') {
        char *end;
        long first = strtol(mask, &end, 10), last = first;

        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        for (long cpu = first; cpu <= last; cpu++) {
            counter.cpu = (int)cpu;
            if (!hpm_nodeplan_add_counter(boxes->plan, &counter, boxes->err))
                return false;
        }
        mask = end + (*end == ',');
    }
    return true;
}

/* The kernel lists scale and unit of a count beside its event.  Returns "" and
 * factor 1 if it does not, or the unit is not known.  A scale of a known unit
 * is never 0. */
static const char *
find_unit(const char *pmu, const char *event, double *ret_factor)
{
    static const struct {
        const char *kernel, *ours;
        double size;
    } units[] = {{"Joules", "uJ", 1e6}, {"MiB", "byte", 1048576.0}};
    char file[160], unit[32], scale[64];

    *ret_factor = 1.0;
    snprintf(file, sizeof file, "%.120s.unit", event);
    if (!hpm_devices_line(pmu, "events", file, unit, sizeof unit))
        return "";
    snprintf(file, sizeof file, "%.120s.scale", event);
    if (!hpm_devices_line(pmu, "events", file, scale, sizeof scale))
        return "";
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].kernel) != 0 || strtod(scale, NULL) <= 0.0)
            continue;
        *ret_factor = strtod(scale, NULL) * units[i].size;
        return units[i].ours;
    }
    return "";
}

/* Take the unit of the first box; boxes with another unit cannot be added
 * up. */
static bool
take_unit(struct boxes *boxes, const char *pmu, double *ret_factor)
{
    const char *unit = find_unit(pmu, boxes->what, ret_factor);

    if (boxes->plan->unit == NULL)
        boxes->plan->unit = unit;
    return strcmp(boxes->plan->unit, unit) == 0 ||
           hpm_error_set(boxes->err,
                         "the PMUs '%.60s' give '%.60s' in different units "
                         "(files .unit and .scale beside their events), so "
                         "that there is no sum",
                         boxes->family, boxes->what);
}

/* A list that is cut would leave processors out.  The kernel writes at most one
 * page. */
static bool
read_mask(const char *pmu, char *ret_mask, size_t size, struct hpm_error *err)
{
    if (!hpm_devices_line(pmu, "", "cpumask", ret_mask, size))
        return hpm_error_set(err, "the PMU '%.60s': its cpumask cannot be read",
                             pmu);
    return strlen(ret_mask) < size - 1 ||
           hpm_error_set(err,
                         "the PMU '%.60s': its cpumask is longer than %zu "
                         "characters, and a part of it would count too little",
                         pmu, size - 2);
}

static bool
add_box(const char *pmu, void *context)
{
    struct boxes *boxes = context;
    struct hpm_nodecounter counter = {.cpu = 0};
    char mask[4096];

    if (!is_of_family(pmu, boxes->family) ||
        !hpm_devices_type(pmu, &counter.encoding.type) ||
        !hpm_sysfs_encode(pmu, boxes->what, &counter.encoding, boxes->err))
        return false;
    boxes->is_good = take_unit(boxes, pmu, &counter.factor) &&
                     read_mask(pmu, mask, sizeof mask, boxes->err) &&
                     add_cpus(boxes, mask, counter);
    return !boxes->is_good;
}

bool
hpm_nodeboxes_add(struct hpm_nodeplan *plan, const char *family,
                  const char *what, struct hpm_error *err)
{
    struct boxes boxes = {plan, family, what, err, true};
    size_t n_before = plan->n_counters;

    hpm_error_set(err, "no PMU '%.60s' lists processors to count it on",
                  family);
    hpm_devices_each(add_box, &boxes);
    return boxes.is_good && plan->n_counters > n_before;
}
