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

/* What that is in a study. */
struct hpm_study_sampled hpm_hits_key(const struct hpm_task_sampled *said);

/* Is that the same event, sampled in the same way?  Texts are the study's own. */
bool hpm_hits_is_sampled(const struct hpm_study_sampled *a,
                         const struct hpm_study_sampled *b);

/* Each gives the index of what is there already or is added now, HPM_NO_INDEX
 * when there is no memory.  Texts must be the study's own. */
uint32_t hpm_hits_add_sampled(struct hpm_study *study,
                              const struct hpm_study_sampled *sampled);
uint32_t hpm_hits_add_module(struct hpm_study *study,
                             const struct hpm_study_module *module);

/* Append a hit; false when there is no memory. */
bool hpm_hits_add(struct hpm_study *study, const struct hpm_study_hit *hit);

/* Put the hits into their order, where they are not in it. */
void hpm_hits_settle(struct hpm_study *study);

/* Bring what was sampled and the modules into the order in which the tasks have
 * them, for the one order of a study; false when there is no memory. */
bool hpm_hits_arrange(struct hpm_study *study);

/* Those of a row: the first one, and how many there are. */
size_t hpm_hits_of(const struct hpm_study *study, uint32_t row,
                   const struct hpm_study_hit **ret_first);

/* What moving hits from one study into another needs to know: what each thing
 * of `from` is in `to`. */
struct hpm_hits_move {
    struct hpm_study *to;
    const struct hpm_study *from;
    uint32_t *sampled, *modules;
    uint32_t *chains; /* by number */
};

/* Begin; maps are taken from `scratch`.  False when there is no memory. */
bool hpm_hits_begin_move(struct hpm_hits_move *move, struct hpm_arena *scratch,
                         struct hpm_study *to, const struct hpm_study *from);

/* What a task sampled is added to what another one did, and so are its modules;
 * false when there is no memory. */
bool hpm_hits_join_task(struct hpm_hits_move *move, const struct hpm_task *from,
                        struct hpm_task *task);

/* Of a part of a task nobody knows how much of an event there was in all. */
void hpm_hits_forget_totals(struct hpm_task *task);

/* The hits of a row become those of another one, beside what it has.  False when
 * there is no memory. */
bool hpm_hits_move_row(struct hpm_hits_move *move, uint32_t row,
                       uint32_t to_row);

/* How many samples there are of what was sampled so in these hits, and how many
 * are lost. */
void hpm_hits_sum(const struct hpm_study_hit *hits, size_t n, uint32_t sampled,
                  uint64_t *ret_taken, uint64_t *ret_lost);

#endif
