/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines of a source file cost how much: the sections that cover them.
 */
#ifndef HPMVIZ_HEAT_H
#define HPMVIZ_HEAT_H

#include <glib.h>

#include "report/survey.h"

struct hpmviz_stretch {
    size_t subject;  /* of the survey */
    int first, last; /* lines, from 1 */
    double share;    /* of the exclusive time of its scope */
};

struct hpmviz_heat {
    struct hpmviz_stretch *stretches; /* by first line, the longest first */
    guint n_stretches;
    double most; /* the largest share among them */
};

/* The sections of one scope whose recorded file is `file`. */
void hpmviz_heat_init(struct hpmviz_heat *heat, const struct hpm_survey *survey,
                      const char *file, int scope);
void hpmviz_heat_clear(struct hpmviz_heat *heat);

/* The shortest stretch that covers the line; NULL for none. */
const struct hpmviz_stretch *hpmviz_heat_at(const struct hpmviz_heat *heat,
                                            int line);

/* The label, lines and share of all that cover the line, a line each; for
 * g_free, NULL for none. */
char *hpmviz_heat_describe(const struct hpmviz_heat *heat,
                           const struct hpm_survey *survey, int line);

#endif
