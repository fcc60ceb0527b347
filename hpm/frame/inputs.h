/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files given to a subcommand; see study/file/inputs.h.
 * Problems are reported on standard error, a line each; so is the progress, on
 * a terminal, when reading takes long. */
#ifndef HPM_INPUTS_H
#define HPM_INPUTS_H

#include "hpm/frame/subcommand.h"
#include "study/file/inputs.h"

struct inputs {
    const char *command; /* the subcommand, for messages */
    struct hpm_inputs all;
};

/* Find the files of the words.  False when no word matches any file, or there
 * are no words. */
bool inputs_find(struct inputs *inputs, char *const *words, size_t n,
                 struct hpm_error *err);

/* False where `output` (unless NULL or "-") is one of the input files, under
 * this or another name: input files are never overwritten. */
bool inputs_allow_output(const struct inputs *inputs, const char *output,
                         struct hpm_error *err);

/* Read all files, in their order.  GOOD, SOME_BAD, or NOTHING when no file was
 * taken or `take` broke off. */
enum status inputs_read(struct inputs *inputs, hpm_inputs_take *take,
                        void *owner);

/* The same into an array of n_taken studies, each of one run; the caller frees
 * the studies and the array (hpm_memory_free).  Unless `is_forced`, failed runs
 * are refused, and only the best of several files of one run is kept. */
enum status inputs_read_runs(struct inputs *inputs, bool is_forced,
                             struct hpm_study ***ret_studies);

/* The same as one study (hpm_inputs_merge).  *ret_study is NULL with NOTHING;
 * else the caller frees it. */
enum status inputs_merge(struct inputs *inputs, bool is_forced,
                         struct hpm_study **ret_study);

/* The same as one summary (hpm_inputs_summarise). */
enum status inputs_summarise(struct inputs *inputs, bool is_forced,
                             struct hpm_study **ret_study);

void inputs_clear(struct inputs *inputs);

#endif
