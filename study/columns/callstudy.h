/* SPDX-License-Identifier: BSD-3-Clause
 * Single calls as a study of their own: a row is a call, and its place stands
 * for the call as well, so that all code that looks at threads can look at
 * calls. */
#ifndef HPM_STUDY_COLUMNS_CALLSTUDY_H
#define HPM_STUDY_COLUMNS_CALLSTUDY_H

#include "study/columns/calls.h"

struct hpm_callstudy {
    const struct hpm_study *from;
    struct hpm_study *study;
    uint32_t *draws; /* by row, which is also by place: index in from->kept */
};

/* Make a study of all calls of `from`, which must live longer.  Takes at most
 * `most_bytes`.  Values are inclusive; there are no exclusive values.  False
 * when there is no memory. */
bool hpm_callstudy_init(struct hpm_callstudy *calls,
                        const struct hpm_study *from, size_t most_bytes,
                        struct hpm_error *err);
void hpm_callstudy_clear(struct hpm_callstudy *calls);

/* The call of a place, its draw, and its thread (below 0: the whole process, or
 * threads beyond HPM_MAX_THREADS). */
const struct hpm_study_call *
hpm_callstudy_call(const struct hpm_callstudy *calls, uint32_t place);
const struct hpm_study_kept *
hpm_callstudy_draw(const struct hpm_callstudy *calls, uint32_t place);
int hpm_callstudy_thread(const struct hpm_callstudy *calls, uint32_t place);

#endif
