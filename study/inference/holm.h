/* SPDX-License-Identifier: BSD-3-Clause
 * Adjusting the probabilities of several tests (S.  Holm, "A simple
 * sequentially rejective multiple test procedure", 1979). */
#ifndef HPM_STUDY_INFERENCE_HOLM_H
#define HPM_STUDY_INFERENCE_HOLM_H

#include <stddef.h>

/* Replace each of n probabilities by one that may be compared with the level of
 * all tests together: the k-th smallest times n - k + 1, never smaller than the
 * result before, at most 1.  NAN is not a test: it does not change and does not
 * count.  `room` has n elements. */
void hpm_holm_adjust(double *p, size_t n, double *room);

#endif
