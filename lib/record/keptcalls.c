/* SPDX-License-Identifier: BSD-3-Clause
 * Single calls of a record, made from the rows of a reservoir. */
#include "record/keptcalls.h"

#include <math.h>

#include "base/sort.h"
#include "host/memory.h"

static int64_t
to_ns(const struct hpm_records *records, int64_t ticks)
{
    return (int64_t)llrint((double)ticks * records->ns_per_tick);
}

/* The row of one call is corrected like a sum of rows that contains one own
 * reading. */
static int64_t
corrected(const struct hpm_records *records, const uint64_t *row, size_t slot)
{
    return hpm_correct(&records->correction, records->tree, row, 1, slot).value;
}

/* The estimate is without overhead, too: the part counted while the counter was
 * on is subtracted from the count, the rest from the estimate. */
static int64_t
scale(const struct hpm_records *records, const uint64_t *row, size_t event)
{
    size_t clock = records->meter->events[event].clock_slot;
    struct hpm_turns turns = {row[1 + event], row[clock], row[clock + 1]};
    struct hpm_overhead_parts parts = {0, 0};

    if (hpm_meter_is_charged(records->meter, 1 + event))
        parts = hpm_correct_parts(&records->correction, records->tree, row, 1,
                                  1 + event);
    turns.count -= parts.counted < turns.count ? parts.counted : turns.count;
    return (int64_t)(hpm_estimate_scale(&turns) - parts.whole);
}

static struct hpm_call_count
count_of(const struct hpm_records *records, const uint64_t *row, size_t event)
{
    struct hpm_estimate estimate;
    struct hpm_call_count count = {.is_there = true};

    hpm_meter_estimate(records->meter, event, row, NULL, &estimate);
    if (estimate.state == HPM_STATE_SHARED) {
        count.is_estimate = true;
        count.value = scale(records, row, event);
    } else if (estimate.state != HPM_STATE_COUNTED) {
        count.is_there = false;
    } else if (hpm_meter_is_charged(records->meter, 1 + event)) {
        count.value = corrected(records, row, 1 + event);
    } else {
        count.value = (int64_t)row[1 + event];
    }
    return count;
}

/* By their numbers; if several threads are joined also by their begins, and
 * then in the order in which the threads were joined. */
static int
compare_rows(const void *first, const void *second)
{
    const uint64_t *a = *(uint64_t *const *)first;
    const uint64_t *b = *(uint64_t *const *)second;

    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    if (a[1] != b[1])
        return a[1] < b[1] ? -1 : 1;
    return (a > b) - (a < b);
}

/* The rows in that order; NULL when there is no memory. */
static uint64_t **
sort_rows(const struct hpm_reservoirs *reservoirs,
          const struct hpm_reservoir *reservoir)
{
    uint64_t **rows = hpm_memory_new(reservoir->n + 1, sizeof *rows);

    if (rows == NULL)
        return NULL;
    for (size_t i = 0; i < reservoir->n; i++)
        rows[i] = hpm_reservoir_row(reservoirs, reservoir, i);
    hpm_sort(rows, reservoir->n, sizeof *rows, compare_rows);
    return rows;
}

/* Replayed times begin with 0. */
static void
fill_call(const struct hpm_records *records, const uint64_t *row,
          struct hpm_call *call, struct hpm_call_count *counts)
{
    uint64_t begin = hpm_meter_is_replayed(records->meter) ? 0 : records->begin;

    call->number = row[0];
    call->begin = to_ns(records, (int64_t)(row[1] - begin));
    call->ns = to_ns(records, corrected(records, row + 2, 0));
    for (size_t i = 0; i < records->meter->n_events; i++)
        counts[i] = count_of(records, row + 2, i);
}

static bool
add_calls(const struct hpm_records *records, const struct hpm_node *node,
          const struct hpm_reservoir *reservoir)
{
    size_t n_events = records->meter->n_events;
    uint64_t **rows = sort_rows(records->tree->reservoirs, reservoir);
    struct hpm_calls *calls =
        rows != NULL ? hpm_experiment_add_calls(records->experiment,
                                                reservoir->n, n_events)
                     : NULL;

    if (calls != NULL) {
        calls->record = node->index;
        calls->n_made = reservoir->n_made;
        for (size_t i = 0; i < calls->n; i++)
            fill_call(records, rows[i], &calls->calls[i],
                      &calls->counts[i * n_events]);
    }
    hpm_memory_free(rows);
    return calls != NULL;
}

/* A section with calls in a reservoir has ended at least one call, so it has a
 * record. */
void
hpm_keptcalls_add(const struct hpm_records *records)
{
    const struct hpm_calltree *tree = records->tree;

    for (const struct hpm_node *node = tree->nodes.first; node != NULL;
         node = node->next) {
        const struct hpm_reservoir *reservoir =
            hpm_reservoirs_of(tree->reservoirs, node->number);

        if (reservoir != NULL && reservoir->n_made > 0 &&
            !add_calls(records, node, reservoir))
            hpm_calltree_note_few_calls(tree, node);
    }
}
