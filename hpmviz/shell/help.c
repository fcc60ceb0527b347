/* SPDX-License-Identifier: BSD-3-Clause
 * What the Help menu shows. */
#include "config.h"

#include "hpmviz/shell/help.h"

#include <glib/gi18n.h>

#include "base/string.h"
#include "hpmviz/data/glossary.h"
#include "hpmviz/widgets/escape.h"

#define MANUAL MANDIR "/man1/hpmviz.1"

/* ---- a window with a text -------------------------------------------- */

static GtkWidget *
new_window(GtkWindow *parent, const char *title)
{
    GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);

    gtk_window_set_title(GTK_WINDOW(window), title);
    gtk_window_set_transient_for(GTK_WINDOW(window), parent);
    gtk_window_set_destroy_with_parent(GTK_WINDOW(window), TRUE);
    hpmviz_escape_closes(window);
    return window;
}

/* In a scrolled window, which has room for so many characters and lines. */
static GtkWidget *
new_text(const char *name, gboolean is_monospace, int columns, int lines)
{
    GtkWidget *text = gtk_text_view_new();
    PangoLayout *layout = gtk_widget_create_pango_layout(text, "0");
    GtkWidget *scroller = gtk_scrolled_window_new(NULL, NULL);
    int width, height;

    pango_layout_get_pixel_size(layout, &width, &height);
    g_object_unref(layout);
    gtk_scrolled_window_set_min_content_width(GTK_SCROLLED_WINDOW(scroller),
                                              width * columns);
    gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scroller),
                                               height * lines);
    g_object_set(text, "editable", FALSE, "cursor-visible", TRUE, "monospace",
                 is_monospace, "wrap-mode", GTK_WRAP_WORD, "left-margin", 12,
                 "right-margin", 12, "top-margin", 6, "bottom-margin", 6, NULL);
    atk_object_set_name(gtk_widget_get_accessible(text), name);
    gtk_container_add(GTK_CONTAINER(scroller), text);
    return text;
}

static void
set_text(GtkWidget *view, const char *text)
{
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(view));
    GtkTextIter start;

    gtk_text_buffer_set_text(buffer, text, -1);
    gtk_text_buffer_get_start_iter(buffer, &start);
    gtk_text_buffer_place_cursor(buffer, &start);
}

/* ---- the manual ------------------------------------------------------ */

static void
on_manual(GObject *process, GAsyncResult *result, gpointer view)
{
    char *text = NULL, *valid;

    if (g_subprocess_communicate_utf8_finish(G_SUBPROCESS(process), result,
                                             &text, NULL, NULL) &&
        g_subprocess_get_successful(G_SUBPROCESS(process)) && text != NULL) {
        valid = g_utf8_make_valid(text, -1);
        set_text(view, valid);
        g_free(valid);
    }
    g_free(text);
    g_object_unref(view);
}

/* man makes text of it; until it has, and where it cannot, the window says
 * where the manual is. */
static void
read_manual(GtkWidget *view)
{
    gboolean is_here = g_file_test(MANUAL, G_FILE_TEST_IS_REGULAR);
    const char *words[] = {"man", is_here ? MANUAL : "hpmviz", NULL};
    GSubprocessLauncher *launcher = g_subprocess_launcher_new(
        G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
    GSubprocess *process;

    g_subprocess_launcher_setenv(launcher, "MANWIDTH", "78", TRUE);
    g_subprocess_launcher_setenv(launcher, "MANPAGER", "cat", TRUE);
    g_subprocess_launcher_unsetenv(launcher, "MAN_KEEP_FORMATTING");
    process = g_subprocess_launcher_spawnv(launcher, words, NULL);
    if (process != NULL) {
        g_subprocess_communicate_utf8_async(process, NULL, NULL, on_manual,
                                            g_object_ref(view));
        g_object_unref(process);
    }
    g_object_unref(launcher);
}

void
hpmviz_help_show_manual(GtkWindow *parent)
{
    GtkWidget *window = new_window(parent, _("Manual of hpmviz"));
    GtkWidget *view = new_text(_("manual"), TRUE, 84, 30);
    char *text = g_strdup_printf(
        _("The manual is the page hpmviz(1), read with\n\n"
          "    man hpmviz\n\n"
          "It is installed as %s.\n\n"
          "Help > Metric glossary says what the names in the open files mean,\n"
          "Help > Keyboard shortcuts which keys there are."),
        MANUAL);

    gtk_container_add(GTK_CONTAINER(window), gtk_widget_get_parent(view));
    set_text(view, text);
    g_free(text);
    gtk_widget_show_all(window);
    read_manual(view);
}

/* ---- the glossary ---------------------------------------------------- */

struct glossary {
    HpmvizSession *session;
    GtkWidget *window, *list, *entry, *text;
};

static void
free_glossary(gpointer data)
{
    struct glossary *glossary = data;

    g_object_unref(glossary->session);
    g_free(glossary);
}

static size_t
quantity_of(GtkListBoxRow *row)
{
    return GPOINTER_TO_SIZE(g_object_get_data(G_OBJECT(row), "quantity"));
}

static void
on_row(const struct glossary *glossary, GtkListBoxRow *row)
{
    struct hpm_string text = {0}, safe = {0};
    char **lines;

    if (row == NULL)
        return;
    hpmviz_glossary_add(
        hpmviz_session_survey(glossary->session), quantity_of(row),
        hpmviz_session_view(glossary->session)->precision, &text);
    lines = g_strsplit(hpm_string_text(&text), "\n", -1);
    for (char **at = lines; *at != NULL; at++) {
        hpm_string_add_safe(&safe, *at);
        hpm_string_add(&safe, at[1] != NULL ? "\n" : "");
    }
    set_text(glossary->text, hpm_string_text(&safe));
    g_strfreev(lines);
    hpm_string_free(&text);
    hpm_string_free(&safe);
}

/* Part of the name, or of what it means. */
static gboolean
is_wanted(GtkListBoxRow *row, gpointer data)
{
    const struct glossary *glossary = data;
    const struct hpm_quantity *quantity =
        &hpmviz_session_survey(glossary->session)->quantities[quantity_of(row)];
    char *whole = g_strdup_printf(
        "%s %s", quantity->name,
        quantity->description != NULL ? quantity->description : "");
    char *folded = g_utf8_casefold(whole, -1);
    char *part =
        g_utf8_casefold(gtk_entry_get_text(GTK_ENTRY(glossary->entry)), -1);
    gboolean is_in = strstr(folded, part) != NULL;

    g_free(whole);
    g_free(folded);
    g_free(part);
    return is_in;
}

static void
fill_glossary(struct glossary *glossary)
{
    const struct hpm_survey *survey = hpmviz_session_survey(glossary->session);

    for (size_t i = 0; survey != NULL && i < survey->n_quantities; i++) {
        struct hpm_string safe = {0};
        GtkWidget *label, *row = gtk_list_box_row_new();

        hpm_string_add_safe(&safe, survey->quantities[i].name);
        label = gtk_label_new(hpm_string_text(&safe));
        gtk_label_set_xalign(GTK_LABEL(label), 0);
        gtk_container_add(GTK_CONTAINER(row), label);
        g_object_set_data(G_OBJECT(row), "quantity", GSIZE_TO_POINTER(i));
        gtk_container_add(GTK_CONTAINER(glossary->list), row);
        hpm_string_free(&safe);
    }
}

static GtkWidget *
new_names(struct glossary *glossary)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
    GtkWidget *scroller = gtk_scrolled_window_new(NULL, NULL);

    glossary->entry = gtk_search_entry_new();
    glossary->list = gtk_list_box_new();
    atk_object_set_name(gtk_widget_get_accessible(glossary->entry),
                        _("filter of names"));
    atk_object_set_name(gtk_widget_get_accessible(glossary->list), _("names"));
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller),
                                   GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_container_add(GTK_CONTAINER(scroller), glossary->list);
    gtk_box_pack_start(GTK_BOX(box), glossary->entry, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), scroller, TRUE, TRUE, 0);
    g_signal_connect_swapped(glossary->list, "row-selected", G_CALLBACK(on_row),
                             glossary);
    g_signal_connect_swapped(glossary->entry, "search-changed",
                             G_CALLBACK(gtk_list_box_invalidate_filter),
                             glossary->list);
    gtk_list_box_set_filter_func(GTK_LIST_BOX(glossary->list), is_wanted,
                                 glossary, NULL);
    return box;
}

void
hpmviz_help_show_glossary(GtkWindow *parent, HpmvizSession *session)
{
    struct glossary *glossary = g_new0(struct glossary, 1);
    GtkWidget *panes = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL);

    glossary->session = g_object_ref(session);
    glossary->window = new_window(parent, _("Metric glossary"));
    g_object_set_data_full(G_OBJECT(glossary->window), "glossary", glossary,
                           free_glossary);
    gtk_paned_pack1(GTK_PANED(panes), new_names(glossary), FALSE, FALSE);
    glossary->text = new_text(_("meaning"), FALSE, 60, 24);
    set_text(glossary->text,
             _("The names of counters and metrics in the open files. Open a "
               "performance file, and choose one."));
    gtk_paned_pack2(GTK_PANED(panes), gtk_widget_get_parent(glossary->text),
                    TRUE, FALSE);
    gtk_container_add(GTK_CONTAINER(glossary->window), panes);
    fill_glossary(glossary);
    gtk_list_box_select_row(
        GTK_LIST_BOX(glossary->list),
        gtk_list_box_get_row_at_index(GTK_LIST_BOX(glossary->list), 0));
    g_signal_connect_object(session, "loaded", G_CALLBACK(gtk_widget_destroy),
                            glossary->window, G_CONNECT_SWAPPED);
    gtk_widget_show_all(glossary->window);
}

/* ---- the rest -------------------------------------------------------- */

/* Hidden when it is closed, and there until the process ends: GTK tells screen
 * readers of parts of it after they have gone, and does not survive that. */
void
hpmviz_help_show_shortcuts(GtkWindow *parent)
{
    static const char key[] = "shortcuts";
    GObject *application = G_OBJECT(gtk_window_get_application(parent));
    GtkWindow *window = g_object_get_data(application, key);

    if (window == NULL) {
        GtkBuilder *builder = gtk_builder_new_from_resource(
            "/org/hpmtoolkit/hpmviz/shortcuts.ui");

        window = GTK_WINDOW(gtk_builder_get_object(builder, "shortcuts"));
        g_signal_connect(window, "delete-event",
                         G_CALLBACK(gtk_widget_hide_on_delete), NULL);
        g_object_set_data(application, key, window);
        g_object_unref(builder);
    }
    gtk_window_set_transient_for(window, parent);
    gtk_window_present(window);
}

void
hpmviz_help_show_about(GtkWindow *parent)
{
    gtk_show_about_dialog(
        parent, "program-name", "hpmviz", "version", PACKAGE_VERSION,
        "logo-icon-name", "org.hpmtoolkit.hpmviz", "comments",
        _("Browse performance files of the HPM Toolkit: sections, their "
          "metrics against limits, their source."),
        "copyright", _("Copyright © 2026 the HPM Toolkit authors"), "license",
        _("Free software under the 3-clause BSD licence, see the file LICENSE "
          "beside its documentation."),
        "wrap-license", TRUE, NULL);
}
