/* SPDX-License-Identifier: BSD-3-Clause
 * Runs, each a study that was read from its performance file, as samples. */
#ifndef HPM_STUDY_COMPARE_INTAKE_H
#define HPM_STUDY_COMPARE_INTAKE_H

#include "base/error.h"
#include "study/columns/study.h"
#include "study/compare/samples.h"

/* Names of the metrics that are not counters. */
#define HPM_INTAKE_TIME "TIME"               /* inclusive, wall clock */
#define HPM_INTAKE_EXCLUSIVE "EXCLUSIVE"     /* without the sections inside */
#define HPM_INTAKE_CPU_TIME "CPU_TIME"       /* user and system */
#define HPM_INTAKE_PEAK_MEMORY "PEAK_MEMORY" /* resident at once, at most */
#define HPM_INTAKE_CALLS "CALLS"

/* What the user wants: globs, as in a shell; NULL: everything. */
struct hpm_intake_choice {
    const char *metrics; /* names with commas between */
    const char *section; /* of a section's label or path */
    bool any_program;    /* sections of one label are the same, in any file */
    bool has_functions;  /* functions, from samples, too (functions.h) */
};

/* Knows which sections of different runs are the same section: those with the
 * same path of labels and the same files.  The line only decides between
 * several (hpm_pair_sections). */
struct hpm_intake;

/* Start to fill `samples`, which must live longer.  NULL when there is no
 * memory. */
struct hpm_intake *hpm_intake_new(struct hpm_samples *samples,
                                  const struct hpm_intake_choice *choice,
                                  struct hpm_error *err);
void hpm_intake_free(struct hpm_intake *intake);

/* Take the values of a run: of hpmcount's file the whole program, of libhpm's
 * file the sections, too.  False when there is no memory. */
bool hpm_intake_take(struct hpm_intake *intake, const struct hpm_study *study,
                     size_t side, size_t run, struct hpm_error *err);

/* Is the study from hpmcount, which knows how the program ended? */
bool hpm_intake_is_whole_program(const struct hpm_study *study);

/* Does one of the globs, separated by commas, match the name?  NULL matches
 * all. */
bool hpm_intake_is_wanted(const char *globs, const char *name);

#endif
