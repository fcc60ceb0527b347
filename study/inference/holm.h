/* SPDX-License-Identifier: BSD-3-Clause
 * Several tests at once (S. Holm, "A simple sequentially rejective multiple test
 * procedure", 1979). */
#ifndef HPM_STUDY_INFERENCE_HOLM_H
#define HPM_STUDY_INFERENCE_HOLM_H

#include <stddef.h>

/* Make each of n probabilities the one that may be compared with the level of
 * all tests together: the k-th smallest times n - k + 1, none less than those
 * before it, at most 1.  NAN is no test: it stays and does not count.  `room`
 * has n places. */
void hpm_holm_adjust(double *p, size_t n, double *room);

#endif
