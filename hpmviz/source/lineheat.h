/* SPDX-License-Identifier: BSD-3-Clause
 * How many samples the lines of a source file have, in all of the program. */
#ifndef HPMVIZ_SOURCE_LINEHEAT_H
#define HPMVIZ_SOURCE_LINEHEAT_H

#include <glib.h>

#include "study/hotspot/hotspots.h"

struct hpmviz_lineheat {
    struct hpmviz_lineheat_line {
        int recorded, now; /* from 1 */
        guint64 n;
    } * lines; /* once each, in their order */
    guint n_lines;
    guint64 most, n_all; /* of one line; of the program */
    const char *event;
};

/* Those of what was sampled (a number of the study) in a file, by its recorded name:
 * of files that it may be (hpmviz_sources_common_end) that with most folders in
 * common. */
void hpmviz_lineheat_init(struct hpmviz_lineheat *heat,
                          const struct hpm_hotspots *hotspots, guint sampled,
                          const char *recorded);
void hpmviz_lineheat_clear(struct hpmviz_lineheat *heat);

/* Drop the lines that the file does not have. */
void hpmviz_lineheat_cut(struct hpmviz_lineheat *heat, int n_lines);

/* Put all lines where they are now. */
void hpmviz_lineheat_move(struct hpmviz_lineheat *heat,
                          int (*now)(int line, gpointer data), gpointer data);

/* The samples of a line as it is numbered now. */
guint64 hpmviz_lineheat_at(const struct hpmviz_lineheat *heat, int line);

/* The line, as it is numbered now, with the next fewer samples (by > 0), or more, than
 * this one, of equal ones in their order; where this one has none that with most.  0
 * where there is no other. */
int hpmviz_lineheat_step(const struct hpmviz_lineheat *heat, int line, int by);

/* "cpu-clock: 24 samples, 1.1 % (0.8 to 1.7) of all"; for g_free, NULL for none. */
char *hpmviz_lineheat_describe(const struct hpmviz_lineheat *heat, int line);

#endif
