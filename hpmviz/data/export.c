/* SPDX-License-Identifier: BSD-3-Clause
 * Rows and columns of a sheet as text for other programs. */
#include "hpmviz/data/export.h"

#include <gio/gio.h>
#include <math.h>

#include "study/report/format.h"

static void
fill_header(const struct hpmviz_extract *extract, struct hpm_table *table)
{
    hpm_table_add_column(table, "task", NULL, 0);
    hpm_table_add_column(table, "thread", NULL, 0);
    for (guint i = 0; i < extract->n_columns; i++)
        hpm_table_add_column(
            table,
            hpmviz_sheet_quantity(extract->sheet, extract->columns[i])->name,
            NULL, 0);
}

static void
fill_row(const struct hpmviz_extract *extract, guint row,
         struct hpm_table *table)
{
    const struct hpmviz_place *place = &extract->sheet->places[row];

    hpm_table_add_integer(table, place->task);
    hpm_table_add_integer(table, place->tid);
    for (guint i = 0; i < extract->n_columns; i++)
        hpm_table_add_real(
            table, hpmviz_sheet_value(extract->sheet, row, extract->columns[i])
                       ->value);
}

void
hpmviz_export_add_csv(const struct hpmviz_extract *extract,
                      struct hpm_string *string)
{
    struct hpm_table table = {0};

    fill_header(extract, &table);
    for (guint i = 0; i < extract->n_rows; i++)
        fill_row(extract, extract->rows[i], &table);
    hpm_csv_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

/* ---- TSV ------------------------------------------------------------- */

static void
add_name(struct hpm_string *string, const char *name)
{
    hpm_string_add_char(string, '\t');
    for (; *name != '\0'; name++)
        hpm_string_add_char(string, (unsigned char)*name < ' ' ? ' ' : *name);
}

void
hpmviz_export_add_tsv(const struct hpmviz_extract *extract,
                      struct hpm_string *string)
{
    const struct hpmviz_sheet *sheet = extract->sheet;

    hpm_string_add(string, "task\tthread");
    for (guint i = 0; i < extract->n_columns; i++)
        add_name(string,
                 hpmviz_sheet_quantity(sheet, extract->columns[i])->name);
    hpm_string_add_char(string, '\n');
    for (guint i = 0; i < extract->n_rows; i++) {
        guint row = extract->rows[i];

        hpm_string_add_format(string, "%d\t%d", sheet->places[row].task,
                              sheet->places[row].tid);
        for (guint j = 0; j < extract->n_columns; j++) {
            double value =
                hpmviz_sheet_value(sheet, row, extract->columns[j])->value;

            hpm_string_add_char(string, '\t');
            if (!isnan(value))
                hpm_string_add_real(string, value);
        }
        hpm_string_add_char(string, '\n');
    }
}

gboolean
hpmviz_export_put(const char *path, const char *bytes, gsize n_bytes,
                  GError **error)
{
    if (g_file_test(path, G_FILE_TEST_EXISTS) &&
        !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                    "%s is not a regular file; choose another name", path);
        return FALSE;
    }
    return g_file_set_contents(path, bytes, (gssize)n_bytes, error);
}

/* ---- in a thread ----------------------------------------------------- */

struct writing {
    char *path;
    GBytes *bytes;
};

static void
free_writing(gpointer data)
{
    struct writing *writing = data;

    g_free(writing->path);
    g_bytes_unref(writing->bytes);
    g_free(writing);
    if (g_application_get_default() != NULL)
        g_application_release(g_application_get_default());
}

static void
put_in_thread(GTask *task, gpointer source, gpointer data,
              GCancellable *cancellable)
{
    const struct writing *writing = data;
    GError *error = NULL;
    gsize n_bytes;
    const char *bytes = g_bytes_get_data(writing->bytes, &n_bytes);

    (void)source;
    (void)cancellable;
    if (hpmviz_export_put(writing->path, bytes, n_bytes, &error))
        g_task_return_boolean(task, TRUE);
    else
        g_task_return_error(task, error);
}

void
hpmviz_export_put_async(GObject *owner, const char *path, const char *bytes,
                        gsize n_bytes, GAsyncReadyCallback done, gpointer data)
{
    struct writing *writing = g_new0(struct writing, 1);
    GTask *task = g_task_new(owner, NULL, done, data);

    writing->path = g_strdup(path);
    writing->bytes = g_bytes_new(bytes, n_bytes);
    if (g_application_get_default() != NULL)
        g_application_hold(g_application_get_default());
    g_task_set_task_data(task, writing, free_writing);
    g_task_run_in_thread(task, put_in_thread);
    g_object_unref(task);
}

gboolean
hpmviz_export_put_finish(GAsyncResult *result, GError **error)
{
    return g_task_propagate_boolean(G_TASK(result), error);
}
