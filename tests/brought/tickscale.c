/* SPDX-License-Identifier: BSD-3-Clause
 * From ticks to nanoseconds, beside a clock of the kernel whose rate is known: it shows
 * the ticks themselves, multiplied. */
#include "brought/tickscale.h"

#include "source/clock.h"
#include "tap.h"

static bool has_tick;
static uint64_t multiplier = 1, divisor = 1;

static uint64_t
kernel_ns(void)
{
    return hpm_clock_read_tick() / divisor * multiplier;
}

static const struct hpm_loan loan = {.has_tick = &has_tick,
                                     .kernel_ns = kernel_ns};

static void
wait_for_ticks(uint64_t n)
{
    uint64_t begin = hpm_clock_read_tick();

    while (hpm_clock_read_tick() - begin < n)
        continue;
}

int
main(void)
{
    hpm_tickscale_begin(&loan);
    hpm_tickscale_settle();
    is_count(hpm_tickscale_ns(0), 0, "nothing is nothing");
    is_count(hpm_tickscale_ns(12345), 12345,
             "without a tick register libhpm's clock has nanoseconds");
    is_count(hpm_tickscale_ns((UINT64_C(3) << 32) + 7), (UINT64_C(3) << 32) + 7,
             "also more than 2^32 of them");
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
    has_tick = true;
    divisor = 4;
    hpm_tickscale_begin(&loan);
    hpm_tickscale_settle();
    is_near((double)hpm_tickscale_ns(4000000000), 1e9, 1e7,
            "four ticks a nanosecond");
    is_near((double)hpm_tickscale_ns(UINT64_C(1) << 50),
            (double)(UINT64_C(1) << 48), 1e-2 * (double)(UINT64_C(1) << 48),
            "also of many ticks");
    divisor = 1;
    multiplier = UINT64_C(1) << 24;
    hpm_tickscale_begin(&loan);
    wait_for_ticks(UINT64_C(1) << 22);
    hpm_tickscale_settle();
    is_near((double)hpm_tickscale_ns(1000), 1000.0 * (1 << 24), 1e8,
            "of a program that settled long after it began");
#endif
    return done();
}
