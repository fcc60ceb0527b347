/* SPDX-License-Identifier: BSD-3-Clause
 * Where source files are.  Performance files name them as the compiler saw
 * them, maybe on another machine, and may come from anybody: what they name is
 * opened only beneath roots, the folders the user has confirmed.
 */
#ifndef HPMVIZ_DATA_SOURCES_H
#define HPMVIZ_DATA_SOURCES_H

#include <glib.h>

struct hpmviz_sources;

struct hpmviz_sources *hpmviz_sources_new(void);
void hpmviz_sources_free(struct hpmviz_sources *sources);

/* As they are now, for a thread that looks for a file. */
struct hpmviz_sources *
hpmviz_sources_copy(const struct hpmviz_sources *sources);

/* Let files beneath the folder be opened: the one its name led to when it was
 * added first, and no other.  The user names a folder again by confirm_root:
 * the one its name leads to now is meant. */
void hpmviz_sources_add_root(struct hpmviz_sources *sources,
                             const char *folder);
void hpmviz_sources_confirm_root(struct hpmviz_sources *sources,
                                 const char *folder);

/* Read names that begin with the folder `from` as if they began with `to`,
 * which becomes a root.  The first that leads to a file is used. */
void hpmviz_sources_add_substitution(struct hpmviz_sources *sources,
                                     const char *from, const char *to);

/* Look beneath this folder, which becomes a root, for the longest ending of a
 * name that is there. */
void hpmviz_sources_add_search(struct hpmviz_sources *sources,
                               const char *folder);

/* What is known now is not forgotten. */
void hpmviz_sources_fix(struct hpmviz_sources *sources);

/* Forget all other substitutions and search folders; the roots stay. */
void hpmviz_sources_forget(struct hpmviz_sources *sources);

enum hpmviz_finding {
    HPMVIZ_FOUND,
    HPMVIZ_GUESSED, /* of the name's parts only the last is the same */
    HPMVIZ_MISSING,
    HPMVIZ_SEVERAL,     /* search folders have the same ending of it */
    HPMVIZ_UNCONFIRMED, /* it is there, but beneath no root */
};

/* Find a file by its recorded name: as recorded, beside the performance file
 * (in the folder `beside`, NULL for none), by substitutions, in search folders;
 * first where more than the last part of the name agrees.
 * FOUND, GUESSED: *ret_path is the file and *ret_root the root above it, both
 * without links as far as the root goes.  SEVERAL: *ret_path holds them, one a
 * line; UNCONFIRMED: the file.  Free with g_free; NULL otherwise. */
enum hpmviz_finding hpmviz_sources_find(const struct hpmviz_sources *sources,
                                        const char *recorded,
                                        const char *beside, char **ret_path,
                                        char **ret_root);

/* The user says that `recorded` is the file at `path`: the substitution that
 * follows is added before all others.  A name that is not absolute is one in
 * the folder `beside`, as above.  *ret_from and *ret_to (g_free) are what to
 * remember. */
void hpmviz_sources_locate(struct hpmviz_sources *sources, const char *recorded,
                           const char *beside, const char *path,
                           char **ret_from, char **ret_to);

/* How much two names of a file, as compilers and debug information have them, end
 * in alike: all of the shorter one, but for "./" and "../" before it; 0: they name
 * different files. */
size_t hpmviz_sources_common_end(const char *a, const char *b);

/* The shortest ending of the name, of whole parts, that no other of the names
 * (char *) has: a place in it. */
const char *hpmviz_sources_short_name(const char *name, const GPtrArray *names);

#endif
