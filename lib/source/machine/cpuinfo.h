/* SPDX-License-Identifier: BSD-3-Clause
 * Facts on the processor in /proc/cpuinfo. */
#ifndef HPM_SOURCE_MACHINE_CPUINFO_H
#define HPM_SOURCE_MACHINE_CPUINFO_H

#include <stdbool.h>
#include <stddef.h>

struct hpm_cpuinfo {
    char name[128];     /* of the model; empty if it has none (Arm) */
    char model[128];    /* the numbers by which its PMU is known: "GenuineIntel
                         * family 6 model 143", "implementer 0x41 part 0xd0c";
                         * empty if not known */
    char identity[128]; /* as definitions write it, "GenuineIntel-6-8F-8",
                         * "MIDR-410fd490", "PVR-004e1202", "RISCV-0x489-...";
                         * or empty */
    bool has_flags;     /* x86: the next two are known */
    bool is_virtual;
    bool has_multiply_add;
};

/* The file is read once, at the first call: the kernel makes it anew each time,
 * and takes the longer the more processors there are.  Any thread. */
const struct hpm_cpuinfo *hpm_cpuinfo_get(void) __attribute__((cold));

#endif
