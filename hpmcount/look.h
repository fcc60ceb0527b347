/* SPDX-License-Identifier: BSD-3-Clause
 * How a report of hpmcount looks. */
#ifndef HPMCOUNT_LOOK_H
#define HPMCOUNT_LOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "study/report/tree.h"

/* How much of a run a text report shows. */
enum extent {
    EXTENT_SCREEN, /* at a glance: nothing was chosen */
    EXTENT_CHOSEN, /* the head, and the counters and metrics that were chosen */
    EXTENT_ALL     /* resource usage and all that was counted, too */
};

struct look {
    struct hpm_tree_style tree;
    enum extent extent;
    size_t width;     /* of the lines of a text, where they can be broken */
    bool is_attached; /* of what ran already: only the kernel's events count */
    bool is_on_terminal; /* a program may read it elsewhere, line by line */
};

#endif
