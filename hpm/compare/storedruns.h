/* SPDX-License-Identifier: BSD-3-Clause
 * What hpm compare has from files: the runs of each side, and a baseline. */
#ifndef HPM_STOREDRUNS_H
#define HPM_STOREDRUNS_H

#include "base/error.h"
#include "hpm/frame/subcommand.h"
#include "study/compare/intake.h"
#include "study/compare/samples.h"

/* The words of one side. */
struct storedruns_side {
    char *const *words;
    size_t n_words;
};

/* Read the performance files of n sides, each file a run.  Runs that failed are
 * left out, unless `is_forced`.  SOME_BAD where files were bad, each is named;
 * NOTHING where a side has none, or the programs are not one and
 * choice->any_program does not say that this is wanted; that is said, too. */
enum status storedruns_read(const struct storedruns_side *sides, size_t n,
                            const struct hpm_intake_choice *choice,
                            bool is_forced, struct hpm_samples *samples);

/* Read a baseline as the next side. */
bool storedruns_read_baseline(struct hpm_samples *samples, const char *path,
                              struct hpm_error *err);

/* Write the side as a baseline, in place of the file that is there. */
bool storedruns_write_baseline(const struct hpm_samples *samples, size_t side,
                               const char *path, struct hpm_error *err);

/* May a file of that name be written, or replaced?  Devices, pipes and folders
 * are not; asked before what takes long. */
bool storedruns_may_replace(const char *path, struct hpm_error *err);

/* Put the text in place of the file of that name, or make it. */
bool storedruns_replace(const char *path, const struct hpm_string *text,
                        struct hpm_error *err);

#endif
