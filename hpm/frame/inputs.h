/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files that a subcommand is given; see study/file/inputs.h.  What is
 * wrong with them is said on standard error, a line each, and so is progress,
 * on a terminal, when it takes long. */
#ifndef HPM_INPUTS_H
#define HPM_INPUTS_H

#include "hpm/frame/subcommand.h"
#include "study/file/inputs.h"

struct inputs {
    const char *command; /* the subcommand, for messages */
    struct hpm_inputs all;
};

/* Find what the words stand for.  False when one of them stands for nothing,
 * or there is none. */
bool inputs_find(struct inputs *inputs, char *const *words, size_t n,
                 struct hpm_error *err);

/* A file that is read is not written to, nor one beside it under its name:
 * false where `output` (NULL and "-" are none) is one of them. */
bool inputs_allow_output(const struct inputs *inputs, const char *output,
                         struct hpm_error *err);

/* Read them all, in their order.  GOOD, SOME_BAD, or NOTHING when no file was
 * taken or the taking broke off. */
enum status inputs_read(struct inputs *inputs, hpm_inputs_take *take,
                        void *owner);

/* The same into an array of n_taken studies, each a run of its own, for the
 * caller to free, each and all (hpm_memory_free).  Unless `is_forced`, runs that
 * failed are refused, and of several files of one run only the best is there. */
enum status inputs_read_runs(struct inputs *inputs, bool is_forced,
                             struct hpm_study ***ret_studies);

/* The same as one study (hpm_inputs_merge).  *ret_study is NULL with NOTHING,
 * else for the caller to free. */
enum status inputs_merge(struct inputs *inputs, bool is_forced,
                         struct hpm_study **ret_study);

void inputs_clear(struct inputs *inputs);

#endif
