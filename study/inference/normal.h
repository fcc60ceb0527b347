/* SPDX-License-Identifier: BSD-3-Clause
 * The normal distribution. */
#ifndef HPM_STUDY_INFERENCE_NORMAL_H
#define HPM_STUDY_INFERENCE_NORMAL_H

/* The value below which this part (more than 0, less than 1) of the
 * distribution is. */
double hpm_normal_quantile(double part);

/* The part of the distribution that is at least so far from 0, on both
 * sides. */
double hpm_normal_tails(double distance);

#endif
