/* SPDX-License-Identifier: BSD-3-Clause
 * The section table of one thread, or of the process: which sections there
 * are on which call path, what they used so far, and which are open.
 *
 *     root --- assemble --- integrate          nodes: one per call path
 *          \-- solve ------ integrate
 *
 *     frames:  [ground][solve][integrate]      open sections, innermost last
 *
 * The stack of frames has all sections that are open, those that are left out
 * (HPM_ONLY, HPM_EXCEPT, HPM_SKIP) as well: a stop belongs to the innermost
 * frame with its id, whether or not that measures.  A frame that is left out
 * passes on what runs inside it: its node and its sums are those of the frame
 * below.
 *
 * A section that is open, on whatever call path, is not opened again.  A quick
 * start does not ask all frames for that.  It need not, for these hold:
 *
 *   1. A call site leads only to a child of its parent, or to a node above.
 *   2. A node that is closed while a node below it is open is unsettled.
 *   3. Of two frames the lower one's node is above the upper one's, or all
 *      other nodes of its section (its other call paths) are unsettled.
 *
 * Where the call site leads to a node without a frame, that is by 2 a child of
 * the innermost node.  Were its section open on another call path, that would
 * by 3 be one of the nodes above, and no node has a section above it that is
 * the same.  Only the long way opens what is no child of the innermost node
 * (parents that are chosen, overlap), and sees to 2 and 3.  A node may stay
 * unsettled for longer than it has to: its next start takes the long way.
 *
 * Slots (record/site.h) have those nodes alone that are children of the parent,
 * and of these a quick start does not even ask whether they have a frame.  So
 *
 *   4. A node is hidden there when it is left out or unsettled, or is open and
 *      its parent is the innermost one: by 2 that was unsettled and has been
 *      opened again the long way, which sees to this.  It stays hidden until it
 *      is opened the long way itself: its stop leaves it unsettled.
 *
 * A node whose single calls are kept (record/reservoir.h) is never settled: so its
 * starts and stops take the long way, and the others know nothing of it.
 *
 * A sample is a row; sections add up differences of rows, slot by slot:
 *
 *     [ time | counts | pairs ][ overhead: time | counts ][ starts | stops ]
 *        n_slots, see meter.h     n_overheads, see costs.h   edges inside
 *
 * Calls are also counted by the squares of what each took (n_counts: time and
 * counts).
 *
 * The overhead and the edges are the table's own: a start copies them into its
 * row, so what was charged between start and stop is a difference as well.
 *
 * Not thread-safe: the owner sees to it.  But the overhead may be read by any
 * thread at any time (hpm_calltree_overhead_of).
 */
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

/* What samples look like. */
struct hpm_shape {
    size_t n_slots;
    size_t n_counts;    /* of which the first so many are time and counts, */
    size_t n_overheads; /* and behind the first so many nothing is charged */
};

static inline size_t
hpm_shape_row(const struct hpm_shape *shape)
{
    return shape->n_slots + shape->n_overheads + HPM_N_EDGES;
}

/* Where in the sums of a node those of what ran inside begin: behind a row and
 * the squares. */
static inline size_t
hpm_shape_inner(const struct hpm_shape *shape)
{
    return hpm_shape_row(shape) + 2 * shape->n_counts;
}

struct hpm_calltree {
    struct hpm_frame *top;      /* the innermost open section, or the ground */
    struct hpm_node *innermost; /* its node; here, for a start waits for it */
    struct hpm_frame *limit;    /* above it no section is opened */
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
    uint64_t due; /* from this reading of the clock on a stop takes the long
                     way */
    /* what the quick path does not touch */
    uint64_t put_due; /* from this reading of the clock on its sums are to be
                          put aside, see checkpointer.h; UINT64_MAX: never */
    struct hpm_shares *shares;         /* NULL: no counter takes turns */
    struct hpm_reservoirs *reservoirs; /* NULL: no single calls are kept */
    uint64_t n_beyond; /* starts without a frame, for all are in use; their
                          stops are those that find none */
    int tid;           /* of the thread it belongs to; -1: of the process */
    struct hpm_problems *problems;
    const struct hpm_filter *filter; /* NULL: all sections measure */
    enum hpm_nesting nesting;
    struct hpm_nodes nodes;
    struct hpm_node *other; /* where sections beyond the limit go */
    uint64_t *samples;      /* all rows: of the frames, `now`, `first` */
    struct hpm_frame frames[1 + HPM_MAX_DEPTH]; /* the first is the ground */
    /* behind the frames, so that these stay where edges are quickest */
    struct hpm_changing changing; /* sites that are not in `sites` */
    size_t n_put;    /* so many nodes were put aside, see checkpointer.h */
    uint64_t *first; /* at the begin of the run */
    bool is_running; /* between its begin and its end */
};

/* An empty table for samples of that shape, corrected by `costs`; NULL when
 * there is no memory. */
struct hpm_calltree *hpm_calltree_new(const struct hpm_shape *shape,
                                      const struct hpm_costs *costs,
                                      const struct hpm_filter *filter,
                                      struct hpm_problems *problems);
void hpm_calltree_free(struct hpm_calltree *tree);

/* Some of the counters take turns: what they count is estimated by how it
 * differs from call to call, so that each stop takes the long way.  NULL
 * changes nothing; else it is the table's from now on. */
void hpm_calltree_set_shares(struct hpm_calltree *tree,
                             struct hpm_shares *shares);

/* From that reading of the clock on its sums are to be put aside. */
void hpm_calltree_set_due(struct hpm_calltree *tree, uint64_t due);

/* How many sections are open and measured. */
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

/* The node of the section that the next stop with that id closes or leaves once
 * more; NULL for none. */
static inline struct hpm_node *
hpm_calltree_open_node(const struct hpm_calltree *tree, int instance)
{
    const struct hpm_frame *frame = hpm_calltree_find_open(tree, instance);

    return frame != NULL && frame->left_out == NULL ? frame->node : NULL;
}

/* Add work to an open section; false when it is not open.  Work of one that is
 * left out is left out with it.  Without memory for a new unit the work is
 * dropped and noted as a problem. */
bool hpm_calltree_add_work(struct hpm_calltree *tree, int instance,
                           uint64_t amount, const char *unit);

/* Which place in the call tree a started section takes. */
enum { HPM_PARENT_NONE = -1, HPM_PARENT_AUTO = -2, HPM_PARENT_EXCLUSIVE = -3 };

/* ---- the long way ---------------------------------------------------- */

/* Open a section below the open section `parent` (where that is left out: below
 * the section around it), or one of the constants above.  Returns the row into
 * which the caller reads the sample, as the very last thing it does; NULL when
 * there is nothing to read (recursion, left out, limits reached).  `within` is
 * kept for a section seen for the first time. */
uint64_t *hpm_calltree_start(struct hpm_calltree *tree, int instance,
                             int parent, const char *label, const char *file,
                             int line, const struct hpm_node *within);

/* The same for a start whose strings are not as C has them: they are in
 * `place`, and `site` (its parent and node are filled in) says by which
 * addresses and lengths it is known again; NULL when it is not to be. */
uint64_t *hpm_calltree_start_site(struct hpm_calltree *tree, int parent,
                                  const struct hpm_place *place,
                                  struct hpm_site *site,
                                  const struct hpm_node *within);

/* Close the innermost open section with that id, and before that, where the
 * table's nesting says so, what is open inside it and left open by the program.
 * The sample of this instant is in tree->now. */
void hpm_calltree_stop(struct hpm_calltree *tree, int instance,
                       const char *file, int line);

/* The same for a frame that is left out: nothing is to be read, where nothing
 * measured is closed with it. */
void hpm_calltree_stop_excluded(struct hpm_calltree *tree,
                                struct hpm_frame *frame, int line);

/* Is something measured open inside a frame that such a stop closes?  Then it
 * needs a sample, though the frame itself is left out. */
bool hpm_calltree_closes_inside(const struct hpm_calltree *tree,
                                const struct hpm_frame *frame, int line);

/* The next frame above that measures, NULL for none. */
struct hpm_frame *hpm_calltree_next_measured(const struct hpm_calltree *tree,
                                             const struct hpm_frame *frame);

/* Close whatever is open, marked as left open.  The sample is in
 * tree->now. */
void hpm_calltree_close_all(struct hpm_calltree *tree);

/* The run of the table begins, or begins anew, with the sample in
 * tree->now. */
void hpm_calltree_begin_run(struct hpm_calltree *tree);

/* The run ends with the sample in tree->now, and all sections are closed:
 * what no section covers is a node of its own from now on.  Nothing where no
 * run was begun.  False when there is no memory. */
bool hpm_calltree_end_run(struct hpm_calltree *tree);

/* What the run used until tree->now, and what sections cover of that, as two
 * rows; false where no run was begun, or it has ended. */
bool hpm_calltree_read_run(const struct hpm_calltree *tree, uint64_t *ret_all,
                           uint64_t *ret_covered);

/* Add to a copy of an open node's sums (all of them: inclusive, squares,
 * inner) what they get if it is closed now, with the sections inside.
 * The sample is in tree->now; in process scope thread `opener` has taken it,
 * and only it knows its overhead of time. */
void hpm_calltree_add_open_call(const struct hpm_calltree *tree,
                                const struct hpm_node *node, int opener,
                                uint64_t *sums);

/* Add all of `other`, closed, to this table, section by section; false when
 * there is no memory.  Both have rows of the same shape. */
bool hpm_calltree_merge(struct hpm_calltree *tree, struct hpm_calltree *other);

/* There is no room for all single calls of this node. */
void hpm_calltree_note_few_calls(const struct hpm_calltree *tree,
                                 const struct hpm_node *node);

/* Nothing will be started in it any more: free what only starts and stops
 * need.  What it has measured stays. */
void hpm_calltree_shrink(struct hpm_calltree *tree);

/* ---- overhead ---------------------------------------------------------- */

/* The overhead of a slot so far; any thread, at any time. */
static inline uint64_t
hpm_calltree_overhead_of(const struct hpm_calltree *tree, size_t slot)
{
    return __atomic_load_n(&tree->now[tree->n_slots + slot], __ATOMIC_RELAXED);
}

/* One writer, many readers: no more than a plain addition. */
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

/* By what this costs more than the usual. */
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

/* The node of a start in its usual place; NULL when it needs the long way.
 * No branch depends on which node it is. */
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

/* The slot in which a call site with a number may be, */
static inline const struct hpm_slot *
hpm_calltree_slot(const struct hpm_calltree *tree, int instance,
                  unsigned number)
{
    return &tree->sites.slots[hpm_sites_slot(&tree->sites, tree->salt, number,
                                             instance)];
}

/* or the second one. */
static inline const struct hpm_slot *
hpm_calltree_second_slot(const struct hpm_calltree *tree, int instance,
                         unsigned number)
{
    uint32_t slot = hpm_sites_slot(&tree->sites, tree->salt, number, instance);

    return &tree->sites.slots[hpm_sites_second_slot(&tree->sites, slot)];
}

/* Is it there, and an ordinary start all there is to do? */
static inline bool
hpm_calltree_has_slot(const struct hpm_calltree *tree,
                      const struct hpm_slot *slot, int instance,
                      unsigned number)
{
    /* what both edges write; it comes while the clock is read */
    __builtin_prefetch(
        (const char *)slot->node + offsetof(struct hpm_node, frame), 1);
    return hpm_slot_is(slot, tree->salt, number, instance) &&
           tree->top != tree->limit;
}

/* Its node, wherever it is. */
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

/* Open the node, which has that salt, by a start that costs `cost`.  Returns the
 * row for the sample: its slots are as the last sample there left them. */
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

/* The same, of whatever shape its rows are. */
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
    /* so that others do not load it, too */
    top = __atomic_load_n(&tree->top, __ATOMIC_RELAXED);
    return top->instance != instance || top->left_out != NULL;
}

/* Is this the stop of the innermost section, and nothing else to be done?
 * `clock` is what the clock says. */
static inline bool
hpm_calltree_closes_top(const struct hpm_calltree *tree, int instance,
                        uint64_t clock)
{
    return tree->top->instance == instance && tree->top->recursions == 0 &&
           clock < tree->due;
}

/* Is the start of this node one at which nothing is to be read, for it is open
 * already or is left out? */
static inline bool
hpm_calltree_is_unread(const struct hpm_calltree *tree,
                       const struct hpm_node *node)
{
    return node->frame == HPM_NODE_LEFT_OUT ||
           (hpm_node_is_in_frame(node) && node != tree->other);
}

/* Leave a section out: only its stop is waited for.  `open` is the frame in
 * which it is left out already, NULL for none. */
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

/* The topmost frame, which is left out, leaves the stack; what is around stays
 * as it is. */
static inline void
hpm_calltree_pop_excluded(struct hpm_calltree *tree)
{
    struct hpm_frame *frame = tree->top--;

    frame->left_out->section->open_excluded = NULL;
    frame->left_out = NULL;
    tree->n_excluded--;
}

/* The start of a section that is left out: by its name, or for the time being.
 * It is not "(other)". */
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

/* The start of a section that is open, in that frame. */
static inline void
hpm_calltree_start_again(struct hpm_calltree *tree, struct hpm_frame *frame)
{
    frame->recursions++;
    frame->node->again++;
    hpm_calltree_add_overhead(tree, HPM_COST_AGAIN_START);
}

/* A start at which nothing is to be read. */
static inline void
hpm_calltree_start_unread(struct hpm_calltree *tree, struct hpm_node *node,
                          int instance)
{
    if (node->frame == HPM_NODE_LEFT_OUT)
        hpm_calltree_start_excluded(tree, node, instance);
    else
        hpm_calltree_start_again(tree, hpm_calltree_frame_of(tree, node));
}

/* The stop of one that is open, where it is the innermost one.  False when it
 * is another case. */
bool hpm_calltree_stop_again(struct hpm_calltree *tree, int instance);

static inline hpm_square
hpm_calltree_square(uint64_t used)
{
    return (hpm_square)((__int128)(int64_t)used * (int64_t)used);
}

/* A call of the frame's section ends: `now` less its start is its inclusive
 * value, and is inside the section of the frame below.  Squares are of what is
 * left without the overhead, which may be less than nothing in a single call. */
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

/* Close the innermost section, by a stop that costs `cost`.  The sample of
 * this instant is in tree->now.  What needs neither the sample nor the
 * shape of a row comes first: there are not registers enough for both. */
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

/* Where the section is started. */
static inline struct hpm_place
hpm_calltree_place_of(const struct hpm_node *node)
{
    return (struct hpm_place){.instance = node->instance,
                              .label = node->label,
                              .file = node->file,
                              .line = node->line_start};
}

/* May a quick start of it look no further than at its slot? */
static inline void
hpm_calltree_show_node(struct hpm_calltree *tree, struct hpm_node *node,
                       bool is_shown)
{
    hpm_sites_hide(&tree->sites, &node->site,
                   node->parent != NULL ? node->parent->salt : 0, !is_shown);
}

/* Something is wrong there, with another section where that is not NULL. */
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
