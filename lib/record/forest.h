/* SPDX-License-Identifier: BSD-3-Clause
 * The section table of one thread, or of the process: which sections there
 * are on which call path, what they used so far, and which are open.
 *
 *     root --- assemble --- integrate          nodes: one per call path
 *          \-- solve ------ integrate
 *
 *     frames:  [solve][integrate]              open sections, innermost last
 *
 * Not thread-safe: the owner sees to it.
 */
#ifndef HPM_RECORD_FOREST_H
#define HPM_RECORD_FOREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/problems.h"
#include "record/site.h"

enum { HPM_MAX_DEPTH = 256, HPM_MAX_SECTIONS = 65536, HPM_MAX_LABEL = 1024 };

/* Work the program says a section has done. */
struct hpm_work {
    char *unit;
    uint64_t amount;
};

/* One section on one call path. */
struct hpm_node {
    struct hpm_node *parent; /* NULL: top level */
    struct hpm_node *next;   /* in order of first use */
    int instance;
    char *label; /* never NULL */
    char *file;  /* never NULL */
    int line_start;
    int line_end; /* of the last stop */
    uint64_t calls;
    uint64_t outer;
    bool has_overlap;
    bool is_open;           /* was still open at the end */
    bool is_only_exclusive; /* inclusive values are not wanted */
    struct hpm_work *works; /* one per unit */
    size_t n_works;
    size_t works_capacity;
    const struct hpm_node *within;
    struct hpm_frame *frame; /* where it is open now, or NULL */
    int opener;              /* process scope: tid that opened it last */
    uint64_t content_hash;
    struct hpm_node *next_same_hash;
    size_t index; /* for the harvest */
    /* per slot, one after the other in `sums` */
    uint64_t *inclusive;
    uint64_t *exclusive;
    double *mean;
    double *squares; /* sum of squared deviations from the mean */
    uint64_t sums[];
};

/* One open section. */
struct hpm_frame {
    struct hpm_node *node;
    int instance; /* differs from the node's only for "(other)" */
    uint64_t recursions;
    uint64_t *start; /* sample at the start */
    uint64_t *inner; /* sum over the sections that ran inside */
};

struct hpm_forest {
    size_t n_slots;
    struct hpm_problems *problems;
    struct hpm_node *first, *last;
    size_t n_nodes;
    size_t depth;       /* frames in use */
    uint64_t n_skipped; /* innermost starts that opened no frame: too deep */
    struct hpm_frame frames[HPM_MAX_DEPTH];
    uint64_t *now;     /* room for the sample of a stop */
    uint64_t *samples; /* all rows of the frames, and `now` */
    struct hpm_sites sites; /* to find nodes by address */
    struct hpm_node **contents; /* nodes by content, chained */
    size_t n_contents;          /* room, a power of two */
    struct hpm_node *other;     /* where sections beyond the limit go */
};

/* An empty table for samples of `n_slots`; NULL when there is no memory. */
struct hpm_forest *hpm_forest_new(size_t n_slots,
                                  struct hpm_problems *problems);
void hpm_forest_free(struct hpm_forest *forest);

/* The node of the innermost open section with that id, NULL for none. */
struct hpm_node *hpm_forest_find_open(const struct hpm_forest *forest,
                                      int instance);

/* Add work to an open section; false when it is not open.  Without memory for
 * a new unit the work is dropped and noted as a problem. */
bool hpm_forest_add_work(struct hpm_forest *forest, int instance,
                         uint64_t amount, const char *unit);

/* Which place in the call tree a started section takes. */
enum { HPM_PARENT_NONE = -1, HPM_PARENT_AUTO = -2, HPM_PARENT_EXCLUSIVE = -3 };

/* Open a section below the open section `parent`, or one of the constants
 * above.  Returns the row into which the caller reads the sample, as
 * the very last thing it does; NULL when there is nothing to read (recursion,
 * limits reached).  `within` is kept for a section seen for the first time. */
uint64_t *hpm_forest_start(struct hpm_forest *forest, int instance,
                           int parent, const char *label, const char *file,
                           int line, const struct hpm_node *within);

/* Close the innermost open section with that id.  The sample of this instant
 * is in forest->now. */
void hpm_forest_stop(struct hpm_forest *forest, int instance,
                     const char *file, int line);

/* Close whatever is open, marked as left open.  The sample is in
 * forest->now. */
void hpm_forest_close_all(struct hpm_forest *forest);

/* The innermost open section, NULL for none. */
static inline const struct hpm_node *
hpm_forest_innermost(const struct hpm_forest *forest)
{
    return forest->depth > 0 ? forest->frames[forest->depth - 1].node : NULL;
}

#endif
