/* SPDX-License-Identifier: BSD-3-Clause
 * When enough runs are made.
 *
 * The runs are tested after 10, 15, 20, 30, 45 ... runs of each command, each
 * time after about half as many more.  Every look may report a difference where
 * there is none, so all planned looks, made or not, share the level
 * (Bonferroni). */
#ifndef HPM_STUDY_COMPARE_STOPPING_H
#define HPM_STUDY_COMPARE_STOPPING_H

#include "study/compare/comparison.h"

enum hpm_stopping { HPM_STOPPING_GO_ON, HPM_STOPPING_CLEAR, HPM_STOPPING_VAIN };

/* The number of runs at the next look, of at most `most`; 0: no more looks. */
size_t hpm_stopping_next(size_t n_runs, size_t most);

/* The number of looks. */
size_t hpm_stopping_n_looks(size_t most);

/* May the runs end here, if the user wants to find a difference of the part
 * `until`?  CLEAR: a difference was found, or one of this size would have been
 * found.  VAIN: this would take far more runs than `most`. */
enum hpm_stopping hpm_stopping_judge(const struct hpm_comparison *comparison,
                                     double until, size_t most);

/* How many runs this would take; INFINITY where it is not known. */
double hpm_stopping_runs(const struct hpm_comparison *comparison, double until);

/* The fewest runs of each side, in such blocks, that can show any difference at
 * this level; 50 where more are needed. */
size_t hpm_stopping_least(double level, size_t block);

#endif
