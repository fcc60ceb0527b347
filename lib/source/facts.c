/* SPDX-License-Identifier: BSD-3-Clause
 * What definitions of metrics ask about a machine. */
#include "source/facts.h"

#include <stdio.h>
#include <string.h>

#include "source/cpuinfo.h"
#include "source/hardware.h"
#include "source/procfile.h"

static void
add_fact(struct hpm_string *string, const char *name, bool holds)
{
    hpm_string_add_format(string, "%s%s%s", string->length > 0 ? " " : "",
                          holds ? "" : "no-", name);
}

/* The highest level of the first processor's caches; 0 when not told. */
static long
highest_cache(void)
{
    long highest = 0, level = 1;

    for (int i = 0; i < 8 && level > 0; i++) {
        char path[96];

        snprintf(path, sizeof path,
                 "/sys/devices/system/cpu/cpu0/cache/index%d/level", i);
        level = hpm_procfile_number(path, 0);
        if (level > highest)
            highest = level;
    }
    return highest;
}

static void
add_caches(struct hpm_string *string)
{
    long highest = highest_cache();

    if (highest == 0)
        return;
    add_fact(string, "L2", highest >= 2);
    add_fact(string, "L3", highest >= 3);
}

/* x86 tells by a flag; the 64-bit Arm and POWER architectures have it. */
static void
add_multiply_add(struct hpm_string *string)
{
#if defined(__aarch64__) || defined(__powerpc64__)
    add_fact(string, "FMA", true);
#elif defined(__x86_64__) || defined(__i386__)
    if (hpm_cpuinfo_get()->has_flags)
        add_fact(string, "FMA", hpm_cpuinfo_get()->has_multiply_add);
#else
    (void)string;
#endif
}

void
hpm_facts_add(struct hpm_string *string)
{
    long smt = hpm_procfile_number("/sys/devices/system/cpu/smt/active", -1);
    char nodes[64];

    add_caches(string);
    if (smt >= 0)
        add_fact(string, "SMT", smt > 0);
    add_multiply_add(string);
    add_fact(string, "VM", hpm_hardware_is_virtual());
    if (hpm_procfile_read("/sys/devices/system/node/online", nodes,
                          sizeof nodes) > 0)
        add_fact(string, "NUMA", strpbrk(nodes, "-,") != NULL);
}
