/* SPDX-License-Identifier: BSD-3-Clause
 * What hpm recover has done so far, and what it makes: performance files that
 * are seen, whole, before anything is done to what they were made of.
 */
#ifndef HPM_RECOVERY_H
#define HPM_RECOVERY_H

#include <stddef.h>

#include "base/error.h"
#include "base/string.h"
#include "hpm/recover/aside.h"
#include "hpm/recover/leftovers.h"
#include "study/columns/study.h"

/* A program's run, known again in other files. */
struct known_run {
    long pid;
    char *start;
    char *path; /* of the file that was made of its journal */
};

struct recovery {
    bool is_dry;            /* --dry-run: only say what would be done */
    bool is_cleaning;       /* --clean */
    bool is_deleting;       /* --delete */
    struct known_run *runs; /* whose journals were recovered */
    size_t n_runs, runs_capacity;
    struct hpm_string done; /* what was done, a line each */
    size_t n_good, n_bad, n_moved;
    bool has_output_failed;
};

/* May a leftover go?  Start from {0}: it stays, without a word. */
struct verdict {
    bool may_go;
    struct hpm_string holder; /* the whole file that has all of it; "" where
                                 nothing is in it */
    struct hpm_error why;     /* it stays; "" where that was said already */
};

/* Say it on standard error; something could not be recovered. */
void recovery_fail(struct recovery *recovery, const char *sentence);

/* The path of a file in quotes, as it can be shown on a terminal. */
void recovery_add_path(struct hpm_string *text, const char *path);

/* Of something done: a line of the output. */
void recovery_note(struct recovery *recovery, const char *path,
                   const char *sentence);

/* Have a performance file of these bytes under the name `wanted` or, where
 * that is taken, the first free one; a file of the same bytes that is there
 * already serves.  *ret_path is its path, *ret_is_new whether it was made.
 * True only after it was read again and is right.  With --dry-run it is not
 * made.  What goes wrong is said. */
bool recovery_make(struct recovery *recovery, const char *wanted,
                   const struct hpm_string *bytes, struct hpm_string *ret_path,
                   bool *ret_is_new);

/* "would be made: " and the like, in front of what is in the file. */
const char *recovery_verb(const struct recovery *recovery, bool is_new);

/* The run of a journal that was recovered. */
void recovery_remember(struct recovery *recovery, long pid, const char *start,
                       const char *path);

/* The path of the file that was made of its journal; NULL if there was none. */
const char *recovery_known(const struct recovery *recovery,
                           const struct hpm_study *study);

void recovery_clear(struct recovery *recovery);

/* Make a performance file of a journal (hpm/recover/journals.c), or of a temporary or
 * cut performance file (hpm/recover/cutfiles.c). */
void recovery_of_journal(struct recovery *recovery,
                         const struct leftover *leftover, struct aside *aside,
                         struct verdict *verdict);
void recovery_of_file(struct recovery *recovery,
                      const struct leftover *leftover, struct aside *aside,
                      struct verdict *verdict);

#endif
