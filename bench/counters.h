/* SPDX-License-Identifier: BSD-3-Clause
 * The counters a benchmark counts: software defined events of its own, and
 * the kernel's group. */
#ifndef BENCH_COUNTERS_H
#define BENCH_COUNTERS_H

#include <stdbool.h>

enum { BENCH_SDE_COUNTERS = 8 };

/* What the program itself counts: "sde:::Bench::c0" to "c7". */
extern long long bench_sde[BENCH_SDE_COUNTERS];

/* Make them known to PAPI; false when built without it. */
bool bench_sde_register(void);

/* A group of four software events of the calling thread, running; its read
 * gives number, enabled, running and four counts, or with `is_plain` number
 * and counts.  A file descriptor, -1 where the kernel refuses. */
int bench_kernel_group(bool is_plain);

#endif
