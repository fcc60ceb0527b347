/* SPDX-License-Identifier: BSD-3-Clause
 * The runs that are open, and what is shown of them. */
#include "hpmviz/runs/runsbar.h"

#include <glib/gi18n.h>

#include "hpmviz/data/change.h"
#include "hpmviz/runs/runslist.h"
#include "hpmviz/widgets/safetext.h"

struct _HpmvizRunsbar {
    GtkBox parent_instance;
    HpmvizSession *session;
    GtkWidget *shown_box, *metric_label, *metric_box, *runs_button;
    gboolean is_updating; /* what GTK tells is our own doing */
};

G_DEFINE_TYPE(HpmvizRunsbar, hpmviz_runsbar, GTK_TYPE_BOX)

/* ---- what is shown --------------------------------------------------- */

/* An entry's id: "3" a run, "-3" what changed to it. */
static char *
id_of(guint run, gboolean is_compared)
{
    return g_strdup_printf("%s%u", is_compared ? "-" : "", run);
}

static void
add_entry(GtkComboBoxText *box, guint run, gboolean is_compared, char *words)
{
    g_autofree char *id = id_of(run, is_compared);
    g_autofree char *safe = hpmviz_safe_line(words);

    gtk_combo_box_text_append(box, id, safe);
    g_free(words);
}

static const char *
remark_of(const HpmvizRun *run)
{
    return hpmviz_run_is_stale(run) ? _(" (as before: could not be read again)")
                                    : "";
}

static void
add_changes(GtkComboBoxText *box, const HpmvizRuns *runs)
{
    HpmvizRun *reference = hpmviz_runs_find(runs, hpmviz_runs_reference(runs));
    HpmvizRun *run;

    for (guint i = 0; (run = hpmviz_runs_at(runs, i)) != NULL; i++) {
        if (run != reference)
            add_entry(box, hpmviz_run_id(run), TRUE,
                      g_strdup_printf(
                          _("%s − %s: what changed to %s%s"),
                          hpmviz_run_letter(run), hpmviz_run_letter(reference),
                          hpmviz_run_name(run),
                          hpmviz_run_is_stale(reference) ? remark_of(reference)
                                                         : remark_of(run)));
    }
}

static void
fill_shown(HpmvizRunsbar *bar)
{
    GtkComboBoxText *box = GTK_COMBO_BOX_TEXT(bar->shown_box);
    const HpmvizRuns *runs = hpmviz_session_runs(bar->session);
    const struct hpmviz_selection *selection =
        hpmviz_session_selection(bar->session);
    g_autofree char *id = id_of(selection->run, selection->is_compared);
    HpmvizRun *run;

    gtk_combo_box_text_remove_all(box);
    add_changes(box, runs);
    for (guint i = 0; (run = hpmviz_runs_at(runs, i)) != NULL; i++)
        add_entry(box, hpmviz_run_id(run), FALSE,
                  g_strdup_printf("%s  %s%s", hpmviz_run_letter(run),
                                  hpmviz_run_name(run), remark_of(run)));
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(box), id);
}

static void
on_shown(HpmvizRunsbar *bar)
{
    const char *id = gtk_combo_box_get_active_id(GTK_COMBO_BOX(bar->shown_box));
    gint64 number = id != NULL ? g_ascii_strtoll(id, NULL, 10) : 0;

    if (!bar->is_updating && number != 0)
        hpmviz_session_show(bar->session, (guint)ABS(number), number < 0);
}

/* ---- which metric ---------------------------------------------------- */

static gboolean
has_quantity(const struct hpm_survey *survey, size_t quantity)
{
    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (hpm_subject_entry(&survey->subjects[i], quantity) != NULL)
            return TRUE;
    }
    return FALSE;
}

static const char *
words_of(const struct hpm_quantity *quantity)
{
    switch (quantity->kind) {
    case HPM_QUANTITY_CALLS:
        return _("Calls");
    case HPM_QUANTITY_EXCLUSIVE:
        return _("Exclusive time");
    case HPM_QUANTITY_INCLUSIVE:
        return _("Inclusive time");
    default:
        return quantity->name;
    }
}

static void
fill_metrics(HpmvizRunsbar *bar)
{
    GtkComboBoxText *box = GTK_COMBO_BOX_TEXT(bar->metric_box);
    const struct hpm_survey *survey = hpmviz_session_survey(bar->session);
    size_t selected = hpmviz_session_metric(bar->session);

    gtk_combo_box_text_remove_all(box);
    for (size_t i = 0; survey != NULL && i < survey->n_quantities; i++) {
        const struct hpm_quantity *quantity = &survey->quantities[i];
        g_autofree char *safe = hpmviz_safe_line(words_of(quantity));

        if (has_quantity(survey, i))
            gtk_combo_box_text_append(box, quantity->name, safe);
    }
    if (selected != HPM_NO_QUANTITY)
        gtk_combo_box_set_active_id(GTK_COMBO_BOX(box),
                                    survey->quantities[selected].name);
}

static void
on_metric(HpmvizRunsbar *bar)
{
    const char *name =
        gtk_combo_box_get_active_id(GTK_COMBO_BOX(bar->metric_box));

    if (!bar->is_updating && name != NULL)
        hpmviz_session_select_metric(bar->session, name);
}

/* ---- the bar --------------------------------------------------------- */

static void
show(HpmvizRunsbar *bar)
{
    gboolean is_change = hpmviz_change_is_shown(bar->session);
    gboolean has_several =
        hpmviz_runs_count(hpmviz_session_runs(bar->session)) > 1;

    bar->is_updating = TRUE;
    if (has_several)
        fill_shown(bar);
    if (is_change)
        fill_metrics(bar);
    bar->is_updating = FALSE;
    gtk_widget_set_visible(bar->shown_box, has_several);
    gtk_widget_set_visible(bar->runs_button, has_several);
    gtk_widget_set_visible(bar->metric_label, is_change);
    gtk_widget_set_visible(bar->metric_box, is_change);
    gtk_widget_set_visible(GTK_WIDGET(bar), has_several || is_change);
}

static void
show_metric(HpmvizRunsbar *bar)
{
    size_t selected = hpmviz_session_metric(bar->session);

    if (selected == HPM_NO_QUANTITY || !hpmviz_change_is_shown(bar->session))
        return;
    bar->is_updating = TRUE;
    gtk_combo_box_set_active_id(
        GTK_COMBO_BOX(bar->metric_box),
        hpmviz_session_survey(bar->session)->quantities[selected].name);
    bar->is_updating = FALSE;
}

void
hpmviz_runsbar_manage(HpmvizRunsbar *bar)
{
    if (gtk_widget_get_visible(bar->runs_button))
        gtk_button_clicked(GTK_BUTTON(bar->runs_button));
}

static void
dispose(GObject *object)
{
    g_clear_object(&HPMVIZ_RUNSBAR(object)->session);
    G_OBJECT_CLASS(hpmviz_runsbar_parent_class)->dispose(object);
}

static void
hpmviz_runsbar_class_init(HpmvizRunsbarClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/runsbar.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizRunsbar, shown_box);
    gtk_widget_class_bind_template_child(widget, HpmvizRunsbar, metric_label);
    gtk_widget_class_bind_template_child(widget, HpmvizRunsbar, metric_box);
    gtk_widget_class_bind_template_child(widget, HpmvizRunsbar, runs_button);
    gtk_widget_class_bind_template_callback(widget, on_shown);
    gtk_widget_class_bind_template_callback(widget, on_metric);
}

static void
hpmviz_runsbar_init(HpmvizRunsbar *bar)
{
    gtk_widget_init_template(GTK_WIDGET(bar));
}

GtkWidget *
hpmviz_runsbar_new(HpmvizSession *session)
{
    HpmvizRunsbar *bar = g_object_new(HPMVIZ_TYPE_RUNSBAR, NULL);

    bar->session = g_object_ref(session);
    gtk_menu_button_set_popover(GTK_MENU_BUTTON(bar->runs_button),
                                hpmviz_runslist_new(session));
    g_signal_connect_object(session, "loaded", G_CALLBACK(show), bar,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "failed", G_CALLBACK(show), bar,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "surveyed", G_CALLBACK(show), bar,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed", G_CALLBACK(show), bar,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "metric", G_CALLBACK(show_metric), bar,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(hpmviz_session_runs(session), "changed",
                            G_CALLBACK(show), bar, G_CONNECT_SWAPPED);
    show(bar);
    return GTK_WIDGET(bar);
}
