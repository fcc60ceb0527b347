/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes of a source file as text that can be shown, and back.
 *
 * UTF-8, with or without a byte order mark, and where that is not valid
 * ISO-8859-15, whose bytes are all characters.  Line ends stay as they are.
 * Bytes that text cannot hold, or lines too long to be laid out, are shown in
 * part; then there is no way back, and `damage` says why.
 */
#ifndef HPMVIZ_SOURCE_SOURCETEXT_H
#define HPMVIZ_SOURCE_SOURCETEXT_H

#include <glib.h>

/* Lines of more bytes are cut where they are shown. */
enum { HPMVIZ_LONGEST_LINE = 4000 };

struct hpmviz_sourcetext {
    char *text; /* valid UTF-8 without NUL, ended by NUL */
    const char *encoding;
    gboolean has_mark;       /* a byte order mark before it */
    gboolean has_returns;    /* every line ends in "\r\n" */
    gboolean has_mixed_ends; /* some do */
    char *damage; /* why it must not be saved, a sentence; NULL: it may */
};

void hpmviz_sourcetext_read(const char *bytes, gsize n_bytes,
                            struct hpmviz_sourcetext *ret_text);
void hpmviz_sourcetext_clear(struct hpmviz_sourcetext *text);

/* The bytes of `edited`, valid UTF-8, as those of a file like the one that was
 * read: what was read gives the same bytes.  Where all lines ended in "\r\n"
 * new ones do, too; where some did each line keeps its end, and new ones end in
 * "\n".  NULL when a character is not of the encoding: the error
 * names it and its line. */
char *hpmviz_sourcetext_write(const struct hpmviz_sourcetext *text,
                              const char *edited, gsize *ret_n_bytes,
                              GError **error);

#endif
