/* SPDX-License-Identifier: BSD-3-Clause
 * Drafts: texts that were edited and not saved, kept in files of the user's
 * until they are.  A viewer that ends without a chance to ask, as its display
 * is gone, leaves them; the next that opens the file offers them.
 */
#ifndef HPMVIZ_SOURCE_RECOVERY_H
#define HPMVIZ_SOURCE_RECOVERY_H

#include <glib.h>

#include "hpmviz/source/sourcefile.h"

struct hpmviz_draft {
    char *name; /* of the file it is in */
    int lock;   /* the file, open and locked: it is offered to nobody else */
    char *text;
    gint64 seconds;                  /* when it was written */
    struct hpmviz_fileidentity base; /* the file that was edited, as it was */
};

/* Keep the text of `path` as this process's draft, in place of the last, where
 * only the user can read it.  For any thread. */
gboolean hpmviz_recovery_write(const char *path,
                               const struct hpmviz_fileidentity *base,
                               const char *text, GError **error);

/* This process's draft of `path` is not needed any more. */
void hpmviz_recovery_remove(const char *path);

/* The newest draft of `path` whose process is gone, on whatever machine, and
 * that nobody else was offered.  FALSE for none. */
gboolean hpmviz_recovery_find(const char *path, struct hpmviz_draft *ret_draft);

/* It was taken over, or is not wanted. */
void hpmviz_draft_discard(const struct hpmviz_draft *draft);
void hpmviz_draft_clear(struct hpmviz_draft *draft);

#endif
