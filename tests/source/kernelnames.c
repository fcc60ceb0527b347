/* SPDX-License-Identifier: BSD-3-Clause
 * The domain in which an event is opened for a trial, and messages about an
 * event that cannot be opened: with a simulated kernel. */
#include <errno.h>
#include <linux/perf_event.h>

#include "source/hardware.h"
#include "source/obstacle.h"
#include "source/perf.h"

/* Replaces the kernel's calls in the tested file. */
static int play_open(const struct hpm_event *event, pid_t pid, int leader,
                     unsigned flags);
static bool play_counts(int fd);
static void play_drop(int fd);
static bool play_hardware(struct hpm_error *why);
static void play_explain(int error, struct hpm_error *err);
#define hpm_perf_open play_open
#define hpm_perf_counts play_counts
#define hpm_perf_drop play_drop
#define hpm_hardware_is_usable play_hardware
#define hpm_obstacle_explain play_explain
#include "source/kernelnames.c"

#include "tap.h"

enum { N_DOMAINS = HPM_DOMAIN_ALL + 1, FIRST_FD = 100 };

static struct {
    int errors[N_DOMAINS]; /* of events opened in that domain; 0: it opens */
    int group_error;       /* of events opened in a group */
    bool counts, has_hardware;
    /* counts of calls */
    int n_opened, n_dropped, leader;
    uint64_t leader_config;
    int explained;
} kernel;

static int
play_open(const struct hpm_event *event, pid_t pid, int leader, unsigned flags)
{
    int error = leader >= 0 ? kernel.group_error : kernel.errors[event->domain];

    if (leader >= 0)
        kernel.leader = leader;
    else
        kernel.leader_config = event->encoding.config;
    if (pid != 0 || flags != 0)
        error = EIO;
    errno = error;
    return error != 0 ? -1 : FIRST_FD + kernel.n_opened++;
}

static bool
play_counts(int fd)
{
    return fd >= FIRST_FD && kernel.counts;
}

static void
play_drop(int fd)
{
    kernel.n_dropped += fd >= FIRST_FD;
    errno = EBADF;
}

static bool
play_hardware(struct hpm_error *why)
{
    return kernel.has_hardware || hpm_error_set(why, "no hardware");
}

static void
play_explain(int error, struct hpm_error *err)
{
    kernel.explained = error;
    hpm_error_set(err, "explained");
}

/* A kernel that fails with that error in that domain. */
static void
begin(enum hpm_domain domain, int error)
{
    memset(&kernel, 0, sizeof kernel);
    kernel.counts = kernel.has_hardware = true;
    kernel.errors[domain] = error;
}

static struct hpm_error err;

static bool is_clock;

static enum hpm_finding
find(uint32_t type, enum hpm_domain domain, bool is_fixed,
     enum hpm_domain *ret_domain)
{
    const struct hpm_generic generic = {.unit = "", .ignores_domain = is_clock};
    struct hpm_event event = {.encoding.type = type, .domain = domain};
    enum hpm_finding finding;

    err.text[0] = '\0';
    finding = try_event(&event, &generic, is_fixed, &err);
    *ret_domain = event.domain;
    if (kernel.n_opened != kernel.n_dropped)
        puts("# what was opened is still open");
    return finding;
}

static void
check_found(uint32_t type, enum hpm_domain domain, bool is_fixed,
            enum hpm_domain expected, const char *sentence)
{
    enum hpm_domain found;

    ok(find(type, domain, is_fixed, &found) == HPM_FINDING_FOUND &&
           found == expected && kernel.n_opened == 1 && kernel.n_dropped == 1,
       sentence);
}

static void
check_failed(uint32_t type, enum hpm_domain domain, bool is_fixed,
             int explained, const char *why, const char *sentence)
{
    enum hpm_domain found;

    ok(find(type, domain, is_fixed, &found) == HPM_FINDING_FAILED &&
           kernel.explained == explained && strcmp(err.text, why) == 0 &&
           kernel.n_opened == 0,
       sentence);
    printf("# '%s', %d\n", err.text, kernel.explained);
}

/* ---- domains --------------------------------------------------------- */

static void
test_software(void)
{
    const uint32_t type = PERF_TYPE_SOFTWARE;

    begin(HPM_DOMAIN_USER, 0);
    check_found(type, HPM_DOMAIN_USER, false, HPM_DOMAIN_ALL,
                "software events are counted with their kernel part");
    begin(HPM_DOMAIN_USER, 0);
    check_found(type, HPM_DOMAIN_USER, true, HPM_DOMAIN_USER,
                "unless the name says otherwise");
    begin(HPM_DOMAIN_USER, 0);
    check_found(PERF_TYPE_TRACEPOINT, HPM_DOMAIN_USER, false, HPM_DOMAIN_ALL,
                "tracepoints are of software");
    begin(HPM_DOMAIN_ALL, EACCES);
    check_failed(
        type, HPM_DOMAIN_USER, false, EACCES, "explained",
        "where the kernel may not be counted, not at all: a part would "
        "stand for the whole");
    is_clock = true;
    begin(HPM_DOMAIN_ALL, EACCES);
    check_found(type, HPM_DOMAIN_USER, false, HPM_DOMAIN_USER,
                "but clocks, which count that in any domain");
    begin(HPM_DOMAIN_ALL, EPERM);
    check_found(type, HPM_DOMAIN_USER, false, HPM_DOMAIN_USER,
                "however that is said");
    is_clock = false;
    begin(HPM_DOMAIN_ALL, EACCES);
    check_failed(type, HPM_DOMAIN_ALL, true, EACCES, "explained",
                 "unless that is what the name says");
    begin(HPM_DOMAIN_ALL, EINVAL);
    check_failed(type, HPM_DOMAIN_USER, false, EINVAL, "explained",
                 "another error is said as it is");
}

static void
test_hardware(void)
{
    const uint32_t type = PERF_TYPE_HARDWARE;

    begin(HPM_DOMAIN_ALL, EACCES);
    check_found(type, HPM_DOMAIN_USER, false, HPM_DOMAIN_USER,
                "hardware events are counted in the domain asked for");
    begin(HPM_DOMAIN_USER, EINVAL);
    check_found(type, HPM_DOMAIN_USER, false, HPM_DOMAIN_ALL,
                "where a PMU cannot tell domains apart, in all");
    begin(HPM_DOMAIN_USER, EINVAL);
    check_failed(type, HPM_DOMAIN_USER, true, EINVAL, "explained",
                 "unless the name says which");
    begin(HPM_DOMAIN_USER, EACCES);
    check_failed(type, HPM_DOMAIN_USER, false, EACCES, "explained",
                 "what may not be counted is not");
}

/* ---- reasons --------------------------------------------------------- */

static void
test_absent(void)
{
    static const uint32_t types[] = {PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE,
                                     PERF_TYPE_RAW};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        begin(HPM_DOMAIN_USER, ENOENT);
        kernel.has_hardware = false;
        check_failed(types[i], HPM_DOMAIN_USER, false, 0, "no hardware",
                     "without hardware counters that is the reason");
        begin(HPM_DOMAIN_USER, ENOENT);
        check_failed(types[i], HPM_DOMAIN_USER, false, ENOENT, "explained",
                     "with them the processor has not this event");
    }
    begin(HPM_DOMAIN_USER, ENOENT);
    kernel.has_hardware = false;
    check_failed(77, HPM_DOMAIN_USER, false, ENOENT, "explained",
                 "another PMU has nothing to do with it");
    begin(HPM_DOMAIN_USER, EBUSY);
    kernel.has_hardware = false;
    check_failed(PERF_TYPE_HARDWARE, HPM_DOMAIN_USER, false, EBUSY, "explained",
                 "nor has another error");
}

static void
test_zero(void)
{
    struct hpm_event event = {.encoding.type = PERF_TYPE_HARDWARE};
    struct hpm_generic generic = {.unit = "", .must_count = true};

    begin(HPM_DOMAIN_USER, 0);
    ok(try_event(&event, &generic, false, &err) == HPM_FINDING_FOUND,
       "what must count and does is found");
    kernel.counts = false;
    ok(try_event(&event, &generic, false, &err) == HPM_FINDING_ZERO &&
           strncmp(err.text, "reads 0", 7) == 0,
       "what must count and reads 0 is not");
    generic.must_count = false;
    ok(try_event(&event, &generic, false, &err) == HPM_FINDING_FOUND,
       "others may be 0");
    ok(kernel.n_opened == 3 && kernel.n_dropped == 3, "none stays open");
}

static void
test_needs_kernel(void)
{
    struct hpm_event event = {.encoding.type = PERF_TYPE_SOFTWARE,
                              .domain = HPM_DOMAIN_USER};
    const struct hpm_generic generic = {.unit = "", .needs_kernel = true};

    begin(HPM_DOMAIN_ALL, 0);
    ok(try_event(&event, &generic, true, &err) == HPM_FINDING_FAILED &&
           strstr(err.text, "without ':u'") != NULL,
       "what happens in the kernel only is not counted without that");
    ok(try_event(&event, &generic, false, &err) == HPM_FINDING_FOUND &&
           event.domain == HPM_DOMAIN_ALL,
       "but with it");
    is_count((uint64_t)kernel.n_dropped, 2, "none stays open");
    begin(HPM_DOMAIN_ALL, EACCES);
    event.domain = HPM_DOMAIN_USER;
    ok(try_event(&event, &generic, false, &err) == HPM_FINDING_FAILED &&
           kernel.explained == EACCES && kernel.n_opened == 0,
       "nor tried without it");
}

/* Some events are counted only behind another one. */
static void
test_group(void)
{
    struct hpm_event event = {
        .encoding = {.type = PERF_TYPE_RAW, .config = 1, .leader = 7}};
    const struct hpm_generic generic = {.unit = ""};

    begin(HPM_DOMAIN_USER, 0);
    ok(try_event(&event, &generic, true, &err) == HPM_FINDING_FOUND &&
           kernel.leader == FIRST_FD && kernel.leader_config == 7 &&
           kernel.n_opened == 2 && kernel.n_dropped == 2,
       "an event of a group is tried behind its leader");
    begin(HPM_DOMAIN_USER, 0);
    kernel.group_error = EMFILE;
    ok(try_event(&event, &generic, true, &err) == HPM_FINDING_FAILED &&
           kernel.explained == EMFILE && kernel.n_dropped == 1,
       "its error is told, and the leader closed");
    begin(HPM_DOMAIN_USER, EMFILE);
    ok(try_event(&event, &generic, true, &err) == HPM_FINDING_FAILED &&
           kernel.explained == EMFILE && kernel.n_opened == 0,
       "without a leader it is not tried");
}

int
main(void)
{
    test_software();
    test_hardware();
    test_absent();
    test_zero();
    test_needs_kernel();
    test_group();
    return done();
}
