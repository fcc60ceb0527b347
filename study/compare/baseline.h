/* SPDX-License-Identifier: BSD-3-Clause
 * A baseline: the values of a command's runs, kept in a text file.
 *
 *     hpm-baseline 1
 *     command<TAB>./app 100
 *     host<TAB>node1
 *     date<TAB>2026-11-23T10:00:00Z
 *     time<TAB>TIME<TAB><TAB>0.123 0.125 -
 *     count<TAB>instructions<TAB>main/solve<TAB>3000000 3000000 3000000
 *
 * One line for each metric and section ("": the whole program): kind, name,
 * path and the value of each run, "-" where a run has no value.
 */
#ifndef HPM_STUDY_COMPARE_BASELINE_H
#define HPM_STUDY_COMPARE_BASELINE_H

#include "base/error.h"
#include "base/string.h"
#include "study/compare/samples.h"

/* Append all values of one side. */
void hpm_baseline_add(struct hpm_string *string,
                      const struct hpm_samples *samples, size_t side,
                      const char *host, const char *date);

/* Read the text of the file `name` as one more side, called "baseline ...".
 * False when the text is not a baseline; err gives the reason and the line. */
bool hpm_baseline_read(struct hpm_samples *samples, const char *name,
                       const char *text, struct hpm_error *err);

#endif
