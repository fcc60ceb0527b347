/* SPDX-License-Identifier: BSD-3-Clause
 * The few derived lines of a report. */
#ifndef HPMCOUNT_DERIVED_H
#define HPMCOUNT_DERIVED_H

#include <stddef.h>

#include "model/experiment.h"

/* One line: factor x sum of the numerators / denominator. */
struct derived {
    const char *label;
    const char *formula;
    const char *unit;
    double factor;
    const char *above[3]; /* names, NULL-ended; all must have a value */
    const char *below;
};

extern const struct derived derived_lines[];
extern const size_t derived_n_lines;

/* The line's value from the record of a run; NAN where a part is missing or
 * the denominator is 0. */
double derived_value(const struct derived *line,
                     const struct hpm_experiment *experiment);

#endif
