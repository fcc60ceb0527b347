/* SPDX-License-Identifier: BSD-3-Clause
 * The selected place in a window of metrics. */
#include "hpmviz/metrics/metricsplace.h"

#include <glib/gi18n.h>

#include "hpmviz/data/details.h"

struct place {
    GtkWidget *line;
    HpmvizSession *session;
    struct hpmviz_metricspages *pages;
};

static const char place_key[] = "hpmviz-place";

/* ---- which row it is --------------------------------------------------- */

/* Of a whole task: the row of its process, else that of its first thread. */
static guint
find_row(const struct hpmviz_sheet *sheet,
         const struct hpmviz_selection *selection)
{
    guint of_task = HPMVIZ_NONE;

    for (guint i = 0; i < sheet->n_rows; i++) {
        const struct hpmviz_place *place = &sheet->places[i];

        if (place->task != selection->task)
            continue;
        if (place->tid == selection->tid)
            return i;
        if (selection->tid == -1 && of_task == HPMVIZ_NONE)
            of_task = i;
    }
    return of_task;
}

static gboolean
is_row(const struct hpmviz_sheet *sheet, guint row,
       const struct hpmviz_selection *selection)
{
    return sheet->places[row].task == selection->task &&
           sheet->places[row].tid == selection->tid;
}

/* ---- words ------------------------------------------------------------- */

static void
add_absent(const struct hpmviz_selection *selection, struct hpm_string *text)
{
    if (selection->tid == -1)
        hpm_string_add_format(text,
                              _("Selected place: task %d, which has no values "
                                "of this section"),
                              selection->task);
    else
        hpm_string_add_format(text,
                              _("Selected place: task %d, thread %d, which has "
                                "no values of this section"),
                              selection->task, selection->tid);
}

static void
add_words(const struct place *place, guint row, struct hpm_string *text)
{
    const struct hpmviz_selection *selection =
        hpmviz_session_selection(place->session);

    if (selection->task < 0) {
        hpm_string_add(text, _("Selected place: all tasks and threads"));
    } else if (row == HPMVIZ_NONE) {
        add_absent(selection, text);
    } else if (!is_row(place->pages->sheet, row, selection)) {
        hpm_string_add_format(text,
                              _("Selected place: task %d, all of its threads"),
                              selection->task);
    } else {
        hpm_string_add(text, _("Selected place: "));
        hpmviz_details_add_place(place->pages->sheet, row, text);
    }
}

/* ---- following ----------------------------------------------------------- */

static void
show(struct place *place, gboolean goes_there)
{
    const struct hpmviz_sheet *sheet = place->pages->sheet;
    const struct hpmviz_selection *selection =
        hpmviz_session_selection(place->session);
    struct hpm_string text = {0};
    guint row = HPMVIZ_NONE;

    if (sheet != NULL && selection->task >= 0)
        row = find_row(sheet, selection);
    if (sheet != NULL)
        add_words(place, row, &text);
    gtk_label_set_text(GTK_LABEL(place->line), hpm_string_text(&text));
    hpm_string_free(&text);
    if (row != HPMVIZ_NONE && goes_there)
        hpmviz_metricstable_show_row(place->pages->table, row);
}

static void
on_place(GtkWidget *line)
{
    hpmviz_metricsplace_show(line, TRUE);
}

static void
on_moved(HpmvizMetricstable *table, guint row, gpointer data)
{
    const struct place *place = g_object_get_data(data, place_key);
    const struct hpmviz_place *here = &place->pages->sheet->places[row];

    (void)table;
    hpmviz_session_select_place(place->session, here->task, here->tid);
}

void
hpmviz_metricsplace_show(GtkWidget *line, gboolean goes_there)
{
    show(g_object_get_data(G_OBJECT(line), place_key), goes_there);
}

static void
free_place(gpointer data)
{
    struct place *place = data;

    g_object_unref(place->session);
    g_free(place);
}

GtkWidget *
hpmviz_metricsplace_new(HpmvizSession *session,
                        struct hpmviz_metricspages *pages)
{
    struct place *place = g_new0(struct place, 1);
    GtkWidget *line = gtk_label_new("");

    *place = (struct place){line, g_object_ref(session), pages};
    g_object_set_data_full(G_OBJECT(line), place_key, place, free_place);
    gtk_label_set_xalign(GTK_LABEL(line), 0.0f);
    gtk_label_set_ellipsize(GTK_LABEL(line), PANGO_ELLIPSIZE_END);
    gtk_label_set_selectable(GTK_LABEL(line), TRUE);
    g_object_set(line, "margin-start", 6, "margin-end", 6, NULL);
    atk_object_set_name(gtk_widget_get_accessible(line), _("selected place"));
    gtk_widget_show(line);
    g_signal_connect_object(session, "place", G_CALLBACK(on_place), line,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(pages->table, "moved", G_CALLBACK(on_moved), line,
                            0);
    return line;
}
