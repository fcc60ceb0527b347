/* SPDX-License-Identifier: BSD-3-Clause
 * Timing loops: what one pair costs in CPU time of the thread, so that busy
 * neighbours do not count.
 *
 * Every result is one line on standard output, "NAME NANOSECONDS", per pair.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The compiler must make `x`, and believe that all memory has changed. */
#define KEEP(x) __asm__ volatile("" : : "r"(x) : "memory")

/* Number of slices of one child; their median is the round's value. */
enum { BENCH_SLICES = 3 };

/* One thing to time.  `run` does it n times, n being a multiple of 64. */
struct bench_variant {
    const char *name;
    void (*run)(long n);
};

enum { BENCH_MAX_VARIANTS = 8 };

/* Warm up, choose how many pairs fill a slice, time slices in turn (A B C A B
 * C ...) and print a line for each variant. */
void bench_measure(const struct bench_variant *variants, size_t n);

/* The same for variants listed here: BENCH_MEASURE({"a", run_a}, ...). */
#define BENCH_MEASURE(...)                                                     \
    bench_measure((const struct bench_variant[]){__VA_ARGS__},                 \
                  sizeof((const struct bench_variant[]){__VA_ARGS__}) /        \
                      sizeof(struct bench_variant))

/* A thing to time in several threads at once. */
struct bench_team {
    const char *name; /* printed as NAME_tN */
    void (*run)(long n);
    bool (*enter)(void); /* by each thread first; NULL: nothing */
    void (*leave)(void); /* by each thread last; NULL: nothing */
};

/* Time it in 1, 2 and 8 new threads that begin together: the processor time of
 * all threads over their pairs.  False when a thread could not enter. */
bool bench_measure_teams(const struct bench_team *team);

/* CPU time of the calling thread, wall clock time: nanoseconds. */
double bench_cpu_ns(void);
double bench_wall_ns(void);

/* The tick register; 0 where there is none we know. */
static inline uint64_t
bench_tick(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}

/* The kernel's clock source, "unknown" where it does not say. */
const char *bench_clocksource(void);

/* Does the kernel keep time with the tick register?  Then so does libhpm. */
bool bench_clock_is_tick(void);

/* The floor under any pair: two readings of the clock, by the vDSO. */
void bench_run_clk2(long n);

/* Two readings of the clock libhpm takes here. */
void bench_run_tick2(long n);

#endif
