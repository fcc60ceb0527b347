/* SPDX-License-Identifier: BSD-3-Clause
 * Finds whether there are hardware counters here, and if not, why. */
#include "config.h"

#include "base/mark.h"
#include "source/hardware.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "source/machine/cpuinfo.h"
#include "source/machine/procfile.h"
#include "source/machine/devices.h"
#include "source/perf.h"
#include "source/pfm.h"

bool
hpm_hardware_is_virtual(void)
{
    return hpm_cpuinfo_get()->is_virtual;
}

#if defined(__x86_64__) || defined(__i386__)
/* Hypervisors give their name in leaf 0x40000000. */
static void
read_signature(char *ret_signature)
{
    unsigned eax, words[3];

    __cpuid(0x40000000, eax, words[0], words[1], words[2]);
    memcpy(ret_signature, words, sizeof words);
    ret_signature[sizeof words] = '\0';
}
#else
static void
read_signature(char *ret_signature)
{
    hpm_procfile_line("/proc/device-tree/hypervisor/compatible", ret_signature,
                      16);
}
#endif

bool
hpm_hardware_hypervisor(char *ret_name, size_t size)
{
    static const struct {
        const char *signature, *name;
    } known[] = {{"KVMKVMKVM", "KVM"},           {"Microsoft Hv", "Hyper-V"},
                 {"VMwareVMware", "VMware"},     {"XenVMMXenVMM", "Xen"},
                 {"TCGTCGTCGTCG", "QEMU"},       {"bhyve bhyve ", "bhyve"},
                 {"VBoxVBoxVBox", "VirtualBox"}, {" lrpepyh  vr", "Parallels"},
                 {"linux,kvm", "KVM"},           {"xen,xen", "Xen"}};
    char signature[16] = "";

    if (hpm_procfile_line("/sys/hypervisor/type", ret_name, size))
        return true;
#if defined(__x86_64__) || defined(__i386__)
    if (!hpm_hardware_is_virtual())
        return false;
#endif
    read_signature(signature);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(signature, known[i].signature) == 0) {
            snprintf(ret_name, size, "%s", known[i].name);
            return true;
        }
    }
    return false;
}

/* The kernel only says that it cannot count cycles: find the reason. */
static void
explain_absence(int error, struct hpm_obstacle *obstacle)
{
    char pmus[128];

    if (!hpm_devices_are_there())
        hpm_obstacle_set(
            obstacle, "no-sysfs",
            N_("mount it (mount -t sysfs sysfs /sys), and look again"),
            "the kernel counts no cycles, and /sys, where it "
            "lists its PMUs, is not mounted");
    else if (hpm_devices_cores(pmus, sizeof pmus) > 0)
        hpm_obstacle_set(obstacle, "refused",
                         N_("see the kernel's log (dmesg)"),
                         "the kernel lists a PMU (%s) but refuses to count "
                         "cycles (perf_event_open: %s)",
                         pmus, strerror(error));
    else if (hpm_hardware_is_virtual())
        hpm_obstacle_set(obstacle, "no-pmu",
                         N_("give it one (QEMU: -cpu host,pmu=on), or run on a "
                            "metal instance"),
                         "this virtual machine has no PMU");
    else
        hpm_obstacle_set(obstacle, "no-driver",
                         N_("a newer kernel may have one"),
                         "the kernel has no PMU driver for this processor");
}

bool
hpm_hardware_check(struct hpm_obstacle *ret_obstacle)
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
            hpm_obstacle_set(ret_obstacle, "reads-zero",
                             N_("ask the provider for a full PMU"),
                             "the hardware counters of this machine are "
                             "accepted but read 0 (partial virtual PMU)");
    } else if (errno == ENOENT || errno == EOPNOTSUPP || errno == ENODEV ||
               errno == EINVAL) {
        explain_absence(errno, ret_obstacle);
    } else {
        hpm_obstacle_of_error(errno, ret_obstacle);
    }
    errno = saved_errno;
    return is_usable;
}

bool
hpm_hardware_is_usable(struct hpm_error *why)
{
    struct hpm_obstacle obstacle;

    return hpm_hardware_check(&obstacle) || hpm_obstacle_say(&obstacle, why);
}

/* LIBPFM_FORCE_PMU names a PMU of another machine: treat it as present. */
bool
hpm_hardware_has_pmu(void)
{
    char pmus[128];

    return secure_getenv("LIBPFM_FORCE_PMU") != NULL ||
           !hpm_devices_are_there() || hpm_devices_cores(pmus, sizeof pmus) > 0;
}
