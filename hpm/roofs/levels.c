/* SPDX-License-Identifier: BSD-3-Clause
 * How much memory threads must read so that it comes from one level of the
 * caches, or from memory. */
#include "hpm/roofs/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hpm/roofs/roofkernel.h"
#include "source/machine/procfile.h"

struct level {
    size_t size;      /* bytes; 0: none, or not known */
    size_t n_sharing; /* number of processors that share it */
};

/* The length of a list such as "0-3,8": five. */
static size_t
count_listed(const char *list)
{
    size_t n = 0;

    while (*list >= '0' && *list <= '9') {
        char *end;
        long first = strtol(list, &end, 10);
        long last = *end == '-' ? strtol(end + 1, &end, 10) : first;

        n += last >= first ? (size_t)(last - first + 1) : 0;
        list = end + (*end == ',');
    }
    return n > 0 ? n : 1;
}

static bool
read_index(int index, const char *file, char *ret_text, size_t size)
{
    char path[96];

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s",
             index, file);
    return hpm_procfile_line(path, ret_text, size);
}

static struct level
find_level(int level)
{
    for (int i = 0; i < 8; i++) {
        char text[256], *end;
        struct level found;

        if (!read_index(i, "level", text, sizeof text) || atoi(text) != level ||
            !read_index(i, "type", text, sizeof text) || text[0] == 'I' ||
            !read_index(i, "size", text, sizeof text))
            continue;
        found.size = strtoul(text, &end, 10);
        found.size <<= *end == 'M' ? 20 : *end == 'K' ? 10 : 0;
        found.n_sharing = read_index(i, "shared_cpu_list", text, sizeof text)
                              ? count_listed(text)
                              : 1;
        return found;
    }
    return (struct level){0};
}

/* The share of a level for one of so many threads. */
static size_t
share_of(struct level level, size_t n_threads)
{
    size_t n = n_threads < level.n_sharing ? n_threads : level.n_sharing;

    return n > 0 ? level.size / n : 0;
}

static size_t
whole_blocks(size_t size)
{
    return size / ROOF_BLOCK * ROOF_BLOCK;
}

/* Half of a level; the other half is for other data.  A walk through at least
 * twice the size of the level before finds nothing in that level. */
static size_t
size_in_cache(int level, size_t n_threads, const char **ret_why)
{
    size_t here = share_of(find_level(level), n_threads);
    size_t before = level > 1 ? share_of(find_level(level - 1), n_threads) : 0;

    if (here == 0)
        *ret_why = "this machine does not tell of such a cache";
    else if (here / 2 < 2 * before)
        *ret_why = "what it has for each processor is less than four times "
                   "what the level before it has";
    else
        return whole_blocks(here / 2);
    return 0;
}

/* Four times the last cache; 64 MiB if the machine does not tell its caches. */
static size_t
size_in_memory(size_t n_threads, const char **ret_why)
{
    const size_t least = (size_t)16 << 20;
    long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    struct level last = {0};
    size_t size;

    for (int i = 3; i > 0 && last.size == 0; i--)
        last = find_level(i);
    size = last.size > 0 ? 4 * share_of(last, n_threads) : (size_t)64 << 20;
    if (size < least)
        size = least;
    if (pages <= 0 || page <= 0 ||
        size / (size_t)page >= (size_t)pages / 2 / n_threads) {
        *ret_why = "too little memory is free for four times the last cache";
        return 0;
    }
    return whole_blocks(size);
}

size_t
levels_size(int level, size_t n_threads, const char **ret_why)
{
    return level == LEVEL_MEMORY ? size_in_memory(n_threads, ret_why)
                                 : size_in_cache(level, n_threads, ret_why);
}
