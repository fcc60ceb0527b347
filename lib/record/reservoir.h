/* SPDX-License-Identifier: BSD-3-Clause
 * Single calls of chosen sections (HPM_CALLS): for each node a reservoir with a
 * limited number of rows, in which each call of the node is kept with the same
 * probability (Vitter's algorithm R).  Owner and thread are those of the
 * section table.
 *
 *     row:   number | time of the start | row of the table: what the call used
 *
 * The generator's seed is the section's call path: threads and tasks that make
 * as many calls keep the same ones, and so does the next run. */
#ifndef HPM_RECORD_RESERVOIR_H
#define HPM_RECORD_RESERVOIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limit of memory for all reservoirs of a process together. */
enum { HPM_RESERVOIR_MOST_BYTES = 64 << 20 };

struct hpm_reservoir {
    size_t most;     /* the most rows it may have */
    uint64_t n_made; /* calls that were offered to it */
    size_t n, capacity;
    uint64_t random; /* state of the generator (splitmix64) */
    uint64_t *rows;
};

/* All reservoirs of one table. */
struct hpm_reservoirs {
    size_t n_row;                    /* row length of the table */
    struct hpm_reservoir **of_nodes; /* by the node's number; NULL: the node is
                                      * not chosen */
    size_t n_nodes, capacity;
};

/* NULL when there is no memory. */
struct hpm_reservoirs *hpm_reservoirs_new(size_t n_row);
void hpm_reservoirs_free(struct hpm_reservoirs *reservoirs);

/* Call this in a forked child, which never frees inherited reservoirs: they no
 * longer count in the limit. */
void hpm_reservoirs_forget(void);

/* Choose the node with this number, for at most `most` rows; false when there
 * is no memory. */
bool hpm_reservoirs_choose(struct hpm_reservoirs *reservoirs, unsigned node,
                           size_t most, uint64_t seed);

/* The reservoir of the node with this number; NULL: the node is not chosen. */
static inline struct hpm_reservoir *
hpm_reservoirs_of(const struct hpm_reservoirs *reservoirs, unsigned node)
{
    return reservoirs != NULL && node < reservoirs->n_nodes
               ? reservoirs->of_nodes[node]
               : NULL;
}

static inline uint64_t *
hpm_reservoir_row(const struct hpm_reservoirs *reservoirs,
                  const struct hpm_reservoir *reservoir, size_t i)
{
    return reservoir->rows + i * (2 + reservoirs->n_row);
}

/* Offer a call that began with the row `start` and ended with `now`.  Returns
 * false, once, when there is no room for more rows: `most` is then the present
 * number of rows. */
bool hpm_reservoir_keep(const struct hpm_reservoirs *reservoirs,
                        struct hpm_reservoir *reservoir, uint64_t number,
                        const uint64_t *start, const uint64_t *now);

/* Join the calls of another reservoir, which is used up: each call of both has
 * the same probability.  False when there is no room for as many rows as
 * wanted: then there are fewer; and if one of the two had no room for any row,
 * its calls are left out, in n_made too. */
bool hpm_reservoir_join(const struct hpm_reservoirs *reservoirs,
                        struct hpm_reservoir *reservoir,
                        struct hpm_reservoir *other);

#endif
