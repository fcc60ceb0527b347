/* SPDX-License-Identifier: BSD-3-Clause
 * One command with several values of a parameter: how its time changes. */
#ifndef HPM_STUDY_COMPARE_SWEEP_H
#define HPM_STUDY_COMPARE_SWEEP_H

#include "base/string.h"
#include "study/compare/view.h"

/* The sides of the view are the values, in the same order. */
struct hpm_sweep {
    const char *name; /* of the parameter */
    const char *command;
    const char *const *values;
    const struct hpm_compare_view *view;
};

/* One point of the sweep, compared with the first value. */
struct hpm_sweep_point {
    double value;      /* NAN where it is not a number */
    double time;       /* median, seconds */
    double speed_up;   /* median time of the first value / of this one */
    double low, high;  /* 95 % interval of the speed-up; NAN for none */
    double efficiency; /* speed-up / (value / first value); NAN where values are
                        * not positive numbers */
};

/* The point of the value with this index. */
struct hpm_sweep_point hpm_sweep_point(const struct hpm_sweep *sweep,
                                       size_t place);

/* Table and plot as text; the plot as SVG. */
void hpm_sweep_add_text(struct hpm_string *string,
                        const struct hpm_sweep *sweep);
void hpm_sweep_add_svg(struct hpm_string *string,
                       const struct hpm_sweep *sweep);

#endif
