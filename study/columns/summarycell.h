/* SPDX-License-Identifier: BSD-3-Clause
 * One column of one row of a summary on its way: what many threads, or processes,
 * counted. */
#ifndef HPM_STUDY_COLUMNS_SUMMARYCELL_H
#define HPM_STUDY_COLUMNS_SUMMARYCELL_H

#include "study/columns/distribution.h"

/* Why a metric has no value in a summary. */
#define HPM_SUMMARYCELL_NO_SUM                                                 \
    "a summary has the values of a metric in its spread only; they have no "   \
    "sum"

/* Start from {0}. */
struct hpm_summarycell {
    uint32_t column; /* of the caller's */
    struct hpm_distribution distribution;
    struct hpm_exactsum rest;      /* that several threads have together */
    struct hpm_exactsum exclusive; /* of all that have an exclusive value */
    bool has_value, has_exclusive, is_shown, counts_children, is_partial;
    bool is_lost; /* some have no value; the worst of these: */
    enum hpm_state lost_state;
    const char *lost_reason;
    enum hpm_state state; /* the worst of those with a value */
    uint64_t n_covered;   /* threads whose value is here */
    struct hpm_number overhead, uncertainty, clamped;
    struct hpm_number share; /* the smallest */
    struct hpm_number windows, only_exclusive;
};

/* Whose a datum is, and how many threads have it together. */
struct hpm_summarycell_who {
    struct hpm_number task, thread;
    const char *host;
    uint64_t n_threads;
};

void hpm_summarycell_free(struct hpm_summarycell *cell);

/* Add the datum of a thread or process. */
void hpm_summarycell_add(struct hpm_summarycell *cell,
                         const struct hpm_datum *said, bool is_time,
                         const struct hpm_summarycell_who *who);

/* Add the datum of n_threads that another summary has, with its spread; NULL
 * where it has none.  False where the spread is none, as in a damaged file. */
bool hpm_summarycell_add_summary(struct hpm_summarycell *cell,
                                 const struct hpm_datum *datum,
                                 const struct hpm_study_spread *spread,
                                 bool is_time, uint64_t n_threads);

/* The datum for n_threads, and its spread in *ret_spread, whose texts are the
 * study's own; *ret_has_spread is false where it has none.  False when there is
 * no memory. */
bool hpm_summarycell_end(const struct hpm_summarycell *cell, int kind,
                         uint64_t n_threads, struct hpm_study *study,
                         struct hpm_datum *ret_datum,
                         struct hpm_study_spread *ret_spread,
                         bool *ret_has_spread);

#endif
