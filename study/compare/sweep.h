/* SPDX-License-Identifier: BSD-3-Clause
 * One command with a parameter of several values: how its time changes. */
#ifndef HPM_STUDY_COMPARE_SWEEP_H
#define HPM_STUDY_COMPARE_SWEEP_H

#include "base/string.h"
#include "study/compare/view.h"

/* The sides of the view are the values, in their order. */
struct hpm_sweep {
    const char *name; /* of the parameter */
    const char *command;
    const char *const *values;
    const struct hpm_compare_view *view;
};

/* A point of the sweep: time and speed-up are of the first value and this one. */
struct hpm_sweep_point {
    double value;      /* NAN where it is no number */
    double time;       /* median, seconds */
    double speed_up;   /* median time of the first value by this one's */
    double low, high;  /* its 95 % interval; NAN for none */
    double efficiency; /* speed-up by how much larger the value is; NAN where
                        * values are no positive numbers */
};

/* That of a value by its place. */
struct hpm_sweep_point hpm_sweep_point(const struct hpm_sweep *sweep,
                                       size_t place);

/* Table and plot as text; the plot as SVG. */
void hpm_sweep_add_text(struct hpm_string *string,
                        const struct hpm_sweep *sweep);
void hpm_sweep_add_svg(struct hpm_string *string,
                       const struct hpm_sweep *sweep);

#endif
