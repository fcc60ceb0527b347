/* SPDX-License-Identifier: BSD-3-Clause
 * One source file, shown and edited. */
#include "hpmviz/source/sourcetab.h"

#include <glib/gi18n.h>
#include <string.h>

#include "base/string.h"
#include "hpmviz/source/bracketgutter.h"
#include "hpmviz/source/caretscroll.h"
#include "hpmviz/source/heatgutter.h"
#include "hpmviz/source/locating.h"
#include "hpmviz/source/minimap.h"
#include "hpmviz/source/samplegutter.h"
#include "hpmviz/source/saving.h"
#include "hpmviz/source/sourcelook.h"
#include "hpmviz/source/sourcemenu.h"
#include "hpmviz/widgets/notice.h"

struct _HpmvizSourcetab {
    GtkBox parent_instance;
    HpmvizSession *session;
    char *recorded;
    HpmvizDocument *document;
    struct hpmviz_locating locating;
    struct hpmviz_saving saving;
    struct hpmviz_heat heat; /* where its lines are now */
    struct hpmviz_lineheat samples;

    /* a bar for each kind of what is to be said: none takes another's place */
    HpmvizNotice *saving_notice, *draft_notice, *command_notice, *place_notice,
        *file_notice, *section_notice;
    GtkSourceView *view;
    HpmvizMinimap *map;
    GtkWidget *path_label, *state_label, *place_label;
    HpmvizHeatgutter *gutter;
    HpmvizBracketgutter *brackets;
    HpmvizSamplegutter *samplegutter;
    GtkTextTag *section_tag;
    struct hpmviz_caretscroll scroll;
    int line; /* of the caret */

    GCancellable *opening;  /* of the file that a thread reads */
    int wanted_line;        /* where to go then; 0: nowhere */
    gboolean wants_section; /* to the selected section, which begins there */
};

G_DEFINE_TYPE(HpmvizSourcetab, hpmviz_sourcetab, GTK_TYPE_BOX)

enum { TITLED, LOCATED, MOVED, N_SIGNALS };

static guint signals[N_SIGNALS];

static GtkTextBuffer *
buffer_of(const HpmvizSourcetab *tab)
{
    return GTK_TEXT_BUFFER(hpmviz_document_buffer(tab->document));
}

/* Does a thread look for its file, or read it? */
static gboolean
is_awaited(const HpmvizSourcetab *tab)
{
    return hpmviz_locating_is_finding(&tab->locating) ||
           hpmviz_document_is_awaited(tab->document);
}

/* ---- the run --------------------------------------------------------- */

/* Has the file a date after the run began?  A copy has, too: performance files
 * do not say what was in a source. */
static gboolean
is_newer_than_run(const HpmvizSourcetab *tab)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(tab->session);
    const char *start = loaded != NULL && loaded->study->n_tasks > 0
                            ? loaded->study->tasks[0].start
                            : NULL;
    GDateTime *time =
        start != NULL ? g_date_time_new_from_iso8601(start, NULL) : NULL;
    gboolean is_newer =
        time != NULL && g_date_time_to_unix(time) <
                            hpmviz_document_identity(tab->document)->seconds;

    g_clear_pointer(&time, g_date_time_unref);
    return is_newer;
}

/* ---- what is said below the text ------------------------------------- */

static void
set_safely(GtkWidget *label, const char *text)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, text);
    gtk_label_set_text(GTK_LABEL(label), hpm_string_text(&safe));
    gtk_widget_set_tooltip_text(label, hpm_string_text(&safe));
    hpm_string_free(&safe);
}

/* So many take more than a second to be laid out. */
enum { MANY_LINES = 20000 };

static void
show_state(HpmvizSourcetab *tab)
{
    const struct hpmviz_sourcetext *text = hpmviz_document_text(tab->document);
    GString *state = g_string_new(NULL);

    if (hpmviz_document_path(tab->document) != NULL) {
        g_string_append(state, text->encoding);
        if (text->has_returns)
            g_string_append(state, ", CRLF");
        else if (text->has_mixed_ends)
            g_string_append(state, _(", mixed line ends"));
        if (hpmviz_document_is_edited(tab->document))
            g_string_append(state, _(", edited since the run"));
        if (hpmviz_caretscroll_is_waiting(&tab->scroll) &&
            hpmviz_document_n_lines(tab->document) > MANY_LINES)
            g_string_append(state, _(", being laid out"));
        set_safely(tab->path_label, hpmviz_document_path(tab->document));
    }
    if (is_awaited(tab))
        g_string_assign(state, _("being read"));
    gtk_label_set_text(GTK_LABEL(tab->state_label), state->str);
    g_string_free(state, TRUE);
}

/* What gutters only draw is here in words. */
static void
show_place(HpmvizSourcetab *tab)
{
    const struct hpm_survey *survey = hpmviz_session_survey(tab->session);
    char *sections = survey != NULL
                         ? hpmviz_heat_describe(&tab->heat, survey, tab->line)
                         : NULL;
    char **lines = g_strsplit(sections != NULL ? sections : "", "\n", -1);
    char *inside = g_strjoinv("; ", lines);
    char *samples = hpmviz_lineheat_describe(&tab->samples, tab->line);
    char *said = g_strjoin("; ", *inside != '\0' ? inside : samples,
                           *inside != '\0' ? samples : NULL, NULL);
    char *text = *said != '\0'
                     ? g_strdup_printf(_("Line %d: %s"), tab->line, said)
                     : g_strdup_printf(_("Line %d"), tab->line);

    gtk_label_set_text(GTK_LABEL(tab->place_label), text);
    gtk_widget_set_tooltip_text(tab->place_label, sections);
    g_free(text);
    g_free(said);
    g_free(samples);
    g_free(inside);
    g_strfreev(lines);
    g_free(sections);
}

/* ---- sections -------------------------------------------------------- */

static int
line_now(int line, gpointer data)
{
    return hpmviz_document_now(data, line);
}

static void
move_heat(HpmvizSourcetab *tab)
{
    const struct hpm_survey *survey = hpmviz_session_survey(tab->session);

    hpmviz_heat_move(&tab->heat, line_now, tab->document);
    hpmviz_lineheat_move(&tab->samples, line_now, tab->document);
    hpmviz_samplegutter_set(tab->samplegutter, &tab->samples);
    hpmviz_heatgutter_set(tab->gutter, &tab->heat, survey);
    hpmviz_bracketgutter_set(tab->brackets, &tab->heat, survey);
    hpmviz_minimap_set(tab->map, &tab->heat);
}

/* Lines of a run that is newer than the file are those of the text as it was
 * saved; of an older one as it was before it was edited. */
static void
follow_lines(HpmvizSourcetab *tab, const struct hpm_survey *survey)
{
    guint n;
    int *lines;

    if (hpmviz_document_is_modified(tab->document) ||
        (hpmviz_document_is_edited(tab->document) && is_newer_than_run(tab)))
        return;
    lines = hpmviz_heat_lines(survey, tab->recorded, &n);
    hpmviz_document_follow(tab->document, lines, n);
    g_free(lines);
}

/* Of the event that is looked at, the first one where it was not sampled. */
static void
find_samples(HpmvizSourcetab *tab)
{
    const struct hpm_hotspots *hotspots =
        hpmviz_session_loaded(tab->session)->hotspots;
    guint event;

    if (hotspots == NULL)
        return;
    event = (guint)hpmviz_preferences_get_int(
        hpmviz_session_preferences(tab->session), "view", "sampled", 0,
        (int)hotspots->study->n_sampled - 1, 0);
    hpmviz_lineheat_init(&tab->samples, hotspots, event, tab->recorded);
}

void
hpmviz_sourcetab_heat(HpmvizSourcetab *tab)
{
    const struct hpm_survey *survey = hpmviz_session_survey(tab->session);

    hpmviz_heatgutter_set(tab->gutter, NULL, NULL);
    hpmviz_bracketgutter_set(tab->brackets, NULL, NULL);
    hpmviz_minimap_set(tab->map, NULL);
    hpmviz_samplegutter_set(tab->samplegutter, NULL);
    hpmviz_heat_clear(&tab->heat);
    hpmviz_lineheat_clear(&tab->samples);
    if (survey == NULL || hpmviz_document_path(tab->document) == NULL)
        return;
    follow_lines(tab, survey);
    hpmviz_heat_init(&tab->heat, survey, tab->recorded,
                     hpmviz_session_view(tab->session)->scope);
    hpmviz_heat_take_changes(&tab->heat, tab->session);
    hpmviz_heat_cut(&tab->heat, hpmviz_document_n_lines(tab->document));
    find_samples(tab);
    hpmviz_lineheat_cut(&tab->samples, hpmviz_document_n_lines(tab->document));
    move_heat(tab);
    hpmviz_sourcetab_mark_section(tab);
    show_place(tab);
    show_state(tab);
}

/* The stretch of the section that is selected; NULL for none here. */
static const struct hpmviz_stretch *
selected_stretch(const HpmvizSourcetab *tab)
{
    size_t selected = hpmviz_session_selected(tab->session);

    for (guint i = 0; i < tab->heat.n_stretches; i++) {
        if (tab->heat.stretches[i].subject == selected)
            return &tab->heat.stretches[i];
    }
    return NULL;
}

void
hpmviz_sourcetab_mark_section(HpmvizSourcetab *tab)
{
    const struct hpmviz_stretch *stretch = selected_stretch(tab);
    GtkTextIter start, end;

    hpmviz_bracketgutter_select(
        tab->brackets, stretch != NULL ? stretch->subject : HPM_NO_SUBJECT);
    gtk_text_buffer_get_bounds(buffer_of(tab), &start, &end);
    gtk_text_buffer_remove_tag(buffer_of(tab), tab->section_tag, &start, &end);
    if (stretch == NULL)
        return;
    gtk_text_buffer_get_iter_at_line(buffer_of(tab), &start,
                                     stretch->first - 1);
    gtk_text_buffer_get_iter_at_line(buffer_of(tab), &end, stretch->last - 1);
    gtk_text_iter_forward_line(&end);
    gtk_text_buffer_apply_tag(buffer_of(tab), tab->section_tag, &start, &end);
}

size_t
hpmviz_sourcetab_subject(const HpmvizSourcetab *tab)
{
    const struct hpmviz_stretch *stretch =
        hpmviz_heat_at(&tab->heat, tab->line);

    return stretch != NULL ? stretch->subject : HPM_NO_SUBJECT;
}

/* ---- going there ----------------------------------------------------- */

static void
on_scrolled(gpointer data)
{
    show_state(data);
}

/* While its file is read there are no lines. */
static gboolean
go_later(HpmvizSourcetab *tab, int line, gboolean is_section)
{
    if (!is_awaited(tab))
        return FALSE;
    tab->wanted_line = MAX(line, 1);
    tab->wants_section = is_section;
    return TRUE;
}

static void
go_where_wanted(HpmvizSourcetab *tab)
{
    int line = tab->wanted_line;

    tab->wanted_line = 0;
    if (line > 0 && tab->wants_section)
        hpmviz_sourcetab_show_section(tab);
    else if (line > 0)
        hpmviz_sourcetab_go_to(tab, line);
}

void
hpmviz_sourcetab_go_to(HpmvizSourcetab *tab, int line)
{
    int n_lines = gtk_text_buffer_get_line_count(buffer_of(tab));
    GtkTextIter iter;

    if (go_later(tab, line, FALSE))
        return;
    gtk_text_buffer_get_iter_at_line(buffer_of(tab), &iter,
                                     CLAMP(line, 1, n_lines) - 1);
    gtk_text_buffer_place_cursor(buffer_of(tab), &iter);
    hpmviz_caretscroll_start(&tab->scroll);
    show_state(tab);
}

void
hpmviz_sourcetab_step_line(HpmvizSourcetab *tab, int by)
{
    int line = hpmviz_lineheat_step(&tab->samples, tab->line, by);

    if (line > 0)
        hpmviz_sourcetab_go_to(tab, line);
}

gboolean
hpmviz_sourcetab_has_samples(const HpmvizSourcetab *tab)
{
    return tab->samples.n_lines > 0;
}

/* Sections without a line, and with one that is beyond the end. */
static void
tell_place_unknown(HpmvizSourcetab *tab, int line)
{
    int n_lines = hpmviz_document_n_lines(tab->document);
    char *sentence =
        line <= 0
            ? g_strdup(_("the performance file does not say in which line "
                         "this section begins"))
            : g_strdup_printf(_("this section was in line %d, but the file "
                                "has only %d: it is another version"),
                              line, n_lines);

    hpmviz_notice_tell(tab->section_notice, GTK_MESSAGE_WARNING, sentence, NULL,
                       NULL);
    g_free(sentence);
}

void
hpmviz_sourcetab_show_section(HpmvizSourcetab *tab)
{
    const struct hpm_study_section *section = hpmviz_session_section(
        tab->session, hpmviz_session_selected(tab->session));

    hpmviz_sourcetab_mark_section(tab);
    hpmviz_notice_hide(tab->section_notice);
    if (section == NULL || go_later(tab, section->line, TRUE) ||
        hpmviz_document_path(tab->document) == NULL)
        return;
    if (section->line <= 0 ||
        section->line > hpmviz_document_n_lines(tab->document))
        tell_place_unknown(tab, section->line);
    hpmviz_sourcetab_go_to(tab,
                           hpmviz_document_now(tab->document, section->line));
}

static void
on_caret(HpmvizSourcetab *tab)
{
    GtkTextIter iter;
    int line;

    gtk_text_buffer_get_iter_at_mark(
        buffer_of(tab), &iter, gtk_text_buffer_get_insert(buffer_of(tab)));
    line = gtk_text_iter_get_line(&iter) + 1;
    if (line == tab->line)
        return;
    tab->line = line;
    show_place(tab);
    if (!hpmviz_document_is_reading(tab->document))
        g_signal_emit(tab, signals[MOVED], 0);
}

int
hpmviz_sourcetab_line(const HpmvizSourcetab *tab)
{
    return tab->wanted_line > 0 ? tab->wanted_line : tab->line;
}

/* ---- opening --------------------------------------------------------- */

static void
add_sentence(GString *text, char *sentence)
{
    g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", sentence);
    g_free(sentence);
}

/* What is to be known about the file that was opened. */
static void
tell_state(HpmvizSourcetab *tab)
{
    const char *damage = hpmviz_document_text(tab->document)->damage;
    const char *path = hpmviz_document_path(tab->document);
    GString *text = g_string_new(NULL);

    if (is_newer_than_run(tab))
        add_sentence(text,
                     g_strdup_printf(_("%s has a date after the run: if it was "
                                       "changed since, and not only copied, "
                                       "lines are not those that were "
                                       "measured"),
                                     path));
    if (damage != NULL)
        add_sentence(
            text, g_strdup_printf(_("%s is only shown, not to be edited: %s"),
                                  path, damage));
    else if (!hpmviz_document_is_writable(tab->document))
        add_sentence(text,
                     g_strdup_printf(_("%s is read-only: it can be saved under "
                                       "another name"),
                                     path));
    if (text->len > 0)
        hpmviz_notice_tell(tab->file_notice, GTK_MESSAGE_INFO, text->str, NULL,
                           NULL);
    else
        hpmviz_notice_hide(tab->file_notice);
    g_string_free(text, TRUE);
}

/* Also when a reading has ended that was not taken. */
static void
on_named(HpmvizSourcetab *tab)
{
    if (tab->wanted_line > 0 && !is_awaited(tab) &&
        hpmviz_document_path(tab->document) != NULL)
        go_where_wanted(tab);
    show_state(tab);
    g_signal_emit(tab, signals[TITLED], 0);
}

/* Also when it is read again. */
static void
on_opened(HpmvizSourcetab *tab)
{
    const char *path = hpmviz_document_path(tab->document);

    gtk_source_buffer_set_language(hpmviz_document_buffer(tab->document),
                                   hpmviz_sourcelook_language(path));
    gtk_text_view_set_editable(GTK_TEXT_VIEW(tab->view),
                               hpmviz_document_is_editable(tab->document));
    hpmviz_sourcetab_heat(tab);
    tell_state(tab);
    hpmviz_saving_offer_draft(&tab->saving);
    go_where_wanted(tab);
}

static void
stop_opening(HpmvizSourcetab *tab)
{
    if (tab->opening != NULL)
        g_cancellable_cancel(tab->opening);
    g_clear_object(&tab->opening);
}

static void
end_opening(GObject *object, GAsyncResult *result, gpointer data)
{
    g_autoptr(HpmvizSourcetab) tab = data;
    g_autoptr(GError) error = NULL;

    (void)object;
    if (hpmviz_document_open_finish(result, &error) ||
        g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    tab->wanted_line = 0;
    hpmviz_locating_tell(&tab->locating, error->message);
    show_state(tab);
}

/* What was edited is not lost for it. */
static void
open_file(gpointer data, const char *root, const char *path)
{
    HpmvizSourcetab *tab = data;
    const char *before = hpmviz_document_path(tab->document);

    if (g_strcmp0(before, path) == 0)
        return;
    if (hpmviz_document_is_modified(tab->document)) {
        hpmviz_sourcetab_tell(tab, _("the changes to this file are not saved: "
                                     "save or undo them, then open another "
                                     "file in its place"));
        return;
    }
    stop_opening(tab);
    tab->opening = g_cancellable_new();
    hpmviz_document_open_start(tab->document, root, path, tab->opening,
                               end_opening, g_object_ref(tab));
    show_state(tab);
}

/* It may be shown already, or nowhere. */
static void
on_found(gpointer data)
{
    HpmvizSourcetab *tab = data;

    if (!is_awaited(tab))
        go_where_wanted(tab);
    show_state(tab);
}

static void
on_learned(gpointer data)
{
    g_signal_emit(data, signals[LOCATED], 0);
}

void
hpmviz_sourcetab_retry(HpmvizSourcetab *tab)
{
    if (hpmviz_document_path(tab->document) == NULL &&
        !hpmviz_document_is_awaited(tab->document))
        hpmviz_locating_find(&tab->locating);
}

/* ---- saving ---------------------------------------------------------- */

gboolean
hpmviz_sourcetab_save(HpmvizSourcetab *tab)
{
    return hpmviz_saving_save(&tab->saving);
}

void
hpmviz_sourcetab_save_as(HpmvizSourcetab *tab)
{
    hpmviz_saving_save_as(&tab->saving);
}

/* Coming back from another program, which may have written the file. */
static gboolean
on_focus(HpmvizSourcetab *tab)
{
    hpmviz_saving_look(&tab->saving);
    return FALSE;
}

/* ---- the object ------------------------------------------------------ */

const char *
hpmviz_sourcetab_recorded(const HpmvizSourcetab *tab)
{
    return tab->recorded;
}

/* Folders of the run tell apart what is one file here; a file of another name
 * has its own. */
const char *
hpmviz_sourcetab_name(const HpmvizSourcetab *tab)
{
    const char *path = hpmviz_document_path(tab->document);
    char *here = g_path_get_basename(path != NULL ? path : tab->recorded);
    char *there = g_path_get_basename(tab->recorded);
    gboolean is_same = strcmp(here, there) == 0;

    g_free(here);
    g_free(there);
    return is_same ? tab->recorded : path;
}

char *
hpmviz_sourcetab_title(const HpmvizSourcetab *tab, const GPtrArray *names)
{
    struct hpm_string safe = {0};
    char *title;

    hpm_string_add_safe(
        &safe, hpmviz_sources_short_name(hpmviz_sourcetab_name(tab), names));
    title = g_strconcat(hpmviz_document_is_modified(tab->document) ? "● " : "",
                        hpm_string_text(&safe), NULL);
    hpm_string_free(&safe);
    return title;
}

void
hpmviz_sourcetab_tell(HpmvizSourcetab *tab, const char *sentence)
{
    hpmviz_notice_tell(tab->command_notice, GTK_MESSAGE_ERROR, sentence, NULL,
                       NULL);
}

GtkSourceView *
hpmviz_sourcetab_view(const HpmvizSourcetab *tab)
{
    return tab->view;
}

HpmvizDocument *
hpmviz_sourcetab_document(const HpmvizSourcetab *tab)
{
    return tab->document;
}

static void
apply_look(HpmvizSourcetab *tab)
{
    hpmviz_sourcelook_apply(GTK_WIDGET(tab),
                            hpmviz_document_buffer(tab->document),
                            tab->section_tag);
}

static void
show_map(HpmvizSourcetab *tab)
{
    gtk_widget_set_visible(
        GTK_WIDGET(tab->map),
        hpmviz_preferences_get_flag(hpmviz_session_preferences(tab->session),
                                    "view", "minimap", TRUE));
}

static void
dispose(GObject *object)
{
    HpmvizSourcetab *tab = HPMVIZ_SOURCETAB(object);

    stop_opening(tab);
    hpmviz_locating_clear(&tab->locating);
    hpmviz_saving_clear(&tab->saving);
    if (tab->document != NULL) {
        g_signal_handlers_disconnect_by_data(tab->document, tab);
        g_signal_handlers_disconnect_by_data(buffer_of(tab), tab);
    }
    G_OBJECT_CLASS(hpmviz_sourcetab_parent_class)->dispose(object);
}

static void
finalize(GObject *object)
{
    HpmvizSourcetab *tab = HPMVIZ_SOURCETAB(object);

    hpmviz_heat_clear(&tab->heat);
    hpmviz_lineheat_clear(&tab->samples);
    g_free(tab->recorded);
    g_object_unref(tab->document);
    g_object_unref(tab->session);
    G_OBJECT_CLASS(hpmviz_sourcetab_parent_class)->finalize(object);
}

static void
hpmviz_sourcetab_class_init(HpmvizSourcetabClass *class)
{
    static const char *const names[N_SIGNALS] = {"titled", "located", "moved"};
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    G_OBJECT_CLASS(class)->finalize = finalize;
    for (int i = 0; i < N_SIGNALS; i++)
        signals[i] =
            g_signal_new(names[i], HPMVIZ_TYPE_SOURCETAB, G_SIGNAL_RUN_LAST, 0,
                         NULL, NULL, NULL, G_TYPE_NONE, 0);
    g_type_ensure(GTK_SOURCE_TYPE_VIEW);
    g_type_ensure(HPMVIZ_TYPE_MINIMAP);
    g_type_ensure(HPMVIZ_TYPE_NOTICE);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/sourcetab.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab,
                                         saving_notice);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, draft_notice);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab,
                                         command_notice);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, place_notice);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, file_notice);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab,
                                         section_notice);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, view);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, map);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, path_label);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, state_label);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, place_label);
    gtk_widget_class_bind_template_callback(widget, on_focus);
}

static void
add_gutters(HpmvizSourcetab *tab)
{
    GtkSourceGutter *gutter =
        gtk_source_view_get_gutter(tab->view, GTK_TEXT_WINDOW_LEFT);

    tab->gutter = HPMVIZ_HEATGUTTER(hpmviz_heatgutter_new());
    tab->brackets = HPMVIZ_BRACKETGUTTER(hpmviz_bracketgutter_new());
    tab->samplegutter = HPMVIZ_SAMPLEGUTTER(hpmviz_samplegutter_new());
    gtk_source_gutter_insert(gutter, GTK_SOURCE_GUTTER_RENDERER(tab->gutter),
                             -100);
    gtk_source_gutter_insert(
        gutter, GTK_SOURCE_GUTTER_RENDERER(tab->samplegutter), -80);
    gtk_source_gutter_insert(gutter, GTK_SOURCE_GUTTER_RENDERER(tab->brackets),
                             -90);
}

/* GtkSourceView has no internal children: a template names its parent. */
static void
name_for_readers(HpmvizSourcetab *tab)
{
    atk_object_set_name(gtk_widget_get_accessible(GTK_WIDGET(tab->view)),
                        _("source"));
    atk_object_set_name(gtk_widget_get_accessible(GTK_WIDGET(tab->map)),
                        _("overview"));
}

static void
hpmviz_sourcetab_init(HpmvizSourcetab *tab)
{
    tab->line = 1;
    tab->document = hpmviz_document_new();
    gtk_widget_init_template(GTK_WIDGET(tab));
    name_for_readers(tab);
    gtk_text_view_set_buffer(GTK_TEXT_VIEW(tab->view), buffer_of(tab));
    tab->section_tag =
        gtk_text_buffer_create_tag(buffer_of(tab), "section", NULL, NULL);
    hpmviz_caretscroll_init(&tab->scroll, GTK_TEXT_VIEW(tab->view), on_scrolled,
                            tab);
    tab->saving.document = tab->document;
    tab->saving.notice = tab->saving_notice;
    tab->saving.draft_notice = tab->draft_notice;
    hpmviz_sourcemenu_attach(GTK_TEXT_VIEW(tab->view));
    add_gutters(tab);
    apply_look(tab);
    g_signal_connect(tab, "style-updated", G_CALLBACK(apply_look), NULL);
    g_signal_connect_swapped(buffer_of(tab), "notify::cursor-position",
                             G_CALLBACK(on_caret), tab);
    g_signal_connect_swapped(tab->document, "named", G_CALLBACK(on_named), tab);
    g_signal_connect_swapped(tab->document, "opened", G_CALLBACK(on_opened),
                             tab);
    g_signal_connect_swapped(tab->document, "shifted", G_CALLBACK(move_heat),
                             tab);
}

GtkWidget *
hpmviz_sourcetab_new(HpmvizSession *session, const char *recorded)
{
    HpmvizSourcetab *tab = g_object_new(HPMVIZ_TYPE_SOURCETAB, NULL);

    tab->session = g_object_ref(session);
    tab->recorded = g_strdup(recorded);
    tab->locating = (struct hpmviz_locating){
        .session = session,
        .notice = tab->place_notice,
        .recorded = tab->recorded,
        .open = open_file,
        .ended = on_found,
        .learned = on_learned,
        .data = tab,
    };
    g_signal_connect_object(hpmviz_session_preferences(session),
                            "changed::view.minimap", G_CALLBACK(show_map), tab,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(
        hpmviz_session_preferences(session), "changed::view.sampled",
        G_CALLBACK(hpmviz_sourcetab_heat), tab, G_CONNECT_SWAPPED);
    show_map(tab);
    hpmviz_locating_find(&tab->locating);
    show_state(tab);
    return GTK_WIDGET(tab);
}
