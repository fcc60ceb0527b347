/* SPDX-License-Identifier: BSD-3-Clause
 * A source file on disk: opened only beneath folders the user confirmed, read
 * whole, and saved so that neither the old nor the new text is ever lost.
 */
#ifndef HPMVIZ_SOURCEFILE_H
#define HPMVIZ_SOURCEFILE_H

#include <glib.h>

enum { HPMVIZ_LARGEST_SOURCE = 16 << 20 }; /* bytes */

/* Which file with what content, as far as its inode tells. */
struct hpmviz_identity {
    guint64 device, inode, size;
    gint64 seconds, nanoseconds; /* of the last change */
};

struct hpmviz_sourcefile {
    char *bytes;
    gsize n_bytes;
    struct hpmviz_identity identity;
    gboolean is_writable; /* by this user */
};

/* Read the regular file `path`, an absolute one, that lies beneath the folder
 * `root`: no part of the way may lead out of it, by "..", by a link or by the
 * magic links of /proc.  Devices, FIFOs and what is larger than
 * HPMVIZ_LARGEST_SOURCE are refused, without waiting for any of them.  On
 * failure ret_file is untouched. */
gboolean hpmviz_sourcefile_read(const char *root, const char *path,
                                struct hpmviz_sourcefile *ret_file,
                                GError **error);
void hpmviz_sourcefile_clear(struct hpmviz_sourcefile *file);

/* Replace the content of `path` in one step: the bytes are written beside it
 * and synced, then take its name, mode and owner.  A link stays one: the file
 * it points to is replaced.  With `known` the file must still be that one
 * unchanged: otherwise G_IO_ERROR_WRONG_ETAG, and nothing is written.  On any
 * failure the old file is as it was and nothing is left beside it. */
gboolean hpmviz_sourcefile_save(const char *path, const char *bytes,
                                gsize n_bytes,
                                const struct hpmviz_identity *known,
                                struct hpmviz_identity *ret_identity,
                                GError **error);

/* Has the file changed since it was read, or vanished? */
gboolean hpmviz_sourcefile_is_changed(const char *path,
                                      const struct hpmviz_identity *known);

#endif
