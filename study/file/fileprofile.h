/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of a performance file, on their way into a study: in the head
 * what was sampled and the modules, and in each record the samples. */
#ifndef HPM_STUDY_FILE_FILEPROFILE_H
#define HPM_STUDY_FILE_FILEPROFILE_H

#include "study/columns/hits.h"
#include "study/file/describe.h"
#include "study/file/parse.h"

/* Start from {0} with the first three set. */
struct hpm_fileprofile {
    struct hpm_study *study;
    struct hpm_parse *parse;
    struct hpm_describe *describe;

    uint32_t task; /* the task of the Profile being read */
    /* the samples of the record being read.  Event and module are only names
     * and numbers until the record's task is known */
    struct hpm_fileprofile_samples {
        struct hpm_format_samples said;
        struct hpm_xmlguard_position position;
        size_t first_at; /* in `ats` */
    } * samples;
    size_t n_samples, samples_capacity;
    struct hpm_format_at *ats;
    size_t n_ats, ats_capacity;
};

/* Does the element belong to samples? */
bool hpm_fileprofile_knows(enum hpm_format_name element);

/* Put the contents into the study, or keep them until the record ends.  False
 * when there is no memory. */
bool hpm_fileprofile_take(struct hpm_fileprofile *profile,
                          enum hpm_format_name element,
                          const union hpm_format_any *any,
                          struct hpm_xmlguard *guard);

/* A record begins: forget what is kept, which belongs to a record left out. */
void hpm_fileprofile_begin_record(struct hpm_fileprofile *profile);

/* The record is complete, and is the last row of its task: give its samples to
 * the row.  False when there is no memory. */
bool hpm_fileprofile_end_record(struct hpm_fileprofile *profile, uint32_t row);

void hpm_fileprofile_free(struct hpm_fileprofile *profile);

#endif
