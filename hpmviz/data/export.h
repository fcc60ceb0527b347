/* SPDX-License-Identifier: BSD-3-Clause
 * Rows and columns of a sheet as text for other programs: full precision, a
 * decimal point whatever the locale, nothing between digits, an empty field for
 * what has no value.
 */
#ifndef HPMVIZ_DATA_EXPORT_H
#define HPMVIZ_DATA_EXPORT_H

#include <gio/gio.h>

#include "hpmviz/data/sheet.h"

/* What is taken of a sheet, in this order. */
struct hpmviz_extract {
    const struct hpmviz_sheet *sheet;
    const guint *rows;
    guint n_rows;
    const guint *columns;
    guint n_columns;
};

/* A header line, "task", "thread" and the names; a line for each row.  TSV is
 * what spreadsheets paste: a tab or line end within a name becomes a blank. */
void hpmviz_export_add_tsv(const struct hpmviz_extract *extract,
                           struct hpm_string *string);
void hpmviz_export_add_csv(const struct hpmviz_extract *extract,
                           struct hpm_string *string);

/* Write what the user has chosen a file for, in one step; a file that is there
 * is replaced.  What is there and no regular file (a device, a pipe, a folder)
 * is refused: replacing would remove it. */
gboolean hpmviz_export_put(const char *path, const char *bytes, gsize n_bytes,
                           GError **error);

/* The same in a thread, with a copy of the bytes; `owner`, which `done` gets
 * and which may be NULL, lives until then, and so does the application. */
void hpmviz_export_put_async(GObject *owner, const char *path,
                             const char *bytes, gsize n_bytes,
                             GAsyncReadyCallback done, gpointer data);
gboolean hpmviz_export_put_finish(GAsyncResult *result, GError **error);

#endif
