/* SPDX-License-Identifier: BSD-3-Clause
 * How a source looks: colours that can be read on the theme, and its language.
 */
#ifndef HPMVIZ_SOURCE_SOURCELOOK_H
#define HPMVIZ_SOURCE_SOURCELOOK_H

#include <gtksourceview/gtksource.h>

/* Give the buffer a scheme for a light or dark theme, whichever the widget has,
 * and the tag of the selected section its background; the widget is of the
 * class "hpmviz-dark" then, or not. */
void hpmviz_sourcelook_apply(GtkWidget *widget, GtkSourceBuffer *buffer,
                             GtkTextTag *section);

/* The language by the file's name; NULL for none. */
GtkSourceLanguage *hpmviz_sourcelook_language(const char *path);

/* The colour of heat in the overview; it lies half through, on light as on
 * dark. */
extern const GdkRGBA hpmviz_heat_colour;

#endif
