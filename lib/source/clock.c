/* SPDX-License-Identifier: BSD-3-Clause
 * Wall clock time. */
#include "source/clock.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/interposer.h"
#include "source/machine/procfile.h"

bool hpm_clock_is_tick;
static bool is_replayed;
static bool is_interposed;
static _Atomic uint64_t replayed_ns;

/* The kernel keeps time with the tick register only if it found the register
 * constant and the same on all processors: then we can use it, too, at a third
 * of the price of clock_gettime. */
void
hpm_clock_init(void)
{
    char name[32];

    if (is_replayed)
        return;
    is_interposed = hpm_interposer_has("clock_gettime");
    if (!hpm_procfile_line("/sys/devices/system/clocksource/clocksource0/"
                           "current_clocksource",
                           name, sizeof name))
        return;
#if defined(__x86_64__) || defined(__i386__)
    hpm_clock_is_tick = strcmp(name, "tsc") == 0;
#elif defined(__aarch64__)
    hpm_clock_is_tick = strcmp(name, "arch_sys_counter") == 0;
#endif
}

/* An object that replaces clock_gettime (faketime) may let time pass faster or
 * slower for the program.  Sections take real time, so ask the kernel itself,
 * where its struct timespec is the C library's. */
static void
read_kernel(struct timespec *ret_now)
{
#if defined(SYS_clock_gettime) && __SIZEOF_LONG__ == 8
    if (is_interposed &&
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, ret_now) == 0)
        return;
#endif
    clock_gettime(CLOCK_MONOTONIC, ret_now);
}

uint64_t
hpm_clock_kernel_ns(void)
{
    struct timespec now;

    read_kernel(&now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void
hpm_clock_replay(void)
{
    is_replayed = true;
    hpm_clock_is_tick = false; /* a tick must be a nanosecond now, as in
                                * replayed instants */
    atomic_store(&replayed_ns, 0);
}

void
hpm_clock_replay_to(uint64_t ns)
{
    uint64_t latest = atomic_load(&replayed_ns);

    while (ns > latest &&
           !atomic_compare_exchange_weak(&replayed_ns, &latest, ns))
        continue;
}

void
hpm_clock_replay_end(void)
{
    is_replayed = false;
}

bool
hpm_clock_is_replayed(void)
{
    return is_replayed;
}

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* If some readings are equal, the clock's step is the smallest difference; if
 * none are, it is the common divisor of the differences. */
uint64_t
hpm_clock_step_of(const uint64_t *differences, size_t n)
{
    uint64_t divisor = 0, least = UINT64_MAX;
    bool stands_still = false;

    for (size_t i = 0; i < n; i++) {
        stands_still = stands_still || differences[i] == 0;
        divisor = common_divisor(divisor, differences[i]);
        if (differences[i] > 0 && differences[i] < least)
            least = differences[i];
    }
    if (divisor == 0)
        return 1;
    return stands_still ? least : divisor;
}

/* Reads until the clock has moved on a few times, or gives up. */
uint64_t
hpm_clock_step(void)
{
    enum { N_READINGS = 64, N_TRIES = 100000 };
    uint64_t differences[N_READINGS];
    uint64_t last = hpm_clock_read();
    size_t n = 0;

    for (int i = 0; i < N_TRIES && n < N_READINGS; i++) {
        uint64_t now = hpm_clock_read();

        if (now != last || n % 2 == 0)
            differences[n++] = now - last;
        last = now;
    }
    return hpm_clock_step_of(differences, n);
}

/* Of a few tries, the one with the least time between the two tick readings
 * places the kernel's clock best. */
struct hpm_instant
hpm_clock_instant(void)
{
    struct hpm_instant best = {0, 0};
    uint64_t narrowest = UINT64_MAX;

    if (is_replayed) {
        best.ticks = best.ns = atomic_load(&replayed_ns);
        return best;
    }
    for (int i = 0; i < 5; i++) {
        uint64_t before = hpm_clock_read();
        uint64_t ns = hpm_clock_kernel_ns();
        uint64_t after = hpm_clock_read();

        if (after - before < narrowest) {
            narrowest = after - before;
            best.ticks = before + narrowest / 2;
            best.ns = ns;
        }
    }
    return best;
}

double
hpm_clock_ns_per_tick(struct hpm_instant first, struct hpm_instant last)
{
    if (is_replayed || !hpm_clock_is_tick || last.ticks <= first.ticks)
        return 1.0;
    return (double)(last.ns - first.ns) / (double)(last.ticks - first.ticks);
}
