/* SPDX-License-Identifier: BSD-3-Clause
 * The distribution of a metric over tasks and threads without a display: printed,
 * as CSV, drawn. */
#ifndef HPMVIZ_SHELL_DISTRIBUTIONOUTPUT_H
#define HPMVIZ_SHELL_DISTRIBUTIONOUTPUT_H

#include "hpmviz/data/session.h"
#include "hpmviz/plots/plot.h"
#include "hpmviz/shell/drawing.h"

struct hpmviz_distributionoutput;

/* Of a section by its label and a metric by its name, with a second metric to be
 * drawn against it; NULL: the section with the longest time (of two runs in the
 * first) of the scope that the view shows, exclusive time, no second one.  NULL, and
 * the error, where what is open has no such section or the section no value of a
 * metric.  The session must outlive it. */
struct hpmviz_distributionoutput *
hpmviz_distributionoutput_new(HpmvizSession *session, const char *section,
                              const char *metric, const char *other,
                              GError **error);
void hpmviz_distributionoutput_free(struct hpmviz_distributionoutput *output);

/* What is drawn of it. */
const struct hpmviz_plotdata *
hpmviz_distributionoutput_data(const struct hpmviz_distributionoutput *output);

/* The numbers of the plots and the extremes, in words. */
void hpmviz_distributionoutput_add_text(const struct hpmviz_plotdata *data,
                                        struct hpm_string *text);

/* All plots that there are with their words, or the one with that id. */
struct hpmviz_drawing *
hpmviz_distributionoutput_draw(const struct hpmviz_plotdata *data,
                               const char *only, gboolean is_dark);

#endif
