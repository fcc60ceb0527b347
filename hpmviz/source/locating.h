/* SPDX-License-Identifier: BSD-3-Clause
 * Finding a source together with the user: what cannot be found, or not be
 * opened unasked, is said in a notice, with what can be done about it.
 */
#ifndef HPMVIZ_SOURCE_LOCATING_H
#define HPMVIZ_SOURCE_LOCATING_H

#include "hpmviz/data/session.h"
#include "hpmviz/widgets/notice.h"

struct hpmviz_locating {
    HpmvizSession *session; /* all borrowed */
    HpmvizNotice *notice;
    const char *recorded; /* the file's name in the performance file */
    /* The file was found beneath this root: open it. */
    void (*open)(gpointer data, const char *root, const char *path);
    /* After that, or after the notice told why not. */
    void (*ended)(gpointer data);
    /* The user has said where sources are: others may be found, too. */
    void (*learned)(gpointer data);
    gpointer data;
    char *path;  /* what was found beneath no root, or guessed */
    char *asked; /* the folder the user was asked about, without links */
    struct hpmviz_lookup *finding; /* in a thread, or NULL */
};

/* Free what it has found and asked; nothing more is found. */
void hpmviz_locating_clear(struct hpmviz_locating *locating);

/* Look for it in a thread, which may wait for a disk or a network, then open it,
 * or tell why not: in the main loop.  What the user answers is remembered in the
 * session's preferences. */
void hpmviz_locating_find(struct hpmviz_locating *locating);
gboolean hpmviz_locating_is_finding(const struct hpmviz_locating *locating);

/* It was found, but cannot be opened, for this reason. */
void hpmviz_locating_tell(struct hpmviz_locating *locating,
                          const char *sentence);

#endif
