/* SPDX-License-Identifier: BSD-3-Clause
 * A section on one call path, with what it used so far; and the list of all
 * nodes of one table, with a hash table to find a node by section and
 * parent. */
#ifndef HPM_RECORD_NODE_H
#define HPM_RECORD_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/section.h"
#include "record/site.h"

/* The frame of an open node (the lower half of its address, see
 * hpm_calltree_frame_of), or one of these. */
enum {
    HPM_NODE_CLOSED = 0, /* a start opens it */
    /* the node's calls are left out */
    HPM_NODE_LEFT_OUT = 1,
    /* the section may be open on another call path, or sections may be open
     * below the node although it is closed: the open frames must be searched */
    HPM_NODE_UNSETTLED = 2
};

/* Work that the program says a section has done. */
struct hpm_work {
    char *unit;
    uint64_t amount;
};

/* Sums of squares of integers are exact: no small call is lost beside large
 * ones, no precision is lost by subtracting means, and a stop needs no
 * division.  A call of one day, in ticks of 3 GHz, has a square of 2^96. */
typedef unsigned __int128 hpm_square __attribute__((aligned(8)));

/* One section on one call path.  Where a slot leads to the node, its starts and
 * stops touch, in a row without counts, one line of the cache; else also the
 * line before, with its site.  The sums of sections inside follow. */
struct hpm_node {
    struct hpm_node *parent;     /* NULL: top level */
    struct hpm_node *next;       /* in order of first use */
    struct hpm_section *section; /* the section that has this call path */
    struct hpm_node *next_path;  /* next call path of the same section */
    const char *label;           /* the section's, never NULL */
    const char *file;            /* likewise */
    int instance;
    int line_start;
    bool is_excluded; /* left out: HPM_ONLY, HPM_EXCEPT */
    bool has_overlap;
    bool is_open : 1;           /* was still open at the end */
    bool is_only_exclusive : 1; /* inclusive values are not wanted */
    bool is_outside : 1;        /* no section: what no section covers */
    unsigned noted : 4;         /* of a revived node: bits of noted.h */
    unsigned number;            /* in order of first use: 0, 1, 2 ... */
    uint64_t n_to_skip;         /* calls that will still be left out */
    uint64_t n_skipped;         /* calls that were left out */
    struct hpm_work *works;     /* one per unit */
    size_t n_works;
    size_t works_capacity;
    const struct hpm_node *within;
    struct hpm_node *next_same_hash;
    size_t index; /* for the harvest */
    union {
        struct hpm_node *merged; /* for a merge: its node in the other table */
        uint64_t n_again;        /* for the harvest: calls while they were open,
                                  * of this node and all below */
    };
    /* these point into `sums`, in this order: per slot of a row, of the node's
     * calls; squares of each outermost call, per time or count; per slot of a
     * row, of sections inside */
    uint64_t *inclusive;
    hpm_square *squares;
    uint64_t *inner;
    /* read by starts; with the head of a block of memory before the node, a
     * line of the cache begins here */
    struct hpm_site site; /* the first site that led here; site.node may be
                           * NULL */
    uint32_t salt;        /* for the slots of sites inside it, see site.h */
    uint64_t again;       /* calls while it was open */
    /* written by all starts and stops; a line of the cache begins here, too */
    uint32_t frame; /* its frame if it is open, or HPM_NODE_... */
    int line_end;   /* of the last stop; or HPM_LINE_OF_SCOPE */
    uint64_t outer; /* calls that ended */
    uint64_t sums[];
};

/* Takes the place of a stop's line: the end of a scope, see libhpm.h. */
enum { HPM_LINE_OF_SCOPE = -1 };

/* The line of the last stop, 0 for none. */
static inline int
hpm_node_line_end(const struct hpm_node *node)
{
    return node->line_end == HPM_LINE_OF_SCOPE ? 0 : node->line_end;
}

/* Is the node open now? */
static inline bool
hpm_node_is_in_frame(const struct hpm_node *node)
{
    return node->frame > HPM_NODE_UNSETTLED;
}

/* All calls, also the present one. */
static inline uint64_t
hpm_node_calls(const struct hpm_node *node)
{
    return node->outer + node->again + hpm_node_is_in_frame(node);
}

/* A row of what the node's calls used, without what ran inside them. */
void hpm_node_exclusive(const struct hpm_node *node, size_t n_row,
                        uint64_t *ret_row);

/* Standard deviation of one call from the mean of all: `sum` is the sum of the
 * numbers whose squares are added up in `slot`.  NAN for fewer than two
 * calls. */
double hpm_node_deviation(const struct hpm_node *node, size_t slot,
                          int64_t sum);

/* All nodes of a table, in order of first use: a parent before its children. */
struct hpm_nodes {
    struct hpm_node *first, *last;
    size_t n;
    struct hpm_node **buckets; /* by section and parent, chained */
    size_t n_buckets;          /* a power of two */
    struct hpm_sections sections;
};

/* Make an empty list; false when there is no memory. */
bool hpm_nodes_init(struct hpm_nodes *nodes);

/* Free all nodes. */
void hpm_nodes_clear(struct hpm_nodes *nodes);

/* The node of a section below `parent` (NULL: top level); NULL for none. */
struct hpm_node *hpm_nodes_find(const struct hpm_nodes *nodes,
                                const struct hpm_node *parent,
                                const struct hpm_section *section);

/* Add a new node at the end, with sums for rows of `n_row` slots of which the
 * first `n_counts` have squares; strings are copied.  NULL when there is no
 * memory. */
struct hpm_node *hpm_nodes_add(struct hpm_nodes *nodes, struct hpm_node *parent,
                               const struct hpm_identity *identity,
                               size_t n_row, size_t n_counts);

/* Add amounts of work; a sum that does not fit becomes the largest amount. */
static inline uint64_t
hpm_work_sum(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* Add work in this unit; false when there is no memory for a new unit. */
bool hpm_node_add_work(struct hpm_node *node, uint64_t amount,
                       const char *unit);

#endif
