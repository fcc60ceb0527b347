/* SPDX-License-Identifier: BSD-3-Clause
 * Which record of a file is inside which.
 *
 * Records name each other by ids, in any order; call paths are only known when
 * all records have been read.
 */
#ifndef HPM_STUDY_FILE_PARENTS_H
#define HPM_STUDY_FILE_PARENTS_H

#include "study/columns/study.h"
#include "study/file/notes.h"
#include "study/file/xmlguard.h"

/* Start from {0}; it has memory of its own. */
struct hpm_parents {
    struct hpm_arena arena;
    struct hpm_kin *kin; /* one per row of the study */
    size_t n, capacity;
    bool is_numbered;  /* ids are 1, 2, 3 ... */
    bool is_scattered; /* out: rows of a task are not together */
};

/* Add the next row: its section (parent and twin not yet known), its id, the
 * ids it names (no number: none), and where its first tag ends in the file.
 * False when there is no memory. */
bool hpm_parents_add(struct hpm_parents *parents,
                     const struct hpm_study_section *self, struct hpm_number id,
                     struct hpm_number parent, struct hpm_number within,
                     struct hpm_xmlguard_position position);

/* Set the parent, the process record and the section of every row.  An id that
 * does not exist, or would make a circle, is noted, and the record becomes a
 * root.  Records with the same fields are noted and become twins.  False when
 * there is no memory. */
bool hpm_parents_settle(struct hpm_parents *parents, struct hpm_study *study,
                        const char *file, struct hpm_notes *notes);

void hpm_parents_free(struct hpm_parents *parents);

#endif
