/* SPDX-License-Identifier: BSD-3-Clause
 * The resource usage of running targets, from /proc. */
#ifndef HPMCOUNT_PROCUSAGE_H
#define HPMCOUNT_PROCUSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "hpmcount/targets.h"

/* One reading, summed over all targets; the sums only grow. */
struct procusage_reading {
    bool is_known; /* false: a target has ended, and is gone from /proc */
    uint64_t user_ns, system_ns, minor_faults, major_faults;
    uint64_t largest_kb; /* of one process in its whole life; 0: not known */
};

/* Read the usage of processes and threads, without their children; of
 * processors only times, in steps of 10 ms; of control groups nothing. */
void procusage_read(const struct targets *targets,
                    struct procusage_reading *ret_reading);

/* The difference of two readings as getrusage(2) gives it, and whether it has
 * the value of this name ("ru::utime"). */
void procusage_take(const struct procusage_reading *from,
                    const struct procusage_reading *to,
                    struct rusage *ret_usage);
bool procusage_knows(const struct targets *targets,
                     const struct procusage_reading *to, const char *name);

#endif
