/* SPDX-License-Identifier: BSD-3-Clause
 * Single calls of chosen sections (HPM_CALLS): of each node a reservoir of so many
 * rows, in which each of its calls has the same chance to be (Vitter's algorithm
 * R).  Owner and thread are those of the section table.
 *
 *     row    number | time of the start | what the call used: a row of the table
 *
 * The generator's seed is the section's call path: threads and tasks that make as
 * many calls keep the same ones, and so does the next run. */
#ifndef HPM_RECORD_RESERVOIR_H
#define HPM_RECORD_RESERVOIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All those of a process take no more together. */
enum { HPM_RESERVOIR_MOST_BYTES = 64 << 20 };

struct hpm_reservoir {
    size_t most;     /* rows that it may have */
    uint64_t n_made; /* calls it was offered */
    size_t n, capacity;
    uint64_t random; /* state of the generator (splitmix64) */
    uint64_t *rows;
};

/* Of one table. */
struct hpm_reservoirs {
    size_t n_row;                    /* of the table */
    struct hpm_reservoir **of_nodes; /* by number; NULL: it is not chosen */
    size_t n_nodes, capacity;
};

/* NULL when there is no memory. */
struct hpm_reservoirs *hpm_reservoirs_new(size_t n_row);
void hpm_reservoirs_free(struct hpm_reservoirs *reservoirs);

/* In a forked child, which never frees what it has inherited: that takes no room
 * there. */
void hpm_reservoirs_forget(void);

/* Choose the node with that number; false when there is no memory. */
bool hpm_reservoirs_choose(struct hpm_reservoirs *reservoirs, unsigned node,
                           size_t most, uint64_t seed);

/* That of the node with this number; NULL: it is not chosen. */
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

/* A call has ended that began with the row `start` and ends with `now`.  False,
 * once, when there is no room: from then on it has as many rows as it has now. */
bool hpm_reservoir_keep(const struct hpm_reservoirs *reservoirs,
                        struct hpm_reservoir *reservoir, uint64_t number,
                        const uint64_t *start, const uint64_t *now);

/* Take in those of another one, which is used up: each call of both has the same
 * chance.  False when there is no room for as many rows as there might be: then
 * there are fewer; and the calls of one that had no room for any row are left out,
 * of n_made too. */
bool hpm_reservoir_join(const struct hpm_reservoirs *reservoirs,
                        struct hpm_reservoir *reservoir,
                        struct hpm_reservoir *other);

#endif
