/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files that somebody is given: finding them, reading them,
 * and hearing what is wrong with each.
 *
 * A word is a file, a folder (its files *.hpm.xml, *.hpm.xml.gz and, where a
 * name was taken, *.hpm.xml.1 and so on), a pattern as shells have them, or "-"
 * for standard input.  However the words come, the files are read in the order
 * of their names, standard input first; one that is named several times is
 * read once.
 */
#ifndef HPM_STUDY_FILE_INPUTS_H
#define HPM_STUDY_FILE_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "study/columns/study.h"

struct hpm_inputs_file {
    char *path;
    uint64_t device, inode; /* 0: there is no such file */
};

/* A file, or a word that stands for none, of which nothing is used. */
struct hpm_inputs_refusal {
    char *file, *reason;
    char *unsaid; /* a sentence on it that is still to be said; else NULL */
};

/* Who is told meanwhile; in the thread that reads. */
struct hpm_inputs_listener {
    void *owner;
    /* A sentence on a file, which it names. */
    void (*say)(void *owner, const char *sentence);
    /* So many files of n are done.  False: stop reading. */
    bool (*step)(void *owner, size_t n_done, size_t n);
};

/* Set what is not to be 0; end with hpm_inputs_clear. */
struct hpm_inputs {
    size_t most_bytes; /* that a study may take; 0: half of the memory */
    int n_threads;     /* that read; 0: as many as there are processors */

    struct hpm_inputs_file *files;
    size_t n_files, capacity;
    bool has_standard_input;

    struct hpm_inputs_refusal *refusals;
    size_t n_refusals, refusals_capacity;
    size_t n_repeated;    /* files that were named once more */
    char *first_repeated; /* one of them */

    size_t n_taken; /* out: files of which something is used ... */
    size_t n_bad;   /* ... and of which something is not, or nothing */
};

/* Find what the n > 0 words stand for.  A word that stands for nothing is
 * refused as a file is that cannot be read: reading says so.  False when none
 * stands for anything.  Whether a file can be read is not looked at yet. */
bool hpm_inputs_find(struct hpm_inputs *inputs, char *const *words, size_t n,
                     struct hpm_error *err);

/* Is the file among them, under this or another name? */
bool hpm_inputs_has(const struct hpm_inputs *inputs, const char *path);

/* What became of a study that was handed over. */
enum hpm_inputs_verdict {
    HPM_INPUTS_TAKEN,
    HPM_INPUTS_REFUSED, /* err says why, with the file; the others go on */
    HPM_INPUTS_BROKEN,  /* err says why; nothing can go on */
};

/* The study is the callee's from now on. */
typedef enum hpm_inputs_verdict
hpm_inputs_take(void *owner, struct hpm_study *study, struct hpm_error *err);

/* Read them all, in their order; the listener hears of whatever is wrong.
 * False when no file was taken, or the taking broke off, or the listener
 * stopped it. */
bool hpm_inputs_read(struct hpm_inputs *inputs,
                     const struct hpm_inputs_listener *listener,
                     hpm_inputs_take *take, void *owner);

/* Say in a result of what was read which files were refused.  False when there
 * is no memory. */
bool hpm_inputs_leave_out(const struct hpm_inputs *inputs,
                          struct hpm_study *study, struct hpm_error *err);

/* The same as one study, which says what was refused: the only one there is, or all merged.  A file that
 * does not belong to the run of those before it is named and left out, unless
 * `is_forced`.  The study is the caller's to free; NULL as above. */
struct hpm_study *hpm_inputs_merge(struct hpm_inputs *inputs,
                                   const struct hpm_inputs_listener *listener,
                                   bool is_forced);

void hpm_inputs_clear(struct hpm_inputs *inputs);

#endif
