/* SPDX-License-Identifier: BSD-3-Clause
 * A source file that is edited: its text in a buffer, where it is on disk,
 * where its lines are now, and what is kept of it until it is saved.  No
 * widget.
 */
#ifndef HPMVIZ_SOURCE_DOCUMENT_H
#define HPMVIZ_SOURCE_DOCUMENT_H

#include <gtksourceview/gtksource.h>

#include "hpmviz/source/recovery.h"
#include "hpmviz/source/sourcetext.h"

#define HPMVIZ_TYPE_DOCUMENT (hpmviz_document_get_type())
G_DECLARE_FINAL_TYPE(HpmvizDocument, hpmviz_document, HPMVIZ, DOCUMENT, GObject)

/* Signals, without arguments:
 *
 *   "named"     it is another file, or is modified now, or is not any more
 *   "opened"    its text was read, or read again
 *   "shifted"   lines may be at other places
 */

HpmvizDocument *hpmviz_document_new(void);
GtkSourceBuffer *hpmviz_document_buffer(const HpmvizDocument *document);

/* Read the file as hpmviz_sourcefile_read does, in a thread, which may wait for a
 * disk or a network, in place of the text there is; the callback, which is called in
 * the main loop, has to end it with hpmviz_document_open_finish.  There the text is
 * taken, and not if the one there is was edited meanwhile, or another file is being
 * read by then.  On failure the text stays, and nothing is forgotten. */
void hpmviz_document_open_start(HpmvizDocument *document, const char *root,
                                const char *path, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer data);

/* The same file again: what was edited until now is lost. */
void hpmviz_document_reload_start(HpmvizDocument *document,
                                  GAsyncReadyCallback callback, gpointer data);
gboolean hpmviz_document_open_finish(GAsyncResult *result, GError **error);

/* Does a thread read a file for it? */
gboolean hpmviz_document_is_awaited(const HpmvizDocument *document);

/* Does the document take the text of a file just now, until "opened" was told?
 * The caret moves without the user. */
gboolean hpmviz_document_is_reading(const HpmvizDocument *document);

const char *hpmviz_document_path(const HpmvizDocument *document); /* or NULL */
const struct hpmviz_fileidentity *
hpmviz_document_identity(const HpmvizDocument *document);
const struct hpmviz_sourcetext *
hpmviz_document_text(const HpmvizDocument *document);

/* Is all of it shown, so that it can be edited?  May the user write to the
 * file, as far as its rights tell? */
gboolean hpmviz_document_is_editable(const HpmvizDocument *document);
gboolean hpmviz_document_is_writable(const HpmvizDocument *document);
gboolean hpmviz_document_is_modified(const HpmvizDocument *document);

/* Was the text edited since its lines are followed, saved or not? */
gboolean hpmviz_document_is_edited(const HpmvizDocument *document);

/* Look in a thread whether the file is still as it was read, see
 * hpmviz_sourcefile_is_same; what was read or saved meanwhile is as it was. */
void hpmviz_document_look_start(HpmvizDocument *document,
                                GAsyncReadyCallback callback, gpointer data);
gboolean hpmviz_document_look_finish(GAsyncResult *result, GError **error);

/* The same, at once. */
gboolean hpmviz_document_is_same_outside(const HpmvizDocument *document,
                                         GError **error);

/* Save, see hpmviz_sourcefile_save; `is_forced` overwrites what others wrote.
 */
gboolean hpmviz_document_save(HpmvizDocument *document, enum hpmviz_way way,
                              gboolean is_forced, GError **error);

/* Save as another file, which it is from then on.  Its folder may be anywhere,
 * but a link in that is not followed out of it. */
gboolean hpmviz_document_save_as(HpmvizDocument *document, const char *path,
                                 GError **error);

/* Follow these lines of the text as it is now, see sourcelines.h. */
void hpmviz_document_follow(HpmvizDocument *document, const int *lines,
                            guint n_lines);

/* Where a line is now; how many there were. */
int hpmviz_document_now(const HpmvizDocument *document, int line);
int hpmviz_document_n_lines(const HpmvizDocument *document);

/* Modified texts are kept as drafts within HPMVIZ_DRAFT_SECONDS, until they are
 * saved or forgotten. */
enum { HPMVIZ_DRAFT_SECONDS = 2 };

/* The draft a viewer that is gone left of this file; NULL for none. */
const struct hpmviz_draft *
hpmviz_document_draft(const HpmvizDocument *document);

/* Take its text, as an edit that can be undone; or drop it. */
void hpmviz_document_restore(HpmvizDocument *document);
void hpmviz_document_drop_draft(HpmvizDocument *document);

/* The user does not want what was edited; a thread removes its draft. */
void hpmviz_document_forget(HpmvizDocument *document);

/* Wait until such drafts are gone: before the program ends. */
void hpmviz_document_settle(void);

/* Write drafts of all documents that are modified, at once; how many.  Asks
 * nothing of the display. */
guint hpmviz_document_keep_all(void);

#endif
