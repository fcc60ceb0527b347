/* SPDX-License-Identifier: BSD-3-Clause
 * What a performance file says before its records: file, sources, runs,
 * machines, counters, calibrations, problems. */
#ifndef HPM_STUDY_FILE_DESCRIBE_H
#define HPM_STUDY_FILE_DESCRIBE_H

#include "study/file/format.h"
#include "study/file/notes.h"
#include "study/file/xmlguard.h"

/* Set study, name and notes; all other fields start as 0. */
struct hpm_describe {
    struct hpm_study *study;
    const char *name; /* of the file, for messages */
    struct hpm_notes *notes;

    struct hpm_format_file file; /* out: the root */
    uint32_t task;               /* the task of the element being read */
};

/* Put the contents of an element into the study; other elements than those
 * above are ignored.  False when there is no memory. */
bool hpm_describe_take(struct hpm_describe *describe,
                       enum hpm_format_name element,
                       const union hpm_format_any *any,
                       struct hpm_xmlguard *guard);

/* The task of an element: the one it names, else the only one, else task 0,
 * which is added if need be.  HPM_NO_INDEX when there is no memory. */
uint32_t hpm_describe_task(struct hpm_describe *describe,
                           struct hpm_number number);

/* Add a source; false when there is no memory. */
bool hpm_describe_add_source(struct hpm_describe *describe, const char *file);

#endif
