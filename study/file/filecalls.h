/* SPDX-License-Identifier: BSD-3-Clause
 * The single calls of a record in a performance file, kept until they enter a
 * study. */
#ifndef HPM_STUDY_FILE_FILECALLS_H
#define HPM_STUDY_FILE_FILECALLS_H

#include "study/columns/calls.h"
#include "study/file/parse.h"

/* For the record that is being read.  Start from {0} with the first two set. */
struct hpm_filecalls {
    struct hpm_study *study;
    struct hpm_parse *parse;

    struct hpm_filecalls_draw {
        struct hpm_format_calls said;
        struct hpm_xmlguard_position position;
        size_t first_counter, n_counters; /* in `counters` */
        size_t first_call, n_calls;       /* in `calls` */
    } * draws;
    size_t n_draws, draws_capacity;
    const char **counters;
    size_t n_counters, counters_capacity;
    struct hpm_study_call *calls;
    size_t n_calls, calls_capacity;
};

/* Does the element belong to single calls? */
bool hpm_filecalls_knows(enum hpm_format_name element);

/* Keep the element's contents until the record ends.  False when there is no
 * memory. */
bool hpm_filecalls_take(struct hpm_filecalls *filecalls,
                        enum hpm_format_name element,
                        const union hpm_format_any *any,
                        struct hpm_xmlguard *guard);

/* A record begins: forget what is kept, which belongs to a record left out. */
void hpm_filecalls_begin_record(struct hpm_filecalls *filecalls);

/* The record is complete, and is the last row: give its calls to the row.
 * False when there is no memory. */
bool hpm_filecalls_end_record(struct hpm_filecalls *filecalls, uint32_t row);

void hpm_filecalls_free(struct hpm_filecalls *filecalls);

#endif
