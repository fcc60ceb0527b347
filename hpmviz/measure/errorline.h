/* SPDX-License-Identifier: BSD-3-Clause
 * The place in a source that a line of a compiler's or make's output names. */
#ifndef HPMVIZ_MEASURE_ERRORLINE_H
#define HPMVIZ_MEASURE_ERRORLINE_H

#include <glib.h>

struct hpmviz_errorline {
    char *file; /* as it stands there; for g_free */
    int line;
    gsize n_bytes; /* of the text, from its first byte: file and line */
};

/* Does the text begin with a place: "FILE:LINE:", "FILE(LINE):" or "FILE", LINE
 * as gcc, clang, gfortran, ifort and xlf write them? */
gboolean hpmviz_errorline_read(const char *text,
                               struct hpmviz_errorline *ret_place);

/* The folder that make says it enters in this line, for g_free; NULL if the
 * text says something else.  *ret_is_left: make leaves one instead. */
char *hpmviz_errorline_folder(const char *text, gboolean *ret_is_left);

#endif
