/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of a study: how many there are at each address of each record.
 *
 *     sampled[]        what was sampled: event, domain and period
 *     modules[]        the program and its libraries
 *     hits[] --> row, sampled, module
 *            --> chains[]      called from there
 *
 * Hits stand in the order of their fields, each place once. */
#ifndef HPM_STUDY_COLUMNS_HITS_H
#define HPM_STUDY_COLUMNS_HITS_H

#include "study/columns/study.h"

/* The description of sampling in a task, as a study has it. */
struct hpm_study_sampled hpm_hits_key(const struct hpm_task_sampled *said);

/* Is this the same event, sampled in the same way?  Texts are the study's
 * own. */
bool hpm_hits_is_sampled(const struct hpm_study_sampled *a,
                         const struct hpm_study_sampled *b);

/* Each gives the index of the element, which is added if it is not there yet;
 * HPM_NO_INDEX when there is no memory.  Texts must be the study's own. */
uint32_t hpm_hits_add_sampled(struct hpm_study *study,
                              const struct hpm_study_sampled *sampled);
uint32_t hpm_hits_add_module(struct hpm_study *study,
                             const struct hpm_study_module *module);

/* Append a hit; false when there is no memory. */
bool hpm_hits_add(struct hpm_study *study, const struct hpm_study_hit *hit);

/* Sort the hits where they are not in their order. */
void hpm_hits_settle(struct hpm_study *study);

/* Sort the sampled events and the modules as the tasks have them, for the
 * study's one order; false when there is no memory. */
bool hpm_hits_arrange(struct hpm_study *study);

/* The hits of a row: *ret_first is the first one, the result their number. */
size_t hpm_hits_of(const struct hpm_study *study, uint32_t row,
                   const struct hpm_study_hit **ret_first);

/* Moving hits from one study into another: the index in `to` of each thing of
 * `from`. */
struct hpm_hits_move {
    struct hpm_study *to;
    const struct hpm_study *from;
    uint32_t *sampled, *modules;
    uint32_t *chains; /* by number */
};

/* Begin; maps are taken from `scratch`.  False when there is no memory. */
bool hpm_hits_begin_move(struct hpm_hits_move *move, struct hpm_arena *scratch,
                         struct hpm_study *to, const struct hpm_study *from);

/* Add what one task sampled, and its modules, to another task; false when there
 * is no memory. */
bool hpm_hits_join_task(struct hpm_hits_move *move, const struct hpm_task *from,
                        struct hpm_task *task);

/* For a part of a task the total of an event is not known. */
void hpm_hits_forget_totals(struct hpm_task *task);

/* Add the hits of a row to those of row `to_row`.  False when there is no
 * memory. */
bool hpm_hits_move_row(struct hpm_hits_move *move, uint32_t row,
                       uint32_t to_row);

/* How many samples of the event `sampled` these hits have, and how many were
 * lost. */
void hpm_hits_sum(const struct hpm_study_hit *hits, size_t n, uint32_t sampled,
                  uint64_t *ret_taken, uint64_t *ret_lost);

#endif
