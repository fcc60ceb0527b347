/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines of a source file cost how much: the sections that cover them.
 */
#ifndef HPMVIZ_SOURCE_HEAT_H
#define HPMVIZ_SOURCE_HEAT_H

#include <glib.h>

#include "hpmviz/data/session.h"

struct hpmviz_stretch {
    size_t subject;  /* of the survey */
    int first, last; /* lines, from 1, as recorded, or where they are now */
    int recorded_first, recorded_last;
    double share;  /* of the exclusive time of its scope; of two runs how much
                   * changed, without its sign */
    double change; /* then, with it; NAN for none */
    enum hpm_verdict verdict;         /* then: better, worse, or nobody knows */
    gboolean is_partial, is_doubtful; /* then */
};

struct hpmviz_heat {
    struct hpmviz_stretch *stretches; /* by first line, the longest first */
    guint n_stretches;
    double most;        /* the largest share among them */
    gboolean is_change; /* of two runs, in the colours of the palette */
    enum hpmviz_palette palette;
    char *meaning; /* then: what changed, "PM_CYC, B − A" */
};

/* The sections of one scope whose recorded file is `file`. */
void hpmviz_heat_init(struct hpmviz_heat *heat, const struct hpm_survey *survey,
                      const char *file, int scope);

/* Where two runs are compared let it be what changed, of the selected metric. */
void hpmviz_heat_take_changes(struct hpmviz_heat *heat,
                              const HpmvizSession *session);
void hpmviz_heat_clear(struct hpmviz_heat *heat);

/* Drop the sections that begin beyond the end of the file. */
void hpmviz_heat_cut(struct hpmviz_heat *heat, int n_lines);

/* Put all lines where they are now. */
void hpmviz_heat_move(struct hpmviz_heat *heat,
                      int (*now)(int line, gpointer data), gpointer data);

/* What changed in a stretch, with its sign and marks, in three digits and a prefix of
 * the SI: "-13.3u", "~+3.27G ?"; at most HPMVIZ_HEAT_WIDTH characters; for g_free. */
enum { HPMVIZ_HEAT_WIDTH = 9 };
char *hpmviz_heat_short_change(const struct hpmviz_stretch *stretch);

/* The shortest stretch that covers the line; NULL for none. */
const struct hpmviz_stretch *hpmviz_heat_at(const struct hpmviz_heat *heat,
                                            int line);

/* The label, lines and share, or change, of all that cover the line, a line each, the
 * innermost first; for
 * g_free, NULL for none. */
char *hpmviz_heat_describe(const struct hpmviz_heat *heat,
                           const struct hpm_survey *survey, int line);

/* The lines sections of any scope begin and end at in the file; for g_free. */
int *hpmviz_heat_lines(const struct hpm_survey *survey, const char *file,
                       guint *ret_n);

/* The index of the next smaller value (by > 0), or larger, than that at `from`,
 * equal ones in their order; NAN is none.  The largest where `from` is none;
 * SIZE_MAX where there is no other. */
size_t hpmviz_heat_step(const double *values, size_t n, size_t from, int by);

#endif
