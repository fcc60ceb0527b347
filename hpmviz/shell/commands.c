/* SPDX-License-Identifier: BSD-3-Clause
 * What can be done in the main window. */
#include "hpmviz/shell/commands.h"

#include <glib/gi18n.h>

#include "hpmviz/metrics/metricswindow.h"
#include "hpmviz/places/rangechooser.h"
#include "hpmviz/samples/functionswindow.h"
#include "hpmviz/shell/distributionexport.h"
#include "hpmviz/shell/filecommands.h"
#include "hpmviz/shell/help.h"
#include "hpmviz/shell/measurecommands.h"
#include "hpmviz/shell/preferencesdialog.h"
#include "hpmviz/shell/printcommands.h"
#include "hpmviz/shell/sourcecommands.h"
#include "hpmviz/shell/viewcommands.h"

/* ---- where the focus is ---------------------------------------------- */

static GtkWidget *
focus_of(const struct hpmviz_parts *parts)
{
    return gtk_window_get_focus(GTK_WINDOW(parts->window));
}

static gboolean
is_within(const struct hpmviz_parts *parts, gpointer pane)
{
    GtkWidget *focus = focus_of(parts);

    return focus != NULL && gtk_widget_is_ancestor(focus, GTK_WIDGET(pane));
}

/* Filter, sections, source, and again; or the other way round. */
static void
next_pane(struct hpmviz_parts *parts)
{
    if (is_within(parts, parts->source) ||
        !hpmviz_sourcepane_has_page(parts->source))
        hpmviz_sectionspane_find(parts->sections);
    else if (GTK_IS_ENTRY(focus_of(parts)))
        hpmviz_sectionspane_focus(parts->sections);
    else
        hpmviz_sourcepane_focus(parts->source);
}

static void
previous_pane(struct hpmviz_parts *parts)
{
    if (is_within(parts, parts->source))
        hpmviz_sectionspane_focus(parts->sections);
    else if (GTK_IS_ENTRY(focus_of(parts)) &&
             hpmviz_sourcepane_has_page(parts->source))
        hpmviz_sourcepane_focus(parts->source);
    else
        hpmviz_sectionspane_find(parts->sections);
}

/* ---- sections -------------------------------------------------------- */

void
hpmviz_commands_open_metrics(struct hpmviz_parts *parts)
{
    size_t subject = hpmviz_session_selected(parts->session);

    parts->awaits_metrics = hpmviz_session_survey(parts->session) != NULL &&
                            !hpmviz_session_has_metrics(parts->session);
    if (!parts->awaits_metrics && subject != HPM_NO_SUBJECT)
        hpmviz_printcommands_watch_metrics(hpmviz_metricswindow_open(
            parts->session, GTK_WINDOW(parts->window), subject));
}

void
hpmviz_commands_enter_source(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_focus(parts->source);
}

static void
on_line(GtkWidget *window, const char *file, int line,
        struct hpmviz_parts *parts)
{
    (void)window;
    hpmviz_sourcepane_show_line(parts->source, file, line);
}

struct reaction {
    const char *signal;
    GCallback handler; /* gets the window first and the parts last */
};

/* Of each kind there is one window, which follows the session and is hidden when it is
 * closed. */
static void
open_companion(struct hpmviz_parts *parts, const char *name,
               GtkWidget *(*new)(HpmvizSession *, GtkWindow *),
               const struct reaction *reactions, size_t n)
{
    GObject *owner = G_OBJECT(parts->window);
    GtkWidget *window = g_object_get_data(owner, name);

    if (window == NULL) {
        window = new (parts->session, GTK_WINDOW(parts->window));
        g_signal_connect(window, "delete-event",
                         G_CALLBACK(gtk_widget_hide_on_delete), NULL);
        for (size_t i = 0; i < n; i++) {
            g_signal_connect(window, reactions[i].signal, reactions[i].handler,
                             parts);
            if (g_str_equal(reactions[i].signal, "print"))
                hpmviz_printcommands_listen(window);
        }
        g_object_set_data(owner, name, window);
    }
    gtk_window_present(GTK_WINDOW(window));
}

static void
open_functions(struct hpmviz_parts *parts)
{
    const struct reaction reactions[] = {
        {"line-chosen", G_CALLBACK(on_line)},
        {"print", G_CALLBACK(hpmviz_printcommands_functions)}};

    open_companion(parts, "functions", hpmviz_functionswindow_new, reactions,
                   G_N_ELEMENTS(reactions));
}

static void
open_trend(struct hpmviz_parts *parts)
{
    const struct reaction reactions[] = {
        {"print", G_CALLBACK(hpmviz_printcommands_trend)}};

    open_companion(parts, "trend", hpmviz_trendwindow_new, reactions,
                   G_N_ELEMENTS(reactions));
}

static void
open_trees(struct hpmviz_parts *parts)
{
    const struct reaction reactions[] = {
        {"print", G_CALLBACK(hpmviz_printcommands_trees)}};

    open_companion(parts, "trees", hpmviz_treeswindow_new, reactions,
                   G_N_ELEMENTS(reactions));
}

static void
open_distribution(struct hpmviz_parts *parts)
{
    const struct reaction reactions[] = {
        {"export", G_CALLBACK(hpmviz_distributionexport_ask)},
        {"print", G_CALLBACK(hpmviz_printcommands_distribution)}};

    open_companion(parts, "distribution", hpmviz_placeswindow_new, reactions,
                   G_N_ELEMENTS(reactions));
}

static void
choose_places(struct hpmviz_parts *parts)
{
    hpmviz_rangechooser_open(GTK_WINDOW(parts->window), parts->session);
}

static void
enter_sections(struct hpmviz_parts *parts)
{
    hpmviz_sectionspane_focus(parts->sections);
}

/* ---- texts ----------------------------------------------------------- */

/* An entry has no undo, and is not to undo elsewhere. */
static void
undo(struct hpmviz_parts *parts)
{
    if (!GTK_IS_ENTRY(focus_of(parts)))
        hpmviz_sourcepane_undo(parts->source);
}

static void
redo(struct hpmviz_parts *parts)
{
    if (!GTK_IS_ENTRY(focus_of(parts)))
        hpmviz_sourcepane_redo(parts->source);
}

/* The keys have come here before the widget that would know them. */
static void
copy(struct hpmviz_parts *parts)
{
    GtkWidget *focus = focus_of(parts);

    if (GTK_IS_TEXT_VIEW(focus) || GTK_IS_ENTRY(focus) ||
        (GTK_IS_LABEL(focus) &&
         gtk_label_get_selection_bounds(GTK_LABEL(focus), NULL, NULL)))
        g_signal_emit_by_name(focus, "copy-clipboard");
    else
        hpmviz_sectionspane_copy(parts->sections);
}

static void
select_all(struct hpmviz_parts *parts)
{
    GtkWidget *focus = focus_of(parts);

    if (GTK_IS_TEXT_VIEW(focus))
        g_signal_emit_by_name(focus, "select-all", TRUE);
    else if (GTK_IS_EDITABLE(focus))
        gtk_editable_select_region(GTK_EDITABLE(focus), 0, -1);
}

static void
find(struct hpmviz_parts *parts)
{
    if (is_within(parts, parts->source))
        hpmviz_sourcepane_find(parts->source);
    else
        hpmviz_sectionspane_find(parts->sections);
}

static void
find_next(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_find_next(parts->source, TRUE);
}

static void
find_previous(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_find_next(parts->source, FALSE);
}

/* ---- the window ------------------------------------------------------ */

static void
close_window(struct hpmviz_parts *parts)
{
    gtk_window_close(GTK_WINDOW(parts->window));
}

static void
open_preferences(struct hpmviz_parts *parts)
{
    hpmviz_preferencesdialog_show(parts->session, GTK_WINDOW(parts->window));
}

static void
show_manual(struct hpmviz_parts *parts)
{
    hpmviz_help_show_manual(GTK_WINDOW(parts->window));
}

static void
show_glossary(struct hpmviz_parts *parts)
{
    hpmviz_help_show_glossary(GTK_WINDOW(parts->window), parts->session);
}

static void
show_shortcuts(struct hpmviz_parts *parts)
{
    hpmviz_help_show_shortcuts(GTK_WINDOW(parts->window));
}

static void
show_about(struct hpmviz_parts *parts)
{
    hpmviz_help_show_about(GTK_WINDOW(parts->window));
}

static const struct hpmviz_command commands[] = {
    {"close", close_window},
    {"undo", undo},
    {"redo", redo},
    {"copy", copy},
    {"select-all", select_all},
    {"find", find},
    {"find-next", find_next},
    {"find-previous", find_previous},
    {"preferences", open_preferences},
    {"print", hpmviz_printcommands_sections},
    {"metrics", hpmviz_commands_open_metrics},
    {"functions", open_functions},
    {"distribution", open_distribution},
    {"trend", open_trend},
    {"trees", open_trees},
    {"choose-places", choose_places},
    {"source", hpmviz_commands_enter_source},
    {"sections", enter_sections},
    {"next-pane", next_pane},
    {"previous-pane", previous_pane},
    {"manual", show_manual},
    {"glossary", show_glossary},
    {"shortcuts", show_shortcuts},
    {"about", show_about},
};

/* Something is open, selected or changed that was not. */
static void
update(struct hpmviz_parts *parts)
{
    HpmvizSession *session = parts->session;
    HpmvizSourcepane *source = parts->source;
    gboolean has_files = hpmviz_session_loaded(session) != NULL;
    gboolean has_section =
        hpmviz_session_section(session, hpmviz_session_selected(session)) !=
        NULL;
    gboolean has_page = hpmviz_sourcepane_has_page(source);
    const struct {
        const char *action;
        gboolean is_enabled;
    } states[] = {
        {"add", has_files},
        {"add-run", has_files},
        {"add-run-folder", has_files},
        {"trend", hpmviz_runs_count(hpmviz_session_runs(session)) > 1},
        {"runs", hpmviz_runs_count(hpmviz_session_runs(session)) > 1},
        {"reload", hpmviz_session_words(session) != NULL},
        {"export-csv", has_files},
        {"print", has_files},
        {"tree", has_files},
        {"choose-places", has_files},
        {"scope", has_files},
        {"metrics", has_section},
        {"trees", has_files},
        {"distribution", has_section},
        {"functions",
         has_files && hpmviz_session_loaded(session)->hotspots != NULL},
        {"source", has_section && has_page},
        {"find-next", has_page},
        {"find-previous", has_page},
        {"undo", hpmviz_sourcepane_can_undo(source)},
        {"redo", hpmviz_sourcepane_can_redo(source)},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(states); i++)
        hpmviz_parts_enable(parts, states[i].action, states[i].is_enabled);
    hpmviz_sourcecommands_update(parts);
    hpmviz_measurecommands_update(parts);
}

void
hpmviz_commands_add(struct hpmviz_parts *parts)
{
    static const char *const signals[] = {"progress", "loaded", "failed",
                                          "selected", "viewed"};

    hpmviz_parts_add(parts, commands, G_N_ELEMENTS(commands));
    hpmviz_filecommands_add(parts);
    hpmviz_sourcecommands_add(parts);
    hpmviz_measurecommands_add(parts);
    hpmviz_viewcommands_add(parts);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        hpmviz_parts_watch(parts, parts->session, signals[i], update);
    hpmviz_parts_watch(parts, parts->source, "updated", update);
    hpmviz_parts_watch(parts, hpmviz_session_runs(parts->session), "changed",
                       update);
    update(parts);
}

/* ---- keys ------------------------------------------------------------ */

struct shortcut {
    const char *action, *keys[4];
};

/* What shortcuts.ui and hpmviz(1) say, too (tests/check-documents.sh). */
static const struct shortcut shortcuts[] = {
    {"win.open", {"<Control>o", NULL}},
    {"win.open-folder", {"<Control><Shift>o", NULL}},
    {"win.add-run", {"<Control>d", NULL}},
    {"win.add-run-folder", {"<Control><Shift>d", NULL}},
    {"win.runs", {"<Control>r", NULL}},
    {"win.trend", {"<Control><Shift>r", NULL}},
    {"win.reload", {"F5", NULL}},
    {"win.save", {"<Control>s", NULL}},
    {"win.save-as", {"<Control><Shift>s", NULL}},
    {"win.edit-source", {"<Control><Shift>e", NULL}},
    {"win.close-source", {"<Control>F4", NULL}},
    {"win.export-csv", {"<Control>e", NULL}},
    {"win.print", {"<Control>p", NULL}},
    {"win.close", {"<Control>w", NULL}},
    {"app.quit", {"<Control>q", NULL}},
    {"win.undo", {"<Control>z", NULL}},
    {"win.redo", {"<Control><Shift>z", "<Control>y", NULL}},
    {"win.copy", {"<Control>c", NULL}},
    {"win.select-all", {"<Control>a", NULL}},
    {"win.find", {"<Control>f", NULL}},
    {"win.find-next", {"F3", NULL}},
    {"win.find-previous", {"<Shift>F3", NULL}},
    {"win.go-to-line", {"<Control>g", NULL}},
    {"win.preferences", {"<Control>comma", NULL}},
    {"win.metrics", {"<Control>m", NULL}},
    {"win.functions", {"<Control>u", NULL}},
    {"win.distribution", {"<Control>h", NULL}},
    {"win.source", {"<Control>j", NULL}},
    {"win.sections", {"<Control>l", NULL}},
    {"win.next", {"F8", NULL}},
    {"win.previous", {"<Shift>F8", NULL}},
    {"win.next-line", {"<Control>F8", NULL}},
    {"win.previous-line", {"<Control><Shift>F8", NULL}},
    {"win.back", {"<Alt>Left", NULL}},
    {"win.forward", {"<Alt>Right", NULL}},
    {"win.instrument", {"<Control>i", NULL}},
    {"win.uninstrument", {"<Control><Shift>i", NULL}},
    {"win.build", {"<Control>b", NULL}},
    {"win.measure-function", {"<Control><Shift>m", NULL}},
    {"win.stop-build", {"<Control><Shift>b", NULL}},
    {"win.tree", {"<Control>t", NULL}},
    {"win.trees", {"<Control><Shift>t", NULL}},
    {"win.zoom-in",
     {"<Control>plus", "<Control>equal", "<Control>KP_Add", NULL}},
    {"win.zoom-out", {"<Control>minus", "<Control>KP_Subtract", NULL}},
    {"win.zoom-normal", {"<Control>0", "<Control>KP_0", NULL}},
    {"win.next-pane", {"F6", NULL}},
    {"win.previous-pane", {"<Shift>F6", NULL}},
    {"win.manual", {"F1", NULL}},
    {"win.shortcuts", {"<Control>question", "<Control>F1", NULL}},
};

void
hpmviz_commands_set_keys(GtkApplication *application)
{
    for (size_t i = 0; i < G_N_ELEMENTS(shortcuts); i++)
        gtk_application_set_accels_for_action(application, shortcuts[i].action,
                                              shortcuts[i].keys);
}
