/* SPDX-License-Identifier: BSD-3-Clause
 * Where lines of a file are now in the text that is edited.
 *
 * Performance files speak of lines as they were when the program was built; a
 * text that is edited has them elsewhere.  The lines asked for are followed
 * from the moment the text was read: through what is inserted and deleted, and
 * through undoing that.
 */
#ifndef HPMVIZ_SOURCE_SOURCELINES_H
#define HPMVIZ_SOURCE_SOURCELINES_H

#include <gtk/gtk.h>

struct hpmviz_lines;

/* Follow these lines (from 1, in any order, also more than once) of the text as
 * it is in the buffer now.  Only "\n" ends a line here, as for compilers. */
struct hpmviz_lines *hpmviz_lines_new(GtkTextBuffer *buffer, const int *lines,
                                      guint n_lines);
void hpmviz_lines_free(struct hpmviz_lines *lines);

/* The line of the buffer (from 1) where this one is.  One that is not followed
 * is as far from the next above it that is.  Always a line there is; of a line
 * that was deleted, where it was. */
int hpmviz_lines_now(const struct hpmviz_lines *lines, int line);

/* The text is again as it was in the beginning: so are the lines. */
void hpmviz_lines_reset(struct hpmviz_lines *lines);

/* How many lines the text had then; what follows the last "\n" is one if it is
 * something. */
int hpmviz_lines_count(const struct hpmviz_lines *lines);

#endif
