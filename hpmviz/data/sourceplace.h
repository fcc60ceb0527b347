/* SPDX-License-Identifier: BSD-3-Clause
 * The place of a file beneath a folder the user confirmed.  A path is looked up
 * once; from then on the folder is known by its descriptor, and nothing that
 * others rename or link leads elsewhere.
 */
#ifndef HPMVIZ_DATA_SOURCEPLACE_H
#define HPMVIZ_DATA_SOURCEPLACE_H

#include <glib.h>

struct hpmviz_sourceplace {
    int folder;         /* a descriptor, opened with O_PATH */
    char *name;         /* in it; was no link, and is to be used as none */
    gboolean is_linked; /* a link has led to it */
};

/* Find the place of `path`, which begins with the folder `root`: both absolute.
 * Links are followed as far as they stay beneath it, the last one, too; the
 * file may be missing.  No part of the way may lead out, by "..", by an
 * absolute link or by the magic links of /proc, and no part of root may be a
 * link: else G_IO_ERROR_INVALID_FILENAME.  On failure ret_place is untouched.
 */
gboolean hpmviz_sourceplace_find(const char *root, const char *path,
                                 struct hpmviz_sourceplace *ret_place,
                                 GError **error);
void hpmviz_sourceplace_clear(struct hpmviz_sourceplace *place);

#endif
