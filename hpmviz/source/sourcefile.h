/* SPDX-License-Identifier: BSD-3-Clause
 * A source file on disk: opened only beneath folders the user confirmed, read
 * whole, and saved so that neither the old nor the new text is ever lost.
 */
#ifndef HPMVIZ_SOURCE_SOURCEFILE_H
#define HPMVIZ_SOURCE_SOURCEFILE_H

#include <glib.h>

enum { HPMVIZ_LARGEST_SOURCE = 16 << 20 }; /* bytes */

/* Which file with what content, as far as its inode tells. */
struct hpmviz_fileidentity {
    guint64 device, inode, size;
    gint64 seconds, nanoseconds; /* of the last change */
};

struct stat;

struct hpmviz_fileidentity hpmviz_fileidentity_of(const struct stat *status);
gboolean hpmviz_fileidentity_is_same(const struct hpmviz_fileidentity *a,
                                     const struct hpmviz_fileidentity *b);

struct hpmviz_sourcefile {
    char *bytes;
    gsize n_bytes;
    struct hpmviz_fileidentity identity;
    gboolean is_writable; /* by this user */
};

/* Read the regular file `path` beneath the folder `root`, see
 * hpmviz_sourceplace_find.  Devices, FIFOs and what is larger than
 * HPMVIZ_LARGEST_SOURCE are refused, without waiting for any of them.  On
 * failure ret_file is untouched. */
gboolean hpmviz_sourcefile_read(const char *root, const char *path,
                                struct hpmviz_sourcefile *ret_file,
                                GError **error);
void hpmviz_sourcefile_clear(struct hpmviz_sourcefile *file);

enum hpmviz_way {
    HPMVIZ_REPLACE, /* in one step */
    HPMVIZ_WRITE_INTO,
};

/* Give the file at `path` beneath the folder `root` this content, or make it. A
 * link stays one: the file it points to is meant, and is beneath root, too, or
 * it fails as hpmviz_sourceplace_find does.  Nothing is written anywhere else,
 * whatever others rename or link meanwhile.
 *
 * With `known` the file must still be that one unchanged, and with NULL it is
 * overwritten whatever it is: otherwise G_IO_ERROR_WRONG_ETAG, and what others
 * wrote stays.  So it is also when `path` leads to another file as soon as it
 * was written.
 *
 * REPLACE writes the bytes beside the file and syncs them, then they take its
 * name, owner, mode, access list and other attributes.  On any failure the old
 * file is as it was and nothing is left beside it.  Where that cannot be, for
 * the file has other names, or it belongs to somebody else, or its folder may
 * not be written to, but the file may: G_IO_ERROR_CANT_CREATE_BACKUP.
 *
 * WRITE_INTO can, but a crash in the middle leaves a part of each text. */
gboolean hpmviz_sourcefile_save(const char *root, const char *path,
                                const char *bytes, gsize n_bytes,
                                const struct hpmviz_fileidentity *known,
                                enum hpmviz_way way,
                                struct hpmviz_fileidentity *ret_identity,
                                GError **error);

/* Is the file as it was read?  Else the error says what became of it:
 * G_IO_ERROR_WRONG_ETAG when it was changed or removed, or that of
 * hpmviz_sourceplace_find. */
gboolean hpmviz_sourcefile_is_same(const char *root, const char *path,
                                   const struct hpmviz_fileidentity *known,
                                   GError **error);

#endif
