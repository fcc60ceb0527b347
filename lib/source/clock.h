/* SPDX-License-Identifier: BSD-3-Clause
 * Wall clock time: the processor's tick register where the kernel itself keeps
 * time with it, clock_gettime elsewhere; or the time of recorded samples.
 * Never set back, never stepped. */
#ifndef HPM_SOURCE_CLOCK_H
#define HPM_SOURCE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Set once by hpm_clock_init, before any thread reads the clock. */
extern bool hpm_clock_is_tick __attribute__((visibility("hidden")));

/* Choose the clock.  Without this call clock_gettime is used.  A replayed
 * clock stays. */
void hpm_clock_init(void);

/* From now on instants are those of recorded samples: time begins at 0 (again)
 * and goes on by hpm_clock_replay_to only, in ticks of a nanosecond.  Only
 * hpm_clock_read still reads the machine's clock: the time of a sample comes
 * with the sample.  Before any other thread reads the clock. */
void hpm_clock_replay(void);

/* The latest sample handed out was of this time; an earlier one changes
 * nothing.  Any thread. */
void hpm_clock_replay_to(uint64_t ns);

/* Back to the machine's clock, for tests. */
void hpm_clock_replay_end(void);

/* Nanoseconds of the kernel's monotonic clock. */
uint64_t hpm_clock_kernel_ns(void) __attribute__((cold));

/* The tick register, where hpm_clock_is_tick says that it is the clock. */
static inline uint64_t
hpm_clock_read_tick(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return hpm_clock_kernel_ns();
#endif
}

/* The clock's reading now, in ticks of unknown length.  Any thread. */
static inline uint64_t
hpm_clock_read(void)
{
    return hpm_clock_is_tick ? hpm_clock_read_tick() : hpm_clock_kernel_ns();
}

/* Is time that of a file of samples? */
bool hpm_clock_is_replayed(void);

/* By how many ticks the clock goes on at once, from a few readings of it. */
uint64_t hpm_clock_step(void) __attribute__((cold));

/* The same for differences of readings one after the other. */
uint64_t hpm_clock_step_of(const uint64_t *differences, size_t n);

/* The same instant on both clocks. */
struct hpm_instant {
    uint64_t ticks;
    uint64_t ns;
};

struct hpm_instant hpm_clock_instant(void);

/* Length of one tick, from two instants some time apart. */
double hpm_clock_ns_per_tick(struct hpm_instant first, struct hpm_instant last);

#endif
