/* SPDX-License-Identifier: BSD-3-Clause
 * Single calls of chosen sections. */
#include "record/reservoir.h"

#include <stdatomic.h>
#include <string.h>

#include "host/memory.h"

enum { FIRST_ROWS = 16 };

static atomic_size_t n_bytes; /* of all reservoirs */

void
hpm_reservoirs_forget(void)
{
    n_bytes = 0;
}

/* ---- making and freeing ------------------------------------------------ */

struct hpm_reservoirs *
hpm_reservoirs_new(size_t n_row)
{
    struct hpm_reservoirs *reservoirs = hpm_memory_new(1, sizeof *reservoirs);

    if (reservoirs != NULL)
        reservoirs->n_row = n_row;
    return reservoirs;
}

static size_t
row_bytes(const struct hpm_reservoirs *reservoirs)
{
    return (2 + reservoirs->n_row) * sizeof(uint64_t);
}

void
hpm_reservoirs_free(struct hpm_reservoirs *reservoirs)
{
    if (reservoirs == NULL)
        return;
    for (size_t i = 0; i < reservoirs->n_nodes; i++) {
        struct hpm_reservoir *reservoir = reservoirs->of_nodes[i];

        if (reservoir == NULL)
            continue;
        n_bytes -= reservoir->capacity * row_bytes(reservoirs);
        hpm_memory_free(reservoir->rows);
        hpm_memory_free(reservoir);
    }
    hpm_memory_free(reservoirs->of_nodes);
    hpm_memory_free(reservoirs);
}

bool
hpm_reservoirs_choose(struct hpm_reservoirs *reservoirs, unsigned node,
                      size_t most, uint64_t seed)
{
    struct hpm_reservoir *reservoir;

    if (!hpm_memory_grow(&reservoirs->of_nodes, &reservoirs->capacity,
                         (size_t)node + 1, sizeof *reservoirs->of_nodes))
        return false;
    while (reservoirs->n_nodes <= node)
        reservoirs->of_nodes[reservoirs->n_nodes++] = NULL;
    reservoir = hpm_memory_new(1, sizeof *reservoir);
    if (reservoir == NULL)
        return false;
    reservoir->most = most;
    reservoir->random = seed;
    reservoirs->of_nodes[node] = reservoir;
    return true;
}

/* ---- chance ------------------------------------------------------------ */

/* A random number from 0 to n - 1.  The ranges of 2^64 / n numbers differ by
 * one in size, which changes a probability by less than n / 2^64. */
static uint64_t
draw_below(struct hpm_reservoir *reservoir, uint64_t n)
{
    uint64_t z = reservoir->random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint64_t)((unsigned __int128)(z ^ z >> 31) * n >> 64);
}

/* ---- calls ------------------------------------------------------------- */

/* Make room for `needed` rows. */
static bool
enlarge(const struct hpm_reservoirs *reservoirs,
        struct hpm_reservoir *reservoir, size_t needed)
{
    size_t capacity = reservoir->capacity, wanted = 2 * capacity, more;

    if (wanted < FIRST_ROWS)
        wanted = FIRST_ROWS;
    if (wanted < needed)
        wanted = needed;
    if (wanted > reservoir->most)
        wanted = reservoir->most;
    more = (wanted - capacity) * row_bytes(reservoirs);
    if (atomic_fetch_add(&n_bytes, more) + more <= HPM_RESERVOIR_MOST_BYTES &&
        hpm_memory_grow(&reservoir->rows, &capacity, wanted,
                        row_bytes(reservoirs))) {
        reservoir->capacity = wanted;
        return true;
    }
    atomic_fetch_sub(&n_bytes, more);
    return false;
}

/* Make room for one more row.  Without memory, `most` becomes the present
 * number of rows, and the call that found no room may still replace one of
 * them. */
static bool
make_room(const struct hpm_reservoirs *reservoirs,
          struct hpm_reservoir *reservoir)
{
    if (reservoir->n < reservoir->capacity ||
        enlarge(reservoirs, reservoir, reservoir->n + 1))
        return true;
    reservoir->most = reservoir->n;
    return false;
}

bool
hpm_reservoir_keep(const struct hpm_reservoirs *reservoirs,
                   struct hpm_reservoir *reservoir, uint64_t number,
                   const uint64_t *start, const uint64_t *now)
{
    bool has_room =
        reservoir->n >= reservoir->most || make_room(reservoirs, reservoir);
    uint64_t place = ++reservoir->n_made;
    uint64_t *row;

    if (reservoir->n < reservoir->most)
        place = reservoir->n++;
    else
        place = draw_below(reservoir, place);
    if (place >= reservoir->n)
        return has_room;
    row = hpm_reservoir_row(reservoirs, reservoir, (size_t)place);
    *row++ = number;
    *row++ = start[0];
    for (size_t i = 0; i < reservoirs->n_row; i++)
        row[i] = now[i] - start[i];
    return has_room;
}

/* ---- joining two ---------------------------------------------------- */

/* Remove a row; the last row takes its place. */
static void
take_out(const struct hpm_reservoirs *reservoirs,
         struct hpm_reservoir *reservoir, size_t place)
{
    memmove(hpm_reservoir_row(reservoirs, reservoir, place),
            hpm_reservoir_row(reservoirs, reservoir, --reservoir->n),
            row_bytes(reservoirs));
}

/* How many rows the joined reservoir may have: fewer than `most` if one of the
 * two has run out of room earlier. */
static size_t
most_of_both(const struct hpm_reservoir *a, const struct hpm_reservoir *b)
{
    size_t most = a->most;

    if (b->n_made > b->n && b->n < most)
        most = b->n;
    if (a->n_made + b->n_made < most)
        most = (size_t)(a->n_made + b->n_made);
    return most;
}

/* Of `n` calls drawn from all calls of both, how many are from the other
 * one. */
static size_t
draw_share(struct hpm_reservoir *reservoir, const struct hpm_reservoir *other,
           size_t n)
{
    uint64_t n_here = reservoir->n_made, n_there = other->n_made;
    size_t share = 0;

    for (size_t i = 0; i < n; i++) {
        if (draw_below(reservoir, n_here + n_there) < n_here) {
            n_here--;
        } else {
            n_there--;
            share++;
        }
    }
    return share;
}

/* Keep n rows, of which `share` are from the other one.  Both have enough rows:
 * the rows of each are a random draw from all its calls, and so are the rows
 * that remain. */
static void
mix(const struct hpm_reservoirs *reservoirs, struct hpm_reservoir *reservoir,
    struct hpm_reservoir *other, size_t n, size_t share)
{
    while (reservoir->n > n - share)
        take_out(reservoirs, reservoir,
                 (size_t)draw_below(reservoir, reservoir->n));
    while (reservoir->n < n) {
        size_t place = (size_t)draw_below(reservoir, other->n);

        memcpy(hpm_reservoir_row(reservoirs, reservoir, reservoir->n++),
               hpm_reservoir_row(reservoirs, other, place),
               row_bytes(reservoirs));
        take_out(reservoirs, other, place);
    }
}

static void
swap(struct hpm_reservoir *a, struct hpm_reservoir *b)
{
    struct hpm_reservoir other = *a;

    *a = *b;
    *b = other;
}

/* The rows of the other one are freed soon, so their memory is no longer
 * counted.  Both generators had the same seed: their sum is far from the states
 * that either has gone through. */
bool
hpm_reservoir_join(const struct hpm_reservoirs *reservoirs,
                   struct hpm_reservoir *reservoir, struct hpm_reservoir *other)
{
    size_t most;
    bool has_room;

    if (reservoir->n == 0)
        swap(reservoir, other);
    if (other->n == 0)
        return other->n_made == 0;
    reservoir->random += other->random;
    n_bytes -= other->capacity * row_bytes(reservoirs);
    other->capacity = 0;
    most = most_of_both(reservoir, other);
    has_room =
        most <= reservoir->capacity || enlarge(reservoirs, reservoir, most);
    if (!has_room)
        most = reservoir->capacity;
    mix(reservoirs, reservoir, other, most, draw_share(reservoir, other, most));
    reservoir->n_made += other->n_made;
    if (reservoir->n_made > most)
        reservoir->most = most;
    return has_room;
}
