/* SPDX-License-Identifier: BSD-3-Clause
 * Printing what a window shows. */
#include "hpmviz/shell/printing.h"

#include "hpmviz/shell/paging.h"
#include "hpmviz/widgets/errordialog.h"

struct printing {
    GtkWindow *parent; /* NULL once it is gone */
    struct hpmviz_drawing *drawing;
    struct hpmviz_paging *paging; /* NULL before the paper is known */
};

static const char settings_key[] = "hpmviz-print-settings";

static void
free_printing(gpointer data, GClosure *closure)
{
    struct printing *printing = data;

    (void)closure;
    if (printing->parent != NULL)
        g_object_remove_weak_pointer(G_OBJECT(printing->parent),
                                     (gpointer *)&printing->parent);
    hpmviz_paging_free(printing->paging);
    hpmviz_drawing_free(printing->drawing);
    g_free(printing);
}

/* ---- what was chosen ------------------------------------------------- */

static void
suggest(GtkPrintOperation *operation)
{
    GtkPrintSettings *settings =
        g_object_get_data(G_OBJECT(gtk_settings_get_default()), settings_key);

    if (settings != NULL)
        gtk_print_operation_set_print_settings(operation, settings);
}

static void
keep(GtkPrintOperation *operation)
{
    g_object_set_data_full(
        G_OBJECT(gtk_settings_get_default()), settings_key,
        g_object_ref(gtk_print_operation_get_print_settings(operation)),
        g_object_unref);
}

/* ---- the operation --------------------------------------------------- */

static void
on_begin(GtkPrintOperation *operation, GtkPrintContext *context, gpointer data)
{
    struct printing *printing = data;

    g_clear_pointer(&printing->paging, hpmviz_paging_free);
    printing->paging = hpmviz_paging_new(printing->drawing,
                                         gtk_print_context_get_width(context),
                                         gtk_print_context_get_height(context));
    gtk_print_operation_set_n_pages(operation,
                                    (int)hpmviz_paging_count(printing->paging));
}

static void
on_draw(GtkPrintOperation *operation, GtkPrintContext *context, int page,
        gpointer data)
{
    const struct printing *printing = data;

    (void)operation;
    hpmviz_paging_draw(printing->paging, (guint)page,
                       gtk_print_context_get_cairo_context(context));
}

static void
on_done(GtkPrintOperation *operation, GtkPrintOperationResult result,
        gpointer data)
{
    const struct printing *printing = data;
    g_autoptr(GError) error = NULL;

    if (result == GTK_PRINT_OPERATION_RESULT_APPLY)
        keep(operation);
    if (result != GTK_PRINT_OPERATION_RESULT_ERROR)
        return;
    gtk_print_operation_get_error(operation, &error);
    if (error != NULL && printing->parent != NULL)
        hpmviz_errordialog_show(printing->parent, error->message);
}

/* Margins are the paper's; without a nested main loop, and the operation lives
 * until it is done. */
void
hpmviz_printing_ask(GtkWindow *parent, const char *title,
                    struct hpmviz_drawing *drawing)
{
    g_autoptr(GtkPrintOperation) operation = gtk_print_operation_new();
    struct printing *printing = g_new0(struct printing, 1);

    printing->parent = parent;
    g_object_add_weak_pointer(G_OBJECT(parent), (gpointer *)&printing->parent);
    printing->drawing = drawing;
    gtk_print_operation_set_unit(operation, GTK_UNIT_POINTS);
    gtk_print_operation_set_job_name(operation, title);
    gtk_print_operation_set_allow_async(operation, TRUE);
    gtk_print_operation_set_embed_page_setup(operation, TRUE);
    suggest(operation);
    g_signal_connect(operation, "begin-print", G_CALLBACK(on_begin), printing);
    g_signal_connect(operation, "draw-page", G_CALLBACK(on_draw), printing);
    g_signal_connect_data(operation, "done", G_CALLBACK(on_done), printing,
                          free_printing, 0);
    gtk_print_operation_run(operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG,
                            parent, NULL);
}
