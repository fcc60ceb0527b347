/* SPDX-License-Identifier: BSD-3-Clause
 * How a source looks. */
#include "hpmviz/source/sourcelook.h"

#include "hpmviz/widgets/cell.h"

const GdkRGBA hpmviz_heat_colour = {0.9, 0.45, 0.1, 0.45};

/* The default scheme cannot be read on a dark theme. */
void
hpmviz_sourcelook_apply(GtkWidget *widget, GtkSourceBuffer *buffer,
                        GtkTextTag *section)
{
    gboolean dark = hpmviz_cell_is_dark(widget);
    GtkStyleContext *style = gtk_widget_get_style_context(widget);
    GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme(
        gtk_source_style_scheme_manager_get_default(),
        dark ? "oblivion" : "tango");

    if (scheme != NULL && scheme != gtk_source_buffer_get_style_scheme(buffer))
        gtk_source_buffer_set_style_scheme(buffer, scheme);
    if (dark)
        gtk_style_context_add_class(style, "hpmviz-dark");
    else
        gtk_style_context_remove_class(style, "hpmviz-dark");
    g_object_set(section, "paragraph-background", dark ? "#3a3320" : "#fdf3dc",
                 NULL);
}

/* GtkSourceView knows .f, .f90 and .f95 only, and takes ".F03" for nothing or,
 * with some lists of types, for another language. */
GtkSourceLanguage *
hpmviz_sourcelook_language(const char *path)
{
    static const char *const endings[] = {".f",   ".for", ".ftn", ".fpp",
                                          ".f77", ".f90", ".f95", ".f03",
                                          ".f08", ".f18", ".f23"};
    GtkSourceLanguageManager *manager =
        gtk_source_language_manager_get_default();
    char *small = g_ascii_strdown(path, -1);
    GtkSourceLanguage *language = NULL;

    for (guint i = 0; language == NULL && i < G_N_ELEMENTS(endings); i++) {
        if (g_str_has_suffix(small, endings[i]))
            language =
                gtk_source_language_manager_get_language(manager, "fortran");
    }
    if (language == NULL)
        language =
            gtk_source_language_manager_guess_language(manager, path, NULL);
    g_free(small);
    return language;
}
