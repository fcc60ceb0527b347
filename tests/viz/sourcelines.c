/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of a file are found again in a text that was edited. */
#include "hpmviz/source/sourcelines.h"

#include <gtksourceview/gtksource.h>

#include "tap.h"

static GtkSourceBuffer *source;
static GtkTextBuffer *buffer;
static struct hpmviz_lines *lines;

static void
open_text(const char *text, const int *numbers, guint n)
{
    source = gtk_source_buffer_new(NULL);
    buffer = GTK_TEXT_BUFFER(source);
    gtk_source_buffer_set_implicit_trailing_newline(source, FALSE);
    gtk_source_buffer_begin_not_undoable_action(source);
    gtk_text_buffer_set_text(buffer, text, -1);
    gtk_source_buffer_end_not_undoable_action(source);
    gtk_text_buffer_set_modified(buffer, FALSE);
    lines = hpmviz_lines_new(buffer, numbers, n);
}

static void
close_text(void)
{
    hpmviz_lines_free(lines);
    g_object_unref(source);
}

static void
insert(int line, int column, const char *text)
{
    GtkTextIter iter;

    gtk_text_buffer_get_iter_at_line_offset(buffer, &iter, line - 1, column);
    gtk_text_buffer_insert(buffer, &iter, text, -1);
}

static void
delete_lines(int first, int last)
{
    GtkTextIter start, end;

    gtk_text_buffer_get_iter_at_line(buffer, &start, first - 1);
    gtk_text_buffer_get_iter_at_line(buffer, &end, last);
    gtk_text_buffer_begin_user_action(buffer);
    gtk_text_buffer_delete(buffer, &start, &end);
    gtk_text_buffer_end_user_action(buffer);
}

static const int numbers[] = {6, 3, 3, 8};

static void
test_edits(void)
{
    open_text("1\n2\n  three\n4\n5\nsix\n7\n8\n", numbers, 4);
    is_count((uint64_t)hpmviz_lines_now(lines, 3), 3,
             "a line is where it was before any edit");
    is_count((uint64_t)hpmviz_lines_count(lines), 8,
             "the text has so many lines");
    insert(1, 0, "new\nnew\n");
    is_count((uint64_t)hpmviz_lines_now(lines, 3), 5,
             "lines inserted above move it down");
    is_count((uint64_t)hpmviz_lines_now(lines, 7), 9,
             "also one that is not followed");
    insert(5, 0, "\n");
    is_count((uint64_t)hpmviz_lines_now(lines, 3), 6,
             "Enter at its beginning moves it");
    insert(6, 2, "\n");
    is_count((uint64_t)hpmviz_lines_now(lines, 3), 7,
             "Enter behind its blanks does, too");
    insert(7, 3, "\n");
    is_count((uint64_t)hpmviz_lines_now(lines, 3), 7,
             "Enter in its text does not");
    is_count((uint64_t)hpmviz_lines_now(lines, 6), 11, "but moves the next");
    while (gtk_source_buffer_can_undo(source))
        gtk_source_buffer_undo(source);
    ok(hpmviz_lines_now(lines, 3) == 3 && hpmviz_lines_now(lines, 6) == 6,
       "undoing all that moves them back");
    close_text();
}

static void
test_deletions(void)
{
    open_text("1\n2\nthree\n4\n5\nsix\n7\n8\n", numbers, 4);
    insert(1, 0, "kept\n");
    delete_lines(3, 7);
    is_count((uint64_t)hpmviz_lines_now(lines, 3), 3,
             "a deleted line is where it was");
    is_count((uint64_t)hpmviz_lines_now(lines, 8), 4, "lines below move up");
    gtk_source_buffer_undo(source);
    ok(hpmviz_lines_now(lines, 3) == 4 && hpmviz_lines_now(lines, 6) == 7 &&
           hpmviz_lines_now(lines, 8) == 9,
       "undoing the deletion brings each line back, though the text differs");
    gtk_source_buffer_redo(source);
    gtk_source_buffer_undo(source);
    ok(hpmviz_lines_now(lines, 3) == 4 && hpmviz_lines_now(lines, 6) == 7,
       "so does doing and undoing it once more");
    delete_lines(1, 9);
    is_count((uint64_t)hpmviz_lines_now(lines, 8), 1,
             "in an empty text all are in its only line");
    gtk_source_buffer_undo(source);
    is_count((uint64_t)hpmviz_lines_now(lines, 8), 9, "until that is undone");
    close_text();
}

static void
test_reset(void)
{
    GtkTextIter start, end;

    open_text("1\n2\nthree\n4\n5\nsix\n7\n8\n", numbers, 4);
    gtk_text_buffer_get_bounds(buffer, &start, &end);
    gtk_text_buffer_delete(buffer, &start, &end);
    insert(1, 0, "1\n2\nthree\n4\n");
    insert(5, 0, "5\nsix\n7\n8\n");
    hpmviz_lines_reset(lines);
    ok(hpmviz_lines_now(lines, 3) == 3 && hpmviz_lines_now(lines, 8) == 8,
       "lines are told when the text is as it was");
    close_text();
}

static void
test_odd_lines(void)
{
    const int odd[] = {0, -5, 2, 3, 500, G_MAXINT};

    open_text("1\n2", odd, 6);
    ok(hpmviz_lines_now(lines, 500) == 2 && hpmviz_lines_now(lines, 0) == 1 &&
           hpmviz_lines_now(lines, -5) == 1 &&
           hpmviz_lines_now(lines, G_MAXINT) == 2,
       "lines that are none are the nearest there is");
    close_text();
    open_text("a\rb\n\xe2\x80\xa9x\nthird\n", odd, 6);
    is_count((uint64_t)hpmviz_lines_now(lines, 3), 5,
             "only newlines end lines, as for compilers");
    close_text();
    open_text("", NULL, 0);
    is_count((uint64_t)hpmviz_lines_now(lines, 7), 1,
             "an empty text has one line");
    close_text();
}

int
main(void)
{
    test_edits();
    test_deletions();
    test_reset();
    test_odd_lines();
    return done();
}
