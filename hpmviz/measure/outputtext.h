/* SPDX-License-Identifier: BSD-3-Clause
 * What a command writes, in a text view: lines are added at the end, places in
 * sources stand out, and the first lines go where there are too many. */
#ifndef HPMVIZ_MEASURE_OUTPUTTEXT_H
#define HPMVIZ_MEASURE_OUTPUTTEXT_H

#include <gtk/gtk.h>

enum { HPMVIZ_MOST_OUTPUT = 20000 }; /* lines that are kept */

struct hpmviz_outputtext {
    GtkTextView *view; /* borrowed */
    GtkTextTag *place_tag;
    char *folder;    /* of the command */
    guint scrolling; /* the source that will show the end, or 0 */
};

void hpmviz_outputtext_init(struct hpmviz_outputtext *output,
                            GtkTextView *view);
void hpmviz_outputtext_clear(struct hpmviz_outputtext *output);

/* Nothing is shown any more; the next lines are of a command in this folder. */
void hpmviz_outputtext_start(struct hpmviz_outputtext *output,
                             const char *folder);

/* Add a line; what a screen cannot show is shown as hpm_string_add_safe has it.
 * The end stays in sight if it was. */
void hpmviz_outputtext_add(struct hpmviz_outputtext *output, const char *line);

/* The file, with folders, and the line that the caret's line names: what make
 * says about folders counts.  For g_free; NULL for none. */
char *hpmviz_outputtext_place(const struct hpmviz_outputtext *output,
                              int *ret_line);

#endif
