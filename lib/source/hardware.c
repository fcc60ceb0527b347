/* SPDX-License-Identifier: BSD-3-Clause
 * Are there hardware counters here, and if not, why not. */
#include "config.h"

#include "source/hardware.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if HAVE_LIBPFM
#include <perfmon/pfmlib.h>
#endif

#include "base/memory.h"
#include "source/perf.h"
#include "source/pfm.h"
#include "source/procfile.h"

bool
hpm_hardware_is_virtual(void)
{
    static const char flags_label[] = "\nflags";
    char *text = hpm_memory_new(1 << 16, 1);
    bool is_virtual = false;
    char *flags;

    if (text != NULL &&
        hpm_procfile_read("/proc/cpuinfo", text, 1 << 16) > 0 &&
        (flags = strstr(text, flags_label)) != NULL) {
        flags[strcspn(flags + 1, "\n") + 1] = '\0';
        is_virtual = strstr(flags, " hypervisor") != NULL;
    }
    hpm_memory_free(text);
    return is_virtual;
}

/* The kernel lists a core PMU under one of these names. */
static bool
has_core_pmu(void)
{
    static const char *const names[] = {"cpu", "cpu_core", "armv8_pmuv3",
                                        "armv8_pmuv3_0"};
    char path[128];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s",
                 names[i]);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

bool
hpm_hardware_is_usable(struct hpm_error *why)
{
    const struct hpm_event cycles = {
        .domain = HPM_DOMAIN_USER,
        .encoding = {.type = PERF_TYPE_HARDWARE,
                     .config = PERF_COUNT_HW_CPU_CYCLES}};
    int saved_errno = errno;
    int fd = hpm_perf_open(&cycles, 0, -1, 0);
    bool is_usable = fd >= 0 && hpm_perf_counts(fd);

    if (fd >= 0) {
        hpm_perf_drop(fd);
        if (!is_usable)
            hpm_error_set(why, "the hardware counters of this machine are "
                               "accepted but read 0 (partial virtual PMU); "
                               "ask the provider for a full PMU");
    } else if (errno != ENOENT && errno != EOPNOTSUPP && errno != ENODEV &&
               errno != EINVAL) {
        hpm_perf_explain(errno, why);
    } else if (has_core_pmu()) {
        hpm_error_set(why, "the kernel lists a PMU but refuses to count "
                           "cycles (perf_event_open: %s)", strerror(errno));
    } else if (hpm_hardware_is_virtual()) {
        hpm_error_set(why, "this virtual machine has no PMU; give it one "
                           "(QEMU: -cpu host,pmu=on), or run on a metal "
                           "instance");
    } else {
        hpm_error_set(why, "the kernel has no PMU driver for this processor; "
                           "a newer kernel may have one");
    }
    errno = saved_errno;
    return is_usable;
}

#if HAVE_LIBPFM
bool
hpm_hardware_pmu(char *ret_name, size_t size)
{
    pfm_pmu_t pmu;

    if (!hpm_pfm_is_ready())
        return false;
    pfm_for_all_pmus(pmu) {
        pfm_pmu_info_t info;

        memset(&info, 0, sizeof info);
        info.size = sizeof info;
        if (pfm_get_pmu_info(pmu, &info) == PFM_SUCCESS && info.is_present &&
            info.type == PFM_PMU_TYPE_CORE) {
            snprintf(ret_name, size, "%s", info.name);
            return true;
        }
    }
    return false;
}
#else
bool
hpm_hardware_pmu(char *ret_name, size_t size)
{
    (void)ret_name;
    (void)size;
    return false;
}
#endif
