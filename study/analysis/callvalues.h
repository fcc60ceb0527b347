/* SPDX-License-Identifier: BSD-3-Clause
 * The values of the calls of a section, one column at a time: how they are spread,
 * and how they change during the run.  Where threads have kept other parts of their
 * calls, each kept call stands for as many as there were for each. */
#ifndef HPM_STUDY_ANALYSIS_CALLVALUES_H
#define HPM_STUDY_ANALYSIS_CALLVALUES_H

#include "study/points/points.h"

struct hpm_callvalue {
    double value, weight, begin; /* of the call: seconds */
    size_t point;
};

struct hpm_callvalues {
    const struct hpm_points *points; /* of single calls, of one section */
    const struct hpm_points_column *column;
    struct hpm_callvalue *all; /* that have a value, the smallest first */
    size_t n;
    double weight; /* of all */
};

/* False, and nothing to clear, when there is no memory. */
bool hpm_callvalues_init(struct hpm_callvalues *values,
                         const struct hpm_points *points);
void hpm_callvalues_clear(struct hpm_callvalues *values);

/* The values of a column, in place of those before. */
void hpm_callvalues_take(struct hpm_callvalues *values,
                         const struct hpm_points_column *column);

/* The value of the first call at which that part of all calls is reached, and the
 * mean; there must be a value. */
double hpm_callvalues_quantile(const struct hpm_callvalues *values,
                               double part);
double hpm_callvalues_mean(const struct hpm_callvalues *values);

/* The median of the last third of the calls by that of the first, with the ends of
 * its 95 % interval; NAN: not known. */
struct hpm_calldrift {
    double ratio, low, high, first, last;
};

/* The calls are in the order of their begins afterwards.  False when there is no
 * memory. */
bool hpm_callvalues_drift(struct hpm_callvalues *values,
                          struct hpm_calldrift *ret_drift);

/* How many calls are in ranges of one width; the first has all below, the last all
 * above. */
enum { HPM_CALLBINS = 16 };

struct hpm_callbins {
    double low, width;
    double weights[HPM_CALLBINS + 2];
};

/* Are there values enough, that are not all one?  Fewer have no shape. */
enum { HPM_CALLBINS_LEAST = 20 };
bool hpm_callvalues_has_bins(const struct hpm_callvalues *values);

/* Of values that are the smallest first. */
void hpm_callvalues_bins(const struct hpm_callvalues *values,
                         struct hpm_callbins *ret_bins);

/* Where a bin begins: of 1 to HPM_CALLBINS + 1. */
double hpm_callbins_edge(const struct hpm_callbins *bins, size_t bin);

#endif
