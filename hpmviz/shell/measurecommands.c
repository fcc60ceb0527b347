/* SPDX-License-Identifier: BSD-3-Clause
 * Commands from a section to its next measurement. */
#include "hpmviz/shell/measurecommands.h"

#include <glib/gi18n.h>

#include "hpmviz/source/instrumenting.h"

/* ---- calls in the source --------------------------------------------- */

/* Other sources of the program may have sections, too: the run knows them. */
static int
least_id(const struct hpmviz_parts *parts)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(parts->session);
    int least = 1;

    for (size_t i = 0; loaded != NULL && i < loaded->study->n_sections; i++) {
        const struct hpm_study_section *section = &loaded->study->sections[i];

        if (!section->is_outside && section->instance >= least &&
            section->instance < G_MAXINT)
            least = section->instance + 1;
    }
    return least;
}

static void
tell(HpmvizSourcetab *tab, gboolean is_done, GError *error)
{
    if (is_done)
        gtk_widget_grab_focus(GTK_WIDGET(hpmviz_sourcetab_view(tab)));
    else
        hpmviz_sourcetab_tell(tab, error->message);
    g_clear_error(&error);
}

static void
instrument(struct hpmviz_parts *parts)
{
    HpmvizSourcetab *tab = hpmviz_sourcepane_tab(parts->source);
    GError *error = NULL;
    gboolean is_done = hpmviz_instrumenting_add(hpmviz_sourcetab_document(tab),
                                                least_id(parts), &error);

    tell(tab, is_done, error);
}

static const struct hpmviz_command commands[] = {
    {"instrument", instrument},
};

void
hpmviz_measurecommands_update(const struct hpmviz_parts *parts)
{
    HpmvizSourcetab *tab = hpmviz_sourcepane_tab(parts->source);
    gboolean is_editable = tab != NULL && hpmviz_document_is_editable(
                                              hpmviz_sourcetab_document(tab));

    hpmviz_parts_enable(parts, "instrument", is_editable);
}

void
hpmviz_measurecommands_add(struct hpmviz_parts *parts)
{
    hpmviz_parts_add(parts, commands, G_N_ELEMENTS(commands));
}
