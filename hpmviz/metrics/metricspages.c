/* SPDX-License-Identifier: BSD-3-Clause
 * The pages of a window of metrics. */
#include "hpmviz/metrics/metricspages.h"

#include <glib/gi18n.h>

enum { TABLE, SUMMARY, INFO };

void
hpmviz_metricspages_set_sheet(struct hpmviz_metricspages *pages,
                              const struct hpmviz_sheet *sheet)
{
    pages->sheet = sheet;
    hpmviz_metricstable_set_sheet(pages->table, sheet);
    hpmviz_metricssummary_set_sheet(pages->summary, sheet);
    hpmviz_metricsinfo_set_sheet(pages->info, sheet);
}

void
hpmviz_metricspages_show_summary(struct hpmviz_metricspages *pages)
{
    gtk_notebook_set_current_page(pages->notebook, SUMMARY);
}

void
hpmviz_metricspages_go_to(struct hpmviz_metricspages *pages, guint row,
                          guint column)
{
    gtk_notebook_set_current_page(pages->notebook, TABLE);
    hpmviz_metricstable_go_to(pages->table, row, column);
}

/* ---- the clipboard ---------------------------------------------------- */

static void
copy_text(const char *text)
{
    gtk_clipboard_set_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD), text,
                           -1);
}

static void
copy_rows(struct hpmviz_metricspages *pages, gboolean is_csv)
{
    struct hpmviz_extract extract;
    struct hpm_string text = {0};

    if (pages->sheet == NULL)
        return;
    extract = hpmviz_metricstable_extract(pages->table, !is_csv);
    if (is_csv)
        hpmviz_export_add_csv(&extract, &text);
    else
        hpmviz_export_add_tsv(&extract, &text);
    copy_text(hpm_string_text(&text));
    hpm_string_free(&text);
    g_free((gpointer)extract.rows);
    g_free((gpointer)extract.columns);
}

void
hpmviz_metricspages_copy(struct hpmviz_metricspages *pages, GtkWidget *focus)
{
    g_autofree char *facts = NULL;

    if (GTK_IS_LABEL(focus)) {
        g_signal_emit_by_name(focus, "copy-clipboard");
    } else if (gtk_notebook_get_current_page(pages->notebook) == INFO) {
        facts = hpmviz_metricsinfo_get_text(pages->info);
        copy_text(facts);
    } else {
        copy_rows(pages, FALSE);
    }
}

void
hpmviz_metricspages_copy_csv(struct hpmviz_metricspages *pages)
{
    copy_rows(pages, TRUE);
}

/* ---- making them ------------------------------------------------------ */

static void
on_chosen(gpointer summary, guint row, guint column, gpointer data)
{
    (void)summary;
    hpmviz_metricspages_go_to(data, row, column);
}

static void
add_page(struct hpmviz_metricspages *pages, gpointer page, const char *title)
{
    gtk_notebook_append_page(pages->notebook, GTK_WIDGET(page),
                             gtk_label_new_with_mnemonic(title));
}

void
hpmviz_metricspages_add(struct hpmviz_metricspages *pages,
                        GtkNotebook *notebook, HpmvizSession *session)
{
    pages->notebook = notebook;
    pages->table = HPMVIZ_METRICSTABLE(hpmviz_metricstable_new(session));
    pages->summary = HPMVIZ_METRICSSUMMARY(hpmviz_metricssummary_new(session));
    pages->info = HPMVIZ_METRICSINFO(hpmviz_metricsinfo_new());
    add_page(pages, pages->table, _("_Table"));
    add_page(pages, pages->summary, _("_Summary"));
    add_page(pages, pages->info, _("_Info"));
    g_signal_connect(pages->summary, "chosen", G_CALLBACK(on_chosen), pages);
}
