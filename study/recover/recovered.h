/* SPDX-License-Identifier: BSD-3-Clause
 * The experiment a journal has put aside (record/snapshot.h). */
#ifndef HPM_STUDY_RECOVER_RECOVERED_H
#define HPM_STUDY_RECOVER_RECOVERED_H

#include "model/experiment.h"
#include "study/recover/copies.h"

struct hpm_recovered {
    struct hpm_experiment *experiment; /* not complete, and says so */
    size_t n_wrong;    /* tables that do not say what they should: left out */
    size_t n_no_room;  /* sections whose single calls there was no memory for */
    size_t n_left_out; /* ... whose newest copy has none of theirs */
};

/* Make the experiment of the latest copies, as the recorder would have made it
 * at the latest instant of any.  `name` stands for the journal in messages.
 * False, and nothing in *ret_revived, when there is no whole copy of the run,
 * or no memory. */
bool hpm_recovered_read(const struct hpm_copies *copies, const char *name,
                        struct hpm_recovered *ret_revived,
                        struct hpm_error *err);

void hpm_recovered_clear(struct hpm_recovered *recovered);

#endif
