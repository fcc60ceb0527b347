/* SPDX-License-Identifier: BSD-3-Clause
 * Eigenvalues of a symmetric matrix by Jacobi's rotations (Journal fuer die
 * reine und angewandte Mathematik 30, 1846): exact to the last digits, and fast
 * enough for as many columns as a processor has counters. */
#ifndef HPM_STUDY_MULTIVARIATE_JACOBI_H
#define HPM_STUDY_MULTIVARIATE_JACOBI_H

#include <stddef.h>

/* Compute the eigenvalues of n x n numbers, which are destroyed: the largest
 * first, and vectors[k * n + i], the i-th number of the k-th vector, of length
 * 1.  The number largest in size in a vector is positive. */
void hpm_jacobi(double *matrix, size_t n, double *ret_values,
                double *ret_vectors);

#endif
