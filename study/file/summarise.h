/* SPDX-License-Identifier: BSD-3-Clause
 * A summary of the files that the user names, read one after the other: what stays of
 * a file is in the summary, so memory does not grow with what the files have. */
#ifndef HPM_STUDY_FILE_SUMMARISE_H
#define HPM_STUDY_FILE_SUMMARISE_H

#include "study/file/inputs.h"

/* The summary of what hpm_inputs_merge would make of the files; it names the refused
 * ones.  Where processes forked others all files are read once more, and merged first:
 * which counts these have in common is seen in all of them alone.  The caller frees the
 * study; NULL, and the reason is said, on failure. */
struct hpm_study *
hpm_inputs_summarise(struct hpm_inputs *inputs,
                     const struct hpm_inputs_listener *listener,
                     bool is_forced);

/* Replace a study by its summary; NULL, with the reason, on failure. */
struct hpm_study *hpm_summarise(struct hpm_study *study, bool is_forced,
                                struct hpm_error *err);

#endif
