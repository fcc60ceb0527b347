/* SPDX-License-Identifier: BSD-3-Clause
 * Facts about a machine that definitions of metrics ask for. */
#include "source/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "source/clock.h"
#include "source/machine/cpuinfo.h"
#include "source/hardware.h"
#include "source/machine/kept.h"
#include "source/machine/procfile.h"
#include "source/sysfs.h"

static void
add_fact(struct hpm_string *string, const char *name, bool holds)
{
    hpm_string_add_format(string, "%s%s%s", string->length > 0 ? " " : "",
                          holds ? "" : "no-", name);
}

static void
add_number(struct hpm_string *string, const char *name, long number)
{
    if (number > 0)
        hpm_string_add_format(string, " %s=%ld", name, number);
}

/* The first processor's caches; 0 if not known. */
struct caches {
    long highest; /* level */
    long line;
    long size[4]; /* bytes, by level; without instruction caches */
};

/* Reads "1024K" as bytes. */
static long
read_size(const char *path)
{
    char text[32], *end;
    long size;

    if (!hpm_procfile_line(path, text, sizeof text))
        return 0;
    size = strtol(text, &end, 10);
    if (*end == 'K')
        return size * 1024;
    return *end == 'M' ? size * 1024 * 1024 : size;
}

static void
read_caches(struct caches *ret_caches)
{
    struct caches caches = {0};
    long level = 1;

    for (int i = 0; i < 8 && level > 0; i++) {
        char path[96];
        int length = snprintf(path, sizeof path,
                              "/sys/devices/system/cpu/cpu0/cache/index%d/", i);

        strcpy(path + length, "level");
        level = hpm_procfile_number(path, 0);
        if (level > caches.highest)
            caches.highest = level;
        if (level < 2 || level > 3)
            continue;
        strcpy(path + length, "size");
        caches.size[level] = read_size(path);
        strcpy(path + length, "coherency_line_size");
        caches.line = hpm_procfile_number(path, 0);
    }
    *ret_caches = caches;
}

static void
add_cache_levels(struct hpm_string *string, const struct caches *caches)
{
    if (caches->highest == 0)
        return;
    add_fact(string, "L2", caches->highest >= 2);
    add_fact(string, "L3", caches->highest >= 3);
}

/* The length of SVE vectors; other vectors are not of variable length. */
static long
vector_bytes(void)
{
#if defined(__aarch64__) && defined(PR_SVE_GET_VL)
    int length = prctl(PR_SVE_GET_VL);

    return length > 0 ? length & PR_SVE_VL_LEN_MASK : 0;
#else
    return 0;
#endif
}

/* x86 has a flag for it; the 64-bit Arm and POWER architectures always have
 * it. */
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

/* The kernel's tick, by which it divides the two times of getrusage. */
static long
tick_ns(void)
{
    struct timespec tick;

    if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0 || tick.tv_sec != 0)
        return 0;
    return tick.tv_nsec;
}

void
hpm_facts_add(struct hpm_string *string)
{
    long smt = hpm_procfile_number("/sys/devices/system/cpu/smt/active", -1);
    struct caches caches;
    char nodes[64];

    read_caches(&caches);
    add_cache_levels(string, &caches);
    if (smt >= 0)
        add_fact(string, "SMT", smt > 0);
    add_multiply_add(string);
    add_fact(string, "VM", hpm_hardware_is_virtual());
    if (hpm_procfile_read("/sys/devices/system/node/online", nodes,
                          sizeof nodes) > 0)
        add_fact(string, "NUMA", strpbrk(nodes, "-,") != NULL);
    add_number(string, "LINE", caches.line);
    add_number(string, "L2_SIZE", caches.size[2]);
    add_number(string, "L3_SIZE", caches.size[3]);
    add_number(string, "WIDTH", hpm_sysfs_core_slots());
    add_number(string, "VECTOR_BYTES", vector_bytes());
    add_number(string, "TICK_NS", tick_ns());
    if (!hpm_clock_is_replayed()) /* replayed counts are another machine's */
        hpm_kept_add_facts(string);
}
