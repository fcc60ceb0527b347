/* SPDX-License-Identifier: BSD-3-Clause
 * What is to be replaced in a text. */
#include "hpmviz/instrument/edits.h"

#include <gio/gio.h>

static void
clear_edit(gpointer data)
{
    g_free(((struct hpmviz_edit *)data)->text);
}

GArray *
hpmviz_edits_new(void)
{
    GArray *edits = g_array_new(FALSE, FALSE, sizeof(struct hpmviz_edit));

    g_array_set_clear_func(edits, clear_edit);
    return edits;
}

void
hpmviz_edits_add(GArray *edits, gsize at, gsize n_removed, char *text)
{
    struct hpmviz_edit edit = {at, n_removed, text};
    guint i = edits->len;

    while (i > 0 && g_array_index(edits, struct hpmviz_edit, i - 1).at > at)
        i--;
    g_array_insert_val(edits, i, edit);
}

char *
hpmviz_edits_apply(const GArray *edits, const char *text)
{
    GString *edited = g_string_new(NULL);
    gsize at = 0;

    for (guint i = 0; i < edits->len; i++) {
        const struct hpmviz_edit *edit =
            &g_array_index(edits, struct hpmviz_edit, i);

        g_string_append_len(edited, text + at, (gssize)(edit->at - at));
        g_string_append(edited, edit->text);
        at = edit->at + edit->n_removed;
    }
    g_string_append(edited, text + at);
    return g_string_free(edited, FALSE);
}

gboolean
hpmviz_edits_refuse(GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_propagate_error(error,
                      g_error_new_valist(G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                                         format, arguments));
    va_end(arguments);
    return FALSE;
}
