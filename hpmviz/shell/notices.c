/* SPDX-License-Identifier: BSD-3-Clause
 * What is to be said of the files. */
#include "hpmviz/shell/notices.h"

#include <glib/gi18n.h>

#include "base/string.h"
#include "study/words/sentence.h"

struct problems {
    GtkWidget *bar, *label;
    GPtrArray *sentences; /* safe to be shown */
};

struct _HpmvizNotices {
    GtkBox parent_instance;
    HpmvizSession *session;
    struct problems failure; /* to open something else */
    struct problems shown;   /* of the files that are */
    GtkWidget *changed_bar;
    GtkWidget *dialog;             /* that lists all problems, or NULL */
    const struct problems *listed; /* there */
};

G_DEFINE_TYPE(HpmvizNotices, hpmviz_notices, GTK_TYPE_BOX)

enum { ALL = 1, RELOAD, COPY }; /* responses */

enum { SHOWN_IN_BAR = 3 };

/* ---- all of them ----------------------------------------------------- */

static char *
join(const GPtrArray *sentences, guint n)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < sentences->len && i < n; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? "\n" : "",
                               (char *)sentences->pdata[i]);
    return g_string_free(text, FALSE);
}

static void
on_dialog(GtkDialog *dialog, int response, gpointer data)
{
    HpmvizNotices *notices = data;
    char *text;

    if (response != COPY) {
        gtk_widget_destroy(GTK_WIDGET(dialog));
        return;
    }
    text = join(notices->listed->sentences, G_MAXUINT);
    gtk_clipboard_set_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD), text,
                           -1);
    g_free(text);
}

static GtkWidget *
make_list(const struct problems *problems)
{
    GtkWidget *scroller = gtk_scrolled_window_new(NULL, NULL);
    GtkWidget *view = gtk_text_view_new();
    char *text = join(problems->sentences, G_MAXUINT);

    gtk_text_buffer_set_text(gtk_text_view_get_buffer(GTK_TEXT_VIEW(view)),
                             text, -1);
    g_free(text);
    gtk_text_view_set_editable(GTK_TEXT_VIEW(view), FALSE);
    gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(view), GTK_WRAP_WORD_CHAR);
    atk_object_set_name(gtk_widget_get_accessible(view), _("problems"));
    gtk_container_add(GTK_CONTAINER(scroller), view);
    gtk_widget_set_vexpand(scroller, TRUE);
    return scroller;
}

static void
list_problems(HpmvizNotices *notices, const struct problems *problems)
{
    GtkWidget *top = gtk_widget_get_toplevel(GTK_WIDGET(notices));
    int width, height;

    if (notices->dialog != NULL)
        gtk_widget_destroy(notices->dialog);
    notices->listed = problems;
    notices->dialog = gtk_dialog_new_with_buttons(
        _("Problems of the files"), GTK_WINDOW(top),
        GTK_DIALOG_DESTROY_WITH_PARENT, _("_Copy"), COPY, _("Cl_ose"),
        GTK_RESPONSE_CLOSE, NULL);
    gtk_dialog_set_default_response(GTK_DIALOG(notices->dialog),
                                    GTK_RESPONSE_CLOSE);
    gtk_container_add(
        GTK_CONTAINER(gtk_dialog_get_content_area(GTK_DIALOG(notices->dialog))),
        make_list(problems));
    gtk_window_get_size(GTK_WINDOW(top), &width, &height);
    gtk_window_set_default_size(GTK_WINDOW(notices->dialog), width * 2 / 3,
                                height / 2);
    g_signal_connect(notices->dialog, "destroy",
                     G_CALLBACK(gtk_widget_destroyed), &notices->dialog);
    g_signal_connect_object(notices->dialog, "response", G_CALLBACK(on_dialog),
                            notices, 0);
    gtk_widget_show_all(notices->dialog);
}

/* ---- the bars -------------------------------------------------------- */

static void
take_sentence(struct problems *problems, const char *sentence)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, sentence);
    g_ptr_array_add(problems->sentences, g_strdup(hpm_string_text(&safe)));
    hpm_string_free(&safe);
}

/* The first few in the bar, with a head; all of them on demand. */
static void
show_problems(const struct problems *problems, GtkMessageType type,
              const char *head)
{
    guint n = problems->sentences->len;
    char *few = join(problems->sentences, SHOWN_IN_BAR);
    GString *text = g_string_new(head);

    g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", few);
    if (n > SHOWN_IN_BAR)
        g_string_append_printf(text,
                               g_dngettext(NULL, "\nand %u more",
                                           "\nand %u more", n - SHOWN_IN_BAR),
                               n - SHOWN_IN_BAR);
    gtk_label_set_text(GTK_LABEL(problems->label), text->str);
    gtk_info_bar_set_message_type(GTK_INFO_BAR(problems->bar), type);
    gtk_info_bar_set_response_sensitive(GTK_INFO_BAR(problems->bar), ALL,
                                        n > SHOWN_IN_BAR);
    gtk_widget_set_visible(problems->bar, n > 0);
    g_string_free(text, TRUE);
    g_free(few);
}

/* What the program did not measure to its end, and why. */
static void
take_incomplete(struct problems *problems, const struct hpm_study *study)
{
    const char *reason = NULL;
    struct hpm_string why = {0};
    size_t n = 0;
    g_autofree char *sentence = NULL;

    for (size_t i = 0; i < study->n_tasks; i++) {
        if (study->tasks[i].is_complete == HPM_NO) {
            n++;
            reason = reason != NULL ? reason : study->tasks[i].reason;
        }
    }
    if (n == 0)
        return;
    if (reason != NULL)
        hpm_sentence_add(&why, reason);
    else
        hpm_string_add(&why, _("the file says so"));
    sentence = n == 1 && study->n_tasks == 1
                   ? g_strdup_printf(_("incomplete: %s"), hpm_string_text(&why))
                   : g_strdup_printf(_("%zu of %zu tasks are incomplete: %s"),
                                     n, study->n_tasks, hpm_string_text(&why));
    take_sentence(problems, sentence);
    hpm_string_free(&why);
}

static void
on_loaded(HpmvizNotices *notices)
{
    const struct hpmviz_loaded *loaded =
        hpmviz_session_loaded(notices->session);
    char *head = g_strdup_printf(
        g_dngettext(NULL, "%u file is not used whole:",
                    "%u files are not used whole:", loaded->n_bad),
        loaded->n_bad);

    g_ptr_array_set_size(notices->shown.sentences, 0);
    for (guint i = 0; i < loaded->problems->len; i++)
        take_sentence(&notices->shown, loaded->problems->pdata[i]);
    take_incomplete(&notices->shown, loaded->study);
    show_problems(&notices->shown, GTK_MESSAGE_WARNING,
                  loaded->n_bad > 0 ? head : "");
    if (hpmviz_session_failure(notices->session) == NULL)
        gtk_widget_hide(notices->failure.bar);
    gtk_widget_hide(notices->changed_bar);
    g_free(head);
}

/* Where runs are compared, others may have been read. */
static const char *
head_of_failure(HpmvizSession *session)
{
    if (hpmviz_session_loaded(session) == NULL)
        return _("Nothing could be opened.");
    if (hpmviz_runs_count(hpmviz_session_runs(session)) > 1)
        return _("Not all was done; what was open before is shown where "
                 "nothing newer is.");
    return _("Nothing could be opened; the files that were open before are "
             "shown.");
}

/* What was open stays, and so does what is said of that. */
static void
on_failed(HpmvizNotices *notices)
{
    char **sentences =
        g_strsplit(hpmviz_session_failure(notices->session), "\n", -1);

    g_ptr_array_set_size(notices->failure.sentences, 0);
    for (char **at = sentences; *at != NULL; at++)
        take_sentence(&notices->failure, *at);
    show_problems(&notices->failure, GTK_MESSAGE_ERROR,
                  head_of_failure(notices->session));
    g_strfreev(sentences);
}

static void
on_outdated(HpmvizNotices *notices)
{
    gtk_widget_show(notices->changed_bar);
}

static void
on_response(GtkInfoBar *bar, int response, gpointer data)
{
    HpmvizNotices *notices = data;

    if (response == ALL) {
        list_problems(notices, GTK_WIDGET(bar) == notices->failure.bar
                                   ? &notices->failure
                                   : &notices->shown);
        return;
    }
    gtk_widget_hide(GTK_WIDGET(bar));
    if (response == RELOAD)
        hpmviz_session_reload(notices->session);
}

/* ---- the object ------------------------------------------------------ */

static GtkWidget *
add_bar(HpmvizNotices *notices, GtkWidget **ret_label, const char *button,
        int response)
{
    GtkWidget *bar = gtk_info_bar_new_with_buttons(button, response, NULL);
    GtkWidget *label = gtk_label_new(NULL);

    gtk_info_bar_set_show_close_button(GTK_INFO_BAR(bar), TRUE);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
    gtk_container_add(
        GTK_CONTAINER(gtk_info_bar_get_content_area(GTK_INFO_BAR(bar))), label);
    gtk_widget_show(label);
    gtk_widget_set_no_show_all(bar, TRUE);
    gtk_container_add(GTK_CONTAINER(notices), bar);
    g_signal_connect_object(bar, "response", G_CALLBACK(on_response), notices,
                            0);
    *ret_label = label;
    return bar;
}

static void
finalize(GObject *object)
{
    HpmvizNotices *notices = HPMVIZ_NOTICES(object);

    g_ptr_array_unref(notices->failure.sentences);
    g_ptr_array_unref(notices->shown.sentences);
    g_object_unref(notices->session);
    G_OBJECT_CLASS(hpmviz_notices_parent_class)->finalize(object);
}

static void
hpmviz_notices_class_init(HpmvizNoticesClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize;
}

static void
add_problems(HpmvizNotices *notices, struct problems *problems)
{
    problems->sentences = g_ptr_array_new_with_free_func(g_free);
    problems->bar = add_bar(notices, &problems->label, _("_All…"), ALL);
}

static void
hpmviz_notices_init(HpmvizNotices *notices)
{
    GtkWidget *label;

    gtk_orientable_set_orientation(GTK_ORIENTABLE(notices),
                                   GTK_ORIENTATION_VERTICAL);
    add_problems(notices, &notices->failure);
    add_problems(notices, &notices->shown);
    notices->changed_bar = add_bar(notices, &label, _("_Reload"), RELOAD);
    gtk_label_set_text(GTK_LABEL(label),
                       _("The performance files have changed."));
}

GtkWidget *
hpmviz_notices_new(HpmvizSession *session)
{
    HpmvizNotices *notices =
        g_object_new(HPMVIZ_TYPE_NOTICES, "visible", TRUE, NULL);

    notices->session = g_object_ref(session);
    g_signal_connect_object(session, "loaded", G_CALLBACK(on_loaded), notices,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "failed", G_CALLBACK(on_failed), notices,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "outdated", G_CALLBACK(on_outdated),
                            notices, G_CONNECT_SWAPPED);
    return GTK_WIDGET(notices);
}
