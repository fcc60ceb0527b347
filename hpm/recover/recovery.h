/* SPDX-License-Identifier: BSD-3-Clause
 * The state of hpm recover, and making performance files.  They are read again,
 * and must be complete, before anything is done to the files they were made
 * from.
 */
#ifndef HPM_RECOVERY_H
#define HPM_RECOVERY_H

#include <stddef.h>

#include "base/error.h"
#include "base/string.h"
#include "hpm/recover/aside.h"
#include "hpm/recover/leftovers.h"
#include "study/columns/study.h"

/* A run of a program, to be recognized in other files. */
struct known_run {
    long pid;
    char *start;
    char *path; /* the file made from its journal */
};

struct recovery {
    bool is_dry;            /* --dry-run: only report what would be done */
    bool is_cleaning;       /* --clean */
    bool is_deleting;       /* --delete */
    struct known_run *runs; /* with recovered journals */
    size_t n_runs, runs_capacity;
    struct hpm_string done; /* lines about what was done */
    size_t n_good, n_bad, n_moved;
    bool has_output_failed;
};

/* May a leftover be removed?  Starts from {0}: it stays, without a message. */
struct verdict {
    bool may_go;
    struct hpm_string holder; /* the complete file with all its data; "" where
                               * it has no data */
    struct hpm_error why;     /* why it stays; "" where this was reported */
};

/* Report a failure on standard error. */
void recovery_fail(struct recovery *recovery, const char *sentence);

/* Append a file's path in quotes, safe for terminals. */
void recovery_add_path(struct hpm_string *text, const char *path);

/* Note something done: a line of the output. */
void recovery_note(struct recovery *recovery, const char *path,
                   const char *sentence);

/* Make a performance file of these bytes under the name `wanted` or, where this
 * is taken, under the first free one.  An existing file with the same bytes is
 * used.  *ret_path is the path, *ret_is_new whether it was made.  True only
 * after the file was read again and is right.  With --dry-run no file is made.
 * Problems are reported. */
bool recovery_make(struct recovery *recovery, const char *wanted,
                   const struct hpm_string *bytes, struct hpm_string *ret_path,
                   bool *ret_is_new);

/* "would be made: " and similar words, before the contents of the file. */
const char *recovery_verb(const struct recovery *recovery, bool is_new);

/* Remember the run of a recovered journal. */
void recovery_remember(struct recovery *recovery, long pid, const char *start,
                       const char *path);

/* The path of the file made from the run's journal; NULL if there was none. */
const char *recovery_known(const struct recovery *recovery,
                           const struct hpm_study *study);

void recovery_clear(struct recovery *recovery);

/* Make a performance file from a journal (hpm/recover/journals.c), or from a
 * temporary or cut performance file (hpm/recover/cutfiles.c). */
void recovery_of_journal(struct recovery *recovery,
                         const struct leftover *leftover, struct aside *aside,
                         struct verdict *verdict);
void recovery_of_file(struct recovery *recovery,
                      const struct leftover *leftover, struct aside *aside,
                      struct verdict *verdict);

#endif
