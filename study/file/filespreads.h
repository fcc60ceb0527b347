/* SPDX-License-Identifier: BSD-3-Clause
 * The spreads of a record in a performance file, kept until they enter a study. */
#ifndef HPM_STUDY_FILE_FILESPREADS_H
#define HPM_STUDY_FILE_FILESPREADS_H

#include "study/columns/spreads.h"
#include "study/file/parse.h"

/* For the record that is being read.  Start from {0} with the first two set. */
struct hpm_filespreads {
    struct hpm_study *study;
    struct hpm_parse *parse;

    struct hpm_study_spread *spreads;
    size_t n, capacity;
};

/* A record begins: forget what is kept, which belongs to a record left out. */
void hpm_filespreads_begin_record(struct hpm_filespreads *filespreads);

/* Keep a spread until the record ends; one of a column that the record does not
 * have is left out with a note.  False when there is no memory. */
bool hpm_filespreads_take(struct hpm_filespreads *filespreads,
                          const struct hpm_format_spread *said,
                          struct hpm_xmlguard *guard);

/* The record is complete, and is the last row: give its spreads to the row.
 * False when there is no memory. */
bool hpm_filespreads_end_record(struct hpm_filespreads *filespreads,
                                uint32_t row);

void hpm_filespreads_free(struct hpm_filespreads *filespreads);

#endif
