/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of a table. */
#include "hpmviz/widgets/columns.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/widgets/looks.h"

/* Keys of the group.  Only what the user has changed is in them, so that the
 * rest goes on following the program and the file that is open. */
#define ORDER "order"
#define WIDTHS "widths" /* "name=pixels", for letters of the usual size */
#define SHOWN "shown"
#define HIDDEN "hidden"

enum { MIN_WIDTH = 10, MAX_WIDTH = 10000 };

/* How a column was before. */
struct original {
    int width;
    gboolean is_visible;
};

struct columns {
    HpmvizPreferences *preferences;
    char *group;
    GPtrArray *order;      /* as it was before */
    int zoom;              /* percent; widths are remembered for 100 */
    gboolean is_restoring; /* changes are not the user's */
};

static const char data_key[] = "hpmviz-columns";
static const char name_key[] = "hpmviz-name";
static const char original_key[] = "hpmviz-original";

static void
free_columns(gpointer data)
{
    struct columns *columns = data;

    g_object_unref(columns->preferences);
    g_ptr_array_unref(columns->order);
    g_free(columns->group);
    g_free(columns);
}

static struct columns *
columns_of(GtkTreeView *view)
{
    return g_object_get_data(G_OBJECT(view), data_key);
}

void
hpmviz_columns_set_name(GtkTreeViewColumn *column, const char *name)
{
    g_object_set_data_full(G_OBJECT(column), name_key, g_strdup(name), g_free);
}

static const char *
name_of(GtkTreeViewColumn *column)
{
    const char *name = g_object_get_data(G_OBJECT(column), name_key);

    return name != NULL ? name : gtk_tree_view_column_get_title(column);
}

/* ---- lists of names -------------------------------------------------- */

static char **
get_names(const struct columns *columns, const char *key)
{
    return hpmviz_preferences_get_strings(columns->preferences, columns->group,
                                          key);
}

static gboolean
has_name(const struct columns *columns, const char *key, const char *name)
{
    char **names = get_names(columns, key);
    gboolean is_in = g_strv_contains((const char *const *)names, name);

    g_strfreev(names);
    return is_in;
}

/* "name" or "name=..." */
static gboolean
is_of(const char *entry, const char *name, gboolean has_value)
{
    const char *end = has_value ? strrchr(entry, '=') : NULL;
    gsize length = end != NULL ? (gsize)(end - entry) : strlen(entry);

    return length == strlen(name) && strncmp(entry, name, length) == 0;
}

/* Without the entry of this name, and with another; NULL for none. */
static void
replace_name(const struct columns *columns, const char *key, const char *name,
             const char *entry)
{
    char **names = get_names(columns, key);
    GPtrArray *kept = g_ptr_array_new();

    for (char **at = names; *at != NULL; at++) {
        if (!is_of(*at, name, strcmp(key, WIDTHS) == 0))
            g_ptr_array_add(kept, *at);
    }
    if (entry != NULL)
        g_ptr_array_add(kept, (gpointer)entry);
    g_ptr_array_add(kept, NULL);
    hpmviz_preferences_set_strings(columns->preferences, columns->group, key,
                                   (const char *const *)kept->pdata);
    g_ptr_array_unref(kept);
    g_strfreev(names);
}

/* ---- as remembered --------------------------------------------------- */

static GtkTreeViewColumn *
find_column(GtkTreeView *view, const char *name)
{
    GtkTreeViewColumn *column;

    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++) {
        if (strcmp(name_of(column), name) == 0)
            return column;
    }
    return NULL;
}

/* Those that are remembered go to the places that they have, in the order that
 * is remembered; a new one keeps its place. */
static void
restore_order(GtkTreeView *view, const struct columns *columns)
{
    char **names = get_names(columns, ORDER);
    GList *all = gtk_tree_view_get_columns(view);
    GtkTreeViewColumn *before = NULL;
    char **next = names;

    for (GList *at = all; at != NULL; at = at->next) {
        GtkTreeViewColumn *column = at->data;

        if (g_strv_contains((const char *const *)names, name_of(column))) {
            while (*next != NULL && find_column(view, *next) == NULL)
                next++;
            if (*next != NULL)
                column = find_column(view, *next++);
        }
        gtk_tree_view_move_column_after(view, column, before);
        before = column;
    }
    g_list_free(all);
    g_strfreev(names);
}

static int
zoom_of(const HpmvizPreferences *preferences)
{
    return hpmviz_preferences_get_int(preferences, "view", "table-zoom",
                                      HPMVIZ_LEAST_ZOOM, HPMVIZ_MOST_ZOOM, 100);
}

static void
set_width(GtkTreeViewColumn *column, const struct columns *columns, int width)
{
    gtk_tree_view_column_set_fixed_width(column,
                                         MAX(width * columns->zoom / 100, 1));
}

/* As they were before, but for the size of letters. */
static void
reset_widths(const struct columns *columns)
{
    for (guint i = 0; i < columns->order->len; i++) {
        GtkTreeViewColumn *column = columns->order->pdata[i];
        const struct original *original =
            g_object_get_data(G_OBJECT(column), original_key);

        if (original->width > 0)
            set_width(column, columns, original->width);
    }
}

static void
restore_widths(GtkTreeView *view, const struct columns *columns)
{
    char **entries = get_names(columns, WIDTHS);

    for (char **at = entries; *at != NULL; at++) {
        char *value = strrchr(*at, '=');
        gint64 width = value != NULL ? g_ascii_strtoll(value + 1, NULL, 10) : 0;
        GtkTreeViewColumn *column;

        if (width < MIN_WIDTH || width > MAX_WIDTH)
            continue;
        *value = '\0';
        column = find_column(view, *at);
        if (column != NULL)
            set_width(column, columns, (int)width);
    }
    g_strfreev(entries);
}

/* What the user has chosen of the column; `otherwise` where nothing. */
static gboolean
is_wanted(GtkTreeView *view, GtkTreeViewColumn *column, gboolean otherwise)
{
    const struct columns *columns = columns_of(view);

    if (columns == NULL)
        return otherwise;
    if (has_name(columns, SHOWN, name_of(column)))
        return TRUE;
    return otherwise && !has_name(columns, HIDDEN, name_of(column));
}

static void
restore(GtkTreeView *view, struct columns *columns)
{
    GtkTreeViewColumn *column;

    columns->is_restoring = TRUE;
    restore_order(view, columns);
    reset_widths(columns);
    restore_widths(view, columns);
    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++)
        gtk_tree_view_column_set_visible(
            column,
            is_wanted(view, column, gtk_tree_view_column_get_visible(column)));
    columns->is_restoring = FALSE;
}

/* ---- as the user has it ---------------------------------------------- */

static void
on_order(GtkTreeView *view)
{
    struct columns *columns = columns_of(view);
    GPtrArray *names;
    char **before;
    GtkTreeViewColumn *column;

    if (columns->is_restoring || gtk_widget_in_destruction(GTK_WIDGET(view)) ||
        gtk_tree_view_get_n_columns(view) != columns->order->len)
        return; /* others are being put there */
    names = g_ptr_array_new();
    before = get_names(columns, ORDER);
    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++)
        g_ptr_array_add(names, (gpointer)name_of(column));
    for (char **at = before; *at != NULL; at++) {
        if (find_column(view, *at) == NULL)
            g_ptr_array_add(names, *at);
    }
    g_ptr_array_add(names, NULL);
    hpmviz_preferences_set_strings(columns->preferences, columns->group, ORDER,
                                   (const char *const *)names->pdata);
    g_ptr_array_unref(names);
    g_strfreev(before);
}

static void
on_width(GtkTreeViewColumn *column, GParamSpec *property, gpointer data)
{
    struct columns *columns = columns_of(data);
    char *entry;

    (void)property;
    if (columns->is_restoring)
        return;
    entry = g_strdup_printf("%s=%d", name_of(column),
                            gtk_tree_view_column_get_fixed_width(column) * 100 /
                                columns->zoom);
    replace_name(columns, WIDTHS, name_of(column), entry);
    g_free(entry);
}

static gboolean
has_width(const struct columns *columns, const char *name)
{
    char **entries = get_names(columns, WIDTHS);
    gboolean is_in = FALSE;

    for (char **at = entries; *at != NULL; at++)
        is_in |= is_of(*at, name, TRUE);
    g_strfreev(entries);
    return is_in;
}

void
hpmviz_columns_fit(GtkTreeView *view, GtkTreeViewColumn *column, int width)
{
    struct columns *columns = columns_of(view);
    struct original *original =
        g_object_get_data(G_OBJECT(column), original_key);

    if (original != NULL)
        original->width = columns != NULL ? width * 100 / columns->zoom : width;
    if (columns != NULL && has_width(columns, name_of(column)))
        return;
    if (columns != NULL)
        columns->is_restoring = TRUE;
    gtk_tree_view_column_set_fixed_width(column, width);
    if (columns != NULL)
        columns->is_restoring = FALSE;
}

void
hpmviz_columns_show(GtkTreeView *view, GtkTreeViewColumn *column,
                    gboolean is_shown)
{
    const struct columns *columns = columns_of(view);
    const char *name = name_of(column);

    gtk_tree_view_column_set_visible(column, is_shown);
    if (columns == NULL)
        return;
    replace_name(columns, SHOWN, name, is_shown ? name : NULL);
    replace_name(columns, HIDDEN, name, is_shown ? NULL : name);
}

/* Letters of another size need columns of another width. */
static void
on_zoom(GtkTreeView *view)
{
    struct columns *columns = columns_of(view);

    columns->is_restoring = TRUE;
    columns->zoom = zoom_of(columns->preferences);
    reset_widths(columns);
    restore_widths(view, columns);
    columns->is_restoring = FALSE;
}

static gboolean
on_heading_button(gpointer data, GdkEventButton *event)
{
    if (event->type != GDK_BUTTON_PRESS ||
        event->button != GDK_BUTTON_SECONDARY)
        return FALSE;
    hpmviz_columns_choose(data);
    return TRUE;
}

static gboolean
on_heading_menu(gpointer data)
{
    hpmviz_columns_choose(data);
    return TRUE;
}

static void
watch_column(GtkTreeView *view, GtkTreeViewColumn *column)
{
    GtkWidget *button = gtk_tree_view_column_get_button(column);
    struct original *original = g_new(struct original, 1);

    original->width = gtk_tree_view_column_get_fixed_width(column);
    original->is_visible = gtk_tree_view_column_get_visible(column);
    g_object_set_data_full(G_OBJECT(column), original_key, original, g_free);
    g_signal_connect_object(column, "notify::fixed-width", G_CALLBACK(on_width),
                            view, 0);
    g_signal_connect_object(button, "button-press-event",
                            G_CALLBACK(on_heading_button), view,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(button, "popup-menu", G_CALLBACK(on_heading_menu),
                            view, G_CONNECT_SWAPPED);
}

void
hpmviz_columns_remember(GtkTreeView *view, HpmvizPreferences *preferences,
                        const char *group)
{
    struct columns *columns = g_new0(struct columns, 1);
    GtkTreeViewColumn *column;

    columns->preferences = g_object_ref(preferences);
    columns->group = g_strdup(group);
    columns->order = g_ptr_array_new_with_free_func(g_object_unref);
    columns->zoom = zoom_of(preferences);
    if (columns_of(view) == NULL) {
        g_signal_connect(view, "columns-changed", G_CALLBACK(on_order), NULL);
        g_signal_connect_object(preferences, "changed::view.table-zoom",
                                G_CALLBACK(on_zoom), view, G_CONNECT_SWAPPED);
    }
    g_object_set_data_full(G_OBJECT(view), data_key, columns, free_columns);
    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++) {
        if (g_object_get_data(G_OBJECT(column), original_key) == NULL)
            watch_column(view, column);
        g_ptr_array_add(columns->order, g_object_ref(column));
    }
    restore(view, columns);
}

void
hpmviz_columns_hold(GtkTreeView *view)
{
    struct columns *columns = columns_of(view);

    if (columns != NULL)
        columns->is_restoring = TRUE;
}

void
hpmviz_columns_reset(GtkTreeView *view)
{
    struct columns *columns = columns_of(view);
    static const char *const keys[] = {ORDER, WIDTHS, SHOWN, HIDDEN};
    GtkTreeViewColumn *before = NULL;

    columns->is_restoring = TRUE;
    for (guint i = 0; i < columns->order->len; i++) {
        GtkTreeViewColumn *column = columns->order->pdata[i];
        const struct original *original =
            g_object_get_data(G_OBJECT(column), original_key);

        gtk_tree_view_move_column_after(view, column, before);
        gtk_tree_view_column_set_visible(column, original->is_visible);
        before = column;
    }
    reset_widths(columns);
    columns->is_restoring = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        hpmviz_preferences_set_strings(columns->preferences, columns->group,
                                       keys[i], NULL);
}

/* ---- the chooser ----------------------------------------------------- */

enum { RESPONSE_RESET = 1 };

static guint
n_visible(GtkTreeView *view)
{
    GtkTreeViewColumn *column;
    guint n = 0;

    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++)
        n += gtk_tree_view_column_get_visible(column) ? 1 : 0;
    return n;
}

/* When it has its place. */
static gboolean
bring(gpointer data)
{
    GtkTreeViewColumn *column = data;
    GtkWidget *view = gtk_tree_view_column_get_tree_view(column);

    if (view != NULL && gtk_tree_view_column_get_visible(column))
        gtk_tree_view_scroll_to_cell(GTK_TREE_VIEW(view), NULL, column, FALSE,
                                     0, 0);
    return G_SOURCE_REMOVE;
}

/* A new one is brought into sight.  The last one stays: a table without columns
 * has no headings to bring them back by. */
static void
on_checked(GtkToggleButton *button, gpointer data)
{
    GtkTreeView *view = data;
    GtkTreeViewColumn *column =
        g_object_get_data(G_OBJECT(button), original_key);
    gboolean is_shown = gtk_toggle_button_get_active(button);

    if (is_shown == gtk_tree_view_column_get_visible(column))
        return;
    if (!is_shown && n_visible(view) == 1)
        gtk_toggle_button_set_active(button, TRUE);
    else
        hpmviz_columns_show(view, column, is_shown);
    if (is_shown)
        g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, bring, g_object_ref(column),
                        g_object_unref);
}

static void
add_check(GtkWidget *list, GtkTreeView *view, GtkTreeViewColumn *column)
{
    GtkWidget *check =
        gtk_check_button_new_with_label(gtk_tree_view_column_get_title(column));
    GtkWidget *heading = gtk_tree_view_column_get_widget(column);
    char *tooltip =
        heading != NULL ? gtk_widget_get_tooltip_text(heading) : NULL;

    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(check),
                                 gtk_tree_view_column_get_visible(column));
    gtk_widget_set_tooltip_text(check, tooltip);
    g_object_set_data_full(G_OBJECT(check), original_key, g_object_ref(column),
                           g_object_unref);
    g_signal_connect_object(check, "toggled", G_CALLBACK(on_checked), view, 0);
    gtk_container_add(GTK_CONTAINER(list), check);
    g_free(tooltip);
}

/* The boxes of all columns, in the order they have now. */
static void
fill_list(GtkWidget *list, GtkTreeView *view)
{
    GtkTreeViewColumn *column;

    gtk_container_foreach(GTK_CONTAINER(list),
                          (GtkCallback)(void (*)(void))gtk_widget_destroy,
                          NULL);
    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++)
        add_check(list, view, column);
    gtk_widget_show_all(list);
}

static void
on_response(GtkDialog *dialog, int response, gpointer data)
{
    if (response != RESPONSE_RESET) {
        gtk_widget_destroy(GTK_WIDGET(dialog));
        return;
    }
    hpmviz_columns_reset(data);
    fill_list(g_object_get_data(G_OBJECT(dialog), "list"), data);
}

void
hpmviz_columns_choose(GtkTreeView *view)
{
    GtkWidget *top = gtk_widget_get_toplevel(GTK_WIDGET(view));
    GtkWidget *dialog = gtk_dialog_new_with_buttons(
        _("Columns"), GTK_WINDOW(top),
        GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, _("_Reset"),
        RESPONSE_RESET, _("_Close"), GTK_RESPONSE_CLOSE, NULL);
    GtkWidget *scroller = gtk_scrolled_window_new(NULL, NULL);
    GtkWidget *list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_CLOSE);
    gtk_container_set_border_width(GTK_CONTAINER(list), 12);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller),
                                   GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_propagate_natural_height(
        GTK_SCROLLED_WINDOW(scroller), TRUE);
    gtk_container_add(GTK_CONTAINER(scroller), list);
    gtk_box_pack_start(GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog))),
                       scroller, TRUE, TRUE, 0);
    atk_object_set_name(gtk_widget_get_accessible(list), _("columns"));
    g_object_set_data(G_OBJECT(dialog), "list", list);
    fill_list(list, view);
    g_signal_connect_object(dialog, "response", G_CALLBACK(on_response), view,
                            0);
    gtk_widget_show_all(dialog);
}
