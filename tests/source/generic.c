/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's names of events, and their meaning. */
#include "source/generic.h"

#include <ctype.h>
#include <linux/perf_event.h>

#include "tap.h"

/* ---- names by hand --------------------------------------------------- */

static void
check(const char *name, uint32_t type, uint64_t config)
{
    struct hpm_generic found = {.unit = NULL};
    char sentence[128];

    snprintf(sentence, sizeof sentence, "%s is the kernel's %u, 0x%llx", name,
             type, (unsigned long long)config);
    ok(hpm_generic_find(name, &found) && found.encoding.type == type &&
           found.encoding.config == config && found.encoding.config1 == 0 &&
           found.encoding.config2 == 0 && found.unit != NULL &&
           found.description[0] != '\0',
       sentence);
}

static void
check_unknown(const char *name)
{
    struct hpm_generic found = {.unit = "untouched"};
    char sentence[128];

    snprintf(sentence, sizeof sentence, "'%.60s' is unknown", name);
    ok(!hpm_generic_find(name, &found) && strcmp(found.unit, "untouched") == 0,
       sentence);
}

static const struct {
    const char *name;
    uint32_t type;
    uint64_t config;
} table[] = {
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-instructions", PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
};

enum { N_TABLE = sizeof table / sizeof table[0] };

static void
test_names(void)
{
    for (int i = 0; i < N_TABLE; i++)
        check(table[i].name, table[i].type, table[i].config);
}

static void
test_spellings(void)
{
    check("sw::task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
    check("perf::TASK-CLOCK", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
    check("perf::PERF_COUNT_SW_TASK_CLOCK", PERF_TYPE_SOFTWARE,
          PERF_COUNT_SW_TASK_CLOCK);
    check("Page-Faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
    check("page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
    check("perf::CYCLES", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
    check("sw::cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
}

#define SOFTWARE(name)                                                         \
    check("PERF_COUNT_SW_" #name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##name)
#define HARDWARE(name)                                                         \
    check("PERF_COUNT_HW_" #name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##name)

static void
test_constants(void)
{
    SOFTWARE(CPU_CLOCK);
    SOFTWARE(TASK_CLOCK);
    SOFTWARE(PAGE_FAULTS);
    SOFTWARE(CONTEXT_SWITCHES);
    SOFTWARE(CPU_MIGRATIONS);
    SOFTWARE(PAGE_FAULTS_MIN);
    SOFTWARE(PAGE_FAULTS_MAJ);
    SOFTWARE(ALIGNMENT_FAULTS);
    SOFTWARE(EMULATION_FAULTS);
    HARDWARE(CPU_CYCLES);
    HARDWARE(INSTRUCTIONS);
    HARDWARE(CACHE_REFERENCES);
    HARDWARE(CACHE_MISSES);
    HARDWARE(BRANCH_INSTRUCTIONS);
    HARDWARE(BRANCH_MISSES);
    HARDWARE(BUS_CYCLES);
    HARDWARE(STALLED_CYCLES_FRONTEND);
    HARDWARE(STALLED_CYCLES_BACKEND);
    HARDWARE(REF_CPU_CYCLES);
}

static uint64_t
cache_config(uint64_t cache, uint64_t operation, uint64_t result)
{
    return cache | operation << 8 | result << 16;
}

static void
test_caches(void)
{
    static const struct {
        const char *name;
        uint64_t cache, operation, result;
    } caches[] = {
        {"L1-dcache-loads", PERF_COUNT_HW_CACHE_L1D,
         PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
        {"L1-dcache-load-misses", PERF_COUNT_HW_CACHE_L1D,
         PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS},
        {"L1-dcache-store-misses", PERF_COUNT_HW_CACHE_L1D,
         PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS},
        {"L1-icache-load-misses", PERF_COUNT_HW_CACHE_L1I,
         PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS},
        {"LLC-loads", PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_OP_READ,
         PERF_COUNT_HW_CACHE_RESULT_ACCESS},
        {"LLC-prefetch-misses", PERF_COUNT_HW_CACHE_LL,
         PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_MISS},
        {"dTLB-stores", PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_OP_WRITE,
         PERF_COUNT_HW_CACHE_RESULT_ACCESS},
        {"iTLB-load-misses", PERF_COUNT_HW_CACHE_ITLB,
         PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS},
        {"branch-loads", PERF_COUNT_HW_CACHE_BPU, PERF_COUNT_HW_CACHE_OP_READ,
         PERF_COUNT_HW_CACHE_RESULT_ACCESS},
        {"node-prefetches", PERF_COUNT_HW_CACHE_NODE,
         PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
    };

    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++)
        check(caches[i].name, PERF_TYPE_HW_CACHE,
              cache_config(caches[i].cache, caches[i].operation,
                           caches[i].result));
    check("perf::L1_DCACHE_LOAD_MISSES", PERF_TYPE_HW_CACHE,
          cache_config(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_OP_READ,
                       PERF_COUNT_HW_CACHE_RESULT_MISS));
}

static void
test_unknown(void)
{
    char endless[5000];

    check_unknown("");
    check_unknown("sw::");
    check_unknown("PERF_COUNT_SW_");
    check_unknown("task");
    check_unknown("task-clock ");
    check_unknown("task-clocks");
    check_unknown("task-clock:u");
    check_unknown("FP_OPS");
    check_unknown("L1-dcache");
    check_unknown("L1-dcache-");
    check_unknown("L2-dcache-loads");
    check_unknown("L1-dcache-load-missess");
    check_unknown("-loads");
    check_unknown("task::task-clock");
    check_unknown("cpu/cycles/");
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    check_unknown(endless);
    memcpy(endless, "task-clock", 10);
    check_unknown(endless);
}

/* ---- properties ----------------------------------------------------- */

static void
test_properties(void)
{
    struct hpm_generic found;

    ok(hpm_generic_find("task-clock", &found) &&
           strcmp(found.unit, "ns") == 0 && !found.needs_kernel &&
           found.ignores_domain,
       "times are in nanoseconds, of user and kernel");
    ok(hpm_generic_find("page-faults", &found) && strcmp(found.unit, "") == 0 &&
           !found.needs_kernel && !found.must_count && !found.ignores_domain,
       "page faults have no unit and may be none");
    ok(hpm_generic_find("cs", &found) && found.needs_kernel,
       "context switches happen in the kernel");
    ok(hpm_generic_find("cpu-migrations", &found) && found.needs_kernel,
       "so do migrations");
    ok(hpm_generic_find("cycles", &found) && found.must_count &&
           hpm_generic_find("instructions", &found) && found.must_count,
       "cycles and instructions are never none");
    ok(hpm_generic_find("L1-dcache-load-misses", &found) && !found.must_count &&
           !found.needs_kernel && strcmp(found.unit, "") == 0,
       "cache misses may be none");
    is_text(found.description, "loads that miss the first-level data cache",
            "a cache event says what it is");
}

/* ---- the list -------------------------------------------------------- */

struct listing {
    int n;
    int n_bad;
    bool is_software_over;
    bool is_in_order;
    uint64_t configs[200];
};

static void
look_up(const char *name, void *context)
{
    struct listing *listing = context;
    struct hpm_generic found;
    uint64_t key;

    if (!hpm_generic_find(name, &found)) {
        printf("# '%s' is listed, but not found\n", name);
        listing->n_bad++;
        return;
    }
    if (found.encoding.type == PERF_TYPE_SOFTWARE)
        listing->is_in_order &= !listing->is_software_over;
    else
        listing->is_software_over = true;
    key = (uint64_t)found.encoding.type << 32 | found.encoding.config;
    for (int i = 0; i < listing->n; i++) {
        if (listing->configs[i] == key)
            listing->n_bad++;
    }
    if (listing->n < 200)
        listing->configs[listing->n++] = key;
}

/* Look up the name in capitals, with underscores and a prefix. */
static void
look_up_shouted(const char *name, void *context)
{
    struct hpm_generic as_listed, shouted;
    char spelling[80] = "perf::";
    int *n_bad = context;
    size_t n = strlen(spelling);

    for (; *name != '\0' && n < sizeof spelling - 1; name++)
        spelling[n++] =
            *name == '-' ? '_' : (char)toupper((unsigned char)*name);
    spelling[n] = '\0';
    name -= n - 6;
    *n_bad += !hpm_generic_find(name, &as_listed) ||
              !hpm_generic_find(spelling, &shouted) ||
              as_listed.encoding.type != shouted.encoding.type ||
              as_listed.encoding.config != shouted.encoding.config;
}

static void
test_list(void)
{
    struct listing listing = {.is_in_order = true};
    int n_bad = 0;

    hpm_generic_list(look_up, &listing);
    is_count((uint64_t)listing.n_bad, 0,
             "every listed name is found, no two mean the same");
    is_count((uint64_t)listing.n, N_TABLE - 5 + 7 * 6,
             "all events and the whole cache table are listed");
    ok(listing.is_in_order, "software events come first");
    hpm_generic_list(look_up_shouted, &n_bad);
    is_count((uint64_t)n_bad, 0, "every name is found in capitals as well");
}

int
main(void)
{
    test_names();
    test_spellings();
    test_constants();
    test_caches();
    test_unknown();
    test_properties();
    test_list();
    return done();
}
