/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of tasks as text, "0-63,65": as short for a million tasks as for two. */
#ifndef HPM_STUDY_COLUMNS_TASKRANGES_H
#define HPM_STUDY_COLUMNS_TASKRANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"

struct hpm_taskrange {
    int first, last;
};

/* Start from {0}. */
struct hpm_taskranges {
    struct hpm_taskrange *ranges; /* ascending, with gaps between them */
    size_t n, capacity;
    bool failed; /* memory ran out */
};

void hpm_taskranges_free(struct hpm_taskranges *ranges);

/* Add the numbers from `first` to `last`, 0 <= first <= last; numbers that are
 * there already stay. */
void hpm_taskranges_add(struct hpm_taskranges *ranges, int first, int last);

/* Is one of these numbers there? */
bool hpm_taskranges_has(const struct hpm_taskranges *ranges, int first,
                        int last);

/* Add the numbers of a text; false if it is none, and then some may have been
 * added. */
bool hpm_taskranges_read(struct hpm_taskranges *ranges, const char *text);

void hpm_taskranges_write(const struct hpm_taskranges *ranges,
                          struct hpm_string *string);

#endif
