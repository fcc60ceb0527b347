/* SPDX-License-Identifier: BSD-3-Clause
 * One calibration: windows measured again and again around calls of our own,
 * and what follows from them about the costs. */
#ifndef HPM_RECORD_CALIBRATION_H
#define HPM_RECORD_CALIBRATION_H

#include <stdbool.h>

#include "record/calltree.h"
#include "record/costs.h"
#include "record/timecost.h"

/* When, and of which scope. */
enum {
    HPM_CALIBRATION_THREAD_INIT,
    HPM_CALIBRATION_THREAD_END,
    HPM_CALIBRATION_PROCESS_INIT,
    HPM_CALIBRATION_PROCESS_END,
    HPM_N_CALIBRATIONS,
};

/* Smallest, median and largest of all windows.  The median of an even number
 * is the upper one of the two in the middle: a window that was there. */
struct hpm_spread {
    uint64_t min, median, max;
};

struct hpm_calibration {
    bool is_done;
    size_t n_overheads;
    bool is_unknown[HPM_MAX_CHARGED]; /* it never had the hardware for some of
                                         its costs, which are 0: a counter that
                                         takes turns */
    int n_calls;                      /* of which `self` and `pair` are */
    struct hpm_spread self[HPM_MAX_CHARGED]; /* in an empty section */
    struct hpm_spread pair[HPM_MAX_CHARGED]; /* around an empty section */
    struct hpm_timecost timed[HPM_N_TIMED];
    struct hpm_costs costs;
};

/* The costs that hold for the whole run, and what follows for time: what else
 * is to be taken off for a start or a stop than was charged, in ticks. */
struct hpm_final {
    struct hpm_costs costs;
    struct hpm_timecost timed[HPM_N_TIMED];
    double charged[HPM_N_TIMED]; /* of these, when it happened */
};

/* The windows of one section in a table made for calibrating, whose costs are
 * all 0: so only what measured itself is charged there. */
struct hpm_probe {
    size_t n_overheads;
    int n_windows;
    int capacity;
    const struct hpm_node *node;        /* the section it was last time */
    uint64_t last[2 * HPM_MAX_CHARGED]; /* sums of the section so far */
    uint64_t last_clocks[HPM_MAX_ALL_EVENTS][2]; /* the same of turns */
    uint64_t *windows; /* n_overheads rows of `capacity` */
};

/* Room for `capacity` windows; false when there is no memory. */
bool hpm_probe_init(struct hpm_probe *probe, size_t n_overheads, int capacity);
void hpm_probe_clear(struct hpm_probe *probe);

/* The newest section with this id was called once more: keep its window. */
void hpm_probe_take(struct hpm_probe *probe, const struct hpm_calltree *tree,
                    int instance);

/* What the windows of a slot were, as far as it had the hardware in them;
 * *ret_is_unknown: in none. */
struct hpm_spread hpm_probe_spread(struct hpm_probe *probe, size_t slot,
                                   bool *ret_is_unknown);

/* The costs that hold for the whole run: of the constants found at init and at
 * the end the smaller ones (the paper, section 3.2), of times the middle, for
 * which the smaller of two would be luck.  `end` may not be done. */
void hpm_calibration_choose(const struct hpm_calibration *init,
                            const struct hpm_calibration *end,
                            struct hpm_final *ret_final);

#endif
