/* SPDX-License-Identifier: BSD-3-Clause
 * What is to be replaced in a text: the outcome of each command on calls. */
#ifndef HPMVIZ_INSTRUMENT_EDITS_H
#define HPMVIZ_INSTRUMENT_EDITS_H

#include <glib.h>

struct hpmviz_edit {
    gsize at, n_removed; /* bytes of the text before all edits */
    char *text;          /* what stands there afterwards */
};

/* Of struct hpmviz_edit; for g_array_unref. */
GArray *hpmviz_edits_new(void);

/* Edits may come in any order.  Of two at the same place the one that was added
 * first stands first in the text; removed parts must not overlap.  Takes
 * `text`. */
void hpmviz_edits_add(GArray *edits, gsize at, gsize n_removed, char *text);

/* The text with all edits done; for g_free. */
char *hpmviz_edits_apply(const GArray *edits, const char *text);

/* Say why lines are left alone: one line, in words of the user.  FALSE. */
gboolean hpmviz_edits_refuse(GError **error, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

#endif
