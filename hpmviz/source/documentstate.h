/* SPDX-License-Identifier: BSD-3-Clause
 * What the sources of a document (document*.c) share, and nobody else.
 */
#ifndef HPMVIZ_SOURCE_DOCUMENTSTATE_H
#define HPMVIZ_SOURCE_DOCUMENTSTATE_H

#include "hpmviz/source/document.h"

struct _HpmvizDocument {
    GObject parent_instance;
    GtkSourceBuffer *buffer;
    char *root, *path;
    struct hpmviz_sourcetext text;
    struct hpmviz_fileidentity identity;
    struct hpmviz_lines *lines;
    gboolean is_writable, is_edited, is_reading;
    int n_rows;      /* lines of the buffer */
    guint n_changes; /* of the text, by the user */

    struct hpmviz_draft draft; /* of a viewer that is gone */
    gboolean is_restored;      /* the text is that draft's */
    GTask *awaited;            /* the opening in a thread, or NULL */
    guint keeping;             /* the source that will */
    gint edition;              /* drafts of others are not written */
    gboolean is_unwanted;      /* what was edited so far is */
};

/* All that there are: where the display is lost there is nobody to ask. */
extern GPtrArray *hpmviz_documents;

GtkTextBuffer *hpmviz_document_textbuffer(const HpmvizDocument *document);

/* For g_free. */
char *hpmviz_document_content(const HpmvizDocument *document);

/* Its signal "named". */
void hpmviz_document_tell_named(HpmvizDocument *document);

/* It is that file from now on. */
void hpmviz_document_set_path(HpmvizDocument *document, const char *root,
                              const char *path);

/* The file was read: its text takes the place of the one there is. */
void hpmviz_document_take(HpmvizDocument *document, const char *root,
                          const char *path,
                          const struct hpmviz_sourcefile *file,
                          struct hpmviz_sourcetext *text,
                          struct hpmviz_draft *draft);

/* Keep the text as a draft before long. */
void hpmviz_document_keep_soon(HpmvizDocument *document);

#endif
