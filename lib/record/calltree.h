/* SPDX-License-Identifier: BSD-3-Clause
 * The section table of one thread, or of the process: which sections there are
 * on which call path, what they used so far, and which are open.
 *
 *     root --- assemble --- integrate          nodes: one per call path
 *          \-- solve ------ integrate
 *
 *     frames:  [ground][solve][integrate]      open sections, innermost last
 *
 * The stack of frames has all sections that are open, also those that are left
 * out (HPM_ONLY, HPM_EXCEPT, HPM_SKIP): a stop belongs to the innermost frame
 * with its id, whether that frame is measured or not.  A frame that is left out
 * passes on what runs inside it: its node and its sums are those of the frame
 * below.
 *
 * A section that is open, on whatever call path, is not opened again.  A quick
 * start does not search all frames for the section.  It need not, because of
 * these rules:
 *
 *   1. A call site leads only to a child of its parent, or to a node above.
 *   2. A node that is closed while a node below it is open is unsettled.
 *   3. Of two frames the lower one's node is above the upper one's, or all
 *      other nodes of its section (its other call paths) are unsettled.
 *
 * If a call site leads to a node without a frame, this node is by 2 a child of
 * the innermost node.  If its section were open on another call path, that node
 * would by 3 be above it; but no node has a node of the same section above it.
 * Only the long way opens a node that is no child of the innermost node
 * (parents that are chosen, overlap), and keeps rules 2 and 3.  A node may stay
 * unsettled for longer than needed: its next start takes the long way.
 *
 * Slots (record/site.h) have only nodes that are children of the parent, and
 * for these a quick start does not even check whether they have a frame.  So
 *
 *   4. A node is hidden in its slot when it is left out or unsettled, or when
 *      it is open and its parent is the innermost one: by 2 the parent was
 *      unsettled and has been opened again the long way, which hides the node.
 *      It stays hidden until it is opened the long way itself: its stop leaves
 *      it unsettled.
 *
 * A node whose single calls are kept (record/reservoir.h) is always unsettled:
 * so its starts and stops take the long way, and the quick way needs no check
 * for it.
 *
 * A sample is a row; sections add up differences of rows, slot by slot:
 *
 *     [ time | counts | pairs ][ overhead: time | counts ][ starts | stops ]
 *        n_slots, see meter.h     n_overheads, see costs.h   edges inside
 *
 * Each call also adds the squares of its time and counts (n_counts slots).
 *
 * The overhead and the edges (starts and stops) belong to the table: a start
 * copies them into its row, so the charge between start and stop is a
 * difference as well.
 *
 * Not thread-safe: the owner makes sure of that.  But any thread may read the
 * overhead at any time (hpm_calltree_overhead_of). */
#ifndef HPM_RECORD_CALLTREE_H
#define HPM_RECORD_CALLTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/changing.h"
#include "record/costs.h"
#include "record/filter.h"
#include "record/frame.h"
#include "record/node.h"
#include "record/problems.h"
#include "record/reservoir.h"
#include "record/shares.h"
#include "record/site.h"

enum { HPM_MAX_DEPTH = 256, HPM_MAX_SECTIONS = 65536 };

enum { HPM_N_EDGES = 2 }; /* starts and stops: the end of a row */

/* The parts of a sample. */
struct hpm_shape {
    size_t n_slots;
    size_t n_counts;    /* the first n_counts slots are time and counts */
    size_t n_overheads; /* the first n_overheads slots are charged with
                         * overhead */
};

static inline size_t
hpm_shape_row(const struct hpm_shape *shape)
{
    return shape->n_slots + shape->n_overheads + HPM_N_EDGES;
}

/* Index, in a node's sums, of the sums of sections that ran inside: after a row
 * and the squares. */
static inline size_t
hpm_shape_inner(const struct hpm_shape *shape)
{
    return hpm_shape_row(shape) + 2 * shape->n_counts;
}

struct hpm_calltree {
    struct hpm_frame *top;      /* the innermost open section, or the ground */
    struct hpm_node *innermost; /* its node; kept here since each start waits
                                 * for it */
    struct hpm_frame *limit;    /* the last frame: no section is opened above
                                 * it */
    uint32_t salt;              /* the innermost node's */
    struct hpm_sites sites;     /* to find nodes by address */
    uint64_t *now; /* row of a stop; its overhead and edges are the live ones */
    const struct hpm_costs *costs;
    size_t n_slots;
    size_t n_counts;
    size_t n_overheads;
    size_t n_row;
    size_t inner_at;   /* in a node's sums: hpm_shape_inner */
    size_t n_excluded; /* frames that are left out */
    uint64_t due; /* at this reading of the clock and later a stop takes the
                   * long way */
    /* members that the quick path does not touch */
    uint64_t put_due; /* at this reading of the clock and later the table is to
                       * be written to the journal, see checkpointer.h;
                       * UINT64_MAX: never */
    struct hpm_shares *shares;         /* NULL: no counter takes turns */
    struct hpm_reservoirs *reservoirs; /* NULL: no single calls are kept */
    uint64_t n_beyond; /* starts without a frame, because all are in use; their
                        * stops find no frame */
    int tid;           /* of the table's thread; -1: of the process */
    struct hpm_problems *problems;
    const struct hpm_filter *filter; /* NULL: all sections measure */
    enum hpm_nesting nesting;
    struct hpm_nodes nodes;
    struct hpm_node *other; /* the node for sections beyond the limit */
    uint64_t *samples;      /* all rows: of the frames, `now`, `first` */
    struct hpm_frame frames[1 + HPM_MAX_DEPTH]; /* the first is the ground */
    /* behind the frames, whose offset makes starts and stops quickest */
    struct hpm_changing changing; /* sites that are not in `sites` */
    size_t n_put;                 /* nodes that were written to the journal, see
                                   * checkpointer.h */
    uint64_t *first;              /* at the begin of the run */
    bool is_running;              /* between its begin and its end */
};

/* Make an empty table for samples of this shape, corrected by `costs`; NULL
 * when there is no memory. */
struct hpm_calltree *hpm_calltree_new(const struct hpm_shape *shape,
                                      const struct hpm_costs *costs,
                                      const struct hpm_filter *filter,
                                      struct hpm_problems *problems);
void hpm_calltree_free(struct hpm_calltree *tree);

/* Tell the table that some counters take turns: their counts are estimated by
 * how they differ from call to call, so each stop takes the long way.  NULL
 * changes nothing; else the table owns `shares`. */
void hpm_calltree_set_shares(struct hpm_calltree *tree,
                             struct hpm_shares *shares);

/* Write the table's sums to the journal at this reading of the clock or
 * later. */
void hpm_calltree_set_due(struct hpm_calltree *tree, uint64_t due);

/* Number of sections that are open and measured. */
static inline size_t
hpm_calltree_depth(const struct hpm_calltree *tree)
{
    return (size_t)(tree->top - tree->frames) - tree->n_excluded;
}

/* The innermost open section, NULL for none. */
static inline struct hpm_node *
hpm_calltree_innermost(const struct hpm_calltree *tree)
{
    return tree->innermost;
}

/* The innermost open section with that id, measured or left out; NULL for
 * none. */
static inline struct hpm_frame *
hpm_calltree_find_open(const struct hpm_calltree *tree, int instance)
{
    const struct hpm_frame *ground = tree->frames;
    struct hpm_frame *frame = tree->top;

    while (frame > ground && frame->instance != instance)
        frame--;
    return frame > ground ? frame : NULL;
}

/* The frame of a node that is open. */
static inline struct hpm_frame *
hpm_calltree_frame_of(const struct hpm_calltree *tree,
                      const struct hpm_node *node)
{
    uint32_t ground = (uint32_t)(uintptr_t)tree->frames;

    return (struct hpm_frame *)((char *)(uintptr_t)tree->frames +
                                (uint32_t)(node->frame - ground));
}

/* The node of the section that the next stop with that id closes, or whose
 * recursion it ends; NULL for none. */
static inline struct hpm_node *
hpm_calltree_open_node(const struct hpm_calltree *tree, int instance)
{
    const struct hpm_frame *frame = hpm_calltree_find_open(tree, instance);

    return frame != NULL && frame->left_out == NULL ? frame->node : NULL;
}

/* Add work to an open section; false when it is not open.  Work of a section
 * that is left out is left out, too.  Without memory for a new unit the work is
 * dropped and noted as a problem. */
bool hpm_calltree_add_work(struct hpm_calltree *tree, int instance,
                           uint64_t amount, const char *unit);

/* The place in the call tree of a section that is started. */
enum { HPM_PARENT_NONE = -1, HPM_PARENT_AUTO = -2, HPM_PARENT_EXCLUSIVE = -3 };

/* ---- the long way ---------------------------------------------------- */

/* Open a section below the open section with the id `parent` (if this is left
 * out: below the section around it), or as one of the constants above says.
 * Returns the row into which the caller reads the sample, as the very last
 * thing it does; NULL when there is nothing to read (recursion, left out,
 * limits reached).  `within` is kept for a section seen for the first time. */
uint64_t *hpm_calltree_start(struct hpm_calltree *tree, int instance,
                             int parent, const char *label, const char *file,
                             int line, const struct hpm_node *within);

/* The same for a start whose strings are not C strings in place: `place` has
 * copies, and `site` has the addresses and lengths that identify the site (its
 * parent and node are filled in); NULL: do not remember the site. */
uint64_t *hpm_calltree_start_site(struct hpm_calltree *tree, int parent,
                                  const struct hpm_place *place,
                                  struct hpm_site *site,
                                  const struct hpm_node *within);

/* Close the innermost open section with that id.  Where the table's nesting
 * says so, close first the sections inside that the program left open.  The
 * sample of this instant is in tree->now. */
void hpm_calltree_stop(struct hpm_calltree *tree, int instance,
                       const char *file, int line);

/* The same for a frame that is left out: no sample is needed, unless a measured
 * section is closed with it. */
void hpm_calltree_stop_excluded(struct hpm_calltree *tree,
                                struct hpm_frame *frame, int line);

/* Is a measured section open inside a frame that such a stop closes?  Then a
 * sample is needed, though the frame itself is left out. */
bool hpm_calltree_closes_inside(const struct hpm_calltree *tree,
                                const struct hpm_frame *frame, int line);

/* The next frame above that is measured, NULL for none. */
struct hpm_frame *hpm_calltree_next_measured(const struct hpm_calltree *tree,
                                             const struct hpm_frame *frame);

/* Close all open sections, and mark them as left open.  The sample is in
 * tree->now. */
void hpm_calltree_close_all(struct hpm_calltree *tree);

/* The run of the table begins, or begins anew, with the sample in
 * tree->now. */
void hpm_calltree_begin_run(struct hpm_calltree *tree);

/* End the run with the sample in tree->now, after all sections were closed: a
 * new node gets what no section covers.  Does nothing if no run was begun.
 * False when there is no memory. */
bool hpm_calltree_end_run(struct hpm_calltree *tree);

/* What the run used until tree->now, and the part of it that sections cover, as
 * two rows; false if no run was begun, or it has ended. */
bool hpm_calltree_read_run(const struct hpm_calltree *tree, uint64_t *ret_all,
                           uint64_t *ret_covered);

/* Add to a copy of an open node's sums (all of them: inclusive, squares, inner)
 * what they would get if the node were closed now, with the sections inside.
 * The sample is in tree->now.  In process scope thread `opener` has taken the
 * sample, and only this thread's table has its overhead of time. */
void hpm_calltree_add_open_call(const struct hpm_calltree *tree,
                                const struct hpm_node *node, int opener,
                                uint64_t *sums);

/* Add all of `other`, whose sections are closed, to this table, section by
 * section; false when there is no memory.  Both have rows of the same shape. */
bool hpm_calltree_merge(struct hpm_calltree *tree, struct hpm_calltree *other);

/* Report that there is no room for all single calls of this node. */
void hpm_calltree_note_few_calls(const struct hpm_calltree *tree,
                                 const struct hpm_node *node);

/* Nothing will be started in this table any more: free the memory that only
 * starts and stops need.  The measured sums are kept. */
void hpm_calltree_shrink(struct hpm_calltree *tree);

/* ---- overhead ---------------------------------------------------------- */

/* The overhead of a slot so far.  Any thread may call it at any time. */
static inline uint64_t
hpm_calltree_overhead_of(const struct hpm_calltree *tree, size_t slot)
{
    return __atomic_load_n(&tree->now[tree->n_slots + slot], __ATOMIC_RELAXED);
}

/* One writer, many readers: this costs no more than a plain addition. */
static inline void
hpm_calltree_add_slot_overhead(struct hpm_calltree *tree, size_t slot,
                               uint64_t amount)
{
    uint64_t *overhead = &tree->now[tree->n_slots + slot];

    __atomic_store_n(overhead, *overhead + amount, __ATOMIC_RELAXED);
}

static inline void
hpm_calltree_add_overhead(struct hpm_calltree *tree, enum hpm_cost cost)
{
    const uint64_t *amounts = tree->costs->amounts[cost];
    uint64_t *overhead = tree->now + tree->n_slots;
    size_t n = tree->n_overheads;

    for (size_t i = 0; i < n; i++)
        __atomic_store_n(&overhead[i], overhead[i] + amounts[i],
                         __ATOMIC_RELAXED);
}

/* Add how much `cost` is more than the usual cost. */
static inline void
hpm_calltree_add_difference(struct hpm_calltree *tree, enum hpm_cost cost,
                            enum hpm_cost usual_cost)
{
    const uint64_t *amounts = tree->costs->amounts[cost];
    const uint64_t *usual = tree->costs->amounts[usual_cost];

    for (size_t i = 0; i < tree->n_overheads; i++)
        hpm_calltree_add_slot_overhead(tree, i, amounts[i] - usual[i]);
}

/* ---- the quick way --------------------------------------------------- */

/* The node of a start below the innermost section; NULL when it needs the long
 * way.  No branch depends on which node it is. */
static inline struct hpm_node *
hpm_calltree_find(const struct hpm_calltree *tree, int instance,
                  const char *label, const char *file, uint64_t where)
{
    const struct hpm_site key = {.parent = tree->innermost,
                                 .label = label,
                                 .file = file,
                                 .where = where,
                                 .instance = instance};

    return hpm_sites_find(&tree->sites, &key);
}

/* The first slot in which a call site with a number may be. */
static inline const struct hpm_slot *
hpm_calltree_slot(const struct hpm_calltree *tree, int instance,
                  unsigned number)
{
    return &tree->sites.slots[hpm_sites_slot(&tree->sites, tree->salt, number,
                                             instance)];
}

/* The second slot in which it may be. */
static inline const struct hpm_slot *
hpm_calltree_second_slot(const struct hpm_calltree *tree, int instance,
                         unsigned number)
{
    uint32_t slot = hpm_sites_slot(&tree->sites, tree->salt, number, instance);

    return &tree->sites.slots[hpm_sites_second_slot(&tree->sites, slot)];
}

/* Does this slot have the node, and is the start an ordinary one? */
static inline bool
hpm_calltree_has_slot(const struct hpm_calltree *tree,
                      const struct hpm_slot *slot, int instance,
                      unsigned number)
{
    /* both the start and the stop write it; it is loaded while the clock is
     * read */
    __builtin_prefetch(
        (const char *)slot->node + offsetof(struct hpm_node, frame), 1);
    return hpm_slot_is(slot, tree->salt, number, instance) &&
           tree->top != tree->limit;
}

/* The node of a call site with a number, in a bucket. */
static inline struct hpm_node *
hpm_calltree_find_in_bucket(const struct hpm_calltree *tree, int instance,
                            unsigned number)
{
    return hpm_calltree_find(tree, instance, hpm_site_numbered, NULL, number);
}

/* Is a start of this node an ordinary one? */
static inline bool
hpm_calltree_is_ordinary(const struct hpm_calltree *tree,
                         const struct hpm_node *node)
{
    return node != NULL && node->frame == HPM_NODE_CLOSED &&
           tree->top != tree->limit;
}

static inline __attribute__((always_inline)) struct hpm_shape
hpm_calltree_shape(const struct hpm_calltree *tree)
{
    return (struct hpm_shape){tree->n_slots, tree->n_counts, tree->n_overheads};
}

/* Open the node, which has that salt, by a start that costs `cost`.  Returns
 * the row for the sample: its slots still have an old sample. */
static inline __attribute__((always_inline)) uint64_t *
hpm_calltree_open_shaped(struct hpm_calltree *tree, struct hpm_node *node,
                         uint32_t salt, int instance, enum hpm_cost cost,
                         struct hpm_shape shape)
{
    struct hpm_frame *frame = ++tree->top;
    const uint64_t *amounts = tree->costs->amounts[cost];
    uint64_t *overhead = tree->now + shape.n_slots;
    uint64_t *overhead_at_start = frame->start + shape.n_slots;
    size_t n = shape.n_overheads;

    tree->innermost = frame->node = node;
    tree->salt = frame->salt = salt;
    frame->inner = node->sums + (__builtin_constant_p(shape.n_slots)
                                     ? hpm_shape_inner(&shape)
                                     : tree->inner_at);
    frame->instance = instance;
    node->frame = (uint32_t)(uintptr_t)frame;
    for (size_t i = 0; i < n; i++) {
        overhead_at_start[i] = overhead[i] + amounts[i];
        __atomic_store_n(&overhead[i], overhead_at_start[i], __ATOMIC_RELAXED);
    }
    overhead_at_start[n] = ++overhead[n]; /* starts */
    overhead_at_start[n + 1] = overhead[n + 1];
    return frame->start;
}

/* The same for any shape of rows. */
static inline __attribute__((always_inline)) uint64_t *
hpm_calltree_open(struct hpm_calltree *tree, struct hpm_node *node,
                  int instance, enum hpm_cost cost)
{
    return hpm_calltree_open_shaped(tree, node, node->salt, instance, cost,
                                    hpm_calltree_shape(tree));
}

/* May this be the stop of a section that is left out? */
static inline bool
hpm_calltree_may_stop_excluded(const struct hpm_calltree *tree, int instance)
{
    const struct hpm_frame *top;

    if (__builtin_expect(tree->n_excluded == 0, 1))
        return false;
    /* load only `top`, so that the usual path does not load the rest */
    top = __atomic_load_n(&tree->top, __ATOMIC_RELAXED);
    return top->instance != instance || top->left_out != NULL;
}

/* Is this the stop of the innermost section, with nothing else to do?  `clock`
 * is the present reading of the clock. */
static inline bool
hpm_calltree_closes_top(const struct hpm_calltree *tree, int instance,
                        uint64_t clock)
{
    return tree->top->instance == instance && tree->top->recursions == 0 &&
           clock < tree->due;
}

/* Is nothing read at the start of this node, because it is open already or left
 * out? */
static inline bool
hpm_calltree_is_unread(const struct hpm_calltree *tree,
                       const struct hpm_node *node)
{
    return node->frame == HPM_NODE_LEFT_OUT ||
           (hpm_node_is_in_frame(node) && node != tree->other);
}

/* Push a section that is left out: only its stop matters.  `open` is the frame
 * in which it is left out already, NULL for none. */
static inline void
hpm_calltree_push_excluded(struct hpm_calltree *tree, struct hpm_node *node,
                           int instance, struct hpm_frame *open)
{
    if (open != NULL) {
        open->recursions++;
    } else if (tree->top == tree->limit) {
        tree->n_beyond++;
    } else {
        struct hpm_frame *frame = ++tree->top;

        frame->node = tree->innermost;
        frame->salt = tree->salt;
        frame->inner = frame[-1].inner;
        frame->left_out = node;
        frame->instance = instance;
        node->section->open_excluded = frame;
        tree->n_excluded++;
    }
}

/* Pop the topmost frame, which is left out; the sections around it do not
 * change. */
static inline void
hpm_calltree_pop_excluded(struct hpm_calltree *tree)
{
    struct hpm_frame *frame = tree->top--;

    frame->left_out->section->open_excluded = NULL;
    frame->left_out = NULL;
    tree->n_excluded--;
}

/* Start a section that is left out: by its name, or for its first calls.  It is
 * not "(other)". */
static inline void
hpm_calltree_start_excluded(struct hpm_calltree *tree, struct hpm_node *node,
                            int instance)
{
    if (!node->is_excluded) {
        node->n_skipped++;
        if (--node->n_to_skip == 0)
            node->frame = HPM_NODE_UNSETTLED; /* the long way shows it */
    }
    hpm_calltree_push_excluded(tree, node, instance,
                               node->section->open_excluded);
    hpm_calltree_add_overhead(tree, HPM_COST_EXCLUDED);
}

/* Start a section that is already open, in this frame. */
static inline void
hpm_calltree_start_again(struct hpm_calltree *tree, struct hpm_frame *frame)
{
    frame->recursions++;
    frame->node->again++;
    hpm_calltree_add_overhead(tree, HPM_COST_AGAIN_START);
}

/* Start a section without reading a sample. */
static inline void
hpm_calltree_start_unread(struct hpm_calltree *tree, struct hpm_node *node,
                          int instance)
{
    if (node->frame == HPM_NODE_LEFT_OUT)
        hpm_calltree_start_excluded(tree, node, instance);
    else
        hpm_calltree_start_again(tree, hpm_calltree_frame_of(tree, node));
}

/* Stop one recursion of the innermost section.  False if this stop is another
 * case. */
bool hpm_calltree_stop_again(struct hpm_calltree *tree, int instance);

static inline hpm_square
hpm_calltree_square(uint64_t used)
{
    return (hpm_square)((__int128)(int64_t)used * (int64_t)used);
}

/* End a call of the frame's section: `now` minus its start is its inclusive
 * value, and is also added to the inner sums of the section around it.  The
 * squares are of the values without the overhead, which may be below 0 in a
 * single call. */
static inline __attribute__((always_inline)) void
hpm_calltree_add_call(const struct hpm_calltree *tree,
                      const struct hpm_frame *frame, struct hpm_shape shape)
{
    const uint64_t *now = tree->now, *start = frame->start;
    uint64_t *inclusive = frame->node->sums, *outer = frame[-1].inner;
    size_t n_row = hpm_shape_row(&shape), n_counts = shape.n_counts;
    size_t n_overheads = shape.n_overheads, i;
    const uint64_t *overhead = now + shape.n_slots;
    const uint64_t *overhead_at_start = start + shape.n_slots;
    hpm_square *squares = (hpm_square *)(inclusive + n_row);

    frame->node->outer++;
    for (i = 0; i < n_overheads; i++)
        squares[i] += hpm_calltree_square(now[i] - start[i] -
                                          (overhead[i] - overhead_at_start[i]));
    for (; i < n_counts; i++)
        squares[i] += hpm_calltree_square(now[i] - start[i]);
    if (__builtin_constant_p(n_row)) {
#pragma GCC unroll 4
        for (i = 0; i < n_row; i++) {
            uint64_t used = now[i] - start[i];

            inclusive[i] += used;
            outer[i] += used;
        }
        return;
    }
    for (i = 0; i < n_row; i++) {
        uint64_t used = now[i] - start[i];

        inclusive[i] += used;
        outer[i] += used;
    }
}

/* Close the innermost section, by a stop that costs `cost`.  The sample of this
 * instant is in tree->now.  Work that needs neither the sample nor the shape of
 * a row comes first: there are not enough registers for both. */
static inline __attribute__((always_inline)) void
hpm_calltree_close_shaped(struct hpm_calltree *tree, int line,
                          enum hpm_cost cost, struct hpm_shape shape)
{
    struct hpm_frame *frame = tree->top--;
    const uint64_t *amounts;
    uint64_t *overhead;
    size_t n;

    frame->node->line_end = line;
    frame->node->frame = HPM_NODE_CLOSED;
    hpm_calltree_add_call(tree, frame, shape);
    tree->innermost = frame[-1].node;
    tree->salt = frame[-1].salt;
    amounts = tree->costs->amounts[cost];
    overhead = tree->now + shape.n_slots;
    n = shape.n_overheads;
    for (size_t i = 0; i < n; i++)
        __atomic_store_n(&overhead[i], overhead[i] + amounts[i],
                         __ATOMIC_RELAXED);
    overhead[n + 1]++; /* stops */
}

static inline __attribute__((always_inline)) void
hpm_calltree_close_top(struct hpm_calltree *tree, int line, enum hpm_cost cost)
{
    hpm_calltree_close_shaped(tree, line, cost, hpm_calltree_shape(tree));
}

/* ---- for the other files of the table: treestop.c, treemerge.c ------- */

/* The place of the section's start. */
static inline struct hpm_place
hpm_calltree_place_of(const struct hpm_node *node)
{
    return (struct hpm_place){.instance = node->instance,
                              .label = node->label,
                              .file = node->file,
                              .line = node->line_start};
}

/* Set whether a quick start may use the node's slot. */
static inline void
hpm_calltree_show_node(struct hpm_calltree *tree, struct hpm_node *node,
                       bool is_shown)
{
    hpm_sites_hide(&tree->sites, &node->site,
                   node->parent != NULL ? node->parent->salt : 0, !is_shown);
}

/* Note a problem there, and the other section concerned if that is not NULL. */
void hpm_calltree_note_at(const struct hpm_calltree *tree,
                          enum hpm_problem_kind kind, struct hpm_place place,
                          const struct hpm_node *other);

/* The node of this section below `parent`, known or new.  NULL when there is no
 * memory. */
struct hpm_node *hpm_calltree_find_node(struct hpm_calltree *tree,
                                        struct hpm_node *parent,
                                        const struct hpm_identity *identity,
                                        const struct hpm_node *within);

#endif
