/* SPDX-License-Identifier: BSD-3-Clause
 * Walks through memory in which each address is read from the line before, so
 * that each load waits for the data of the load before. */
#include "hpm/verify/walks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/machine/procfile.h"

enum { LINE = 64 };

/* Limit of memory, so that machines with little memory or huge caches do not
 * take long. */
static const size_t most_bytes = (size_t)512 << 20;

void
walks_run(struct kernel_place *place, uint64_t rounds)
{
#if defined(__x86_64__)
    __asm__ volatile(".p2align 4\n0:\nmov (%[at]), %[at]\ndec %[rounds]\n"
                     "jnz 0b\n"
                     : [at] "+r"(place->at), [rounds] "+r"(rounds)
                     :
                     : "cc", "memory");
#elif defined(__aarch64__)
    __asm__ volatile(".p2align 4\n0:\nldr %[at], [%[at]]\n"
                     "subs %[rounds], %[rounds], #1\nb.ne 0b\n"
                     : [at] "+r"(place->at), [rounds] "+r"(rounds)
                     :
                     : "cc", "memory");
#else
    for (; rounds > 0; rounds--)
        place->at = *(void *volatile *)place->at;
#endif
}

/* ---- caches ---------------------------------------------------------- */

static bool
is_of_data(int index)
{
    char path[96], type[32];

    snprintf(path, sizeof path,
             "/sys/devices/system/cpu/cpu0/cache/index%d/type", index);
    return hpm_procfile_line(path, type, sizeof type) &&
           strcmp(type, "Instruction") != 0;
}

size_t
walks_cache_size(int level)
{
    for (int i = 0; i < 8; i++) {
        char path[96], text[32], *end;
        size_t size;

        snprintf(path, sizeof path,
                 "/sys/devices/system/cpu/cpu0/cache/index%d/level", i);
        if (hpm_procfile_number(path, 0) != level || !is_of_data(i))
            continue;
        snprintf(path, sizeof path,
                 "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        if (!hpm_procfile_line(path, text, sizeof text))
            return 0;
        size = strtoul(text, &end, 10);
        return *end == 'M' ? size << 20 : *end == 'K' ? size << 10 : size;
    }
    return 0;
}

/* ---- making a walk -------------------------------------------------- */

/* Random numbers for a walk that is always the same and that no prefetcher
 * follows. */
static uint64_t
draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static bool
take_memory(struct kernel_place *place, size_t size)
{
    long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    if (size == 0 || size > most_bytes || pages <= 0 || page <= 0 ||
        size / (size_t)page > (size_t)pages / 2)
        return false;
    place->memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place->memory == MAP_FAILED)
        return false;
    place->size = size;
    return true;
}

/* The address of the i-th stop.  Each page has its stop in another line, since
 * else all stops would be in one set of the cache. */
static void *
stop(const struct kernel_place *place, size_t stride, size_t i)
{
    size_t line = stride > LINE ? i % (stride / LINE) * LINE : 0;

    return place->memory + i * stride + line;
}

/* Link all stops to one round trip, at random (Sattolo's algorithm). */
static bool
link_by_chance(struct kernel_place *place, size_t stride)
{
    size_t n = place->size / stride;
    uint32_t *order = hpm_memory_new(n, sizeof *order);
    uint64_t state = UINT64_C(88172645463325252);

    if (order == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n - 1; i > 0; i--) {
        size_t j = draw(&state) % i;
        uint32_t swapped = order[i];

        order[i] = order[j];
        order[j] = swapped;
    }
    for (size_t i = 0; i < n; i++)
        *(void **)stop(place, stride, order[i]) =
            stop(place, stride, order[(i + 1) % n]);
    place->at = stop(place, stride, order[0]);
    hpm_memory_free(order);
    return true;
}

/* Small pages for a walk over pages; large pages if the walk is not about
 * pages. */
static bool
prepare(struct kernel_place *place, size_t size, size_t stride)
{
    if (!take_memory(place, size))
        return false;
    madvise(place->memory, size,
            stride > LINE ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
    if (!link_by_chance(place, stride)) {
        walks_release(place);
        return false;
    }
    walks_run(place, size / stride);
    return true;
}

bool
walks_prepare_stride(struct kernel_place *place)
{
    size_t size = 4 * walks_cache_size(2);
    size_t n = size / LINE;

    if (!take_memory(place, size))
        return false;
    for (size_t i = 0; i < n; i++)
        *(void **)stop(place, LINE, i) = stop(place, LINE, (i + 1) % n);
    place->at = place->memory;
    return true;
}

bool
walks_prepare_l1(struct kernel_place *place)
{
    return prepare(place, walks_cache_size(1) / 2, LINE);
}

bool
walks_prepare_l2(struct kernel_place *place)
{
    size_t size = walks_cache_size(2) / 2;

    return size >= 3 * walks_cache_size(1) && prepare(place, size, LINE);
}

bool
walks_prepare_l3(struct kernel_place *place)
{
    return walks_cache_size(3) > 0 &&
           prepare(place, 8 * walks_cache_size(2), LINE);
}

bool
walks_prepare_memory(struct kernel_place *place)
{
    size_t last = walks_cache_size(3);

    return prepare(place, 4 * (last > 0 ? last : walks_cache_size(2)), LINE);
}

/* Twice as many pages as a TLB of two levels has entries. */
bool
walks_prepare_pages(struct kernel_place *place)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t n = page > 4096 ? 4096 : 16384;

    return prepare(place, n * page, page);
}

void
walks_release(struct kernel_place *place)
{
    munmap(place->memory, place->size);
}
