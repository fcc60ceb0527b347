/* SPDX-License-Identifier: BSD-3-Clause
 * Sampled events: names and periods, and messages about events that are left
 * out, with a simulated kernel. */
#include <errno.h>
#include <linux/perf_event.h>

#include "host/memory.h"
#include "source/obstacle.h"
#include "source/perf.h"
#include "source/source.h"

/* Replaces the kernel's calls in the tested file. */
static int play_open(const struct hpm_event *event, uint64_t period,
                     bool tells_mappings, uint32_t n_waking);
static void play_drop(int fd);
static void play_explain(int error, struct hpm_error *err);
static bool play_is_clock(const struct hpm_event *event);
static const struct hpm_source played;
#define hpm_perf_open_samples play_open
#define hpm_perf_drop play_drop
#define hpm_obstacle_explain play_explain
#define hpm_source_is_clock play_is_clock
#define hpm_source_kernel played
#include "source/sampling.c"

#include "tap.h"

enum { CLOCK = 1, FAULTS, CYCLES, TRACE };

static struct {
    int error, n_opened, n_dropped;
    uint64_t period;
    enum hpm_domain domain;
} kernel;
static struct hpm_sampling sampling;
static struct hpm_string lines;

static const struct {
    const char *name;
    uint32_t type;
    int code;
} events[] = {{"cpu-clock", PERF_TYPE_SOFTWARE, CLOCK},
              {"faults", PERF_TYPE_SOFTWARE, FAULTS},
              {"faults:k", PERF_TYPE_SOFTWARE, FAULTS},
              {"cycles", PERF_TYPE_HARDWARE, CYCLES},
              {"cycles:k", PERF_TYPE_HARDWARE, CYCLES},
              {"cpu/event=1,umask=2/", PERF_TYPE_RAW, CYCLES},
              {"own:u", PERF_TYPE_SOFTWARE, FAULTS},
              {"trace", PERF_TYPE_TRACEPOINT, TRACE}};

/* Finds events in all domains, like the kernel's own names; "broken" in none,
 * and "own" only in the program's. */
static enum hpm_finding
find(const char *name, enum hpm_domain domain, struct hpm_event *ret_event,
     struct hpm_error *err)
{
    (void)domain;
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        if (strcmp(events[i].name, name) == 0) {
            ret_event->encoding.type = events[i].type;
            ret_event->encoding.config = (uint64_t)events[i].code;
            ret_event->domain = HPM_DOMAIN_ALL;
            return HPM_FINDING_FOUND;
        }
    }
    if (strcmp(name, "broken") != 0 && strcmp(name, "own") != 0)
        return HPM_FINDING_UNKNOWN;
    hpm_error_set(err, "it is broken");
    return HPM_FINDING_FAILED;
}

static const struct hpm_source played = {.name = "kernel", .find = find};

static bool
play_is_clock(const struct hpm_event *event)
{
    return event->encoding.config == CLOCK;
}

static int
play_open(const struct hpm_event *event, uint64_t period, bool tells_mappings,
          uint32_t n_waking)
{
    kernel.period = period;
    kernel.domain = event->domain;
    errno = kernel.error;
    if (kernel.error != 0 || !tells_mappings || n_waking == 0)
        return -1;
    return 100 + kernel.n_opened++;
}

static void
play_drop(int fd)
{
    kernel.n_dropped += fd >= 100;
}

static void
play_explain(int error, struct hpm_error *err)
{
    hpm_error_set(err, "explained %d", error == EACCES);
}

static void
choose(const char *list)
{
    hpm_sampling_clear(&sampling);
    hpm_string_clear(&lines);
    hpm_sampling_choose(&sampling, list, HPM_DOMAIN_USER, &lines);
}

static void
check(const char *list, uint64_t period, uint64_t least)
{
    choose(list);
    ok(sampling.n_events == 1 && sampling.events[0].period == period &&
           sampling.events[0].least == least && kernel.period == period &&
           lines.length == 0,
       list);
    printf("# %llu, %llu %s\n", (unsigned long long)sampling.events[0].period,
           (unsigned long long)sampling.events[0].least,
           hpm_string_text(&lines));
}

static void
check_refused(const char *list, const char *words)
{
    choose(list);
    ok(sampling.n_events == 0 &&
           strncmp(hpm_string_text(&lines), "not sampled: '", 14) == 0 &&
           strstr(hpm_string_text(&lines), words) != NULL,
       list);
    printf("# %s", hpm_string_text(&lines));
}

static void
test_periods(void)
{
    check("cpu-clock", 997000, 997000 / 32);
    check("cpu-clock@100us", 100000, 10000);
    check("cpu-clock@320us", 320000, 10000);
    check("cpu-clock@321us", 321000, 321000 / 32);
    check("cpu-clock@100000", 100000, 10000);
    check("cpu-clock@100000ns", 100000, 10000);
    check("cpu-clock@2ms", 2000000, 62500);
    check("cpu-clock@1000000ms", UINT64_C(1000000000000), 31250000000);
    check("cycles", 1000003, 1000003 / 32);
    check("cycles@1000", 1000, 1000);
    check("cycles@64000", 64000, 2000);
    check("faults", 1, 1);
    check("faults@5", 5, 1);
    check("faults@320", 320, 10);
    check("trace", 1, 1);
}

static void
test_refused(void)
{
    check_refused("cpu-clock@99999", "least here is 100000 ns");
    check_refused("cycles@999", "least here is 1000\n");
    check_refused("faults@0", "least here is 1\n");
    check_refused("cycles@5us", "'5us' is no period; expected a whole number");
    check_refused("cpu-clock@5s", "'5s' is no period; expected a time");
    check_refused("cpu-clock@", "'' is no period");
    check_refused("cpu-clock@us", "'us' is no period");
    check_refused("cpu-clock@1000001ms", "no period");
    check_refused("cycles@9999999999999999999999", "no period");
    check_refused("nosuch", "no event of the kernel or the processor has");
    check_refused("broken", "it is broken");
    check_refused("@5", "an event without a name");
    check_refused("", "an event without a name");
}

static void
test_lists(void)
{
    char name[300];

    choose(" cycles@5000 , nosuch,cpu/event=1,umask=2/@6000,,faults");
    ok(sampling.n_events == 3 && sampling.events[0].period == 5000 &&
           sampling.events[1].period == 6000 && sampling.events[2].period == 1,
       "a comma between slashes is of the name");
    is_text(sampling.events[1].event.name, "cpu/event=1,umask=2/",
            "which is without its period");
    is_text(hpm_string_text(&lines),
            "not sampled: 'nosuch': no event of the kernel or the processor "
            "has this name; 'hpmcount -l' lists those that there are\n"
            "not sampled: '': an event without a name; expected EVENT@PERIOD, "
            "as in cpu-clock@997us\n",
            "what is wrong is left out, and said");
    choose("cycles@5000,cycles@6000");
    ok(sampling.n_events == 1 &&
           strstr(hpm_string_text(&lines), "it is there already") != NULL,
       "one event is sampled once");
    choose("cycles,faults,cpu-clock,trace,faults:k");
    ok(sampling.n_events == 4 &&
           strstr(hpm_string_text(&lines), "at most 4 events") != NULL,
       "four are sampled at most");
    memset(name, 'x', sizeof name);
    name[255] = '\0';
    choose(name);
    ok(strstr(hpm_string_text(&lines), "no event of the kernel") != NULL,
       "a long name is only unknown");
    name[255] = 'x';
    name[256] = '\0';
    choose(name);
    ok(strstr(hpm_string_text(&lines), "too long") != NULL,
       "a longer one is too long");
}

/* The kernel's part of software events is counted, but sampled only if it is
 * wanted. */
static void
test_domains(void)
{
    choose("faults");
    ok(sampling.events[0].event.domain == HPM_DOMAIN_USER &&
           kernel.domain == HPM_DOMAIN_USER,
       "software events are sampled in the domain asked for");
    choose("faults:k");
    ok(sampling.events[0].event.domain == HPM_DOMAIN_KERNEL,
       "or the name's own");
    choose("cycles:k");
    ok(sampling.events[0].event.domain == HPM_DOMAIN_ALL,
       "those of hardware where they were found");
}

static void
test_kernel(void)
{
    kernel.n_opened = kernel.n_dropped = 0;
    choose("cycles,faults");
    ok(kernel.n_opened == 2 && kernel.n_dropped == 2,
       "each is opened once for a trial");
    kernel.error = EACCES;
    check_refused("cycles", "explained 1");
    kernel.error = EOPNOTSUPP;
    check_refused("cycles", "does not interrupt");
    kernel.error = EINVAL;
    check_refused("cycles", "does not interrupt");
    kernel.error = 0;
    hpm_memory_fail_at(1, false);
    choose("cycles");
    hpm_memory_fail_at(0, false);
    ok(sampling.n_events == 0, "without memory nothing is sampled");
}

int
main(void)
{
    test_periods();
    test_refused();
    test_lists();
    test_domains();
    test_kernel();
    hpm_sampling_clear(&sampling);
    hpm_string_free(&lines);
    return done();
}
