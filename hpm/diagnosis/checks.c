/* SPDX-License-Identifier: BSD-3-Clause
 * The checks of hpm doctor: can anything be counted, does the processor count,
 * do the libraries know it; then the surroundings. */
#include "hpm/diagnosis/checks.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hpm/diagnosis/papihealth.h"
#include "hpm/diagnosis/selftest.h"
#include "source/confinement.h"
#include "source/defined.h"
#include "source/hardware.h"
#include "source/machine/cpuinfo.h"
#include "source/machine/devices.h"
#include "source/machine/procfile.h"
#include "source/perf.h"
#include "source/pfm.h"
#include "source/wrongcodes.h"
#include "study/words/words.h"

/* ---- counters --------------------------------------------------------- */

static void
check_kernel(struct findings *findings)
{
    const struct hpm_event task_clock = {
        .domain = HPM_DOMAIN_USER,
        .encoding = {.type = PERF_TYPE_SOFTWARE,
                     .config = PERF_COUNT_SW_TASK_CLOCK}};
    int fd = hpm_perf_open(&task_clock, 0, -1, 0);
    struct hpm_obstacle obstacle;

    if (fd < 0) {
        hpm_obstacle_of_error(errno, &obstacle);
        findings_add_obstacle(findings, "kernel", &obstacle);
        return;
    }
    close(fd);
    findings_add(findings, "kernel", FINDING_OK, "",
                 "perf_event_open counts software events");
}

/* Where even software events fail, the cause is known already. */
static void
check_hardware(struct findings *findings)
{
    struct hpm_obstacle obstacle;

    if (findings_cause(findings) != NULL)
        return;
    findings->has_hardware = hpm_hardware_check(&obstacle);
    if (findings->has_hardware)
        findings_add(findings, "hardware", FINDING_OK, "",
                     "the processor's counters count");
    else
        findings_add_obstacle(findings, "hardware", &obstacle);
}

static void
add_result(char *words, size_t size, const char *event, const char *result)
{
    size_t length = strlen(words);

    snprintf(words + length, size - length, "%s%s %s", length > 0 ? ", " : "",
             event, result);
}

/* A hypervisor may pass on only a part of a PMU. */
static void
check_events(struct findings *findings)
{
    struct hpm_selftest tests[HPM_N_SELFTESTS];
    char words[256] = "";
    bool is_whole = true;

    if (!findings->has_hardware)
        return;
    hpm_selftest_run(tests);
    for (size_t i = 0; i < HPM_N_SELFTESTS; i++) {
        static const char *const results[] = {[HPM_SELFTEST_COUNTS] = "counts",
                                              [HPM_SELFTEST_ZERO] = "reads 0",
                                              [HPM_SELFTEST_REFUSED] =
                                                  "is refused"};

        is_whole &= tests[i].result == HPM_SELFTEST_COUNTS;
        add_result(words, sizeof words, tests[i].event,
                   results[tests[i].result]);
    }
    if (is_whole)
        findings_add(findings, "events", FINDING_OK, "", "%s", words);
    else
        findings_add(findings, "events", FINDING_FAULT,
                     N_("name only events that count; ask the provider for a "
                        "full PMU, or run on a metal instance"),
                     "the PMU is there in part: %s", words);
}

/* ---- names of events -------------------------------------------------- */

static void
check_sysfs(struct findings *findings)
{
    char pmus[128];

    if (!hpm_devices_are_there())
        findings_add(findings, "sysfs", FINDING_FAULT,
                     N_("mount it: mount -t sysfs sysfs /sys"),
                     "/sys is not mounted, so the names of the kernel's PMUs "
                     "and their events are not known");
    else if (hpm_devices_cores(pmus, sizeof pmus) > 0)
        findings_add(findings, "sysfs", FINDING_OK, "",
                     "the kernel lists PMUs of the cores: %s", pmus);
    else
        findings_add(findings, "sysfs", FINDING_NOTE, "",
                     "the kernel lists no PMU of the cores");
}

/* Without counters libpfm4's names are of no use, so lacking them is no
 * fault. */
static enum finding_state
worst(const struct findings *findings)
{
    return findings->has_hardware ? FINDING_FAULT : FINDING_NOTE;
}

/* The remedy; `ret` is room for its text. */
static const char *
pfm_remedy(const char *model, struct hpm_error *ret)
{
    const char *relative = hpm_pfm_relative(model);

    if (relative == NULL)
        return N_("install a newer libpfm4 and PAPI; until then use the "
                  "kernel's names (hpmcount -l)");
    hpm_error_set(ret,
                  "install a newer libpfm4 and PAPI; until then set "
                  "LIBPFM_FORCE_PMU=%s, whose events it has, or use the "
                  "kernel's names (hpmcount -l)",
                  relative);
    return ret->text;
}

/* Check for events for which libpfm4 has the code of another event. */
static void
check_wrong_codes(struct findings *findings)
{
    struct hpm_string names = {0};
    struct hpm_error complaint;
    size_t n = hpm_pfm_list_wrong(&names);

    if (n > 0)
        findings_add(findings, "wrong codes", FINDING_NOTE,
                     N_("install a newer libpfm4, if there is one"),
                     "libpfm4 encodes %zu event%s of this processor wrongly, "
                     "mended here or refused: %.900s",
                     n, n == 1 ? "" : "s", hpm_string_text(&names));
    hpm_string_free(&names);
    if (hpm_wrongcodes_complain(&complaint))
        findings_add(findings, "wrong codes", FINDING_NOTE,
                     N_("correct the file that HPM_WRONG_CODES names"),
                     "%.450s", complaint.text);
}

/* Definitions may know a processor that libpfm4 does not know. */
static void
check_processor(struct findings *findings)
{
    const char *identity = hpm_cpuinfo_get()->identity;
    char pmu[64];

    if (identity[0] == '\0')
        return;
    if (hpm_defined_name_pmu(pmu, sizeof pmu) &&
        secure_getenv("LIBPFM_FORCE_PMU") != NULL)
        findings_add(findings, "processor", FINDING_OK, "",
                     "LIBPFM_FORCE_PMU takes this processor (%s) for: %s",
                     identity, pmu);
    else if (hpm_defined_name_pmu(pmu, sizeof pmu))
        findings_add(findings, "processor", FINDING_OK, "",
                     "definitions know this processor (%s): %s", identity, pmu);
    else
        findings_add(findings, "processor", FINDING_OK, "",
                     "no definition names this processor by its identity, %s",
                     identity);
}

static void
check_libpfm(struct findings *findings)
{
    const char *model = hpm_cpuinfo_get()->model;
    char version[32], pmu[64];
    struct hpm_error remedy;

    if (!hpm_pfm_version(version, sizeof version))
        findings_add(findings, "libpfm4", FINDING_NOTE,
                     N_("build with libpfm4 for vendors' names of events"),
                     "not in this build");
    else if (hpm_pfm_core(pmu, sizeof pmu))
        findings_add(findings, "libpfm4", FINDING_OK, "",
                     "libpfm4 %s knows this processor: %s", version, pmu);
    else
        findings_add(findings, "libpfm4", worst(findings),
                     findings->has_hardware ? pfm_remedy(model, &remedy) : "",
                     "libpfm4 %s does not know this processor (%s)", version,
                     model[0] != '\0' ? model : "unknown");
    check_wrong_codes(findings);
}

/* At a level above 2, PAPI turns its counters off for all users, also for
 * root. */
static const char *
papi_remedy(const struct findings *findings)
{
    struct hpm_confinement confinement;

    if (!findings->has_hardware)
        return "";
    hpm_confinement_read(&confinement);
    if (confinement.paranoid > 2)
        return N_("as root: sysctl kernel.perf_event_paranoid=2");
    return N_("use the kernel's names and vendors' names in place of "
              "PAPI's (hpmcount -l)");
}

static void
check_papi(struct findings *findings)
{
    struct hpm_error why;
    char version[32];

    switch (hpm_papihealth_check(version, sizeof version, &why)) {
    case HPM_PAPIHEALTH_GOOD:
        findings_add(findings, "PAPI", FINDING_OK, "",
                     "PAPI %s counts hardware events", version);
        break;
    case HPM_PAPIHEALTH_NO_HARDWARE:
        findings_add(findings, "PAPI", worst(findings), papi_remedy(findings),
                     "PAPI %s counts no hardware events: %.200s", version,
                     why.text);
        break;
    case HPM_PAPIHEALTH_MISSING:
        findings_add(findings, "PAPI", FINDING_NOTE, "", "%.300s", why.text);
        break;
    }
}

/* ---- permissions ------------------------------------------------------- */

static void
check_paranoid(struct findings *findings)
{
    static const char check[] = "paranoid";
    struct hpm_confinement confinement;
    long level;

    hpm_confinement_read(&confinement);
    level = confinement.paranoid;
    if (level == HPM_CONFINEMENT_UNKNOWN)
        findings_add(findings, check, FINDING_NOTE, N_("mount /proc"),
                     "kernel.perf_event_paranoid cannot be read");
    else if (level < 2)
        findings_add(findings, check, FINDING_OK, "",
                     "kernel.perf_event_paranoid is %ld: programs and the "
                     "kernel's work for them may be counted",
                     level);
    else if (level == 2)
        findings_add(findings, check,
                     confinement.counts_kernel ? FINDING_OK : FINDING_NOTE,
                     confinement.counts_kernel
                         ? ""
                         : N_("as root: sysctl kernel.perf_event_paranoid=1"),
                     "kernel.perf_event_paranoid is 2: programs may be "
                     "counted, the kernel's work for them with CAP_PERFMON");
    else if (confinement.counts_user && !confinement.counts_kernel)
        findings_add(findings, check, FINDING_OK, "",
                     "kernel.perf_event_paranoid is %ld, which this kernel "
                     "takes as 2: programs may be counted",
                     level);
    else
        findings_add(findings, check, FINDING_NOTE,
                     N_("as root: sysctl kernel.perf_event_paranoid=2"),
                     "kernel.perf_event_paranoid is %ld: nothing may be "
                     "counted without CAP_PERFMON",
                     level);
}

/* In a user namespace the capability's bit is set but has no effect.  It is in
 * effect if this process can count the kernel where the level forbids it. */
static void
check_capability(struct findings *findings)
{
    static const char check[] = "capability";
    struct hpm_confinement confinement;

    hpm_confinement_read(&confinement);
    if (!confinement.has_perfmon)
        findings_add(findings, check, FINDING_OK, "",
                     "CAP_PERFMON is not in effect");
    else if (confinement.counts_kernel)
        findings_add(findings, check, FINDING_OK, "",
                     "CAP_PERFMON is in effect");
    else
        findings_add(findings, check, FINDING_NOTE,
                     N_("give it outside of the user namespace"),
                     "CAP_PERFMON is not in effect: it is that of a user "
                     "namespace, and counting the kernel was refused");
}

static void
check_confinement(struct findings *findings)
{
    struct hpm_confinement confinement;

    hpm_confinement_read(&confinement);
    if (confinement.seccomp == HPM_CONFINEMENT_UNKNOWN)
        findings_add(findings, "seccomp", FINDING_NOTE, N_("mount /proc"),
                     "whether there is a filter cannot be read");
    else
        findings_add(
            findings, "seccomp",
            confinement.seccomp == 0 ? FINDING_OK : FINDING_NOTE, "", "%s",
            confinement.seccomp == 0 ? "no filter of system calls"
                                     : "a filter decides on system calls");
    findings_add(
        findings, "container",
        confinement.container == NULL ? FINDING_OK : FINDING_NOTE, "", "%s",
        confinement.container == NULL ? "none is seen" : confinement.container);
}

/* ---- the machine ------------------------------------------------------ */

static void
check_hypervisor(struct findings *findings)
{
    char name[64];

    if (hpm_hardware_hypervisor(name, sizeof name))
        findings_add(findings, "hypervisor", FINDING_NOTE, "",
                     "this is a virtual machine: %s", name);
    else if (hpm_hardware_is_virtual())
        findings_add(findings, "hypervisor", FINDING_NOTE, "",
                     "this is a virtual machine");
    else
        findings_add(findings, "hypervisor", FINDING_OK, "", "none is seen");
}

static void
check_watchdog(struct findings *findings)
{
    if (!findings->has_hardware)
        return;
    if (hpm_procfile_number("/proc/sys/kernel/nmi_watchdog", 0) == 1)
        findings_add(findings, "watchdog", FINDING_NOTE,
                     N_("as root: sysctl kernel.nmi_watchdog=0"),
                     "the NMI watchdog keeps a counter of each processor");
    else
        findings_add(findings, "watchdog", FINDING_OK, "",
                     "no NMI watchdog keeps a counter");
}

static void
check_cores(struct findings *findings)
{
    char pmus[128];

    if (hpm_devices_cores(pmus, sizeof pmus) < 2)
        return;
    findings_add(findings, "cores", FINDING_NOTE,
                 N_("pin programs to one kind: taskset -c $(cat "
                    "/sys/bus/event_source/devices/NAME/cpus) PROGRAM"),
                 "cores of several kinds (%s): an event of one kind counts "
                 "nothing on the others",
                 pmus);
}

/* ---- limits ----------------------------------------------------------- */

static void
check_descriptors(struct findings *findings)
{
    enum { FEW = 1024, EVENTS = 4 };
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    if (limit.rlim_cur == RLIM_INFINITY)
        findings_add(findings, "descriptors", FINDING_OK, "", "no limit");
    else
        findings_add(findings, "descriptors",
                     limit.rlim_cur < FEW ? FINDING_NOTE : FINDING_OK,
                     limit.rlim_cur < FEW ? "raise the limit: ulimit -n 4096"
                                          : "",
                     "%lu file descriptors: %d events in at most %lu threads",
                     (unsigned long)limit.rlim_cur, EVENTS,
                     (unsigned long)limit.rlim_cur / EVENTS);
}

/* Only sampling needs locked memory. */
static void
check_locked_memory(struct findings *findings)
{
    long pool = hpm_procfile_number("/proc/sys/kernel/perf_event_mlock_kb", 0);
    struct rlimit limit;

    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0)
        return;
    if (limit.rlim_cur == RLIM_INFINITY)
        findings_add(findings, "locked memory", FINDING_OK, "", "no limit");
    else
        findings_add(findings, "locked memory", FINDING_OK, "",
                     "%lu kB, and %ld kB a processor for samples",
                     (unsigned long)limit.rlim_cur >> 10, pool);
}

/* ---- all checks -------------------------------------------------------- */

void
checks_run(struct findings *findings)
{
    static void (*const checks[])(struct findings *) = {
        check_kernel,      check_hardware,    check_events,
        check_sysfs,       check_processor,   check_libpfm,
        check_papi,        check_paranoid,    check_capability,
        check_confinement, check_hypervisor,  check_watchdog,
        check_cores,       check_descriptors, check_locked_memory,
    };

    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        checks[i](findings);
}
