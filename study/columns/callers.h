/* SPDX-License-Identifier: BSD-3-Clause
 * The call chains of a study: from where the sampled places were called. */
#ifndef HPM_STUDY_COLUMNS_CALLERS_H
#define HPM_STUDY_COLUMNS_CALLERS_H

#include "study/columns/study.h"

/* The number of a chain, from 1 on; it is added if it is not there yet. 0 when
 * there is no memory. */
uint32_t hpm_callers_add(struct hpm_study *study,
                         const struct hpm_study_chain *chain);

/* Add the chains of another study; modules[] gives the numbers that its modules
 * have in `to`.  Returns the new number of each chain, in `scratch`; NULL when
 * there is no memory. */
uint32_t *hpm_callers_move(struct hpm_arena *scratch, struct hpm_study *to,
                           const struct hpm_study *from,
                           const uint32_t *modules);

/* Sort the chains by their contents and give them new numbers of modules: the
 * order does not depend on how the chains were added.  Returns the new number
 * of each chain; NULL when there is no memory. */
uint32_t *hpm_callers_arrange(struct hpm_study *study, const uint32_t *modules);

#endif
