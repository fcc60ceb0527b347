/* SPDX-License-Identifier: BSD-3-Clause
 * One calibration: windows measured again and again around calls made by the
 * library, and the costs that follow from them. */
#ifndef HPM_RECORD_CALIBRATION_H
#define HPM_RECORD_CALIBRATION_H

#include <stdbool.h>

#include "record/calltree.h"
#include "record/costs.h"
#include "record/timecost.h"

/* The calibrations: their scope, and when they are made. */
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
    bool is_unknown[HPM_MAX_CHARGED]; /* some of the counter's costs were never
                                       * measured and are 0: it takes turns and
                                       * was not on */
    int n_calls;                      /* `self` and `pair` are for this many
                                       * calls */
    struct hpm_spread self[HPM_MAX_CHARGED]; /* inside an empty section */
    struct hpm_spread pair[HPM_MAX_CHARGED]; /* around an empty section */
    struct hpm_timecost timed[HPM_N_TIMED];
    struct hpm_costs costs;
};

/* The costs that hold for the whole run.  For time also, in ticks, what a start
 * or a stop costs, and how much of that was charged at the call. */
struct hpm_final {
    struct hpm_costs costs;
    struct hpm_timecost timed[HPM_N_TIMED];
    double charged[HPM_N_TIMED]; /* the part of `timed` charged at the call */
};

/* The windows of one section in a table made for calibrating.  The costs of
 * that table are all 0, so only calls that measure themselves are charged
 * there. */
struct hpm_probe {
    size_t n_overheads;
    int n_windows;
    int capacity;
    const struct hpm_node *node;        /* the section of the last window */
    uint64_t last[2 * HPM_MAX_CHARGED]; /* sums of the section so far */
    uint64_t last_clocks[HPM_MAX_ALL_EVENTS][2]; /* the same for the clocks of
                                                  * turns */
    uint64_t *windows; /* n_overheads rows of `capacity` windows */
};

/* Make room for `capacity` windows; false when there is no memory. */
bool hpm_probe_init(struct hpm_probe *probe, size_t n_overheads, int capacity);
void hpm_probe_clear(struct hpm_probe *probe);

/* The newest section with this id was called once more: keep its window. */
void hpm_probe_take(struct hpm_probe *probe, const struct hpm_calltree *tree,
                    int instance);

/* The spread of a slot's windows, without those in which its counter was not on
 * all the time; *ret_is_unknown: there was no other window. */
struct hpm_spread hpm_probe_spread(struct hpm_probe *probe, size_t slot,
                                   bool *ret_is_unknown);

/* Choose the costs that hold for the whole run.  Of the constants found at init
 * and at the end these are the smaller ones (the paper, section 3.2); of times
 * the middle, since the smaller of two times would be luck.  `end` may not be
 * done. */
void hpm_calibration_choose(const struct hpm_calibration *init,
                            const struct hpm_calibration *end,
                            struct hpm_final *ret_final);

#endif
