/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment made from a journal (record/snapshot.h). */
#ifndef HPM_STUDY_RECOVER_RECOVERED_H
#define HPM_STUDY_RECOVER_RECOVERED_H

#include "model/experiment.h"
#include "study/recover/copies.h"

struct hpm_recovered {
    struct hpm_experiment *experiment; /* marked as not complete */
    size_t n_wrong;    /* tables with wrong contents: left out */
    size_t n_no_room;  /* sections without memory for their single calls */
    size_t n_left_out; /* sections whose newest copy left out their single
                        * calls */
};

/* Make the experiment from the latest copies, as the recorder would have made
 * it at the time of the newest one.  `name` stands for the journal in
 * messages.  False, and nothing in *ret_revived, when there is no whole copy of
 * the run, or no memory. */
bool hpm_recovered_read(const struct hpm_copies *copies, const char *name,
                        struct hpm_recovered *ret_revived,
                        struct hpm_error *err);

void hpm_recovered_clear(struct hpm_recovered *recovered);

#endif
