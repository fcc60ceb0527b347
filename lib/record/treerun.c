/* SPDX-License-Identifier: BSD-3-Clause
 * The run of a section table: what no section covers, and the part of open
 * sections. */
#include <limits.h>
#include <string.h>

#include "model/experiment.h"
#include "record/calltree.h"

void
hpm_calltree_begin_run(struct hpm_calltree *tree)
{
    memcpy(tree->first, tree->now, tree->n_row * sizeof *tree->first);
    tree->is_running = true;
}

/* Closed sections have been added to the ground; of the open ones, the
 * outermost contains all others. */
bool
hpm_calltree_read_run(const struct hpm_calltree *tree, uint64_t *ret_all,
                      uint64_t *ret_covered)
{
    const struct hpm_frame *outermost =
        hpm_calltree_next_measured(tree, tree->frames);

    if (!tree->is_running)
        return false;
    for (size_t i = 0; i < tree->n_row; i++) {
        ret_all[i] = tree->now[i] - tree->first[i];
        ret_covered[i] = tree->frames->inner[i];
        if (outermost != NULL)
            ret_covered[i] += tree->now[i] - outermost->start[i];
    }
    return true;
}

/* The id of this node occurs in no file, so no section is confused with it. */
bool
hpm_calltree_end_run(struct hpm_calltree *tree)
{
    static const struct hpm_identity outside = {INT_MIN, HPM_OUTSIDE_LABEL, "",
                                                0};
    struct hpm_node *node;

    if (!tree->is_running)
        return true;
    node = hpm_nodes_add(&tree->nodes, NULL, &outside, tree->n_row,
                         tree->n_counts);
    if (node == NULL)
        return false;
    node->is_outside = true;
    node->outer = 1;
    hpm_calltree_read_run(tree, node->inclusive, node->inner);
    tree->is_running = false;
    return true;
}

/* What was used from a frame's start to the row `end`, which thread `opener`
 * has read.  The overhead of time is each thread's own: between readings of two
 * threads it is not known. */
static uint64_t
passed(const struct hpm_calltree *tree, const struct hpm_frame *frame,
       const uint64_t *end, int opener, size_t i)
{
    bool is_known = i != tree->n_slots || frame->opener == opener;

    return is_known ? end[i] - frame->start[i] : 0;
}

/* As close_frame does, or would do after the sections inside: the time after
 * the start of the next section belongs to that section. */
void
hpm_calltree_add_open_call(const struct hpm_calltree *tree,
                           const struct hpm_node *node, int opener,
                           uint64_t *sums)
{
    const struct hpm_frame *frame = hpm_calltree_frame_of(tree, node);
    const struct hpm_frame *next = hpm_calltree_next_measured(tree, frame);
    const uint64_t *end = next != NULL ? next->start : tree->now;
    int end_opener = next != NULL ? next->opener : opener;
    hpm_square *squares = (hpm_square *)(sums + tree->n_row);
    uint64_t *inner = sums + tree->inner_at;

    for (size_t i = 0; i < tree->n_row; i++) {
        uint64_t used = passed(tree, frame, tree->now, opener, i);

        sums[i] += used;
        inner[i] += used - passed(tree, frame, end, end_opener, i);
    }
    for (size_t i = 0; i < tree->n_counts; i++) {
        uint64_t used = passed(tree, frame, tree->now, opener, i);

        if (i < tree->n_overheads)
            used -= passed(tree, frame, tree->now, opener, tree->n_slots + i);
        squares[i] += (hpm_square)((__int128)(int64_t)used * (int64_t)used);
    }
}
