/* SPDX-License-Identifier: BSD-3-Clause
 * How fast a kernel runs on one processor, and on several at once. */
#ifndef HPM_ROOFS_TEAM_H
#define HPM_ROOFS_TEAM_H

#include "base/error.h"
#include "hpm/roofs/roofkernel.h"

struct roof_rate {
    double best;   /* operations or bytes a second, of all together */
    double middle; /* what half of the attempts reached */
    size_t n;      /* processors at work */
};

/* Processors that this process may use. */
size_t team_count_processors(void);

/* Run the kernel on so many of them at once, each thread on one of its own, with
 * `size` bytes for each to read.  False where threads or memory are lacking. */
bool team_measure(const struct roof_kernel *kernel, size_t n_threads,
                  size_t size, struct roof_rate *ret_rate,
                  struct hpm_error *err);

#endif
