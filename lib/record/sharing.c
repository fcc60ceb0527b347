/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of the sections of a table whose counters take turns. */
#include "record/sharing.h"

#include <string.h>

static bool
is_due(const struct hpm_calltree *tree)
{
    const struct hpm_shares *shares = tree->shares;

    return shares != NULL &&
           tree->now[shares->events[0].clock_slot] - shares->slice >=
               shares->slice_ns;
}

/* ---- sums so far ---------------------------------------------------- */

/* The sums of one slot of a section, which may be open, until the sample
 * `at`. */
struct used {
    uint64_t inclusive, exclusive;
};

static struct used
used_of(const struct hpm_calltree *tree, const struct hpm_node *node,
        const struct hpm_frame *next, const uint64_t *at, size_t slot)
{
    struct used used = {node->inclusive[slot],
                        node->inclusive[slot] - node->inner[slot]};

    if (hpm_node_is_in_frame(node)) {
        uint64_t start = hpm_calltree_frame_of(tree, node)->start[slot];

        used.inclusive += at[slot] - start;
        used.exclusive += (next != NULL ? next->start : at)[slot] - start;
    }
    return used;
}

/* A count without the overhead that the long way measured itself.  That
 * overhead is subtracted before a value is scaled (correct.c), and would make
 * windows differ.  `at` is not tree->now only for slices told by the source, of
 * events that are not charged. */
static struct used
count_of(const struct hpm_calltree *tree, const struct hpm_node *node,
         const struct hpm_frame *next, const uint64_t *at, size_t slot)
{
    struct used count = used_of(tree, node, next, at, slot);
    struct used charged, starts, stops;

    if (at != tree->now || slot >= tree->n_overheads)
        return count;
    charged = used_of(tree, node, next, at, tree->n_slots + slot);
    starts = used_of(tree, node, next, at, tree->n_row - 2);
    stops = used_of(tree, node, next, at, tree->n_row - 1);
    count.inclusive -= charged.inclusive - hpm_costs_of_edges(tree->costs, slot,
                                                              starts.inclusive,
                                                              stops.inclusive);
    count.exclusive -= charged.exclusive - hpm_costs_of_edges(tree->costs, slot,
                                                              starts.exclusive,
                                                              stops.exclusive);
    return count;
}

/* Had the frame begun at that sample, by the clock of this event?  Events may
 * have different clocks. */
static bool
has_begun(const struct hpm_frame *frame, const uint64_t *at, size_t clock)
{
    return frame != NULL && frame->start[clock] <= at[clock];
}

static void
reach_node(struct hpm_calltree *tree, const struct hpm_node *node,
           const uint64_t *at)
{
    struct hpm_shares *shares = tree->shares;
    struct hpm_blocks *blocks = hpm_shares_get(shares, node->number);
    const struct hpm_frame *frame =
        hpm_node_is_in_frame(node) ? hpm_calltree_frame_of(tree, node) : NULL;
    const struct hpm_frame *next =
        frame != NULL ? hpm_calltree_next_measured(tree, frame) : NULL;

    for (size_t i = 0; blocks != NULL && i < shares->n_events; i++) {
        size_t clock = shares->events[i].clock_slot;
        const struct hpm_frame *end = has_begun(next, at, clock) ? next : NULL;
        struct used count, enabled, running;

        if (frame != NULL && !has_begun(frame, at, clock))
            continue;
        count = count_of(tree, node, end, at, shares->events[i].slot);
        enabled = used_of(tree, node, end, at, clock);
        running = used_of(tree, node, end, at, clock + 1);
        hpm_blocks_reach(&blocks[2 * i],
                         &(struct hpm_turns){count.inclusive, enabled.inclusive,
                                             running.inclusive});
        hpm_blocks_reach(&blocks[2 * i + 1],
                         &(struct hpm_turns){count.exclusive, enabled.exclusive,
                                             running.exclusive});
    }
}

void
hpm_sharing_close(struct hpm_calltree *tree, const struct hpm_node *node)
{
    if (tree->shares != NULL && node != NULL && !hpm_node_is_in_frame(node))
        reach_node(tree, node, tree->now);
}

/* Decided by the clock of the first event: the blocks of the others have the
 * same calls. */
static bool
ends_step(const struct hpm_calltree *tree, const struct hpm_frame *frame)
{
    const struct hpm_shares *shares = tree->shares;
    size_t clock = shares->events[0].clock_slot;
    uint64_t used =
        frame->node->inclusive[clock] + tree->now[clock] - frame->start[clock];
    const struct hpm_blocks *blocks =
        hpm_shares_of(shares, frame->node->number);

    return used - (blocks != NULL ? blocks->sum.enabled : 0) >= shares->step_ns;
}

bool
hpm_sharing_is_plain_stop(const struct hpm_calltree *tree, int instance,
                          uint64_t clock)
{
    const struct hpm_frame *top = tree->top;

    return tree->shares != NULL && top->instance == instance &&
           top->recursions == 0 && clock < tree->put_due && !is_due(tree) &&
           !ends_step(tree, top);
}

/* ---- slices ----------------------------------------------------------- */

/* The part of a slot that no open or closed section covers. */
static uint64_t
used_outside(const struct hpm_calltree *tree, const uint64_t *end, size_t slot)
{
    return end[slot] - tree->first[slot] - tree->frames->inner[slot];
}

static uint64_t
count_outside(const struct hpm_calltree *tree, const uint64_t *at,
              const uint64_t *end, size_t slot)
{
    uint64_t count = used_outside(tree, end, slot);

    if (at != tree->now || slot >= tree->n_overheads)
        return count;
    return count - used_outside(tree, end, tree->n_slots + slot) +
           hpm_costs_of_edges(tree->costs, slot,
                              used_outside(tree, end, tree->n_row - 2),
                              used_outside(tree, end, tree->n_row - 1));
}

static void
reach_outside(struct hpm_calltree *tree, const uint64_t *at)
{
    struct hpm_shares *shares = tree->shares;
    const struct hpm_frame *outermost =
        hpm_calltree_next_measured(tree, tree->frames);

    for (size_t i = 0; tree->is_running && i < shares->n_events; i++) {
        size_t clock = shares->events[i].clock_slot;
        const uint64_t *end =
            has_begun(outermost, at, clock) ? outermost->start : at;

        if (at[clock] < tree->first[clock])
            continue;
        hpm_blocks_reach(
            &shares->outside[i],
            &(struct hpm_turns){
                count_outside(tree, at, end, shares->events[i].slot),
                used_outside(tree, end, clock),
                used_outside(tree, end, clock + 1)});
    }
}

static void
end_steps(struct hpm_calltree *tree, const uint64_t *at)
{
    reach_outside(tree, at);
    for (const struct hpm_frame *frame =
             hpm_calltree_next_measured(tree, tree->frames);
         frame != NULL; frame = hpm_calltree_next_measured(tree, frame))
        reach_node(tree, frame->node, at);
}

static void
follow_to(struct hpm_calltree *tree, const uint64_t *sample)
{
    struct hpm_shares *shares = tree->shares;
    size_t size = tree->n_slots * sizeof *shares->at;

    memcpy(shares->at, shares->last, size);
    while (hpm_meter_step(shares->meter, shares->at, shares->last, sample))
        end_steps(tree, shares->at);
    memcpy(shares->last, sample, size);
}

/* Between two samples the source tells only some ends of slices, as many for a
 * short time as for a long one.  So follow it from the start of one open
 * section to that of the next: else a long time before a section would leave no
 * end for the section itself. */
void
hpm_sharing_follow(struct hpm_calltree *tree)
{
    struct hpm_shares *shares = tree->shares;
    size_t clock;

    if (!is_due(tree))
        return;
    clock = shares->events[0].clock_slot;
    for (const struct hpm_frame *frame =
             hpm_calltree_next_measured(tree, tree->frames);
         frame != NULL; frame = hpm_calltree_next_measured(tree, frame)) {
        if (frame->start[clock] > shares->last[clock])
            follow_to(tree, frame->start);
    }
    follow_to(tree, tree->now);
}

void
hpm_sharing_slice_now(struct hpm_calltree *tree)
{
    struct hpm_shares *shares = tree->shares;

    if (shares == NULL)
        return;
    shares->slice = tree->now[shares->events[0].clock_slot];
    memcpy(shares->last, tree->now, tree->n_slots * sizeof *shares->last);
    end_steps(tree, tree->now);
}

void
hpm_sharing_slice(struct hpm_calltree *tree)
{
    if (is_due(tree))
        hpm_sharing_slice_now(tree);
}

/* ---- the end ----------------------------------------------------------- */

/* Reaching a step that is complete adds nothing, so this can be done for all
 * sections. */
void
hpm_sharing_end(struct hpm_calltree *tree)
{
    struct hpm_shares *shares = tree->shares;

    for (const struct hpm_node *node = tree->nodes.first;
         shares != NULL && node != NULL; node = node->next) {
        struct hpm_blocks *blocks = hpm_shares_get(shares, node->number);

        if (node->is_outside && blocks != NULL) {
            for (size_t i = 0; i < shares->n_events; i++)
                blocks[2 * i + 1] = shares->outside[i];
        }
        reach_node(tree, node, tree->now);
    }
}

static void
append(struct hpm_calltree *tree, const struct hpm_node *node,
       const struct hpm_blocks *added)
{
    struct hpm_blocks *blocks = hpm_shares_get(tree->shares, node->number);

    for (size_t i = 0; blocks != NULL && i < 2 * tree->shares->n_events; i++)
        hpm_blocks_append(&blocks[i], &added[i]);
}

void
hpm_sharing_merge(struct hpm_calltree *tree, const struct hpm_calltree *other)
{
    const struct hpm_shares *added = other->shares;

    if (tree->shares == NULL || added == NULL ||
        added->n_events != tree->shares->n_events)
        return;
    for (const struct hpm_node *node = other->nodes.first; node != NULL;
         node = node->next) {
        if (node->merged != NULL && node->number < added->n_nodes &&
            added->of_nodes[node->number] != NULL)
            append(tree, node->merged, added->of_nodes[node->number]);
    }
}
