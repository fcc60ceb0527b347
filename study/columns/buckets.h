/* SPDX-License-Identifier: BSD-3-Clause
 * A histogram of any numbers, of bounded size.
 *
 * Between a power of two and the next there are 2^level buckets of equal width
 * (below level 0 a bucket is several powers wide).  The level is the finest at
 * which at most HPM_BUCKETS_MOST buckets have numbers; so it depends only on the
 * numbers, not on their order, nor on how histograms were added.  0 has a bucket
 * of its own; negative numbers have mirrored ones. */
#ifndef HPM_STUDY_COLUMNS_BUCKETS_H
#define HPM_STUDY_COLUMNS_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/string.h"

enum { HPM_BUCKETS_MOST = 48 };

struct hpm_bucket {
    bool is_negative;
    int index; /* edge nearer to 0: hpm_buckets_edge */
    uint64_t n;
};

/* Start from {0}. */
struct hpm_buckets {
    bool has_level; /* false: no numbers but 0 yet */
    int level;
    uint64_t n_zero;
    struct hpm_bucket *buckets; /* in ascending order of their numbers */
    size_t n, capacity;
    bool failed; /* memory ran out */
};

void hpm_buckets_free(struct hpm_buckets *buckets);

/* Add a finite number. */
void hpm_buckets_add(struct hpm_buckets *buckets, double value);

void hpm_buckets_add_all(struct hpm_buckets *buckets,
                         const struct hpm_buckets *other);

/* How many numbers there are. */
uint64_t hpm_buckets_count(const struct hpm_buckets *buckets);

/* The edge of a bucket that is nearer to 0, and the other one, with their
 * sign. */
double hpm_buckets_near(const struct hpm_buckets *buckets, size_t i);
double hpm_buckets_far(const struct hpm_buckets *buckets, size_t i);

/* Append "LEVEL EDGE:N EDGE:N ...", EDGE being the one nearer to 0; "" where there
 * are no numbers.  Read such a text: false if it is none. */
void hpm_buckets_write(const struct hpm_buckets *buckets,
                       struct hpm_string *string);
bool hpm_buckets_read(struct hpm_buckets *buckets, const char *text);

#endif
