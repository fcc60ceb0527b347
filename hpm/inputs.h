/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files that a subcommand is given: finding them, reading them,
 * and saying what is wrong with each.
 *
 * A word is a file, a folder (its files *.hpm.xml, *.hpm.xml.gz and, where a
 * name was taken, *.hpm.xml.1 and so on), a pattern as shells have them, or "-"
 * for standard input.  However the words come, the files are read in the order
 * of their names, standard input first; one that is named several times is
 * read once.
 */
#ifndef HPM_INPUTS_H
#define HPM_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "hpm/subcommand.h"
#include "model/study.h"

struct input {
    char *path;
    uint64_t device, inode; /* 0: there is no such file */
};

/* Set command, and what else is not to be 0; end with inputs_clear. */
struct inputs {
    const char *command; /* the subcommand, for messages */
    size_t most_bytes;   /* that a study may take; 0: half of the memory */
    int n_threads;       /* that read; 0: as many as there are processors */

    struct input *files;
    size_t n_files, capacity;
    bool has_standard_input;

    size_t n_taken; /* out: files of which something is used ... */
    size_t n_bad;   /* ... and of which something is not, or nothing */
};

/* Find what the words stand for.  False when one of them stands for nothing.
 * Whether a file can be read is not looked at yet. */
bool inputs_find(struct inputs *inputs, char *const *words, size_t n,
                 struct hpm_error *err);

/* Is the file among them, under this or another name? */
bool inputs_has(const struct inputs *inputs, const char *path);

/* What became of a study that was handed over. */
enum inputs_verdict {
    INPUTS_TAKEN,
    INPUTS_REFUSED, /* err says why, with the file; the others go on */
    INPUTS_BROKEN,  /* err says why; nothing can go on */
};

/* The study is the callee's from now on. */
typedef enum inputs_verdict inputs_take(void *owner, struct hpm_study *study,
                                        struct hpm_error *err);

/* Read them all, in their order; whatever is wrong is said on standard error, a
 * line each, and so is progress, on a terminal, when it takes long.  GOOD,
 * SOME_BAD, or NOTHING when no file was taken or the taking broke off. */
enum status inputs_read(struct inputs *inputs, inputs_take *take, void *owner);

/* The same into an array of n_taken studies, for the caller to free, each and
 * all (hpm_memory_free). */
enum status inputs_read_all(struct inputs *inputs,
                            struct hpm_study ***ret_studies);

/* The same as one study: the only one there is, or all merged.  A file that
 * does not belong to the run of those before it is named and left out, unless
 * `is_forced`.  *ret_study is NULL with NOTHING, else for the caller to free.
 */
enum status inputs_merge(struct inputs *inputs, bool is_forced,
                         struct hpm_study **ret_study);

void inputs_clear(struct inputs *inputs);

#endif
