/* SPDX-License-Identifier: BSD-3-Clause
 * An edited source: its lines, saving it, and drafts of it. */
#include "hpmviz/source/document.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

static char *top, *path, *drafts;

static void
put(const char *text)
{
    g_file_set_contents(path, text, -1, NULL);
}

static gboolean
has_text(const char *file, const char *expected)
{
    char *text = NULL;
    gboolean is_same = g_file_get_contents(file, &text, NULL, NULL) &&
                       strcmp(text, expected) == 0;

    g_free(text);
    return is_same;
}

/* How an opening ended. */
struct ending {
    gboolean has_ended, is_good;
};

static void
note_end(GObject *object, GAsyncResult *result, gpointer data)
{
    struct ending *ending = data;

    (void)object;
    ending->is_good = hpmviz_document_open_finish(result, NULL);
    ending->has_ended = TRUE;
}

static void
wait_for(const struct ending *ending)
{
    while (!ending->has_ended)
        g_main_context_iteration(NULL, TRUE);
}

static gboolean
open_path(HpmvizDocument *document)
{
    struct ending ending = {FALSE, FALSE};

    hpmviz_document_open_start(document, top, path, NULL, note_end, &ending);
    wait_for(&ending);
    return ending.is_good;
}

static gboolean
reload(HpmvizDocument *document)
{
    struct ending ending = {FALSE, FALSE};

    hpmviz_document_reload_start(document, note_end, &ending);
    wait_for(&ending);
    return ending.is_good;
}

static HpmvizDocument *
open_document(void)
{
    HpmvizDocument *document = hpmviz_document_new();

    if (!open_path(document))
        printf("# %s cannot be opened\n", path);
    return document;
}

static GtkTextBuffer *
buffer_of(const HpmvizDocument *document)
{
    return GTK_TEXT_BUFFER(hpmviz_document_buffer(document));
}

static void
insert(HpmvizDocument *document, const char *text)
{
    GtkTextIter iter;

    gtk_text_buffer_get_start_iter(buffer_of(document), &iter);
    gtk_text_buffer_insert(buffer_of(document), &iter, text, -1);
}

static void
expect_text(const HpmvizDocument *document, const char *expected,
            const char *sentence)
{
    GtkTextIter start, end;
    char *text;

    gtk_text_buffer_get_bounds(buffer_of(document), &start, &end);
    text = gtk_text_buffer_get_text(buffer_of(document), &start, &end, TRUE);
    is_text(text, expected, sentence);
    g_free(text);
}

static guint
n_drafts(void)
{
    return n_entries(drafts);
}

static void
count(HpmvizDocument *document, guint *n)
{
    (void)document;
    (*n)++;
}

/* ---- editing and saving ---------------------------------------------- */

static void
test_saving(void)
{
    static const int lines[] = {1, 3};
    HpmvizDocument *document;
    GError *error = NULL;
    guint n_named = 0, n_shifted = 0;

    put("one\r\ntwo\r\nthree\r\n");
    document = open_document();
    hpmviz_document_follow(document, lines, 2);
    g_signal_connect(document, "named", G_CALLBACK(count), &n_named);
    g_signal_connect(document, "shifted", G_CALLBACK(count), &n_shifted);
    ok(!hpmviz_document_is_modified(document) &&
           !hpmviz_document_is_edited(document) &&
           hpmviz_document_is_editable(document),
       "a file that was opened is not modified");
    insert(document, "new\n");
    ok(hpmviz_document_is_modified(document) && n_named == 1,
       "an edit is told once");
    ok(n_shifted == 1 && hpmviz_document_now(document, 3) == 4,
       "lines move, and that is told");
    ok(hpmviz_document_save(document, HPMVIZ_REPLACE, FALSE, &error) &&
           has_text(path, "new\r\none\r\ntwo\r\nthree\r\n"),
       "it is saved with the line ends of the file");
    ok(!hpmviz_document_is_modified(document) &&
           hpmviz_document_is_edited(document) &&
           hpmviz_document_now(document, 3) == 4,
       "then it is not modified, but edited, and lines stay where they are");
    put("theirs\n");
    insert(document, "mine\n");
    ok(!hpmviz_document_is_same_outside(document, NULL) &&
           !hpmviz_document_save(document, HPMVIZ_REPLACE, FALSE, &error) &&
           g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG) &&
           has_text(path, "theirs\n") && hpmviz_document_is_modified(document),
       "a conflict loses neither text");
    g_clear_error(&error);
    ok(hpmviz_document_save(document, HPMVIZ_REPLACE, TRUE, NULL) &&
           has_text(path, "mine\r\nnew\r\none\r\ntwo\r\nthree\r\n"),
       "it can be decided for this one");
    put("theirs\n");
    ok(reload(document), "or for the other");
    expect_text(document, "theirs\n", "which is shown then");
    g_object_unref(document);
}

static void
test_undoing(void)
{
    static const int lines[] = {1, 2, 3};
    HpmvizDocument *document;
    GtkTextIter start, end;

    put("one\ntwo\nthree\n");
    document = open_document();
    hpmviz_document_follow(document, lines, 3);
    gtk_text_buffer_get_bounds(buffer_of(document), &start, &end);
    gtk_text_buffer_delete(buffer_of(document), &start, &end);
    insert(document, "other");
    while (gtk_source_buffer_can_undo(hpmviz_document_buffer(document)))
        gtk_source_buffer_undo(hpmviz_document_buffer(document));
    ok(!hpmviz_document_is_modified(document) &&
           !hpmviz_document_is_edited(document) &&
           hpmviz_document_now(document, 3) == 3,
       "undoing everything gives the file as it was, its lines, too");
    g_object_unref(document);
}

static void
test_save_as(void)
{
    char *other = g_build_filename(top, "other.c", NULL);
    HpmvizDocument *document;

    put("text\n");
    document = open_document();
    insert(document, "new ");
    ok(hpmviz_document_save_as(document, other, NULL) &&
           has_text(path, "text\n") && has_text(other, "new text\n"),
       "saved as another file, the first stays as it was");
    is_text(hpmviz_document_path(document), other, "and the other is edited");
    insert(document, "very ");
    ok(hpmviz_document_save(document, HPMVIZ_REPLACE, FALSE, NULL) &&
           has_text(other, "very new text\n"),
       "and saved");
    g_object_unref(document);
    g_unlink(other);
    g_free(other);
}

static void
test_damage(void)
{
    HpmvizDocument *document = hpmviz_document_new();
    char *other = g_build_filename(top, "other.c", NULL);

    g_file_set_contents(path, "a\0b\n", 4, NULL);
    ok(open_path(document) && !hpmviz_document_is_editable(document),
       "a file with NUL bytes is not to be edited");
    ok(!hpmviz_document_save_as(document, other, NULL) &&
           !g_file_test(other, G_FILE_TEST_EXISTS),
       "nor saved as another");
    g_object_unref(document);
    g_free(other);
}

/* ---- opening in a thread ---------------------------------------------- */

static void
test_thread(void)
{
    HpmvizDocument *document = hpmviz_document_new();
    char *other = g_build_filename(top, "other.c", NULL);
    struct ending endings[4] = {{FALSE, FALSE}};

    put("one\n");
    g_file_set_contents(other, "other\n", -1, NULL);
    hpmviz_document_open_start(document, top, path, NULL, note_end,
                               &endings[0]);
    ok(hpmviz_document_is_awaited(document) &&
           hpmviz_document_path(document) == NULL,
       "nothing is shown while a thread reads the file");
    wait_for(&endings[0]);
    ok(endings[0].is_good && !hpmviz_document_is_awaited(document),
       "then it is");
    expect_text(document, "one\n", "with its text");
    hpmviz_document_open_start(document, top, other, NULL, note_end,
                               &endings[1]);
    insert(document, "edited\n");
    wait_for(&endings[1]);
    ok(!endings[1].is_good, "a text that was edited meanwhile stays");
    expect_text(document, "edited\none\n", "as it was edited");
    reload(document);
    hpmviz_document_open_start(document, top, path, NULL, note_end,
                               &endings[2]);
    hpmviz_document_open_start(document, top, other, NULL, note_end,
                               &endings[3]);
    wait_for(&endings[2]);
    wait_for(&endings[3]);
    ok(!endings[2].is_good && endings[3].is_good,
       "of two files the one that was wanted last is shown");
    expect_text(document, "other\n", "with its text");
    g_object_unref(document);
    g_unlink(other);
    g_free(other);
}

/* ---- drafts ---------------------------------------------------------- */

/* Of the other viewer. */
static int
edit_and_lose_display(const char *file, const char *inserted)
{
    HpmvizDocument *document;

    path = g_strdup(file);
    top = g_path_get_dirname(file);
    document = open_document();
    insert(document, inserted);
    return hpmviz_document_keep_all() == 1 ? 0 : 1;
}

/* Another viewer edits the file and loses its display. */
static void
leave_draft(const char *inserted)
{
    pid_t child;
    int status;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "document", path, inserted, NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
       "a viewer that loses its display keeps its text");
}

static void
test_recovery(void)
{
    static const int lines[] = {1, 3};
    HpmvizDocument *document;
    struct stat status = {0};
    char *file;

    put("one\ntwo\nthree\n");
    leave_draft("lost\n");
    document = open_document();
    hpmviz_document_follow(document, lines, 2);
    expect_text(document, "one\ntwo\nthree\n",
                "the next shows the file, not the draft");
    ok(hpmviz_document_draft(document) != NULL, "but knows of it");
    file = g_strdup(hpmviz_document_draft(document)->name);
    ok(stat(file, &status) == 0 && (status.st_mode & 07777) == 0600,
       "which nobody else can read");
    hpmviz_document_restore(document);
    expect_text(document, "lost\none\ntwo\nthree\n", "it is restored");
    ok(hpmviz_document_is_modified(document) &&
           hpmviz_document_now(document, 3) == 4,
       "as an edit, which lines follow");
    ok(g_file_test(file, G_FILE_TEST_EXISTS),
       "it is kept until the text is elsewhere");
    gtk_source_buffer_undo(hpmviz_document_buffer(document));
    expect_text(document, "one\ntwo\nthree\n", "an edit that can be undone");
    gtk_source_buffer_redo(hpmviz_document_buffer(document));
    ok(hpmviz_document_save(document, HPMVIZ_REPLACE, FALSE, NULL) &&
           (hpmviz_document_settle(), n_drafts() == 0),
       "saving removes it");
    g_object_unref(document);
    g_free(file);
}

static void
test_dropping(void)
{
    HpmvizDocument *document;

    leave_draft("first\n");
    leave_draft("second\n");
    document = open_document();
    hpmviz_document_drop_draft(document);
    ok(hpmviz_document_draft(document) == NULL && n_drafts() == 1,
       "a draft that is dropped is gone, and no other");
    g_object_unref(document);
    document = open_document();
    ok(hpmviz_document_draft(document) != NULL, "the other is offered then");
    hpmviz_document_drop_draft(document);
    g_object_unref(document);
}

/* Process numbers are used again: after a reboot, in a container.  Here the
 * draft of a dead process gets the names that this process would use. */
static void
test_number_that_lives_again(void)
{
    char *name, *digest, *again;
    HpmvizDocument *document;

    leave_draft("lost\n");
    document = open_document();
    name = g_strdup(hpmviz_document_draft(document)->name);
    g_object_unref(document);
    digest = g_strndup(name, (gsize)(strchr(strrchr(name, '/'), '-') - name));
    again = g_strdup_printf("%s-%ld", digest, (long)getpid());
    ok(rename(name, again) == 0, "a draft can be of a number that lives again");
    document = open_document();
    ok(hpmviz_document_draft(document) != NULL, "it is offered all the same");
    insert(document, "other\n");
    ok(hpmviz_document_keep_all() == 1 &&
           g_file_test(again, G_FILE_TEST_EXISTS),
       "and no draft of the one who lives takes its place");
    hpmviz_document_forget(document);
    hpmviz_document_drop_draft(document);
    hpmviz_document_settle();
    g_object_unref(document);
    is_count(n_drafts(), 0, "both can be removed");
    g_free(name);
    g_free(digest);
    g_free(again);
}

/* Two viewers open the file of which a third one has left a draft. */
static void
test_two_offers(void)
{
    HpmvizDocument *first, *second;

    leave_draft("lost\n");
    first = open_document();
    second = open_document();
    ok(hpmviz_document_draft(first) != NULL &&
           hpmviz_document_draft(second) == NULL,
       "a draft is offered once");
    g_object_unref(first);
    g_object_unref(second);
    second = open_document();
    ok(hpmviz_document_draft(second) != NULL,
       "and again when it was neither taken nor dropped");
    hpmviz_document_drop_draft(second);
    g_object_unref(second);
}

/* This process is alive: it will save its own edits. */
static void
test_own(void)
{
    HpmvizDocument *document = open_document(), *second;
    gint64 limit = g_get_monotonic_time() + 300 * G_USEC_PER_SEC;

    insert(document, "typed");
    while (n_drafts() == 0 && g_get_monotonic_time() < limit)
        g_main_context_iteration(NULL, TRUE);
    is_count(n_drafts(), 1, "what is typed is kept before long");
    second = open_document();
    ok(hpmviz_document_draft(second) == NULL,
       "a draft of somebody who lives is offered to nobody");
    hpmviz_document_forget(document);
    hpmviz_document_settle();
    is_count(n_drafts(), 0, "it is removed when it is not wanted");
    g_object_unref(second);
    g_object_unref(document);
}

/* Type, and wait for the draft file, but not for the report of it: until the
 * main loop gets the report, the thread that wrote the draft holds the
 * document. */
static HpmvizDocument *
type_until_drafted(const char *text)
{
    HpmvizDocument *document = open_document();
    gint64 limit = g_get_monotonic_time() + 300 * G_USEC_PER_SEC;

    insert(document, text);
    while (n_drafts() == 0 && g_get_monotonic_time() < limit) {
        g_main_context_iteration(NULL, FALSE);
        g_usleep(50000);
    }
    return document;
}

/* A page is closed without saving just when its draft is written. */
static void
test_closing_while_drafting(void)
{
    HpmvizDocument *document = type_until_drafted("unwanted\n");

    hpmviz_document_forget(document);
    g_object_unref(document);
    is_count(hpmviz_document_keep_all(), 0,
             "what the user did not want is not kept, whoever still holds it");
    is_count(n_drafts(), 0, "nor is there a draft of it");
    while (g_main_context_iteration(NULL, FALSE))
        ;
}

/* Edited again before a thread has removed the draft that was not wanted. */
static void
test_editing_after_forgetting(void)
{
    HpmvizDocument *document = type_until_drafted("unwanted\n");

    hpmviz_document_forget(document);
    insert(document, "wanted\n");
    is_count(hpmviz_document_keep_all(), 1, "what is edited then is kept");
    hpmviz_document_settle();
    is_count(n_drafts(), 1, "also when the older draft is gone");
    hpmviz_document_forget(document);
    hpmviz_document_settle();
    is_count(n_drafts(), 0, "until that is not wanted either");
    g_object_unref(document);
}

/* The text of the only draft, for g_free; NULL if there is none. */
static char *
only_draft(void)
{
    GDir *entries = g_dir_open(drafts, 0, NULL);
    const char *entry = entries != NULL ? g_dir_read_name(entries) : NULL;
    char *name = entry != NULL ? g_build_filename(drafts, entry, NULL) : NULL;
    char *text = NULL;

    if (name != NULL)
        g_file_get_contents(name, &text, NULL, NULL);
    g_free(name);
    g_clear_pointer(&entries, g_dir_close);
    return text;
}

/* The display is lost while a thread writes an older draft. */
static void
test_losing_while_drafting(void)
{
    HpmvizDocument *document = type_until_drafted("older\n");
    char *text;

    insert(document, "newer\n");
    is_count(hpmviz_document_keep_all(), 1, "the last text is kept");
    for (int i = 0; i < 50; i++) {
        g_main_context_iteration(NULL, FALSE);
        g_usleep(10000);
    }
    text = only_draft();
    ok(text != NULL && strstr(text, "newer\nolder\n") != NULL,
       "and no thread writes an older one over it");
    g_free(text);
    hpmviz_document_forget(document);
    g_object_unref(document);
}

static void
test_damaged_drafts(void)
{
    static const char *const damages[] = {
        "",
        "hpmviz draft 1",
        "hpmviz draft 1\npath x\nmachine y\n",
        "hpmviz draft 2\npath /x\nmachine y\nfile 1 1 1 1 1\n\ntext",
        "\xff\xfe",
    };
    HpmvizDocument *document;
    char *name, *text, *end;

    leave_draft("lost\n");
    document = open_document();
    name = g_strdup(hpmviz_document_draft(document)->name);
    g_object_unref(document);
    g_file_get_contents(name, &text, NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(damages); i++) {
        g_file_set_contents(name, damages[i], -1, NULL);
        document = open_document();
        ok(hpmviz_document_draft(document) == NULL,
           "a damaged draft is offered to nobody");
        g_object_unref(document);
    }
    end = strstr(text, "/a.f\n");
    end[1] = 'b';
    g_file_set_contents(name, text, -1, NULL);
    document = open_document();
    ok(hpmviz_document_draft(document) == NULL, "nor one of another file");
    g_object_unref(document);
    g_unlink(name);
    g_free(name);
    g_free(text);
}

int
main(int argc, char **argv)
{
    char *folder, *state;

    if (argc == 3)
        _exit(edit_and_lose_display(argv[1], argv[2]));
    folder = g_dir_make_tmp("hpm-document-XXXXXX", NULL);
    top = realpath(folder, NULL);
    path = g_build_filename(top, "a.f", NULL);
    state = g_build_filename(top, "state", NULL);
    drafts = g_build_filename(state, "hpm-toolkit", "unsaved", NULL);
    g_setenv("XDG_STATE_HOME", state, TRUE);
    test_saving();
    test_undoing();
    test_save_as();
    test_damage();
    test_thread();
    test_recovery();
    test_dropping();
    test_number_that_lives_again();
    test_two_offers();
    test_own();
    test_closing_while_drafting();
    test_editing_after_forgetting();
    test_losing_while_drafting();
    test_damaged_drafts();
    remove_all(top);
    g_free(folder);
    g_free(state);
    g_free(drafts);
    g_free(path);
    free(top);
    return done();
}
