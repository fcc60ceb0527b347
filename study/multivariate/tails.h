/* SPDX-License-Identifier: BSD-3-Clause
 * The upper tails of two distributions: the probability of a value at least
 * this large by chance alone. */
#ifndef HPM_STUDY_MULTIVARIATE_TAILS_H
#define HPM_STUDY_MULTIVARIATE_TAILS_H

/* Of the F distribution with these degrees of freedom of numerator and
 * denominator. */
double hpm_tails_f(double f, double above, double below);

/* Of chi square; 1 if chi_square is not above 0. */
double hpm_tails_chi_square(double chi_square, double freedom);

/* The value that chi square exceeds with this probability, 0 < tail < 1. */
double hpm_tails_chi_square_quantile(double tail, double freedom);

#endif
