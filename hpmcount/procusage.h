/* SPDX-License-Identifier: BSD-3-Clause
 * What /proc says that something has used while hpmcount counted it. */
#ifndef HPMCOUNT_PROCUSAGE_H
#define HPMCOUNT_PROCUSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "hpmcount/targets.h"

/* One reading of all targets together; sums grow. */
struct procusage_reading {
    bool is_known; /* false: one of them has ended and /proc has forgotten it */
    uint64_t user_ns, system_ns, minor_faults, major_faults;
    uint64_t largest_kb; /* of one process, in all its life; 0: not known */
};

/* Of processes and threads: without the children they have.  Of processors: time
 * alone, in steps of 10 ms.  Nothing of control groups. */
void procusage_read(const struct targets *targets,
                    struct procusage_reading *ret_reading);

/* The difference of two readings, and whether a value of getrusage(2) with the
 * name ("ru::utime") is in it. */
void procusage_take(const struct procusage_reading *from,
                    const struct procusage_reading *to,
                    struct rusage *ret_usage);
bool procusage_knows(const struct targets *targets,
                     const struct procusage_reading *to, const char *name);

#endif
