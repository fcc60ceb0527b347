/* SPDX-License-Identifier: BSD-3-Clause
 * From ticks of libhpm's clock to nanoseconds, in whole numbers: a section must not
 * touch the program's floating-point flags. */
#include "brought/tickscale.h"

#include "source/clock.h"

enum { SHIFT = 24 }; /* a tick is per_tick / 2^24 ns */

/* Between two looks at both clocks: an error of 50 ns in each is less than 1 in
 * 10,000. */
enum { SHORTEST_NS = 2000000 };

static const struct hpm_loan *loan;
static struct hpm_instant first;
static uint64_t per_tick = UINT64_C(1) << SHIFT;

/* Of a few tries the one with the least time between the two tick readings: the
 * thread may lose its processor between them. */
static struct hpm_instant
instant(void)
{
    struct hpm_instant best = {0, 0};
    uint64_t narrowest = UINT64_MAX;

    for (int i = 0; i < 10; i++) {
        uint64_t before = hpm_clock_read_tick();
        uint64_t ns = loan->kernel_ns();
        uint64_t width = hpm_clock_read_tick() - before;

        if (width < narrowest) {
            narrowest = width;
            best.ticks = before + width / 2;
            best.ns = ns;
        }
    }
    return best;
}

void
hpm_tickscale_begin(const struct hpm_loan *lent)
{
    loan = lent;
    first = instant();
}

void
hpm_tickscale_settle(void)
{
    struct hpm_instant last = instant();
    uint64_t ns, ticks;

    if (!*loan->has_tick)
        return;
    while (last.ns - first.ns < SHORTEST_NS)
        last = instant();
    ns = last.ns - first.ns;
    ticks = last.ticks - first.ticks;
    while (ns >> (63 - SHIFT) != 0) {
        ns >>= 1;
        ticks >>= 1;
    }
    per_tick = (ns << SHIFT) / ticks;
}

uint64_t
hpm_tickscale_ns(uint64_t ticks)
{
    return ((ticks >> 32) * per_tick << (32 - SHIFT)) +
           ((ticks & UINT32_MAX) * per_tick >> SHIFT);
}
