/* SPDX-License-Identifier: BSD-3-Clause
 * A record of a performance file on its way into a study. */
#ifndef HPM_STUDY_FILE_FILERECORD_H
#define HPM_STUDY_FILE_FILERECORD_H

#include "study/columns/columnorder.h"
#include "study/file/describe.h"
#include "study/file/filecalls.h"
#include "study/file/fileprofile.h"
#include "study/file/parents.h"
#include "study/file/parse.h"

/* The record that is being read, and what those of a file have in common.
 * Start from {0} with the first six set. */
struct hpm_filerecord {
    struct hpm_study *study;
    struct hpm_parse *parse;
    struct hpm_describe *describe;
    struct hpm_parents *parents;
    struct hpm_fileprofile *profile;
    struct hpm_filecalls *calls;

    struct hpm_columnorder order;      /* of the columns, in files */
    size_t n_met;                      /* records, those left out too */
    uint32_t last_task;                /* of the last one added */
    const char *last_file, *last_base; /* and its base name */
    uint32_t *last_records; /* per column: the record that had it last */
    size_t last_records_capacity;

    struct hpm_format_record said;
    struct hpm_xmlguard_position position;
    bool is_outside; /* not a section: what none covers */
    bool is_good;    /* else it is left out, and its data with it */
    struct hpm_filerecord_value *values;
    size_t n_values, values_capacity;
    uint32_t last_column; /* the next one mostly follows it */
};

/* Begin a record of these attributes, behind whose tag the guard stands. */
void hpm_filerecord_begin(struct hpm_filerecord *record,
                          const struct hpm_format_record *said, bool is_outside,
                          bool is_good, const struct hpm_xmlguard *guard);

/* Room for the next data of the record, not zeroed; NULL when there is no
 * memory. */
struct hpm_format_data *hpm_filerecord_room(struct hpm_filerecord *record);

/* What is in that room becomes a value of the record, or is left out and said.
 * `bad` is an attribute of it that could not be read, or NULL. */
void hpm_filerecord_take(struct hpm_filerecord *record,
                         const struct hpm_format_attribute *bad,
                         struct hpm_xmlguard *guard);

/* The record is whole: add it to the study and its kin.  False when there is
 * no memory; a text that could not be kept is said in `parse` only. */
bool hpm_filerecord_end(struct hpm_filerecord *record);

#endif
