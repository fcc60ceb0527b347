/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files that the user names: find them, read them, and report
 * what is wrong with each.
 *
 * A word is a file, a folder (its files *.hpm.xml, *.hpm.xml.gz and, where a
 * name was taken, *.hpm.xml.1 and so on), a pattern as shells have it, or "-"
 * for standard input.  The files are read in the order of their names, in
 * whatever order the words are given; standard input comes first.  A file that
 * is named several times is read once.
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
    uint64_t device, inode; /* 0: the file does not exist */
};

/* A file of which nothing is used, or a word that matches no file. */
struct hpm_inputs_refusal {
    char *file, *reason;
    char *unsaid; /* a sentence still to be reported, or NULL */
};

/* Callbacks, called in the reading thread. */
struct hpm_inputs_listener {
    void *owner;
    /* Report a sentence, which names its file. */
    void (*say)(void *owner, const char *sentence);
    /* n_done of n files are done.  False: stop reading. */
    bool (*step)(void *owner, size_t n_done, size_t n);
};

/* Start from {0}, set what should differ; end with hpm_inputs_clear. */
struct hpm_inputs {
    size_t most_bytes; /* limit of a study; 0: half of the memory */
    int n_threads;     /* for reading; 0: one for each processor */

    struct hpm_inputs_file *files;
    size_t n_files, capacity;
    bool has_standard_input;

    struct hpm_inputs_refusal *refusals;
    size_t n_refusals, refusals_capacity;
    size_t n_repeated;    /* files named more than once */
    char *first_repeated; /* one of them */

    size_t n_taken; /* out: files of which something is used */
    size_t n_bad;   /* out: files of which a part, or all, is not used */
};

/* Find the files of n > 0 words.  A word that matches no file is refused, like
 * a file that cannot be read; hpm_inputs_read reports it.  False when no word
 * matches any file.  Does not yet check whether files can be read. */
bool hpm_inputs_find(struct hpm_inputs *inputs, char *const *words, size_t n,
                     struct hpm_error *err);

/* Is the file among the inputs, under this or another name? */
bool hpm_inputs_has(const struct hpm_inputs *inputs, const char *path);

/* The result of handing over a study. */
enum hpm_inputs_verdict {
    HPM_INPUTS_TAKEN,
    HPM_INPUTS_REFUSED, /* err gives the reason, with the file; reading goes
                         * on */
    HPM_INPUTS_BROKEN,  /* err gives the reason; reading cannot go on */
};

/* The study now belongs to the callee. */
typedef enum hpm_inputs_verdict
hpm_inputs_take(void *owner, struct hpm_study *study, struct hpm_error *err);

/* Read all files in their order, and report to the listener whatever is wrong.
 * False when no file was taken, `take` returned BROKEN, or the listener stopped
 * reading. */
bool hpm_inputs_read(struct hpm_inputs *inputs,
                     const struct hpm_inputs_listener *listener,
                     hpm_inputs_take *take, void *owner);

/* Add the refused files to a result of the reading.  False when there is no
 * memory. */
bool hpm_inputs_leave_out(const struct hpm_inputs *inputs,
                          struct hpm_study *study, struct hpm_error *err);

/* Forget the refused files after the first n, to read all of them once more. */
void hpm_inputs_forget_refusals(struct hpm_inputs *inputs, size_t n);

/* Read all files as one study, which names the refused files: the only study,
 * or all of them merged.  A file that does not belong to the run of the files
 * before it is reported and left out, unless `is_forced`.  The caller frees the
 * study; NULL where hpm_inputs_read returns false. */
struct hpm_study *hpm_inputs_merge(struct hpm_inputs *inputs,
                                   const struct hpm_inputs_listener *listener,
                                   bool is_forced);

void hpm_inputs_clear(struct hpm_inputs *inputs);

#endif
