// SPDX-License-Identifier: BSD-3-Clause
// A program whose own malloc has hooks, too: what a hook calls must not come back to
// it.
#include <cstddef>

#include "counted.h"

static volatile int sink;

namespace {

alignas(16) char room[1 << 22];
size_t used;

// To show its name takes memory.
APART void *
take(size_t size)
{
    size_t at = __atomic_fetch_add(&used, (size + 31) / 16 * 16,
                                   __ATOMIC_RELAXED);

    if (at + size + 16 > sizeof room)
        return nullptr;
    *(size_t *)(void *)(room + at) = size;
    return room + at + 16;
}

} // namespace

extern "C" {

APART void *
malloc(size_t size)
{
    return take(size);
}

APART void
free(void *)
{
    sink = sink + 1;
}

APART void *
calloc(size_t n, size_t size)
{
    return malloc(n * size); // the room is zero, and nothing is used again
}

APART void *
realloc(void *old, size_t size)
{
    char *made = (char *)malloc(size);
    size_t had = old != nullptr ? *(size_t *)(void *)((char *)old - 16) : 0;

    for (size_t i = 0; made != nullptr && i < size && i < had; i++)
        made[i] = ((char *)old)[i];
    return made;
}
}

struct Solver {
    APART void
    step()
    {
        called("Solver::step()");
        sink = sink + 1;
    }
};

int
main()
{
    Solver solver;

    for (int i = 0; i < 6; i++)
        solver.step();
    print_counted();
    return 3;
}
