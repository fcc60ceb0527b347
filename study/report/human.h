/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers rounded for people. */
#ifndef HPM_STUDY_REPORT_HUMAN_H
#define HPM_STUDY_REPORT_HUMAN_H

#include "base/string.h"

/* Append a number with three digits, a decimal SI prefix and its unit:
 *
 *   592046646, "byte/s" -> "592 MB/s"       0.000304, "s" -> "304 us"
 *   24300000000, "cycles" -> "24.3 G cycles"      1.4159, "" -> "1.42"
 *   96.807, "1/s" -> "96.8 per second"      12.34, "%" -> "12.3 %"
 *
 * Whole numbers below 10,000 keep all digits; times are in seconds up to ten
 * minutes, then like "12 min 5 s" and "2 h 5 min"; percentages have no prefix.
 * "n/a" for NAN.  These values are rounded: other outputs have the exact
 * ones. */
void hpm_human_add(struct hpm_string *string, double value, const char *unit);

#endif
