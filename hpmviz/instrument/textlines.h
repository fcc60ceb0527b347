/* SPDX-License-Identifier: BSD-3-Clause
 * The lines of a text: where each begins, how it is indented, how it ends.
 * Only "\n" ends a line, as for compilers; lines are numbered from 1. */
#ifndef HPMVIZ_INSTRUMENT_TEXTLINES_H
#define HPMVIZ_INSTRUMENT_TEXTLINES_H

#include <glib.h>

struct hpmviz_textlines {
    const char *text; /* borrowed */
    gsize n_bytes;
    GArray *starts; /* gsize: the first byte of each line */
};

void hpmviz_textlines_init(struct hpmviz_textlines *lines, const char *text);
void hpmviz_textlines_clear(struct hpmviz_textlines *lines);

/* How many lines: what follows the last "\n" is one if it is something. */
guint hpmviz_textlines_count(const struct hpmviz_textlines *lines);

/* The line of a byte; the first byte of a line, and the byte behind its "\n".
 * A line beyond the last begins and ends where the text ends. */
guint hpmviz_textlines_of(const struct hpmviz_textlines *lines, gsize at);
gsize hpmviz_textlines_start(const struct hpmviz_textlines *lines, guint line);
gsize hpmviz_textlines_end(const struct hpmviz_textlines *lines, guint line);

gboolean hpmviz_textlines_is_blank(const struct hpmviz_textlines *lines,
                                   guint line);

/* The blanks and tabs a line begins with; for g_free. */
char *hpmviz_textlines_indent(const struct hpmviz_textlines *lines, guint line);

/* "\r\n" if the line ends so, else "\n". */
const char *hpmviz_textlines_ending(const struct hpmviz_textlines *lines,
                                    guint line);

/* Leave out blank lines at both ends of a range of lines; FALSE if all lines
 * are blank or none of them is in the text. */
gboolean hpmviz_textlines_trim(const struct hpmviz_textlines *lines,
                               guint *first, guint *last);

#endif
