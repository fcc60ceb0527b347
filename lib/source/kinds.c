/* SPDX-License-Identifier: BSD-3-Clause
 * Processors with cores of several kinds. */
#include "source/kinds.h"

#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "source/generic.h"
#include "source/machine/devices.h"

/* ---- the kinds ------------------------------------------------------- */

static struct {
    pthread_once_t once;
    size_t n;
    struct {
        char name[32];
        uint32_t type;
    } kinds[HPM_MAX_KINDS];
} machine = {.once = PTHREAD_ONCE_INIT};

static void
find_kinds(void)
{
    char names[256], *rest = NULL;
    size_t n = 0;

    if (hpm_devices_cores(names, sizeof names) < 2)
        return;
    for (char *name = strtok_r(names, ", ", &rest);
         name != NULL && n < HPM_MAX_KINDS; name = strtok_r(NULL, ", ", &rest))
        if (strlen(name) < sizeof machine.kinds[n].name &&
            hpm_devices_type(name, &machine.kinds[n].type))
            strcpy(machine.kinds[n++].name, name);
    machine.n = n > 1 ? n : 0;
}

size_t
hpm_kinds_count(void)
{
    pthread_once(&machine.once, find_kinds);
    return machine.n;
}

/* The kernel's own names have the PMU's type in the upper half of config. */
uint32_t
hpm_kinds_pmu(const struct hpm_encoding *encoding)
{
    bool is_generic = encoding->type == PERF_TYPE_HARDWARE ||
                      encoding->type == PERF_TYPE_HW_CACHE;
    uint32_t type = is_generic ? (uint32_t)(encoding->config >> 32) : 0;

    return type != 0 ? type : encoding->type;
}

size_t
hpm_kinds_of(const struct hpm_encoding *encoding)
{
    size_t n = hpm_kinds_count();

    for (size_t i = 0; i < n; i++) {
        if (machine.kinds[i].type == hpm_kinds_pmu(encoding))
            return i;
    }
    return HPM_NO_KIND;
}

struct hpm_encoding
hpm_kinds_cycles(size_t kind)
{
#if defined(__x86_64__) || defined(__i386__)
    uint64_t code = 0x3c;
#else /* Arm's architecture */
    uint64_t code = 0x11;
#endif

    if (strncmp(machine.kinds[kind].name, "apple_", 6) == 0)
        code = 0x02; /* Apple's cores have other codes */

    return (struct hpm_encoding){.type = machine.kinds[kind].type,
                                 .config = code};
}

/* ---- names ----------------------------------------------------------- */

static bool
is_of_pmu(const struct hpm_generic *generic)
{
    return generic->encoding.type == PERF_TYPE_HARDWARE ||
           generic->encoding.type == PERF_TYPE_HW_CACHE;
}

bool
hpm_kinds_spell(const char *name, size_t kind, char *ret_name, size_t size)
{
    char plain[256];
    enum hpm_domain domain = HPM_DOMAIN_USER;
    struct hpm_generic generic;
    bool has_domain = hpm_domain_split(name, plain, sizeof plain, &domain);

    if (kind >= hpm_kinds_count() || !hpm_generic_find(plain, &generic) ||
        !is_of_pmu(&generic))
        return false;
    return snprintf(ret_name, size, "%s/%s/%s", machine.kinds[kind].name, plain,
                    has_domain ? strrchr(name, ':') + 1 : "") < (int)size;
}

bool
hpm_kinds_read_name(const char *name, struct hpm_generic *ret_generic)
{
    size_t length = strcspn(name, "/"), n = hpm_kinds_count();
    char event[128];

    if (n == 0 || name[length] == '\0')
        return false;
    snprintf(event, sizeof event, "%s", name + length + 1);
    event[strcspn(event, "/")] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (strlen(machine.kinds[i].name) != length ||
            strncmp(machine.kinds[i].name, name, length) != 0 ||
            !hpm_generic_find(event, ret_generic) || !is_of_pmu(ret_generic))
            continue;
        ret_generic->encoding.config |= (uint64_t)machine.kinds[i].type << 32;
        return true;
    }
    return false;
}

/* ---- time on each kind ----------------------------------------------- */

/* A pause this short is not waiting for a counter: it is the thread's time
 * between two system calls that read.  One call takes a few microseconds, and
 * counters change hands at most once in a millisecond. */
enum { READING_NS = 100000 };

void
hpm_kinds_add(struct hpm_kinds_reading *reading, size_t kind, uint64_t enabled,
              uint64_t running)
{
    reading->sum[kind] += running;
    if (running > reading->longest[kind])
        reading->longest[kind] = running;
    if (enabled > reading->enabled)
        reading->enabled = enabled;
}

static uint64_t
time_on(const struct hpm_kinds_times *times,
        const struct hpm_kinds_reading *reading, size_t kind)
{
    return reading->longest[kind] + times->kinds[kind].waited;
}

/* Divide the time in which no counter ran among the kinds.  If the groups of a
 * kind ran longer together than its longest group, groups of that kind take
 * turns, and they waited; else each kind gets a part by the time its counters
 * ran meanwhile. */
static void
divide(struct hpm_kinds_times *times, const struct hpm_kinds_reading *reading,
       uint64_t waited)
{
    uint64_t weights[2][HPM_MAX_KINDS], sums[2] = {0};
    size_t chosen;

    for (size_t i = 0; i < HPM_MAX_KINDS; i++) {
        uint64_t ran = reading->longest[i] - times->kinds[i].longest;

        weights[1][i] = ran;
        weights[0][i] = reading->sum[i] - times->kinds[i].sum - ran;
        sums[0] += weights[0][i];
        sums[1] += weights[1][i];
    }
    chosen = sums[0] > 0 ? 0 : 1;
    for (size_t i = 0; i < HPM_MAX_KINDS && sums[chosen] > 0; i++)
        times->kinds[i].waited += (uint64_t)((unsigned __int128)waited *
                                             weights[chosen][i] / sums[chosen]);
}

void
hpm_kinds_end(struct hpm_kinds_times *times,
              const struct hpm_kinds_reading *reading)
{
    uint64_t known = 0;

    for (size_t i = 0; i < HPM_MAX_KINDS; i++)
        known += time_on(times, reading, i);
    if (reading->enabled < known ||
        reading->enabled - known <= reading->n_reads * READING_NS)
        return;
    divide(times, reading, reading->enabled - known);
    for (size_t i = 0; i < HPM_MAX_KINDS; i++) {
        times->kinds[i].longest = reading->longest[i];
        times->kinds[i].sum = reading->sum[i];
    }
}

uint64_t
hpm_kinds_wanted(const struct hpm_kinds_times *times,
                 const struct hpm_kinds_reading *reading, size_t kind,
                 uint64_t running)
{
    uint64_t time = time_on(times, reading, kind);

    return time - running > reading->n_reads * READING_NS ? time : running;
}
