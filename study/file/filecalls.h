/* SPDX-License-Identifier: BSD-3-Clause
 * The single calls that a record of a performance file has, on their way into a
 * study. */
#ifndef HPM_STUDY_FILE_FILECALLS_H
#define HPM_STUDY_FILE_FILECALLS_H

#include "study/columns/calls.h"
#include "study/file/parse.h"

/* Of the record that is being read.  Start from {0} with the first two set. */
struct hpm_filecalls {
    struct hpm_study *study;
    struct hpm_parse *parse;

    struct hpm_filecalls_draw {
        struct hpm_format_calls said;
        struct hpm_xmlguard_position position;
        size_t first_counter, n_counters; /* of `counters` */
        size_t first_call, n_calls;       /* of `calls` */
    } * draws;
    size_t n_draws, draws_capacity;
    const char **counters;
    size_t n_counters, counters_capacity;
    struct hpm_study_call *calls;
    size_t n_calls, calls_capacity;
};

/* Is it an element of this kind? */
bool hpm_filecalls_knows(enum hpm_format_name element);

/* Keep what it says until the record ends.  False when there is no memory. */
bool hpm_filecalls_take(struct hpm_filecalls *filecalls,
                        enum hpm_format_name element,
                        const union hpm_format_any *any,
                        struct hpm_xmlguard *guard);

/* A record begins: what is kept was of one that was left out. */
void hpm_filecalls_begin_record(struct hpm_filecalls *filecalls);

/* The record is whole, and the last row: its calls are the row's.  False when there
 * is no memory. */
bool hpm_filecalls_end_record(struct hpm_filecalls *filecalls, uint32_t row);

/* Free what is kept. */
void hpm_filecalls_free(struct hpm_filecalls *filecalls);

#endif
