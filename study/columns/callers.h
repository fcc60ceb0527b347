/* SPDX-License-Identifier: BSD-3-Clause
 * From where the places of samples were called: the chains of a study. */
#ifndef HPM_STUDY_COLUMNS_CALLERS_H
#define HPM_STUDY_COLUMNS_CALLERS_H

#include "study/columns/study.h"

/* The number of a chain, from 1 on, that is there already or is added now; 0 when
 * there is no memory. */
uint32_t hpm_callers_add(struct hpm_study *study,
                         const struct hpm_study_chain *chain);

/* Add the chains of another study, whose modules have these numbers here.  Gives the
 * new number of each, in `scratch`; NULL when there is no memory. */
uint32_t *hpm_callers_move(struct hpm_arena *scratch, struct hpm_study *to,
                           const struct hpm_study *from,
                           const uint32_t *modules);

/* Give chains the order of what they are, with new numbers of modules: the same
 * however they came.  Gives the new number of each; NULL when there is no memory. */
uint32_t *hpm_callers_arrange(struct hpm_study *study, const uint32_t *modules);

#endif
