/* SPDX-License-Identifier: BSD-3-Clause
 * The input files of hpm compare: the runs of each side, and a baseline. */
#ifndef HPM_STOREDRUNS_H
#define HPM_STOREDRUNS_H

#include "base/error.h"
#include "hpm/frame/subcommand.h"
#include "study/compare/intake.h"
#include "study/compare/samples.h"

/* The command-line words of one side. */
struct storedruns_side {
    char *const *words;
    size_t n_words;
};

/* Read the performance files of n sides, each file as a run.  Failed runs are
 * left out, unless `is_forced`.  SOME_BAD where files were bad; each was
 * reported.  NOTHING where a side has no runs, or programs differ without
 * choice->any_program; this was reported, too. */
enum status storedruns_read(const struct storedruns_side *sides, size_t n,
                            const struct hpm_intake_choice *choice,
                            bool is_forced, struct hpm_samples *samples);

/* Read a baseline as the next side. */
bool storedruns_read_baseline(struct hpm_samples *samples, const char *path,
                              struct hpm_error *err);

/* Write a side as a baseline, replacing the file that is there. */
bool storedruns_write_baseline(const struct hpm_samples *samples, size_t side,
                               const char *path, struct hpm_error *err);

/* May a file of this name be written or replaced?  Not where it is a device, a
 * pipe or a folder.  Called before long work. */
bool storedruns_may_replace(const char *path, struct hpm_error *err);

/* Write the text to the file of this name, replacing it if it exists. */
bool storedruns_replace(const char *path, const struct hpm_string *text,
                        struct hpm_error *err);

#endif
