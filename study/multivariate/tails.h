/* SPDX-License-Identifier: BSD-3-Clause
 * The upper tails of two distributions: how likely a value at least so large is
 * where nothing but chance is at work. */
#ifndef HPM_STUDY_MULTIVARIATE_TAILS_H
#define HPM_STUDY_MULTIVARIATE_TAILS_H

/* Of the F distribution with so many degrees of freedom above and below. */
double hpm_tails_f(double f, double above, double below);

/* Of chi square; 1 where it is not above 0. */
double hpm_tails_chi_square(double chi_square, double freedom);

/* The value that chi square exceeds with this probability, 0 < tail < 1. */
double hpm_tails_chi_square_quantile(double tail, double freedom);

#endif
