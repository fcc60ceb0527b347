/* SPDX-License-Identifier: BSD-3-Clause
 * On which processors and NUMA nodes this process may run. */
#include "source/machine/affinity.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/machine/procfile.h"

/* As many as the kernel can have. */
enum { MOST_PROCESSORS = 8192, MOST_NODES = 1024 };

struct set {
    unsigned long words[MOST_PROCESSORS / (8 * sizeof(unsigned long))];
};

static bool
has(const struct set *set, unsigned i)
{
    return CPU_ISSET_S(i, sizeof *set, (const cpu_set_t *)(const void *)set);
}

/* Read "0-3,8", as far as there is room. */
static void
read_list(const char *text, struct set *ret_set)
{
    char *end;

    memset(ret_set, 0, sizeof *ret_set);
    for (; *text >= '0' && *text <= '9'; text = *end == ',' ? end + 1 : end) {
        unsigned long first = strtoul(text, &end, 10), last = first;

        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (; first <= last && first < MOST_PROCESSORS; first++)
            CPU_SET_S(first, sizeof *ret_set, (cpu_set_t *)(void *)ret_set);
    }
}

static void
add_list(struct hpm_string *string, const struct set *set, unsigned n)
{
    const char *before = "";

    for (unsigned first = 0, last; first < n; first = last + 1) {
        last = first;
        if (!has(set, first))
            continue;
        while (last + 1 < n && has(set, last + 1))
            last++;
        hpm_string_add_format(string, last > first ? "%s%u-%u" : "%s%u", before,
                              first, last);
        before = ",";
    }
}

static bool
have_common(const struct set *a, const struct set *b)
{
    for (size_t i = 0; i < sizeof a->words / sizeof a->words[0]; i++) {
        if ((a->words[i] & b->words[i]) != 0)
            return true;
    }
    return false;
}

/* False where a node's processors are not known. */
static bool
find_nodes(const struct set *processors, struct set *ret_nodes)
{
    char path[80], line[1024];
    struct set online, here;

    memset(ret_nodes, 0, sizeof *ret_nodes);
    if (!hpm_procfile_line("/sys/devices/system/node/online", line,
                           sizeof line))
        return false;
    read_list(line, &online);
    for (unsigned i = 0; i < MOST_NODES; i++) {
        if (!has(&online, i))
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/node/node%u/cpulist",
                 i);
        if (!hpm_procfile_line(path, line, sizeof line))
            return false;
        read_list(line, &here);
        if (have_common(processors, &here))
            CPU_SET_S(i, sizeof *ret_nodes, (cpu_set_t *)(void *)ret_nodes);
    }
    return true;
}

void
hpm_affinity_add(struct hpm_string *processors, struct hpm_string *nodes)
{
    struct set allowed = {{0}}, found;

    if (sched_getaffinity(getpid(), sizeof allowed,
                          (cpu_set_t *)(void *)&allowed) != 0)
        return;
    add_list(processors, &allowed, MOST_PROCESSORS);
    if (find_nodes(&allowed, &found))
        add_list(nodes, &found, MOST_NODES);
}
