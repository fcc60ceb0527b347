/* SPDX-License-Identifier: BSD-3-Clause
 * How some values are spread. */
#ifndef HPM_SPREAD_H
#define HPM_SPREAD_H

#include <stddef.h>
#include <stdint.h>

struct residual_spread {
    uint64_t min, median, max; /* the median of an even number: the upper one */
    double mean;
    double deviation; /* of a sample; NAN for fewer than two values */
};

/* Of n > 0 values, which are sorted by this. */
struct residual_spread spread_of(uint64_t *values, size_t n);

#endif
