/* SPDX-License-Identifier: BSD-3-Clause
 * What a performance file says of samples, on its way into a study: what was
 * sampled and the modules in the head, and in each record the samples. */
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

    uint32_t task; /* of the Profile that is being read */
    /* of the record that is being read: its samples, whose event and module are
     * known by name and number until the record's task is */
    struct hpm_fileprofile_samples {
        struct hpm_format_samples said;
        struct hpm_xmlguard_position position;
        size_t first_at; /* of all in `ats` */
    } * samples;
    size_t n_samples, samples_capacity;
    struct hpm_format_at *ats;
    size_t n_ats, ats_capacity;
};

/* Is it an element of this kind? */
bool hpm_fileprofile_knows(enum hpm_format_name element);

/* Put what it says into the study, or keep it until the record ends.  False when
 * there is no memory. */
bool hpm_fileprofile_take(struct hpm_fileprofile *profile,
                          enum hpm_format_name element,
                          const union hpm_format_any *any,
                          struct hpm_xmlguard *guard);

/* A record begins: what is kept was of one that was left out. */
void hpm_fileprofile_begin_record(struct hpm_fileprofile *profile);

/* The record is whole, and the last row of its task: its samples are the row's.
 * False when there is no memory. */
bool hpm_fileprofile_end_record(struct hpm_fileprofile *profile, uint32_t row);

/* Free what is kept. */
void hpm_fileprofile_free(struct hpm_fileprofile *profile);

#endif
