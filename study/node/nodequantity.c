/* SPDX-License-Identifier: BSD-3-Clause
 * Quantities of the whole node that can be counted, by name. */
#include "study/node/nodequantity.h"

#include <stdio.h>
#include <string.h>

#include "base/globs.h"
#include "base/mark.h"
#include "base/string.h"
#include "source/defined.h"
#include "source/machine/cpuinfo.h"
#include "source/machine/devices.h"
#include "study/node/nodeboxes.h"
#include "study/node/nodezones.h"

/* ---- the quantities -------------------------------------------------- */

struct quantity {
    const char *name;
    const char *description;
    const char *zone;    /* zone of powercap if no PMU has the quantity; or
                          * NULL */
    const char *lacking; /* the reason if it is missing, and what to do */
};

static const char no_energy[] = N_(
    "neither a PMU 'power' nor /sys/class/powercap has it: this processor, or "
    "the virtual machine it is, tells no such energy");
static const char no_memory_pmu[] = N_(
    "the kernel lists no PMU of the memory controllers here (uncore_imc, "
    "amd_umc "
    "from Linux 6.9 on, amd_df of Zen 1 to 3, arm_cmn): virtual machines have "
    "none; else load the driver (modprobe intel_uncore, amd_uncore, arm_cmn)");

static const struct quantity quantities[] = {
    {"energy-pkg", N_("energy of the processor packages"), "package-",
     no_energy},
    {"energy-cores", N_("energy of the cores"), "core", no_energy},
    {"energy-ram", N_("energy of the memory"), "dram", no_energy},
    {"energy-gpu", N_("energy of the graphics in the packages"), "uncore",
     no_energy},
    {"energy-psys", N_("energy of the board"), "psys", no_energy},
    {"memory-read", N_("bytes read from memory"), NULL, no_memory_pmu},
    {"memory-write", N_("bytes written to memory"), NULL, no_memory_pmu},
    {"memory", N_("bytes read from and written to memory"), NULL,
     no_memory_pmu},
};

/* PMUs for each quantity; the first one that a machine has is used.  The codes
 * are from the vendors' own lists. */
struct counting {
    const char *quantity;
    const char *family;
    const char *events; /* listed by the kernel; NULL: use `terms`; several with
                         * a blank between are added up */
    const char *terms;  /* used if `events` is NULL */
    unsigned bytes;     /* bytes per count; 0: the kernel gives the scale */
    const char *processors; /* globs of their identity; NULL: all */
};

/* Channel i of the data fabric has event 0x7 + 0x40 i, in this PMU's only
 * field. */
#define CHANNELS                                                               \
    "event=0x7,umask=0x38 event=0x47,umask=0x38 event=0x87,umask=0x38 "        \
    "event=0xc7,umask=0x38 event=0x107,umask=0x38 event=0x147,umask=0x38 "     \
    "event=0x187,umask=0x38 event=0x1c7,umask=0x38"

static const struct counting countings[] = {
    {"energy-pkg", "power", "energy-pkg", NULL, 0, NULL},
    {"energy-cores", "power", "energy-cores", NULL, 0, NULL},
    {"energy-ram", "power", "energy-ram", NULL, 0, NULL},
    {"energy-gpu", "power", "energy-gpu", NULL, 0, NULL},
    {"energy-psys", "power", "energy-psys", NULL, 0, NULL},
    {"memory-read", "uncore_imc", "cas_count_read", NULL, 0, NULL},
    {"memory-read", "uncore_imc", "cas_count_read_sch0 cas_count_read_sch1",
     NULL, 0, NULL},
    {"memory-read", "uncore_imc_free_running", "data_read", NULL, 0, NULL},
    {"memory-read", "uncore_imc", "data_reads", NULL, 0, NULL},
    {"memory-read", "amd_umc", NULL, "event=0xa,rdwrmask=1", 64, NULL},
    {"memory-write", "uncore_imc", "cas_count_write", NULL, 0, NULL},
    {"memory-write", "uncore_imc", "cas_count_write_sch0 cas_count_write_sch1",
     NULL, 0, NULL},
    {"memory-write", "uncore_imc_free_running", "data_write", NULL, 0, NULL},
    {"memory-write", "uncore_imc", "data_writes", NULL, 0, NULL},
    {"memory-write", "amd_umc", NULL, "event=0xa,rdwrmask=2", 64, NULL},
    {"memory", "uncore_imc", "cas_count_read cas_count_write", NULL, 0, NULL},
    {"memory", "uncore_imc",
     "cas_count_read_sch0 cas_count_read_sch1 cas_count_write_sch0 "
     "cas_count_write_sch1",
     NULL, 0, NULL},
    {"memory", "uncore_imc_free_running", "data_read data_write", NULL, 0,
     NULL},
    {"memory", "uncore_imc", "data_reads data_writes", NULL, 0, NULL},
    {"memory", "amd_umc", NULL, "event=0xa", 64, NULL},
    {"memory", "amd_df", NULL, CHANNELS, 64,
     "AuthenticAMD-23-*, AuthenticAMD-25-[0-9A-F]-*, "
     "AuthenticAMD-25-[2-5]?-*"},
    {"memory", "arm_cmn", "hnf_mc_reqs", NULL, 64, NULL},
};

enum {
    N_QUANTITIES = sizeof quantities / sizeof quantities[0],
    N_COUNTINGS = sizeof countings / sizeof countings[0]
};

/* ---- finding --------------------------------------------------------- */

/* Read the next word, up to a blank; false at the end. */
static bool
next_word(const char **at, char *ret_word, size_t size)
{
    size_t length;

    *at += strspn(*at, " ");
    length = strcspn(*at, " ");
    snprintf(ret_word, size, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

static bool
is_here(const struct counting *counting)
{
    const char *at = counting->events;
    char event[64];

    if (counting->processors != NULL &&
        !hpm_globs_match(counting->processors, hpm_cpuinfo_get()->identity))
        return false;
    if (counting->events == NULL)
        return hpm_nodeboxes_are_there(counting->family, NULL);
    while (next_word(&at, event, sizeof event)) {
        if (!hpm_nodeboxes_are_there(counting->family, event))
            return false;
    }
    return true;
}

static bool
add_counting(struct hpm_nodeplan *plan, const struct counting *counting,
             struct hpm_error *err)
{
    const char *at =
        counting->terms != NULL ? counting->terms : counting->events;
    char what[128];

    while (next_word(&at, what, sizeof what)) {
        if (!hpm_nodeboxes_add(plan, counting->family, what, err))
            return false;
    }
    if (counting->bytes > 0) {
        for (size_t i = 0; i < plan->n_counters; i++)
            plan->counters[i].factor = counting->bytes;
        plan->unit = "byte";
    }
    return plan->unit[0] != '\0' ||
           hpm_error_set(err,
                         "the kernel does not say how much a count of '%.40s' "
                         "is (in files .unit and .scale beside its events); "
                         "bare counts: -e %.40s/EVENT/",
                         counting->family, counting->family);
}

/* Use the first PMU that this machine has: another one would count the same
 * again. */
static bool
find_counting(struct hpm_nodeplan *plan, const struct quantity *quantity,
              bool *ret_is_there, struct hpm_error *err)
{
    *ret_is_there = false;
    for (size_t i = 0; i < N_COUNTINGS; i++) {
        const struct counting *counting = &countings[i];

        if (strcmp(counting->quantity, quantity->name) != 0 ||
            !is_here(counting))
            continue;
        *ret_is_there = true;
        snprintf(plan->what, sizeof plan->what, "%s/%s/", counting->family,
                 counting->events != NULL ? counting->events : counting->terms);
        return add_counting(plan, counting, err);
    }
    return false;
}

static enum hpm_finding
find_quantity(const struct quantity *quantity, struct hpm_nodeplan *plan,
              struct hpm_error *err)
{
    bool is_there;

    if (find_counting(plan, quantity, &is_there, err))
        return HPM_FINDING_FOUND;
    if (is_there)
        return HPM_FINDING_FAILED;
    snprintf(plan->what, sizeof plan->what, "/sys/class/powercap, %s",
             quantity->zone != NULL ? quantity->zone : "");
    if (quantity->zone != NULL &&
        hpm_nodezones_add(plan, quantity->zone, &is_there, err))
        return HPM_FINDING_FOUND;
    if (!is_there)
        hpm_error_set(err, "%s", quantity->lacking);
    return HPM_FINDING_FAILED;
}

static enum hpm_finding
find_named(const char *name, struct hpm_nodeplan *plan, struct hpm_error *err)
{
    struct hpm_string names = {0};

    for (size_t i = 0; i < N_QUANTITIES; i++) {
        if (strcmp(quantities[i].name, name) == 0)
            return find_quantity(&quantities[i], plan, err);
    }
    for (size_t i = 0; i < N_QUANTITIES; i++)
        hpm_string_add_format(&names, "%s%s", i > 0 ? ", " : "",
                              quantities[i].name);
    hpm_error_set(err,
                  "of the node there is no '%.40s'; expected one of %s, or "
                  "PMU/EVENT/ of a PMU with a cpumask",
                  name, hpm_string_text(&names));
    hpm_string_free(&names);
    return HPM_FINDING_FAILED;
}

/* "uncore_imc/cas_count_read/"; PMUs that count programs belong to the kernel's
 * source. */
static enum hpm_finding
find_in_boxes(const char *name, const char *slash, bool is_ours,
              struct hpm_nodeplan *plan, struct hpm_error *err)
{
    char family[128], what[256];
    size_t length = strlen(slash + 1);

    snprintf(family, sizeof family, "%.*s", (int)(slash - name), name);
    if (!hpm_nodeboxes_are_there(family, NULL)) {
        hpm_error_set(err,
                      "there is no PMU '%.60s' that counts whole processors "
                      "(one with a file cpumask under "
                      "/sys/bus/event_source/devices)",
                      family);
        return is_ours ? HPM_FINDING_FAILED : HPM_FINDING_UNKNOWN;
    }
    if (length < 2 || slash[length] != '/' || length >= sizeof what) {
        hpm_error_set(err, "expected %.60s/EVENT/ or %.60s/field=value,.../",
                      family, family);
        return HPM_FINDING_FAILED;
    }
    snprintf(what, sizeof what, "%.*s", (int)length - 1, slash + 1);
    snprintf(plan->what, sizeof plan->what, "%.150s", name);
    return hpm_nodeboxes_add(plan, family, what, err) ? HPM_FINDING_FOUND
                                                      : HPM_FINDING_FAILED;
}

/* "node::UNC_M_CAS_COUNT:RD", if a definition gives its code. */
static enum hpm_finding
find_defined(const char *name, struct hpm_nodeplan *plan, struct hpm_error *err)
{
    struct hpm_defined_event event;
    struct hpm_error why;
    const char *slash;

    if (!hpm_defined_find(name, &event))
        return HPM_FINDING_UNKNOWN;
    slash = strchr(event.code, '/');
    if (slash == NULL)
        hpm_error_set(&why, "it names no PMU");
    else if (find_in_boxes(event.code, slash, true, plan, &why) ==
             HPM_FINDING_FOUND)
        return HPM_FINDING_FOUND;
    hpm_error_set(err, "its definition, %.100s, cannot be counted here: %s",
                  event.code, why.text);
    return HPM_FINDING_FAILED;
}

enum hpm_finding
hpm_nodequantity_find(const char *name, struct hpm_nodeplan *ret_plan,
                      struct hpm_error *err)
{
    const size_t length = strlen(HPM_NODE_PREFIX);
    bool is_ours = strncmp(name, HPM_NODE_PREFIX, length) == 0;
    enum hpm_finding finding = HPM_FINDING_UNKNOWN;
    const char *slash;

    *ret_plan = (struct hpm_nodeplan){0};
    slash = strchr(name, '/');
    if (slash != NULL) {
        name += is_ours ? length : 0;
        finding = find_in_boxes(name, slash, is_ours, ret_plan, err);
    } else if (is_ours) {
        finding = find_defined(name, ret_plan, err);
        if (finding == HPM_FINDING_UNKNOWN)
            finding = find_named(name + length, ret_plan, err);
    }
    if (finding != HPM_FINDING_FOUND)
        hpm_nodeplan_clear(ret_plan);
    return finding;
}

const char *
hpm_nodequantity_describe(const char *name)
{
    const size_t length = strlen(HPM_NODE_PREFIX);

    for (size_t i = 0; i < N_QUANTITIES; i++) {
        if (strcmp(name + length, quantities[i].name) == 0)
            return quantities[i].description;
    }
    return N_("event of a PMU");
}

void
hpm_nodequantity_list(void (*visit)(const char *name, void *context),
                      void *context)
{
    for (size_t i = 0; i < N_QUANTITIES; i++) {
        char name[64];

        snprintf(name, sizeof name, HPM_NODE_PREFIX "%s", quantities[i].name);
        visit(name, context);
    }
}
