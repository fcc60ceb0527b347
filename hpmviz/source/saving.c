/* SPDX-License-Identifier: BSD-3-Clause
 * Saving a source together with the user. */
#include "hpmviz/source/saving.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "hpmviz/widgets/filechooser.h"

static gboolean save(struct hpmviz_saving *saving);

/* ---- threads --------------------------------------------------------- */

/* What a thread does may end when nobody saves any more. */
struct hpmviz_savinglink {
    struct hpmviz_saving *saving; /* or NULL */
    guint n_users;
};

static struct hpmviz_savinglink *
use_link(struct hpmviz_saving *saving)
{
    if (saving->link == NULL) {
        saving->link = g_new0(struct hpmviz_savinglink, 1);
        saving->link->saving = saving;
        saving->link->n_users = 1;
    }
    saving->link->n_users++;
    return saving->link;
}

/* The saving, or NULL. */
static struct hpmviz_saving *
leave_link(struct hpmviz_savinglink *link)
{
    struct hpmviz_saving *saving = link->saving;

    if (--link->n_users == 0)
        g_free(link);
    return saving;
}

void
hpmviz_saving_clear(struct hpmviz_saving *saving)
{
    if (saving->link == NULL)
        return;
    saving->link->saving = NULL;
    leave_link(saving->link);
    saving->link = NULL;
}

/* ---- remedies -------------------------------------------------------- */

static void
overwrite(gpointer data)
{
    struct hpmviz_saving *saving = data;

    saving->is_forced = TRUE;
    save(saving);
}

static void
write_into(gpointer data)
{
    struct hpmviz_saving *saving = data;

    saving->way = HPMVIZ_WRITE_INTO;
    save(saving);
}

static void
save_as(gpointer data)
{
    hpmviz_saving_save_as(data);
}

/* A text that was edited meanwhile stays. */
static void
end_reloading(GObject *source, GAsyncResult *result, gpointer data)
{
    struct hpmviz_saving *saving = leave_link(data);
    g_autoptr(GError) error = NULL;

    (void)source;
    if (hpmviz_document_open_finish(result, &error) || saving == NULL ||
        g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    hpmviz_notice_tell(saving->notice, GTK_MESSAGE_ERROR, error->message, NULL,
                       NULL);
}

static void
reload(gpointer data)
{
    struct hpmviz_saving *saving = data;

    hpmviz_document_reload_start(saving->document, end_reloading,
                                 use_link(saving));
}

static void
keep(gpointer data)
{
    (void)data; /* the text stays as it is, and modified */
}

static void
restore(gpointer data)
{
    hpmviz_document_restore(((struct hpmviz_saving *)data)->document);
}

static void
drop(gpointer data)
{
    hpmviz_document_drop_draft(((struct hpmviz_saving *)data)->document);
}

static const struct hpmviz_remedy for_conflicts[] = {
    {N_("_Reload the file"), reload},
    {N_("_Overwrite it"), overwrite},
    {N_("_Keep editing"), keep},
    {N_("Save _as…"), save_as},
    {NULL, NULL},
};

static const struct hpmviz_remedy for_irreplaceable[] = {
    {N_("_Write into it"), write_into},
    {N_("Save _as…"), save_as},
    {NULL, NULL},
};

static const struct hpmviz_remedy for_failures[] = {
    {N_("Save _as…"), save_as},
    {NULL, NULL},
};

/* ---- saving ---------------------------------------------------------- */

static void
tell_failure(struct hpmviz_saving *saving, const GError *error)
{
    char *sentence;

    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG)) {
        hpmviz_notice_tell(saving->notice, GTK_MESSAGE_WARNING, error->message,
                           for_conflicts, saving);
        return;
    }
    sentence = g_strdup_printf(_("not saved: %s"), error->message);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANT_CREATE_BACKUP))
        hpmviz_notice_tell(saving->notice, GTK_MESSAGE_WARNING, sentence,
                           for_irreplaceable, saving);
    else
        hpmviz_notice_tell(saving->notice, GTK_MESSAGE_ERROR, sentence,
                           for_failures, saving);
    g_free(sentence);
}

/* A text that was not edited is not written, and its draft stays. */
static void
end_saving(struct hpmviz_saving *saving)
{
    hpmviz_notice_hide(saving->notice);
    if (hpmviz_document_draft(saving->document) == NULL)
        hpmviz_notice_hide(saving->draft_notice);
}

static gboolean
save(struct hpmviz_saving *saving)
{
    GError *error = NULL;
    gboolean is_saved = hpmviz_document_save(saving->document, saving->way,
                                             saving->is_forced, &error);

    if (is_saved)
        end_saving(saving);
    else
        tell_failure(saving, error);
    g_clear_error(&error);
    return is_saved;
}

/* What the user allowed in answers was for that time. */
gboolean
hpmviz_saving_save(struct hpmviz_saving *saving)
{
    saving->is_forced = FALSE;
    saving->way = HPMVIZ_REPLACE;
    return save(saving);
}

static void
on_named(char *const *names, gpointer data)
{
    struct hpmviz_saving *saving = data;
    GError *error = NULL;

    if (hpmviz_document_save_as(saving->document, *names, &error))
        end_saving(saving);
    else
        tell_failure(saving, error);
    g_clear_error(&error);
}

void
hpmviz_saving_save_as(struct hpmviz_saving *saving)
{
    GtkWidget *window = gtk_widget_get_toplevel(GTK_WIDGET(saving->notice));
    GtkFileChooserNative *dialog;
    GtkFileChooser *chooser;

    if (hpmviz_document_path(saving->document) == NULL)
        return;
    dialog = gtk_file_chooser_native_new(
        _("Save the source as"), GTK_WINDOW(window),
        GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
    chooser = GTK_FILE_CHOOSER(dialog);
    gtk_file_chooser_set_do_overwrite_confirmation(chooser, TRUE);
    gtk_file_chooser_set_filename(chooser,
                                  hpmviz_document_path(saving->document));
    hpmviz_filechooser_ask(dialog, G_OBJECT(saving->notice), on_named, saving);
}

/* ---- what others do -------------------------------------------------- */

static void
tell_look(struct hpmviz_saving *saving, const GError *error)
{
    hpmviz_notice_tell(saving->notice, GTK_MESSAGE_WARNING, error->message,
                       g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG)
                           ? for_conflicts
                           : for_failures,
                       saving);
}

static void
end_looking(GObject *source, GAsyncResult *result, gpointer data)
{
    struct hpmviz_saving *saving = leave_link(data);
    g_autoptr(GError) error = NULL;
    gboolean is_same = hpmviz_document_look_finish(result, &error);

    (void)source;
    if (saving == NULL)
        return;
    saving->is_looking = FALSE;
    if (!is_same && !gtk_widget_get_visible(GTK_WIDGET(saving->notice)))
        tell_look(saving, error);
    if (saving->looks_again)
        hpmviz_saving_look(saving);
}

/* Whoever comes back while a thread looks may have changed the file after it
 * did. */
void
hpmviz_saving_look(struct hpmviz_saving *saving)
{
    saving->looks_again = saving->is_looking;
    if (saving->is_looking ||
        gtk_widget_get_visible(GTK_WIDGET(saving->notice)))
        return;
    saving->is_looking = TRUE;
    hpmviz_document_look_start(saving->document, end_looking, use_link(saving));
}

void
hpmviz_saving_offer_draft(struct hpmviz_saving *saving)
{
    static const struct hpmviz_remedy remedies[] = {
        {N_("_Restore them"), restore},
        {N_("_Discard them"), drop},
        {NULL, NULL},
    };
    const struct hpmviz_draft *draft = hpmviz_document_draft(saving->document);
    GDateTime *time;
    char *when, *sentence;

    hpmviz_notice_hide(saving->draft_notice);
    if (draft == NULL)
        return;
    time = g_date_time_new_from_unix_local(draft->seconds);
    when = time != NULL ? g_date_time_format(time, "%F %H:%M") : g_strdup("?");
    sentence = g_strdup_printf(
        hpmviz_fileidentity_is_same(&draft->base,
                                    hpmviz_document_identity(saving->document))
            ? _("changes to %s of %s were not saved")
            : _("changes to %s of %s were not saved; the file itself was "
                "changed since"),
        hpmviz_document_path(saving->document), when);
    hpmviz_notice_tell(saving->draft_notice, GTK_MESSAGE_QUESTION, sentence,
                       remedies, saving);
    g_free(sentence);
    g_free(when);
    g_clear_pointer(&time, g_date_time_unref);
}
