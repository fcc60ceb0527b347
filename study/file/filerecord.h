/* SPDX-License-Identifier: BSD-3-Clause
 * A record of a performance file on its way into a study. */
#ifndef HPM_STUDY_FILE_FILERECORD_H
#define HPM_STUDY_FILE_FILERECORD_H

#include "study/columns/columnorder.h"
#include "study/file/describe.h"
#include "study/file/filecalls.h"
#include "study/file/fileprofile.h"
#include "study/file/filespreads.h"
#include "study/file/parents.h"
#include "study/file/parse.h"

/* The record that is being read, and data for all records of a file.  Start
 * from {0} with the first seven set. */
struct hpm_filerecord {
    struct hpm_study *study;
    struct hpm_parse *parse;
    struct hpm_describe *describe;
    struct hpm_parents *parents;
    struct hpm_fileprofile *profile;
    struct hpm_filecalls *calls;
    struct hpm_filespreads *spreads;

    struct hpm_columnorder order;      /* order of columns in the file's
                                        * records */
    size_t n_met;                      /* records read, also those left out */
    uint32_t last_task;                /* task of the last record added */
    const char *last_file, *last_base; /* the file's base name */
    uint32_t *last_records; /* by column: the last record that had it */
    size_t last_records_capacity;

    struct hpm_format_record said;
    struct hpm_xmlguard_position position;
    bool is_outside; /* what no section covers */
    bool is_good;    /* false: left out, together with its data */
    struct hpm_filerecord_value *values;
    size_t n_values, values_capacity;
    uint32_t last_column; /* mostly the next column follows */
};

/* Begin a record with these attributes; the guard stands after its tag. */
void hpm_filerecord_begin(struct hpm_filerecord *record,
                          const struct hpm_format_record *said, bool is_outside,
                          bool is_good, const struct hpm_xmlguard *guard);

/* Room for the next data of the record, not zeroed; NULL when there is no
 * memory. */
struct hpm_format_data *hpm_filerecord_room(struct hpm_filerecord *record);

/* Make the data in that room a value of the record, or leave it out with a
 * note.  `bad` is an attribute that could not be read, or NULL. */
void hpm_filerecord_take(struct hpm_filerecord *record,
                         const struct hpm_format_attribute *bad,
                         struct hpm_xmlguard *guard);

/* The record is complete: add it to the study, and its ids to the parents.
 * False when there is no memory; a text that could not be kept is only reported
 * in `parse`. */
bool hpm_filerecord_end(struct hpm_filerecord *record);

#endif
