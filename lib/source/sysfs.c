/* SPDX-License-Identifier: BSD-3-Clause
 * The PMUs and events that the kernel lists under /sys/bus/event_source. */
#include "source/sysfs.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string.h"
#include "source/machine/devices.h"
#include "source/format.h"
#include "source/generic.h"

/* A PMU with a cpumask (memory controller, package energy) counts a whole
 * processor: no program's part can be told. */
static bool
counts_programs(const char *pmu)
{
    return hpm_devices_have(pmu, "", "type") &&
           !hpm_devices_have(pmu, "", "cpumask");
}

/* Intel's topdown-* are percentages of the slots that the processor counts.
 * The kernel opens them only in the group of `slots`, and reads them in slots.
 * On other processors events of that name are ordinary ones. */
static void
find_leader(const char *pmu, const char *what, struct hpm_encoding *encoding)
{
    struct hpm_encoding leader = {0};
    struct hpm_error err;
    char terms[256];
    bool is_percentage =
        (encoding->config & 0xff) == 0 && (encoding->config & 0x8000) != 0;

    if (is_percentage && strncmp(what, "topdown-", 8) == 0 &&
        hpm_devices_line(pmu, "events", "slots", terms, sizeof terms) &&
        hpm_format_add_terms(pmu, terms, &leader, &err))
        encoding->leader = leader.config;
}

/* ---- one PMU --------------------------------------------------------- */

static bool
add_pmu(const char *pmu, void *context)
{
    if (counts_programs(pmu))
        hpm_string_add_format(context, " %s", pmu);
    return false;
}

static bool
refuse_pmu(const char *pmu, struct hpm_error *err)
{
    struct hpm_string names = {0};

    hpm_devices_each(add_pmu, &names);
    if (hpm_devices_are_there())
        hpm_error_set(err,
                      "there is no PMU '%.60s' on this machine; those that "
                      "count programs are:%.250s",
                      pmu, hpm_string_text(&names));
    else
        hpm_error_set(err,
                      "the PMU '%.60s' cannot be looked up, for /sys is not "
                      "mounted",
                      pmu);
    hpm_string_free(&names);
    return false;
}

/* Find a PMU that counts programs, and its type.  "cpu" becomes the PMU of the
 * cores, whatever its name; "" if the kernel lists none. */
static bool
find_pmu(char *pmu, size_t size, uint32_t *ret_type, struct hpm_error *err)
{
    char cores[128];
    size_t n_cores = 1;

    if (strcmp(pmu, "cpu") == 0 && !hpm_devices_have("cpu", "", "type")) {
        n_cores = hpm_devices_cores(cores, sizeof cores);
        snprintf(pmu, size, "%s", cores);
    }
    *ret_type = PERF_TYPE_RAW;
    if (n_cores > 1)
        return hpm_error_set(err,
                             "this processor has cores of several kinds; name "
                             "the PMU of one: %s",
                             cores);
    if (pmu[0] == '\0')
        return true;
    if (!hpm_devices_type(pmu, ret_type))
        return refuse_pmu(pmu, err);
    return counts_programs(pmu) ||
           hpm_error_set(err,
                         "the PMU '%s' counts whole processors, not one "
                         "program; hpmcount alone counts it",
                         pmu);
}

/* ---- its events ------------------------------------------------------ */

/* Remove the term "name=..." from the others. */
static void
take_name(char *terms, char *ret_name, size_t size)
{
    char *found = strstr(terms, "name=");
    size_t length;

    if (found == NULL || (found != terms && found[-1] != ','))
        return;
    length = strcspn(found, ",");
    snprintf(ret_name, size, "%.*s", (int)length - 5, found + 5);
    length += found[length] == ',';
    memmove(found, found + length, strlen(found + length) + 1);
}

/* If an event had a kernel event's name, every metric would take it for that
 * event: refuse the name. */
static bool
may_be_named(const char *name, struct hpm_error *err)
{
    struct hpm_generic generic;

    if (!hpm_generic_find(name, &generic))
        return true;
    return hpm_error_set(err,
                         "'name=%s' would have metrics take this event for the "
                         "kernel's '%s'; give it a name of its own",
                         name, name);
}

/* If the first term is an event that the PMU lists, replace it by the event's
 * terms. */
static void
resolve(const char *pmu, const char *what, char *ret_terms, size_t size)
{
    char event[128], terms[256];
    size_t length = strcspn(what, ",");

    snprintf(event, sizeof event, "%.*s", (int)length, what);
    if (pmu[0] != '\0' && event[0] != '\0' &&
        hpm_devices_line(pmu, "events", event, terms, sizeof terms))
        snprintf(ret_terms, size, "%s%s", terms, what + length);
    else
        snprintf(ret_terms, size, "%s", what);
}

bool
hpm_sysfs_encode(const char *pmu, const char *what,
                 struct hpm_encoding *encoding, struct hpm_error *err)
{
    char terms[512];

    resolve(pmu, what, terms, sizeof terms);
    return hpm_format_add_terms(pmu[0] != '\0' ? pmu : NULL, terms, encoding,
                                err);
}

/* `what` is an event that the PMU lists, or terms. */
static enum hpm_finding
find_in_pmu(char *pmu, size_t size, char *what,
            struct hpm_sysfs_event *ret_event, struct hpm_error *err)
{
    struct hpm_sysfs_event event = {0};
    char unit_file[300];

    if (!find_pmu(pmu, size, &event.encoding.type, err))
        return HPM_FINDING_FAILED;
    take_name(what, event.name, sizeof event.name);
    if (!may_be_named(event.name, err) ||
        !hpm_sysfs_encode(pmu, what, &event.encoding, err))
        return HPM_FINDING_FAILED;
    find_leader(pmu, what, &event.encoding);
    snprintf(unit_file, sizeof unit_file, "%s.unit", what);
    if (!hpm_devices_line(pmu, "events", unit_file, event.unit,
                          sizeof event.unit))
        event.unit[0] = '\0';
    *ret_event = event;
    return HPM_FINDING_FOUND;
}

struct search {
    const char *event;
    char pmu[256];
};

static bool
has_event(const char *pmu, void *context)
{
    struct search *search = context;

    if (!hpm_devices_have(pmu, "events", search->event) ||
        !counts_programs(pmu))
        return false;
    snprintf(search->pmu, sizeof search->pmu, "%s", pmu);
    return true;
}

/* ---- spellings ------------------------------------------------------- */

/* perf accepts some modifiers that a counter which is only read cannot have. */
static enum hpm_finding
refuse_modifier(const char *modifier, struct hpm_error *err)
{
    hpm_error_set(err,
                  "the modifier '%.20s' is for samples or for virtual "
                  "machines; expected none, or u, k or uk, whose instructions "
                  "to count",
                  modifier);
    return HPM_FINDING_FAILED;
}

/* A name may have a slash inside; only if it begins with a PMU's name is it a
 * faulty PMU event. */
static enum hpm_finding
refuse_form(const char *pmu, struct hpm_error *err)
{
    if (strcmp(pmu, "cpu") != 0 && !hpm_devices_have(pmu, "", "type"))
        return HPM_FINDING_UNKNOWN;
    hpm_error_set(err,
                  "expected %s/EVENT/ or %s/field=value,.../, with a "
                  "slash at the end",
                  pmu, pmu);
    return HPM_FINDING_FAILED;
}

/* Finds "r1a8": the code itself, in hexadecimal. */
static enum hpm_finding
find_raw(const char *name, struct hpm_sysfs_event *ret_event,
         struct hpm_error *err)
{
    char pmu[128] = "cpu", what[64];
    enum hpm_finding finding;
    const char *digits = name + 1 + 2 * (strncmp(name + 1, "0x", 2) == 0);
    size_t n = strspn(digits, "0123456789abcdefABCDEF");

    if (name[0] != 'r' || n == 0 || (digits[n] != '\0' && digits[n] != ':'))
        return HPM_FINDING_UNKNOWN;
    if (digits[n] == ':')
        return refuse_modifier(digits + n + 1, err);
    if (n - strspn(digits, "0") > 16) {
        hpm_error_set(err,
                      "'%.40s' has more than the 16 hexadecimal digits of a "
                      "code",
                      name);
        return HPM_FINDING_ZERO;
    }
    snprintf(what, sizeof what, "config=0x%.*s", n < 40 ? (int)n : 40, digits);
    finding = find_in_pmu(pmu, sizeof pmu, what, ret_event, err);
    return finding != HPM_FINDING_FAILED ? finding : HPM_FINDING_ZERO;
}

static enum hpm_finding
find_bare(const char *name, struct hpm_sysfs_event *ret_event,
          struct hpm_error *err)
{
    struct search search = {.event = name};
    char what[256];

    if (hpm_devices_may_have_event(name))
        hpm_devices_each(has_event, &search);
    if (search.pmu[0] == '\0')
        return find_raw(name, ret_event, err);
    snprintf(what, sizeof what, "%s", name);
    return find_in_pmu(search.pmu, sizeof search.pmu, what, ret_event, err);
}

enum hpm_finding
hpm_sysfs_find(const char *name, struct hpm_sysfs_event *ret_event,
               struct hpm_error *err)
{
    const char *slash, *end;
    char pmu[128], what[256];

    if (strncmp(name, "cpu::", 5) == 0)
        name += 5;
    slash = strchr(name, '/');
    end = strrchr(name, '/');
    if (slash == NULL)
        return find_bare(name, ret_event, err);
    if (snprintf(pmu, sizeof pmu, "%.*s", (int)(slash - name), name) >=
        (int)sizeof pmu)
        return HPM_FINDING_UNKNOWN;
    if (end <= slash + 1)
        return refuse_form(pmu, err);
    if (snprintf(what, sizeof what, "%.*s", (int)(end - slash - 1),
                 slash + 1) >= (int)sizeof what)
        return HPM_FINDING_UNKNOWN;
    if (end[1] != '\0')
        return refuse_modifier(end + 1 + (end[1] == ':'), err);
    return find_in_pmu(pmu, sizeof pmu, what, ret_event, err);
}

/* ---- lists ----------------------------------------------------------- */

struct listing {
    void (*visit)(const char *name, void *context);
    void *context;
    const char *pmu;
};

/* "event.unit" and "event.scale" only describe "event": skip them. */
static void
list_event(const char *event, void *context)
{
    const struct listing *listing = context;
    char name[512];

    if (strchr(event, '.') != NULL)
        return;
    snprintf(name, sizeof name, "%s/%s/", listing->pmu, event);
    listing->visit(name, listing->context);
}

static bool
list_pmu(const char *pmu, void *context)
{
    struct listing *listing = context;

    listing->pmu = pmu;
    if (counts_programs(pmu))
        hpm_devices_each_file(pmu, "events", list_event, listing);
    return false;
}

void
hpm_sysfs_list(void (*visit)(const char *name, void *context), void *context)
{
    struct listing listing = {.visit = visit, .context = context};

    hpm_devices_each(list_pmu, &listing);
}

/* 0x0 in the file: the core does not count slots. */
static bool
add_slots(const char *pmu, void *context)
{
    long *slots = context;
    char line[32];
    long here;

    if (!hpm_devices_line(pmu, "caps", "slots", line, sizeof line))
        return false;
    here = strtol(line, NULL, 0);
    if (*slots == 0 || *slots == here)
        *slots = here;
    else
        *slots = -1; /* cores differ */
    return *slots < 0;
}

long
hpm_sysfs_core_slots(void)
{
    long slots = 0;

    hpm_devices_each(add_slots, &slots);
    return slots > 0 ? slots : 0;
}

uint32_t
hpm_sysfs_core_type(void)
{
    char pmus[128];
    uint32_t type;

    return hpm_devices_cores(pmus, sizeof pmus) == 1 &&
                   hpm_devices_type(pmus, &type)
               ? type
               : PERF_TYPE_RAW;
}
