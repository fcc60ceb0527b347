/* SPDX-License-Identifier: BSD-3-Clause
 * What /proc/cpuinfo says of the processor. */
#ifndef HPM_SOURCE_MACHINE_CPUINFO_H
#define HPM_SOURCE_MACHINE_CPUINFO_H

#include <stdbool.h>
#include <stddef.h>

struct hpm_cpuinfo {
    char name[128];     /* of the model; empty where it has none (Arm) */
    char model[128];    /* in the numbers its PMU is known by: "GenuineIntel
                      * family 6 model 143", "implementer 0x41 part 0xd0c";
                      * empty where nobody tells */
    char identity[128]; /* as definitions name it, "GenuineIntel-6-8F-8",
                         * "MIDR-410fd490", "PVR-004e1202", "RISCV-0x489-..."; or
                         * empty */
    bool has_flags;     /* x86: the next two are known */
    bool is_virtual;
    bool has_multiply_add;
};

/* Read at the first call, for the kernel makes the file anew each time, which
 * takes longer the more processors there are; any thread. */
const struct hpm_cpuinfo *hpm_cpuinfo_get(void) __attribute__((cold));

#endif
