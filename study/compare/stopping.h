/* SPDX-License-Identifier: BSD-3-Clause
 * When enough runs are made.
 *
 * Runs are looked at after 10, 15, 20, 30, 45 ... of each command, about half as
 * many again each time; every look may find a difference that is none, so all looks share
 * the level (Bonferroni): one that is planned counts, whether made or not. */
#ifndef HPM_STUDY_COMPARE_STOPPING_H
#define HPM_STUDY_COMPARE_STOPPING_H

#include "study/compare/comparison.h"

enum hpm_stopping { HPM_STOPPING_GO_ON, HPM_STOPPING_CLEAR, HPM_STOPPING_VAIN };

/* After how many runs the next look is, of at most `most`; 0: there is none. */
size_t hpm_stopping_next(size_t n_runs, size_t most);

/* How many looks there are. */
size_t hpm_stopping_n_looks(size_t most);

/* May what is compared here be stopped, where a difference of the part `until`
 * is wanted to be found?  CLEAR: one was found, or one so large would have been.
 * VAIN: so many runs as that would take are not to be made. */
enum hpm_stopping hpm_stopping_judge(const struct hpm_comparison *comparison,
                                     double until, size_t most);

/* How many runs it would take; INFINITY where that cannot be told. */
double hpm_stopping_runs(const struct hpm_comparison *comparison, double until);

/* As many runs of each side, made in such blocks, as can show any difference at
 * this level; 50 where more are needed. */
size_t hpm_stopping_least(double level, size_t block);

#endif
