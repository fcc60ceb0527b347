/* SPDX-License-Identifier: BSD-3-Clause
 * The normal distribution. */
#ifndef HPM_STUDY_INFERENCE_NORMAL_H
#define HPM_STUDY_INFERENCE_NORMAL_H

/* The value below which that part, more than 0 and less than 1, of it lies. */
double hpm_normal_quantile(double part);

/* The part of it that is at least so far from 0, on both sides. */
double hpm_normal_tails(double distance);

#endif
