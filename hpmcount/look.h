/* SPDX-License-Identifier: BSD-3-Clause
 * The look of hpmcount's reports. */
#ifndef HPMCOUNT_LOOK_H
#define HPMCOUNT_LOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "study/report/tree.h"

/* How much of a run a text report shows. */
enum extent {
    EXTENT_SCREEN, /* the first screen: nothing was chosen */
    EXTENT_CHOSEN, /* the head, and chosen counters and metrics */
    EXTENT_ALL     /* also resource usage and everything counted */
};

struct look {
    struct hpm_tree_style tree;
    enum extent extent;
    size_t width;        /* of text lines, where they can be broken */
    bool is_attached;    /* of running targets: only kernel events */
    bool is_on_terminal; /* else a program may read it line by line */
};

#endif
