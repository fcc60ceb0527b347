/* SPDX-License-Identifier: BSD-3-Clause
 * One source file, shown and edited. */
#include "hpmviz/sourcetab.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/heatgutter.h"
#include "hpmviz/sourcefile.h"
#include "hpmviz/sourcetext.h"
#include "report/format.h"

struct _HpmvizSourcetab {
    GtkBox parent_instance;
    HpmvizSession *session;
    char *recorded, *path;
    struct hpmviz_sourcetext text;
    struct hpmviz_identity identity;
    struct hpmviz_heat heat;

    GtkWidget *info_bar, *info_label, *info_button;
    GtkSourceView *view;
    GtkSourceBuffer *buffer;
    HpmvizHeatgutter *gutter;
    GtkTextTag *section_tag;
    GtkTextMark **line_marks; /* where each line of the file is now */
    int n_lines, line;
    guint scrolling;                      /* the source that will */
    void (*remedy)(HpmvizSourcetab *tab); /* of the info bar's button */
};

G_DEFINE_TYPE(HpmvizSourcetab, hpmviz_sourcetab, GTK_TYPE_BOX)

enum { TITLED, LOCATED, MOVED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- the bar above the text ------------------------------------------ */

/* Names come from files: they are shown safely, and never as markup. */
static void
inform(HpmvizSourcetab *tab, GtkMessageType type, const char *sentence,
       const char *button, void (*remedy)(HpmvizSourcetab *tab))
{
    struct hpm_string safe = {0};

    hpm_text_add_safe(&safe, sentence);
    gtk_label_set_text(GTK_LABEL(tab->info_label), hpm_string_text(&safe));
    hpm_string_free(&safe);
    gtk_info_bar_set_message_type(GTK_INFO_BAR(tab->info_bar), type);
    tab->remedy = remedy;
    gtk_widget_set_visible(tab->info_button, button != NULL);
    if (button != NULL)
        gtk_button_set_label(GTK_BUTTON(tab->info_button), button);
    gtk_widget_show(tab->info_bar);
}

static void
be_quiet(HpmvizSourcetab *tab)
{
    gtk_widget_hide(tab->info_bar);
}

static void
on_remedy(HpmvizSourcetab *tab)
{
    if (tab->remedy != NULL)
        tab->remedy(tab);
}

/* ---- looks ----------------------------------------------------------- */

static gboolean
is_dark(GtkWidget *widget)
{
    GtkStyleContext *context = gtk_widget_get_style_context(widget);
    GdkRGBA text;

    gtk_style_context_get_color(context, gtk_style_context_get_state(context),
                                &text);
    return 0.2126 * text.red + 0.7152 * text.green + 0.0722 * text.blue > 0.5;
}

/* The default scheme cannot be read on a dark theme. */
static void
choose_scheme(HpmvizSourcetab *tab)
{
    gboolean dark = is_dark(GTK_WIDGET(tab));
    GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme(
        gtk_source_style_scheme_manager_get_default(),
        dark ? "oblivion" : "tango");

    if (scheme != NULL &&
        scheme != gtk_source_buffer_get_style_scheme(tab->buffer))
        gtk_source_buffer_set_style_scheme(tab->buffer, scheme);
    g_object_set(tab->section_tag, "paragraph-background",
                 dark ? "#3a3320" : "#fdf3dc", NULL);
}

/* GtkSourceView knows .f and .f90 only. */
static GtkSourceLanguage *
language_of(const char *path)
{
    GtkSourceLanguageManager *manager =
        gtk_source_language_manager_get_default();
    GtkSourceLanguage *language =
        gtk_source_language_manager_guess_language(manager, path, NULL);
    static const char *const endings[] = {".f03", ".f08", ".for",
                                          ".ftn", ".fpp", ".f18"};
    char *small = g_ascii_strdown(path, -1);

    for (guint i = 0; language == NULL && i < G_N_ELEMENTS(endings); i++) {
        if (g_str_has_suffix(small, endings[i]))
            language =
                gtk_source_language_manager_get_language(manager, "fortran");
    }
    g_free(small);
    return language;
}

/* ---- lines ----------------------------------------------------------- */

/* Marks move with the text, so that a line of the file is found after edits
 * above it. */
static void
mark_lines(HpmvizSourcetab *tab)
{
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(tab->buffer);

    tab->n_lines = gtk_text_buffer_get_line_count(buffer);
    tab->line_marks = g_new(GtkTextMark *, (gsize)tab->n_lines + 1);
    for (int i = 0; i < tab->n_lines; i++) {
        GtkTextIter iter;

        gtk_text_buffer_get_iter_at_line(buffer, &iter, i);
        tab->line_marks[i] =
            gtk_text_buffer_create_mark(buffer, NULL, &iter, TRUE);
    }
}

/* Where a line of the file (from 1) is now; the nearest where there is none. */
static void
find_line(const HpmvizSourcetab *tab, int line, GtkTextIter *ret_iter)
{
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(tab->buffer);

    if (tab->n_lines == 0)
        gtk_text_buffer_get_start_iter(buffer, ret_iter);
    else
        gtk_text_buffer_get_iter_at_mark(
            buffer, ret_iter,
            tab->line_marks[CLAMP(line, 1, tab->n_lines) - 1]);
}

/* The last line of the file that stands at or above that one now. */
static int
line_of_file(const HpmvizSourcetab *tab, int now)
{
    int low = 0, high = tab->n_lines - 1;

    while (low < high) {
        int middle = (low + high + 1) / 2;
        GtkTextIter iter;

        find_line(tab, middle + 1, &iter);
        if (gtk_text_iter_get_line(&iter) <= now)
            low = middle;
        else
            high = middle - 1;
    }
    return low + 1;
}

static void
on_caret(HpmvizSourcetab *tab)
{
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(tab->buffer);
    GtkTextIter iter;
    int line;

    gtk_text_buffer_get_iter_at_mark(buffer, &iter,
                                     gtk_text_buffer_get_insert(buffer));
    line = line_of_file(tab, gtk_text_iter_get_line(&iter));
    if (line == tab->line)
        return;
    tab->line = line;
    g_signal_emit(tab, signals[MOVED], 0);
}

static void
on_modified(HpmvizSourcetab *tab)
{
    g_signal_emit(tab, signals[TITLED], 0);
}

/* ---- loading --------------------------------------------------------- */

static void locate(HpmvizSourcetab *tab);
static void confirm_folder(HpmvizSourcetab *tab);

static void
forget_lines(HpmvizSourcetab *tab)
{
    for (int i = 0; i < tab->n_lines; i++)
        gtk_text_buffer_delete_mark(GTK_TEXT_BUFFER(tab->buffer),
                                    tab->line_marks[i]);
    g_clear_pointer(&tab->line_marks, g_free);
    tab->n_lines = 0;
}

static void
set_text(HpmvizSourcetab *tab)
{
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(tab->buffer);

    forget_lines(tab);
    gtk_source_buffer_set_implicit_trailing_newline(tab->buffer, FALSE);
    gtk_source_buffer_begin_not_undoable_action(tab->buffer);
    gtk_text_buffer_set_text(buffer, tab->text.text, -1);
    gtk_source_buffer_end_not_undoable_action(tab->buffer);
    gtk_text_buffer_set_modified(buffer, FALSE);
    gtk_source_buffer_set_language(tab->buffer, language_of(tab->path));
    mark_lines(tab);
    hpmviz_sourcetab_heat(tab);
}

/* Was the file changed after the run began? */
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
        time != NULL && g_date_time_to_unix(time) < tab->identity.seconds;

    g_clear_pointer(&time, g_date_time_unref);
    return is_newer;
}

static void
tell_state(HpmvizSourcetab *tab, gboolean is_writable)
{
    char *sentence = NULL;

    gtk_text_view_set_editable(GTK_TEXT_VIEW(tab->view),
                               tab->text.damage == NULL && is_writable);
    if (tab->text.damage != NULL)
        sentence = g_strdup_printf(_("%s is only shown, not to be edited: %s"),
                                   tab->path, tab->text.damage);
    else if (is_newer_than_run(tab))
        sentence = g_strdup_printf(
            _("%s was changed since the run: lines may not be those that were "
              "measured"),
            tab->path);
    else if (!is_writable)
        sentence = g_strdup_printf(_("%s is read-only"), tab->path);
    if (sentence != NULL)
        inform(tab, GTK_MESSAGE_INFO, sentence, NULL, NULL);
    else
        be_quiet(tab);
    g_free(sentence);
}

static void
load_from(HpmvizSourcetab *tab, const char *root, const char *path)
{
    struct hpmviz_sourcefile file;
    GError *error = NULL;

    g_free(tab->path);
    tab->path = g_strdup(path);
    if (!hpmviz_sourcefile_read(root, path, &file, &error)) {
        inform(tab, GTK_MESSAGE_ERROR, error->message, _("_Locate…"), locate);
        g_clear_error(&error);
        return;
    }
    hpmviz_sourcetext_clear(&tab->text);
    hpmviz_sourcetext_read(file.bytes, file.n_bytes, &tab->text);
    tab->identity = file.identity;
    set_text(tab);
    tell_state(tab, file.is_writable);
    hpmviz_sourcefile_clear(&file);
}

static void
load(HpmvizSourcetab *tab)
{
    char *path, *root, *sentence = NULL;

    gtk_text_view_set_editable(GTK_TEXT_VIEW(tab->view), FALSE);
    switch (hpmviz_sources_find(
        hpmviz_session_sources(tab->session), tab->recorded,
        hpmviz_session_folder(tab->session), &path, &root)) {
    case HPMVIZ_FOUND:
        load_from(tab, root, path);
        break;
    case HPMVIZ_UNCONFIRMED:
        g_free(tab->path);
        tab->path = g_strdup(path);
        sentence = g_strdup_printf(
            _("the performance file names %s; show sources in its folder?"),
            path);
        inform(tab, GTK_MESSAGE_QUESTION, sentence, _("_Show them"),
               confirm_folder);
        break;
    case HPMVIZ_SEVERAL:
        sentence = g_strdup_printf(
            _("%s is in several search folders; choose the right one"),
            tab->recorded);
        inform(tab, GTK_MESSAGE_QUESTION, sentence, _("_Choose…"), locate);
        break;
    default:
        sentence = g_strdup_printf(_("%s was not found"), tab->recorded);
        inform(tab, GTK_MESSAGE_WARNING, sentence, _("_Locate…"), locate);
    }
    g_free(sentence);
    g_free(path);
    g_free(root);
    g_signal_emit(tab, signals[TITLED], 0);
}

static void
confirm_folder(HpmvizSourcetab *tab)
{
    char *folder = g_path_get_dirname(tab->path);

    hpmviz_sources_add_root(hpmviz_session_sources(tab->session), folder);
    g_free(folder);
    load(tab);
    g_signal_emit(tab, signals[LOCATED], 0);
}

static void
locate(HpmvizSourcetab *tab)
{
    GtkWidget *window = gtk_widget_get_toplevel(GTK_WIDGET(tab));
    GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
        _("Locate the source"), GTK_WINDOW(window),
        GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
    char *path = NULL, *from, *to;

    if (gtk_native_dialog_run(GTK_NATIVE_DIALOG(chooser)) ==
        GTK_RESPONSE_ACCEPT)
        path = gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(chooser));
    g_object_unref(chooser);
    if (path == NULL)
        return;
    hpmviz_sources_locate(hpmviz_session_sources(tab->session), tab->recorded,
                          path, &from, &to);
    g_free(from);
    g_free(to);
    g_free(path);
    load(tab);
    g_signal_emit(tab, signals[LOCATED], 0);
}

/* ---- saving ---------------------------------------------------------- */

static void
overwrite(HpmvizSourcetab *tab)
{
    tab->identity = (struct hpmviz_identity){0};
    hpmviz_sourcetab_save(tab);
}

static gboolean
save_bytes(HpmvizSourcetab *tab, const char *bytes, gsize n_bytes,
           GError **error)
{
    gboolean is_forced = tab->identity.inode == 0;

    return hpmviz_sourcefile_save(tab->path, bytes, n_bytes,
                                  is_forced ? NULL : &tab->identity,
                                  HPMVIZ_REPLACE, &tab->identity, error);
}

gboolean
hpmviz_sourcetab_save(HpmvizSourcetab *tab)
{
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(tab->buffer);
    GtkTextIter start, end;
    GError *error = NULL;
    char *edited, *bytes;
    gboolean is_saved;
    gsize n_bytes;

    if (!gtk_text_buffer_get_modified(buffer))
        return TRUE;
    gtk_text_buffer_get_bounds(buffer, &start, &end);
    edited = gtk_text_buffer_get_text(buffer, &start, &end, TRUE);
    bytes = hpmviz_sourcetext_write(&tab->text, edited, &n_bytes, &error);
    is_saved = bytes != NULL && save_bytes(tab, bytes, n_bytes, &error);
    if (is_saved) {
        gtk_text_buffer_set_modified(buffer, FALSE);
        be_quiet(tab);
    } else if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG)) {
        inform(tab, GTK_MESSAGE_WARNING, error->message, _("_Overwrite it"),
               overwrite);
    } else {
        inform(tab, GTK_MESSAGE_ERROR, error->message, NULL, NULL);
    }
    g_clear_error(&error);
    g_free(edited);
    g_free(bytes);
    return is_saved;
}

/* ---- sections -------------------------------------------------------- */

void
hpmviz_sourcetab_heat(HpmvizSourcetab *tab)
{
    const struct hpm_survey *survey = hpmviz_session_survey(tab->session);

    hpmviz_heatgutter_set(tab->gutter, NULL, NULL);
    hpmviz_heat_clear(&tab->heat);
    if (survey == NULL)
        return;
    hpmviz_heat_init(&tab->heat, survey, tab->recorded,
                     hpmviz_session_view(tab->session)->scope);
    hpmviz_heatgutter_set(tab->gutter, &tab->heat, survey);
}

/* Show where the section that is selected begins and ends. */
static void
mark_section(HpmvizSourcetab *tab, int line)
{
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(tab->buffer);
    const struct hpm_survey *survey = hpmviz_session_survey(tab->session);
    size_t selected = hpmviz_session_selected(tab->session);
    GtkTextIter start, end;
    int last = line;

    gtk_text_buffer_get_bounds(buffer, &start, &end);
    gtk_text_buffer_remove_tag(buffer, tab->section_tag, &start, &end);
    if (survey == NULL || selected == HPM_NO_SUBJECT)
        return;
    last = MAX(last, survey->subjects[selected].line_end);
    find_line(tab, line, &start);
    find_line(tab, last, &end);
    if (!gtk_text_iter_ends_line(&end))
        gtk_text_iter_forward_to_line_end(&end);
    gtk_text_buffer_apply_tag(buffer, tab->section_tag, &start, &end);
}

/* Once the text has been laid out: before, nothing knows how far it is. */
static gboolean
scroll_to_caret(gpointer data)
{
    HpmvizSourcetab *tab = data;

    tab->scrolling = 0;
    gtk_text_view_scroll_to_mark(
        GTK_TEXT_VIEW(tab->view),
        gtk_text_buffer_get_insert(GTK_TEXT_BUFFER(tab->buffer)), 0.0, TRUE,
        0.0, 1.0 / 3);
    return G_SOURCE_REMOVE;
}

void
hpmviz_sourcetab_go_to(HpmvizSourcetab *tab, int line)
{
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(tab->buffer);
    GtkTextIter iter;

    if (tab->n_lines == 0)
        return;
    mark_section(tab, line);
    find_line(tab, line, &iter);
    tab->line = CLAMP(line, 1, tab->n_lines); /* not moved by the user */
    gtk_text_buffer_place_cursor(buffer, &iter);
    if (tab->scrolling == 0)
        tab->scrolling =
            g_idle_add_full(G_PRIORITY_LOW, scroll_to_caret, tab, NULL);
}

int
hpmviz_sourcetab_line(const HpmvizSourcetab *tab)
{
    return tab->line;
}

/* ---- the object ------------------------------------------------------ */

const char *
hpmviz_sourcetab_recorded(const HpmvizSourcetab *tab)
{
    return tab->recorded;
}

gboolean
hpmviz_sourcetab_is_modified(const HpmvizSourcetab *tab)
{
    return gtk_text_buffer_get_modified(GTK_TEXT_BUFFER(tab->buffer));
}

char *
hpmviz_sourcetab_title(const HpmvizSourcetab *tab)
{
    char *name =
        g_path_get_basename(tab->path != NULL ? tab->path : tab->recorded);
    char *title =
        g_strconcat(hpmviz_sourcetab_is_modified(tab) ? "*" : "", name, NULL);

    g_free(name);
    return title;
}

GtkSourceView *
hpmviz_sourcetab_view(const HpmvizSourcetab *tab)
{
    return tab->view;
}

static void
finalize(GObject *object)
{
    HpmvizSourcetab *tab = HPMVIZ_SOURCETAB(object);

    if (tab->scrolling != 0)
        g_source_remove(tab->scrolling);
    hpmviz_heat_clear(&tab->heat);
    hpmviz_sourcetext_clear(&tab->text);
    g_free(tab->line_marks);
    g_free(tab->recorded);
    g_free(tab->path);
    g_object_unref(tab->session);
    G_OBJECT_CLASS(hpmviz_sourcetab_parent_class)->finalize(object);
}

static void
hpmviz_sourcetab_class_init(HpmvizSourcetabClass *class)
{
    static const char *const names[N_SIGNALS] = {"titled", "located", "moved"};
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->finalize = finalize;
    for (int i = 0; i < N_SIGNALS; i++)
        signals[i] =
            g_signal_new(names[i], HPMVIZ_TYPE_SOURCETAB, G_SIGNAL_RUN_LAST, 0,
                         NULL, NULL, NULL, G_TYPE_NONE, 0);
    g_type_ensure(GTK_SOURCE_TYPE_VIEW);
    g_type_ensure(GTK_SOURCE_TYPE_MAP);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/sourcetab.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, info_bar);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, info_label);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, info_button);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcetab, view);
    gtk_widget_class_bind_template_callback(widget, on_remedy);
    gtk_widget_class_bind_template_callback(widget, be_quiet);
}

static void
hpmviz_sourcetab_init(HpmvizSourcetab *tab)
{
    GtkSourceGutter *gutter;

    gtk_widget_init_template(GTK_WIDGET(tab));
    tab->buffer =
        GTK_SOURCE_BUFFER(gtk_text_view_get_buffer(GTK_TEXT_VIEW(tab->view)));
    tab->section_tag = gtk_text_buffer_create_tag(GTK_TEXT_BUFFER(tab->buffer),
                                                  "section", NULL, NULL);
    tab->gutter = HPMVIZ_HEATGUTTER(hpmviz_heatgutter_new());
    gutter = gtk_source_view_get_gutter(tab->view, GTK_TEXT_WINDOW_LEFT);
    gtk_source_gutter_insert(gutter, GTK_SOURCE_GUTTER_RENDERER(tab->gutter),
                             -100);
    choose_scheme(tab);
    g_signal_connect(tab, "style-updated", G_CALLBACK(choose_scheme), NULL);
    g_signal_connect_swapped(tab->buffer, "notify::cursor-position",
                             G_CALLBACK(on_caret), tab);
    g_signal_connect_swapped(tab->buffer, "modified-changed",
                             G_CALLBACK(on_modified), tab);
}

GtkWidget *
hpmviz_sourcetab_new(HpmvizSession *session, const char *recorded)
{
    HpmvizSourcetab *tab = g_object_new(HPMVIZ_TYPE_SOURCETAB, NULL);

    tab->session = g_object_ref(session);
    tab->recorded = g_strdup(recorded);
    load(tab);
    return GTK_WIDGET(tab);
}
