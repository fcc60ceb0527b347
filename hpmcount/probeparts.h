/* SPDX-License-Identifier: BSD-3-Clause
 * The list of --section, by files: "main,libm.so:sin*,!libm.so:sincos". */
#ifndef HPMCOUNT_PROBEPARTS_H
#define HPMCOUNT_PROBEPARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"

/* Start from {0}. */
struct probeparts {
    struct probepart {
        char *library; /* NULL: the program */
        struct hpm_string patterns;
    } * list; /* in the order of their first items */
    size_t n, capacity;
};

/* False without memory.  Clear in any case. */
bool probeparts_read(struct probeparts *parts, const char *patterns);
void probeparts_clear(struct probeparts *parts);

#endif
