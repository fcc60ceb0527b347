/* SPDX-License-Identifier: BSD-3-Clause
 * How fast a kernel runs on one processor, and on several at once. */
#ifndef HPM_ROOFS_TEAM_H
#define HPM_ROOFS_TEAM_H

#include "base/error.h"
#include "hpm/roofs/roofkernel.h"

struct roof_rate {
    double best;   /* operations or bytes per second, of all processors
                    * together */
    double middle; /* half of the attempts reached this */
    size_t n;      /* number of processors used */
};

/* Number of processors that this process may use. */
size_t team_count_processors(void);

/* Run the kernel on so many processors at once, each thread on one of its own,
 * with `size` bytes for each to read.  False if threads or memory are
 * lacking. */
bool team_measure(const struct roof_kernel *kernel, size_t n_threads,
                  size_t size, struct roof_rate *ret_rate,
                  struct hpm_error *err);

#endif
