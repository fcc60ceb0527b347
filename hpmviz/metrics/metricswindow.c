/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of one section. */
#include "hpmviz/metrics/metricswindow.h"

#include <glib/gi18n.h>

#include "hpmviz/data/change.h"
#include "hpmviz/data/csvjob.h"
#include "hpmviz/data/export.h"
#include "hpmviz/data/identity.h"
#include "hpmviz/metrics/legend.h"
#include "hpmviz/metrics/metricsinfo.h"
#include "hpmviz/metrics/metricssummary.h"
#include "hpmviz/metrics/metricstable.h"
#include "hpmviz/widgets/columnmenu.h"
#include "hpmviz/widgets/filechooser.h"
#include "hpmviz/widgets/columns.h"
#include "hpmviz/widgets/escape.h"
#include "hpmviz/widgets/hintbar.h"
#include "hpmviz/widgets/notebook.h"
#include "hpmviz/widgets/restrictionbar.h"
#include "hpmviz/widgets/safetext.h"

enum { TABLE, SUMMARY, INFO };

/* Rows that are worked out at one go: some 20 ms. */
enum { STEP = 300 };

struct _HpmvizMetricswindow {
    GtkWindow parent_instance;
    HpmvizSession *session;
    gboolean is_tree;                 /* of call paths */
    struct hpmviz_identity *identity; /* of the section */
    size_t subject;                   /* HPM_NO_SUBJECT: it is gone */
    struct hpmviz_sheet *sheet;       /* or NULL */
    guint filling;                    /* the source that does so, or 0 */
    gboolean was_shown;               /* a page has been chosen */

    GtkWidget *box, *info_bar, *info_label, *notebook;
    HpmvizHintbar *hints;
    HpmvizMetricstable *table;
    HpmvizMetricssummary *summary;
    HpmvizMetricsinfo *info;

    GSimpleActionGroup *actions;
    struct hpmviz_columnmenu *columns;

    size_t wanted_quantity; /* to go to, or HPM_NO_QUANTITY */
    double wanted_own;

    enum hpm_precision precision; /* as shown */
    int width, height;
    struct hpmviz_csvjob *job; /* or NULL */
};

G_DEFINE_TYPE(HpmvizMetricswindow, hpmviz_metricswindow, GTK_TYPE_WINDOW)

static struct hpm_survey *
survey_of(const HpmvizMetricswindow *window)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(window->session);

    return window->is_tree ? loaded->paths : loaded->sections;
}

/* ---- messages -------------------------------------------------------- */

static void
inform(HpmvizMetricswindow *window, GtkMessageType type, const char *sentence)
{
    char *safe = hpmviz_safe_line(sentence);

    gtk_label_set_text(GTK_LABEL(window->info_label), safe);
    gtk_info_bar_set_message_type(GTK_INFO_BAR(window->info_bar), type);
    gtk_widget_show(window->info_bar);
    g_free(safe);
}

static void
on_info_closed(HpmvizMetricswindow *window)
{
    gtk_widget_hide(window->info_bar);
}

/* ---- the sheet ------------------------------------------------------- */

static void
stop_filling(HpmvizMetricswindow *window)
{
    if (window->filling != 0)
        g_source_remove(window->filling);
    window->filling = 0;
}

static void
set_sheet(HpmvizMetricswindow *window, const struct hpmviz_sheet *sheet)
{
    hpmviz_metricstable_set_sheet(window->table, sheet);
    hpmviz_metricssummary_set_sheet(window->summary, sheet);
    hpmviz_metricsinfo_set_sheet(window->info, sheet);
}

static void
drop_sheet(HpmvizMetricswindow *window)
{
    stop_filling(window);
    g_clear_pointer(&window->job, hpmviz_csvjob_cancel);
    set_sheet(window, NULL);
    hpmviz_hintbar_set(window->hints, NULL, NULL);
    g_clear_pointer(&window->sheet, hpmviz_sheet_free);
}

static void
show_hints(HpmvizMetricswindow *window)
{
    GPtrArray *hints = hpmviz_hints_of_section(
        window->sheet->survey, window->subject, window->sheet->rankings);

    hpmviz_hintbar_set(window->hints, hints, NULL);
    g_ptr_array_unref(hints);
}

static void
show_page(HpmvizMetricswindow *window, int page)
{
    gtk_notebook_set_current_page(GTK_NOTEBOOK(window->notebook), page);
}

static void
go_to_wanted(HpmvizMetricswindow *window)
{
    guint column =
        hpmviz_sheet_find_column(window->sheet, window->wanted_quantity);
    guint row =
        column != HPMVIZ_NONE
            ? hpmviz_sheet_find_own(window->sheet, column, window->wanted_own)
            : HPMVIZ_NONE;

    window->wanted_quantity = HPM_NO_QUANTITY;
    if (row == HPMVIZ_NONE)
        return;
    show_page(window, TABLE);
    hpmviz_metricstable_go_to(window->table, row, column);
}

/* Are there only calls and times yet? */
static gboolean
is_brief(const HpmvizMetricswindow *window)
{
    return window->sheet->survey->options.is_brief;
}

/* Where it opens: of many rows on the summary, else where the worst hint
 * is. */
static void
begin(HpmvizMetricswindow *window)
{
    const struct hpmviz_hint *hint = hpmviz_hintbar_worst(window->hints);

    hpmviz_metricstable_focus(window->table);
    if (window->sheet->n_rows > HPMVIZ_MANY_ROWS)
        show_page(window, SUMMARY);
    else if (hint != NULL && window->wanted_quantity == HPM_NO_QUANTITY)
        hpmviz_metricswindow_go_to(window, hint);
}

static void
show_sheet(HpmvizMetricswindow *window)
{
    if (is_brief(window))
        inform(window, GTK_MESSAGE_INFO, _("Working out the metrics…"));
    else
        gtk_widget_hide(window->info_bar);
    set_sheet(window, window->sheet);
    hpmviz_columnmenu_list(window->columns);
    show_hints(window);
    if (!window->was_shown)
        begin(window);
    window->was_shown = !is_brief(window);
    if (window->wanted_quantity != HPM_NO_QUANTITY && !is_brief(window))
        go_to_wanted(window);
}

static gboolean
fill_on(gpointer data)
{
    HpmvizMetricswindow *window = data;

    if (hpmviz_sheet_fill(window->sheet, STEP))
        return G_SOURCE_CONTINUE;
    window->filling = 0;
    show_sheet(window);
    return G_SOURCE_REMOVE;
}

static void
begin_sheet(HpmvizMetricswindow *window, size_t subject)
{
    window->subject = subject;
    window->sheet = hpmviz_sheet_new(survey_of(window), subject);
    if (!hpmviz_sheet_fill(window->sheet, STEP)) {
        show_sheet(window);
        return;
    }
    inform(window, GTK_MESSAGE_INFO, _("Working out the values…"));
    window->filling = g_idle_add(fill_on, window);
}

/* The same subject has metrics now. */
static void
on_surveyed(HpmvizMetricswindow *window)
{
    if (window->sheet == NULL || window->sheet->survey == survey_of(window))
        return;
    drop_sheet(window);
    begin_sheet(window, window->subject);
}

static char *
title_of(const HpmvizMetricswindow *window, const char *label)
{
    const char *a, *b;

    if (!hpm_survey_is_difference(survey_of(window)))
        return g_strdup_printf(_("%s Metrics"), label);
    hpmviz_change_letters(window->session, &a, &b);
    return g_strdup_printf(_("%s Metrics, %s − %s"), label, b, a);
}

static void
set_title(HpmvizMetricswindow *window, size_t subject)
{
    struct hpm_string label = {0};
    char *safe, *title;

    hpm_survey_add_label(survey_of(window), subject, &label);
    safe = hpmviz_safe_take(&label);
    title = title_of(window, safe);
    gtk_window_set_title(GTK_WINDOW(window), title);
    g_free(title);
    g_free(safe);
}

static void
on_loaded(HpmvizMetricswindow *window)
{
    size_t subject = hpmviz_identity_find(window->identity, survey_of(window));

    drop_sheet(window);
    hpmviz_columnmenu_list(window->columns);
    window->subject = subject;
    if (subject != HPM_NO_SUBJECT)
        set_title(window, subject);
    if (subject != HPM_NO_SUBJECT)
        begin_sheet(window, subject);
    else
        inform(window, GTK_MESSAGE_WARNING,
               _("The files that are open now do not have this section."));
}

/* ---- the view -------------------------------------------------------- */

static void
set_state(HpmvizMetricswindow *window, const char *name, const char *state)
{
    g_simple_action_set_state(G_SIMPLE_ACTION(g_action_map_lookup_action(
                                  G_ACTION_MAP(window->actions), name)),
                              g_variant_new_string(state));
}

static void
on_viewed(HpmvizMetricswindow *window)
{
    const struct hpmviz_view *view = hpmviz_session_view(window->session);
    enum hpm_precision before = window->precision;

    window->precision = view->precision;
    set_state(window, "precision",
              view->precision == HPM_PRECISION_SINGLE ? "single" : "double");
    set_state(window, "palette", hpmviz_palette_name(view->palette));
    if (window->sheet == NULL || window->filling != 0)
        return;
    hpmviz_metricstable_judge(window->table, before);
    hpmviz_metricssummary_refresh(window->summary);
    if (before != window->precision)
        show_hints(window);
}

static void
set_palette(HpmvizMetricswindow *window, enum hpmviz_palette palette)
{
    struct hpmviz_view view = *hpmviz_session_view(window->session);

    view.palette = palette;
    hpmviz_session_set_view(window->session, &view);
}

/* ---- actions --------------------------------------------------------- */

static void
copy(struct hpm_string *text)
{
    gtk_clipboard_set_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD),
                           hpm_string_text(text), (int)text->length);
    hpm_string_free(text);
}

static void
copy_rows(HpmvizMetricswindow *window, gboolean is_csv)
{
    struct hpmviz_extract extract;
    struct hpm_string text = {0};

    if (window->sheet == NULL || window->filling != 0)
        return;
    extract = hpmviz_metricstable_extract(window->table, !is_csv);
    if (is_csv)
        hpmviz_export_add_csv(&extract, &text);
    else
        hpmviz_export_add_tsv(&extract, &text);
    copy(&text);
    g_free((gpointer)extract.rows);
    g_free((gpointer)extract.columns);
}

/* What has the focus: a text, the facts, or the rows that are selected. */
static void
act_copy(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    HpmvizMetricswindow *window = data;
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));

    (void)action;
    (void)parameter;
    if (GTK_IS_LABEL(focus)) {
        g_signal_emit_by_name(focus, "copy-clipboard");
    } else if (gtk_notebook_get_current_page(GTK_NOTEBOOK(window->notebook)) ==
               INFO) {
        char *text = hpmviz_metricsinfo_get_text(window->info);

        gtk_clipboard_set_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD), text,
                               -1);
        g_free(text);
    } else {
        copy_rows(window, FALSE);
    }
}

static void
act_copy_csv(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    copy_rows(data, TRUE);
}

static void
on_exported(const char *path, const GError *error, gpointer data)
{
    HpmvizMetricswindow *window = data;
    char *name = g_filename_display_name(path), *sentence;

    window->job = NULL;
    sentence = error != NULL ? g_strdup(error->message)
                             : g_strdup_printf(_("Written: %s"), name);
    inform(window, error != NULL ? GTK_MESSAGE_ERROR : GTK_MESSAGE_INFO,
           sentence);
    g_free(sentence);
    g_free(name);
}

/* A name that the section suggests. */
static char *
suggest_name(const HpmvizMetricswindow *window)
{
    struct hpm_string label = {0};
    char *name;

    hpm_survey_add_label(window->sheet->survey, window->subject, &label);
    name = g_strdelimit(hpmviz_safe_take(&label), "/\\<>:\"|?* ", '_');
    hpm_string_add_format(&label, "%s.csv", name);
    g_free(name);
    return hpmviz_safe_take(&label);
}

static void
export_to(char *const *names, gpointer data)
{
    HpmvizMetricswindow *window = data;

    if (window->sheet != NULL && window->job == NULL)
        window->job = hpmviz_csvjob_start(survey_of(window), window->subject,
                                          *names, on_exported, window);
}

static void
act_export(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    HpmvizMetricswindow *window = data;
    GtkFileChooserNative *native;
    GtkFileChooser *chooser;
    char *name;

    (void)action;
    (void)parameter;
    if (window->sheet == NULL || window->job != NULL)
        return;
    native = gtk_file_chooser_native_new(_("Export as CSV"), GTK_WINDOW(window),
                                         GTK_FILE_CHOOSER_ACTION_SAVE,
                                         _("_Save"), _("_Cancel"));
    chooser = GTK_FILE_CHOOSER(native);
    name = suggest_name(window);
    gtk_file_chooser_set_do_overwrite_confirmation(chooser, TRUE);
    gtk_file_chooser_set_current_name(chooser, name);
    g_free(name);
    hpmviz_filechooser_ask(native, G_OBJECT(window), export_to, window);
}

static void
act_reload(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_session_reload(HPMVIZ_METRICSWINDOW(data)->session);
}

static void
act_close(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    gtk_window_close(data);
}

static void
act_choose(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_columns_choose(
        hpmviz_metricstable_view(HPMVIZ_METRICSWINDOW(data)->table));
}

static void
act_all(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_columnmenu_show_all(HPMVIZ_METRICSWINDOW(data)->columns);
}

static void
act_reset(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_columns_reset(
        hpmviz_metricstable_view(HPMVIZ_METRICSWINDOW(data)->table));
}

static void
choose_precision(GSimpleAction *action, GVariant *value, gpointer data)
{
    HpmvizMetricswindow *window = data;
    struct hpmviz_view view = *hpmviz_session_view(window->session);

    (void)action;
    view.precision = g_strcmp0(g_variant_get_string(value, NULL), "single") == 0
                         ? HPM_PRECISION_SINGLE
                         : HPM_PRECISION_DOUBLE;
    hpmviz_session_set_view(window->session, &view);
}

static void
choose_palette(GSimpleAction *action, GVariant *value, gpointer data)
{
    (void)action;
    set_palette(data, hpmviz_palette_find(g_variant_get_string(value, NULL)));
}

static const GActionEntry actions[] = {
    {"reload", act_reload, NULL, NULL, NULL, {0}},
    {"export", act_export, NULL, NULL, NULL, {0}},
    {"close", act_close, NULL, NULL, NULL, {0}},
    {"copy", act_copy, NULL, NULL, NULL, {0}},
    {"copy-csv", act_copy_csv, NULL, NULL, NULL, {0}},
    {"choose", act_choose, NULL, NULL, NULL, {0}},
    {"all", act_all, NULL, NULL, NULL, {0}},
    {"reset", act_reset, NULL, NULL, NULL, {0}},
    {"precision", NULL, "s", "'double'", choose_precision, {0}},
    {"palette", NULL, "s", "'red-green'", choose_palette, {0}},
};

/* ---- other panes ----------------------------------------------------- */

static void
on_chosen(HpmvizMetricswindow *window, guint row, guint column)
{
    show_page(window, TABLE);
    hpmviz_metricstable_go_to(window->table, row, column);
}

void
hpmviz_metricswindow_go_to(HpmvizMetricswindow *window,
                           const struct hpmviz_hint *hint)
{
    window->wanted_quantity = hint->quantity;
    window->wanted_own = hint->own;
    if (window->sheet != NULL && window->filling == 0)
        go_to_wanted(window);
}

/* ---- size ------------------------------------------------------------ */

static void
on_allocated(GtkWidget *widget)
{
    HpmvizMetricswindow *window = HPMVIZ_METRICSWINDOW(widget);

    if (!gtk_window_is_maximized(GTK_WINDOW(widget)))
        gtk_window_get_size(GTK_WINDOW(widget), &window->width,
                            &window->height);
}

/* As it was left the last time; at first by the size of the letters. */
static void
restore_size(HpmvizMetricswindow *window)
{
    const HpmvizPreferences *preferences =
        hpmviz_session_preferences(window->session);
    PangoLayout *layout =
        gtk_widget_create_pango_layout(GTK_WIDGET(window), "0");
    int width, height;

    pango_layout_get_pixel_size(layout, &width, &height);
    g_object_unref(layout);
    width = hpmviz_preferences_get_int(preferences, "metrics", "width", 100,
                                       20000, 130 * width);
    height = hpmviz_preferences_get_int(preferences, "metrics", "height", 100,
                                        20000, 34 * height);
    gtk_window_set_default_size(GTK_WINDOW(window), width, height);
}

static void
keep_size(const HpmvizMetricswindow *window)
{
    HpmvizPreferences *preferences =
        hpmviz_session_preferences(window->session);

    if (window->width == 0)
        return;
    hpmviz_preferences_set_int(preferences, "metrics", "width", window->width);
    hpmviz_preferences_set_int(preferences, "metrics", "height",
                               window->height);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    HpmvizMetricswindow *window = HPMVIZ_METRICSWINDOW(object);

    stop_filling(window);
    g_clear_pointer(&window->job, hpmviz_csvjob_cancel);
    if (window->session != NULL)
        keep_size(window);
    if (window->table != NULL)
        set_sheet(window, NULL);
    window->table = NULL;
    g_clear_pointer(&window->sheet, hpmviz_sheet_free);
    g_clear_object(&window->session);
    G_OBJECT_CLASS(hpmviz_metricswindow_parent_class)->dispose(object);
}

static void
finalize(GObject *object)
{
    HpmvizMetricswindow *window = HPMVIZ_METRICSWINDOW(object);

    hpmviz_identity_free(window->identity);
    g_clear_object(&window->actions);
    hpmviz_columnmenu_free(window->columns);
    G_OBJECT_CLASS(hpmviz_metricswindow_parent_class)->finalize(object);
}

static void
hpmviz_metricswindow_class_init(HpmvizMetricswindowClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    G_OBJECT_CLASS(class)->finalize = finalize;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/metricswindow.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, box);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, info_bar);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow,
                                         info_label);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, notebook);
    gtk_widget_class_bind_template_callback(widget, on_info_closed);
}

static void
hpmviz_metricswindow_init(HpmvizMetricswindow *window)
{
    gtk_widget_init_template(GTK_WIDGET(window));
    hpmviz_escape_closes(GTK_WIDGET(window));
    hpmviz_notebook_prepare(GTK_NOTEBOOK(window->notebook));
    window->wanted_quantity = HPM_NO_QUANTITY;
    window->subject = HPM_NO_SUBJECT;
    window->precision = HPM_PRECISION_DOUBLE;
    window->actions = g_simple_action_group_new();
    g_action_map_add_action_entries(G_ACTION_MAP(window->actions), actions,
                                    G_N_ELEMENTS(actions), window);
    gtk_widget_insert_action_group(GTK_WIDGET(window), "metrics",
                                   G_ACTION_GROUP(window->actions));
    g_signal_connect(window, "size-allocate", G_CALLBACK(on_allocated), NULL);
}

static void
add_menus(HpmvizMetricswindow *window)
{
    GtkBuilder *builder =
        gtk_builder_new_from_resource("/org/hpmtoolkit/hpmviz/metricsmenus.ui");
    GMenuModel *menus =
        G_MENU_MODEL(gtk_builder_get_object(builder, "menubar"));
    GtkWidget *bar;

    window->columns = hpmviz_columnmenu_new(
        hpmviz_metricstable_view(window->table),
        G_MENU(gtk_builder_get_object(builder, "toggles")),
        G_ACTION_MAP(window->actions), "metrics");
    bar = gtk_menu_bar_new_from_model(menus);
    gtk_widget_show(bar);
    gtk_box_pack_start(GTK_BOX(window->box), bar, FALSE, FALSE, 0);
    gtk_box_reorder_child(GTK_BOX(window->box), bar, 0);
    g_object_unref(builder);
}

static void
add_panes(HpmvizMetricswindow *window)
{
    GtkNotebook *notebook = GTK_NOTEBOOK(window->notebook);
    GtkWidget *hints = hpmviz_hintbar_new(window->session, "metrics");
    GtkWidget *restriction = hpmviz_restrictionbar_new(window->session);

    window->hints = HPMVIZ_HINTBAR(hints);
    window->table =
        HPMVIZ_METRICSTABLE(hpmviz_metricstable_new(window->session));
    window->summary =
        HPMVIZ_METRICSSUMMARY(hpmviz_metricssummary_new(window->session));
    window->info = HPMVIZ_METRICSINFO(hpmviz_metricsinfo_new());
    gtk_notebook_append_page(notebook, GTK_WIDGET(window->table),
                             gtk_label_new_with_mnemonic(_("_Table")));
    gtk_notebook_append_page(notebook, GTK_WIDGET(window->summary),
                             gtk_label_new_with_mnemonic(_("_Summary")));
    gtk_notebook_append_page(notebook, GTK_WIDGET(window->info),
                             gtk_label_new_with_mnemonic(_("_Info")));
    gtk_box_pack_start(GTK_BOX(window->box), restriction, FALSE, FALSE, 0);
    gtk_box_reorder_child(GTK_BOX(window->box), restriction, 0);
    gtk_box_pack_start(GTK_BOX(window->box), hints, FALSE, FALSE, 0);
    gtk_box_reorder_child(GTK_BOX(window->box), hints, 2);
    gtk_box_pack_start(GTK_BOX(window->box), hpmviz_legend_new(window->session),
                       FALSE, FALSE, 0);
    g_signal_connect_object(hints, "chosen",
                            G_CALLBACK(hpmviz_metricswindow_go_to), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(window->summary, "chosen", G_CALLBACK(on_chosen),
                            window, G_CONNECT_SWAPPED);
}

/* ---- windows --------------------------------------------------------- */

static void
set_accelerators(GtkApplication *application)
{
    static const struct {
        const char *action, *keys[2];
    } all[] = {
        {"metrics.close", {"<Control>w", NULL}},
        {"metrics.copy", {"<Control>c", NULL}},
        {"metrics.copy-csv", {"<Control><Shift>c", NULL}},
        {"metrics.export", {"<Control>e", NULL}},
        {"metrics.reload", {"F5", NULL}},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(all) && application != NULL; i++)
        gtk_application_set_accels_for_action(application, all[i].action,
                                              all[i].keys);
}

static HpmvizMetricswindow *
new_window(HpmvizSession *session, GtkWindow *parent, size_t subject)
{
    HpmvizMetricswindow *window = g_object_new(
        HPMVIZ_TYPE_METRICSWINDOW, "transient-for", parent, "application",
        gtk_window_get_application(parent), "destroy-with-parent", TRUE, NULL);

    set_accelerators(gtk_window_get_application(parent));
    window->session = g_object_ref(session);
    window->is_tree = hpmviz_session_view(session)->is_tree;
    window->identity = hpmviz_identity_new(survey_of(window), subject);
    restore_size(window);
    add_panes(window);
    add_menus(window);
    on_viewed(window);
    set_title(window, subject);
    hpmviz_metricstable_focus(window->table);
    begin_sheet(window, subject);
    g_signal_connect_object(session, "surveyed", G_CALLBACK(on_surveyed),
                            window, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "loaded", G_CALLBACK(on_loaded), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed", G_CALLBACK(on_viewed), window,
                            G_CONNECT_SWAPPED);
    return window;
}

static HpmvizMetricswindow *
find_window(const HpmvizSession *session, size_t subject)
{
    GList *all = gtk_window_list_toplevels();
    HpmvizMetricswindow *found = NULL;

    for (GList *at = all; at != NULL && found == NULL; at = at->next) {
        HpmvizMetricswindow *window =
            HPMVIZ_IS_METRICSWINDOW(at->data) ? at->data : NULL;

        if (window != NULL && window->session == session &&
            window->subject == subject &&
            window->is_tree == hpmviz_session_view(session)->is_tree)
            found = window;
    }
    g_list_free(all);
    return found;
}

HpmvizMetricswindow *
hpmviz_metricswindow_open(HpmvizSession *session, GtkWindow *parent,
                          size_t subject)
{
    HpmvizMetricswindow *window = find_window(session, subject);

    if (window == NULL)
        window = new_window(session, parent, subject);
    gtk_window_present(GTK_WINDOW(window));
    return window;
}
