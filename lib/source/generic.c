/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's own names for events. */
#include "source/generic.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/mark.h"
#include "base/string.h"

enum { NEEDS_KERNEL = 1, MUST_COUNT = 2, IGNORES_DOMAIN = 4 };

static const struct {
    const char *name;
    const char *alias;
    unsigned flags;
    uint32_t type;
    uint64_t config;
    const char *unit;
    const char *description;
} table[] = {
    {"task-clock", NULL, IGNORES_DOMAIN, PERF_TYPE_SOFTWARE,
     PERF_COUNT_SW_TASK_CLOCK, "ns", N_("processor time used")},
    {"cpu-clock", NULL, IGNORES_DOMAIN, PERF_TYPE_SOFTWARE,
     PERF_COUNT_SW_CPU_CLOCK, "ns",
     N_("time on a processor, by the processor's clock")},
    {"page-faults", "faults", 0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
     "", N_("page faults, minor and major")},
    {"minor-faults", "page-faults-min", 0, PERF_TYPE_SOFTWARE,
     PERF_COUNT_SW_PAGE_FAULTS_MIN, "", N_("page faults served from memory")},
    {"major-faults", "page-faults-maj", 0, PERF_TYPE_SOFTWARE,
     PERF_COUNT_SW_PAGE_FAULTS_MAJ, "",
     N_("page faults that waited for a disk")},
    {"context-switches", "cs", NEEDS_KERNEL, PERF_TYPE_SOFTWARE,
     PERF_COUNT_SW_CONTEXT_SWITCHES, "",
     N_("times the processor was given up")},
    {"cpu-migrations", "migrations", NEEDS_KERNEL, PERF_TYPE_SOFTWARE,
     PERF_COUNT_SW_CPU_MIGRATIONS, "", N_("moves to another processor")},
    {"alignment-faults", NULL, 0, PERF_TYPE_SOFTWARE,
     PERF_COUNT_SW_ALIGNMENT_FAULTS, "",
     N_("unaligned accesses the kernel mends")},
    {"emulation-faults", NULL, 0, PERF_TYPE_SOFTWARE,
     PERF_COUNT_SW_EMULATION_FAULTS, "",
     N_("instructions the kernel emulates")},
    {"cycles", "cpu-cycles", MUST_COUNT, PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_CPU_CYCLES, "", N_("processor cycles")},
    {"instructions", NULL, MUST_COUNT, PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_INSTRUCTIONS, "", N_("instructions completed")},
    {"cache-references", NULL, 0, PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_CACHE_REFERENCES, "",
     N_("accesses of the last cache level")},
    {"cache-misses", NULL, 0, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES,
     "", N_("misses of the last cache level")},
    {"branches", "branch-instructions", MUST_COUNT, PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "", N_("branches completed")},
    {"branch-misses", NULL, 0, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,
     "", N_("branches predicted wrong")},
    {"bus-cycles", NULL, 0, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, "",
     N_("cycles of the bus clock")},
    {"ref-cycles", "ref-cpu-cycles", 0, PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_REF_CPU_CYCLES, "", N_("cycles at the nominal clock")},
    {"stalled-cycles-frontend", "idle-cycles-frontend", 0, PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "",
     N_("cycles without an instruction to start")},
    {"stalled-cycles-backend", "idle-cycles-backend", 0, PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "",
     N_("cycles waiting for a resource")},
};

enum { N_TABLE = sizeof table / sizeof table[0] };

/* cache, operation and result together are a name: L1-dcache-load-misses */
static const struct {
    const char *name;
    const char *prose;
} caches[] = {
    [PERF_COUNT_HW_CACHE_L1D] = {"L1-dcache", N_("the first-level data cache")},
    [PERF_COUNT_HW_CACHE_L1I] = {"L1-icache",
                                 N_("the first-level instruction cache")},
    [PERF_COUNT_HW_CACHE_LL] = {"LLC", N_("the last cache level")},
    [PERF_COUNT_HW_CACHE_DTLB] = {"dTLB", N_("the data TLB")},
    [PERF_COUNT_HW_CACHE_ITLB] = {"iTLB", N_("the instruction TLB")},
    [PERF_COUNT_HW_CACHE_BPU] = {"branch", N_("the branch predictor")},
    [PERF_COUNT_HW_CACHE_NODE] = {"node", N_("the memory of the own node")},
};
static const struct {
    const char *hits, *misses, *prose;
} operations[] = {
    {"loads", "load-misses", "loads"},
    {"stores", "store-misses", "stores"},
    {"prefetches", "prefetch-misses", "prefetches"},
};

enum {
    N_CACHES = sizeof caches / sizeof caches[0],
    N_OPERATIONS = sizeof operations / sizeof operations[0]
};

/* The one spelling that is compared: without namespace and PERF_COUNT_.._, with
 * minus for underscore.  The comparison ignores case. */
static bool
canonical(const char *name, char *ret_name, size_t size)
{
    static const char *const prefixes[] = {"sw::", "perf::", "PERF_COUNT_SW_",
                                           "PERF_COUNT_HW_"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);

        if (strncasecmp(name, prefixes[i], length) == 0)
            name += length;
    }
    if (snprintf(ret_name, size, "%s", name) >= (int)size)
        return false;
    for (char *c = ret_name; *c != '\0'; c++) {
        if (*c == '_')
            *c = '-';
    }
    return true;
}

static bool
find_in_table(const char *name, struct hpm_generic *ret_generic)
{
    for (size_t i = 0; i < N_TABLE; i++) {
        if (!hpm_string_same_word(name, table[i].name) &&
            (table[i].alias == NULL ||
             !hpm_string_same_word(name, table[i].alias)))
            continue;
        *ret_generic = (struct hpm_generic){
            .encoding = {.type = table[i].type, .config = table[i].config},
            .unit = table[i].unit,
            .needs_kernel = (table[i].flags & NEEDS_KERNEL) != 0,
            .must_count = (table[i].flags & MUST_COUNT) != 0,
            .ignores_domain = (table[i].flags & IGNORES_DOMAIN) != 0};
        snprintf(ret_generic->description, sizeof ret_generic->description,
                 "%s", table[i].description);
        return true;
    }
    return false;
}

/* Visit the whole cache table; stop when `visit` returns true. */
static bool
each_cache_event(bool (*visit)(const char *name, uint64_t cache, uint64_t op,
                               bool is_miss, void *context),
                 void *context)
{
    for (uint64_t cache = 0; cache < N_CACHES; cache++) {
        for (uint64_t op = 0; op < 2 * N_OPERATIONS; op++) {
            bool is_miss = op % 2 != 0;
            char name[64];

            snprintf(name, sizeof name, "%s-%s", caches[cache].name,
                     is_miss ? operations[op / 2].misses
                             : operations[op / 2].hits);
            if (visit(name, cache, op / 2, is_miss, context))
                return true;
        }
    }
    return false;
}

struct cache_search {
    const char *name;
    struct hpm_generic *ret_generic;
};

static bool
is_searched(const char *name, uint64_t cache, uint64_t op, bool is_miss,
            void *context)
{
    struct cache_search *search = context;
    struct hpm_generic *generic = search->ret_generic;

    if (!hpm_string_same_word(name, search->name))
        return false;
    *generic = (struct hpm_generic){
        .encoding = {.type = PERF_TYPE_HW_CACHE,
                     .config = cache | op << 8 | (uint64_t)is_miss << 16},
        .unit = ""};
    snprintf(generic->description, sizeof generic->description, "%s that %s %s",
             operations[op].prose, is_miss ? "miss" : "ask",
             caches[cache].prose);
    return true;
}

bool
hpm_generic_find(const char *name, struct hpm_generic *ret_generic)
{
    char spelling[128];
    struct cache_search search = {spelling, ret_generic};

    return canonical(name, spelling, sizeof spelling) &&
           (find_in_table(spelling, ret_generic) ||
            each_cache_event(is_searched, &search));
}

struct listing {
    void (*visit)(const char *name, void *context);
    void *context;
};

static bool
list_one(const char *name, uint64_t cache, uint64_t op, bool is_miss,
         void *context)
{
    struct listing *listing = context;

    (void)cache;
    (void)op;
    (void)is_miss;
    listing->visit(name, listing->context);
    return false;
}

void
hpm_generic_list(void (*visit)(const char *name, void *context), void *context)
{
    struct listing listing = {visit, context};

    for (size_t i = 0; i < N_TABLE; i++)
        visit(table[i].name, context);
    each_cache_event(list_one, &listing);
}
