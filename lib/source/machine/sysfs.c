/* SPDX-License-Identifier: BSD-3-Clause
 * The PMUs and events the kernel lists under /sys/bus/event_source. */
#include "source/machine/sysfs.h"

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/folder.h"
#include "source/machine/procfile.h"

#define DEVICES "/sys/bus/event_source/devices"

/* False for a name that would leave the folder or does not fit. */
static bool
make_path(char *ret_path, size_t size, const char *pmu, const char *folder,
          const char *file)
{
    if (strchr(pmu, '/') != NULL || strchr(file, '/') != NULL ||
        pmu[0] == '.' || file[0] == '.')
        return false;
    return snprintf(ret_path, size, DEVICES "/%s/%s%s%s", pmu, folder,
                    folder[0] != '\0' ? "/" : "", file) < (int)size;
}

static bool
read_line(const char *pmu, const char *folder, const char *file, char *ret_line,
          size_t size)
{
    char path[512];

    return make_path(path, sizeof path, pmu, folder, file) &&
           hpm_procfile_line(path, ret_line, size);
}

/* A PMU with a cpumask counts a whole processor (memory controller, package
 * energy): its counts cannot be given to one program. */
static bool
counts_programs(const char *pmu)
{
    char path[512];

    return make_path(path, sizeof path, pmu, "", "cpumask") &&
           access(path, F_OK) != 0;
}

/* Spread `value` over the bits "config1:0-7,32-35" names. */
static bool
put_bits(const char *format, uint64_t value, struct hpm_encoding *encoding)
{
    uint64_t *word = &encoding->config;
    const char *c = strchr(format, ':');

    if (c == NULL)
        return false;
    if (strncmp(format, "config1:", 8) == 0)
        word = &encoding->config1;
    else if (strncmp(format, "config2:", 8) == 0)
        word = &encoding->config2;
    else if (strncmp(format, "config:", 7) != 0)
        return false;
    while (*c == ':' || *c == ',') {
        char *end;
        unsigned long first = strtoul(c + 1, &end, 10);
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

        if (first > last || last > 63)
            return false;
        for (unsigned long bit = first; bit <= last; bit++) {
            *word |= (value & 1) << bit;
            value >>= 1;
        }
        c = end;
    }
    return value == 0;
}

/* One "name=value" or "name" (which means 1). */
static bool
add_term(const char *pmu, char *term, struct hpm_encoding *encoding,
         struct hpm_error *err)
{
    char format[128];
    char *equals = strchr(term, '=');
    uint64_t value = 1;

    if (equals != NULL) {
        *equals = '\0';
        if (!hpm_string_to_count(equals + 1, &value))
            return hpm_error_set(err,
                                 "'%s' is not a number in the term "
                                 "'%s'",
                                 equals + 1, term);
    }
    if (strcmp(term, "config") == 0)
        encoding->config |= value;
    else if (strcmp(term, "config1") == 0)
        encoding->config1 |= value;
    else if (strcmp(term, "config2") == 0)
        encoding->config2 |= value;
    else if (!read_line(pmu, "format", term, format, sizeof format))
        return hpm_error_set(err,
                             "'%s' is neither an event nor a term of the "
                             "PMU '%s'",
                             term, pmu);
    else if (!put_bits(format, value, encoding))
        return hpm_error_set(err,
                             "the value of '%s' does not fit the PMU "
                             "'%s' (%s)",
                             term, pmu, format);
    return true;
}

static bool
add_terms(const char *pmu, char *terms, struct hpm_encoding *encoding,
          struct hpm_error *err)
{
    char *rest = NULL;

    for (char *term = strtok_r(terms, ",", &rest); term != NULL;
         term = strtok_r(NULL, ",", &rest)) {
        if (!add_term(pmu, term, encoding, err))
            return false;
    }
    return true;
}

/* Intel's topdown-* are percentages the processor keeps of the slots it counts;
 * the kernel opens them in the group of `slots` only, and reads them in slots.
 * Events of that name on other processors are ordinary ones. */
static void
find_leader(const char *pmu, const char *what, struct hpm_encoding *encoding)
{
    struct hpm_encoding leader = {0};
    struct hpm_error err;
    char terms[256];
    bool is_percentage =
        (encoding->config & 0xff) == 0 && (encoding->config & 0x8000) != 0;

    if (is_percentage && strncmp(what, "topdown-", 8) == 0 &&
        read_line(pmu, "events", "slots", terms, sizeof terms) &&
        add_terms(pmu, terms, &leader, &err))
        encoding->leader = leader.config;
}

/* `what` is an event the PMU lists, or its terms. */
static enum hpm_finding
find_in_pmu(const char *pmu, const char *what,
            struct hpm_encoding *ret_encoding, char *ret_unit, size_t unit_size,
            struct hpm_error *err)
{
    struct hpm_encoding encoding = {0};
    char terms[256], line[64], unit_file[300];
    uint64_t type;

    if (!read_line(pmu, "", "type", line, sizeof line) ||
        !hpm_string_to_count(line, &type))
        return HPM_FINDING_UNKNOWN;
    if (!counts_programs(pmu)) {
        hpm_error_set(err,
                      "the PMU '%s' counts whole processors, not one "
                      "program",
                      pmu);
        return HPM_FINDING_FAILED;
    }
    encoding.type = (uint32_t)type;
    if (!read_line(pmu, "events", what, terms, sizeof terms))
        snprintf(terms, sizeof terms, "%s", what);
    if (!add_terms(pmu, terms, &encoding, err))
        return HPM_FINDING_FAILED;
    find_leader(pmu, what, &encoding);
    snprintf(unit_file, sizeof unit_file, "%s.unit", what);
    if (!read_line(pmu, "events", unit_file, ret_unit, unit_size))
        ret_unit[0] = '\0';
    *ret_encoding = encoding;
    return HPM_FINDING_FOUND;
}

/* Call `visit` for every PMU until it says stop (true).  False where there are
 * none to be seen. */
static bool
each_pmu(bool (*visit)(const char *pmu, void *context), void *context)
{
    struct hpm_folder folder;
    const char *pmu;

    if (!hpm_folder_open(&folder, DEVICES))
        return false;
    while ((pmu = hpm_folder_next(&folder)) != NULL && !visit(pmu, context))
        continue;
    hpm_folder_close(&folder);
    return true;
}

/* Definitions of metrics may ask for thousands of names, of which the kernel has
 * none: the folders are listed once, and each of their names leaves a mark.  A
 * name without a mark is no event. */
enum { N_MARKS = 1 << 14 };

static _Atomic uint64_t marks[N_MARKS / 64];
static atomic_bool are_marked;

static uint32_t
mark_of(const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return (hash ^ hash >> 16) % N_MARKS;
}

static bool
mark_events(const char *pmu, void *context)
{
    bool *is_good = context;
    char path[512];
    struct hpm_folder folder;
    const char *event;

    if (snprintf(path, sizeof path, DEVICES "/%s/events", pmu) >=
        (int)sizeof path)
        return false;
    if (!hpm_folder_open(&folder, path)) {
        *is_good &= access(path, F_OK) != 0;
        return false;
    }
    while ((event = hpm_folder_next(&folder)) != NULL) {
        uint32_t mark = mark_of(event);

        atomic_fetch_or(&marks[mark / 64], UINT64_C(1) << mark % 64);
    }
    hpm_folder_close(&folder);
    return false;
}

static bool
may_be_event(const char *name)
{
    uint32_t mark = mark_of(name);
    bool is_good = true;

    if (!atomic_load(&are_marked)) {
        if (!each_pmu(mark_events, &is_good) || !is_good)
            return true; /* nobody knows: look */
        atomic_store(&are_marked, true);
    }
    return (atomic_load(&marks[mark / 64]) >> mark % 64 & 1) != 0;
}

struct search {
    const char *event;
    char pmu[256];
};

static bool
has_event(const char *pmu, void *context)
{
    struct search *search = context;
    char path[512];

    if (!make_path(path, sizeof path, pmu, "events", search->event) ||
        access(path, F_OK) != 0 || !counts_programs(pmu))
        return false;
    snprintf(search->pmu, sizeof search->pmu, "%s", pmu);
    return true;
}

enum hpm_finding
hpm_sysfs_find(const char *name, struct hpm_encoding *ret_encoding,
               char *ret_unit, size_t unit_size, struct hpm_error *err)
{
    const char *slash = strchr(name, '/');
    size_t length;
    char pmu[128], what[256];

    if (strncmp(name, "cpu::", 5) == 0)
        name += 5;
    length = strlen(name);
    if (slash == NULL) {
        struct search search = {.event = name};

        if (may_be_event(name))
            each_pmu(has_event, &search);
        if (search.pmu[0] == '\0')
            return HPM_FINDING_UNKNOWN;
        return find_in_pmu(search.pmu, name, ret_encoding, ret_unit, unit_size,
                           err);
    }
    if (name[length - 1] != '/' || slash == name + length - 1 ||
        snprintf(pmu, sizeof pmu, "%.*s", (int)(slash - name), name) >=
            (int)sizeof pmu ||
        snprintf(what, sizeof what, "%.*s",
                 (int)(length - 1 - (size_t)(slash + 1 - name)),
                 slash + 1) >= (int)sizeof what)
        return HPM_FINDING_UNKNOWN;
    return find_in_pmu(pmu, what, ret_encoding, ret_unit, unit_size, err);
}

struct listing {
    void (*visit)(const char *name, void *context);
    void *context;
};

static bool
list_pmu(const char *pmu, void *context)
{
    const struct listing *listing = context;
    char path[512];
    struct hpm_folder folder;
    const char *event;

    if (!counts_programs(pmu) ||
        snprintf(path, sizeof path, DEVICES "/%s/events", pmu) >=
            (int)sizeof path ||
        !hpm_folder_open(&folder, path))
        return false;
    while ((event = hpm_folder_next(&folder)) != NULL) {
        char name[512];

        /* "event.unit" and "event.scale" describe "event" */
        if (strchr(event, '.') != NULL)
            continue;
        snprintf(name, sizeof name, "%s/%s/", pmu, event);
        listing->visit(name, listing->context);
    }
    hpm_folder_close(&folder);
    return false;
}

void
hpm_sysfs_list(void (*visit)(const char *name, void *context), void *context)
{
    struct listing listing = {visit, context};

    each_pmu(list_pmu, &listing);
}

bool
hpm_sysfs_is_there(void)
{
    return access(DEVICES, F_OK) == 0;
}

struct cores {
    char *names;
    size_t size;
    size_t n;
};

/* "cpu", or one that tells which processors it belongs to. */
static bool
add_core_pmu(const char *pmu, void *context)
{
    struct cores *cores = context;
    size_t length = strlen(cores->names);
    char path[512];

    if (strcmp(pmu, "cpu") != 0 &&
        (!make_path(path, sizeof path, pmu, "", "cpus") ||
         access(path, F_OK) != 0))
        return false;
    snprintf(cores->names + length, cores->size - length, "%s%s",
             cores->n > 0 ? ", " : "", pmu);
    cores->n++;
    return false;
}

size_t
hpm_sysfs_core_pmus(char *ret_names, size_t size)
{
    struct cores cores = {ret_names, size, 0};

    ret_names[0] = '\0';
    each_pmu(add_core_pmu, &cores);
    return cores.n;
}

/* 0x0: the core does not count slots. */
static bool
add_slots(const char *pmu, void *context)
{
    long *slots = context;
    char line[32];
    long here;

    if (!read_line(pmu, "caps", "slots", line, sizeof line))
        return false;
    here = strtol(line, NULL, 0);
    if (*slots == 0 || *slots == here)
        *slots = here;
    else
        *slots = -1; /* they differ */
    return *slots < 0;
}

long
hpm_sysfs_core_slots(void)
{
    long slots = 0;

    each_pmu(add_slots, &slots);
    return slots > 0 ? slots : 0;
}

uint32_t
hpm_sysfs_core_type(void)
{
    char pmus[128], line[64];
    uint64_t type;

    return hpm_sysfs_core_pmus(pmus, sizeof pmus) == 1 &&
                   read_line(pmus, "", "type", line, sizeof line) &&
                   hpm_string_to_count(line, &type)
               ? (uint32_t)type
               : PERF_TYPE_RAW;
}
