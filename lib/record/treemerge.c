/* SPDX-License-Identifier: BSD-3-Clause
 * Merging one section table into another. */
#include "record/calltree.h"

static bool
merge_node(struct hpm_node *node, const struct hpm_node *other, size_t n_row,
           size_t n_counts)
{
    bool is_good = true;

    /* the sums have inclusive values even if the user does not want them */
    if (node->outer == 0)
        node->is_only_exclusive = other->is_only_exclusive;
    else if (other->outer > 0)
        node->is_only_exclusive &= other->is_only_exclusive;
    for (size_t i = 0; i < n_counts; i++)
        node->squares[i] += other->squares[i];
    for (size_t i = 0; i < n_row; i++) {
        node->inclusive[i] += other->inclusive[i];
        node->inner[i] += other->inner[i];
    }
    node->again += other->again;
    node->outer += other->outer;
    node->n_skipped += other->n_skipped;
    node->line_end = other->line_end;
    node->has_overlap |= other->has_overlap;
    node->is_open |= other->is_open;
    node->is_outside |= other->is_outside;
    for (size_t i = 0; i < other->n_works; i++)
        is_good &= hpm_node_add_work(node, other->works[i].amount,
                                     other->works[i].unit);
    return is_good;
}

/* A node chosen in one table is chosen in the other, too: both have the same
 * label and id. */
static void
merge_calls(struct hpm_calltree *tree, const struct hpm_calltree *other,
            const struct hpm_node *node)
{
    struct hpm_reservoir *from =
        hpm_reservoirs_of(other->reservoirs, node->number);
    struct hpm_reservoir *to =
        hpm_reservoirs_of(tree->reservoirs, node->merged->number);

    if (from != NULL && to != NULL &&
        !hpm_reservoir_join(tree->reservoirs, to, from))
        hpm_calltree_note_few_calls(tree, node->merged);
}

/* Each node of the other table finds or gets its node here, below the node of
 * its parent, which came earlier. */
bool
hpm_calltree_merge(struct hpm_calltree *tree, struct hpm_calltree *other)
{
    for (struct hpm_node *node = other->nodes.first; node != NULL;
         node = node->next) {
        const struct hpm_identity identity = {node->instance, node->label,
                                              node->file, node->line_start};
        struct hpm_node *parent =
            node->parent != NULL ? node->parent->merged : NULL;

        node->merged =
            hpm_calltree_find_node(tree, parent, &identity, node->within);
        if (node->merged == NULL ||
            !merge_node(node->merged, node, tree->n_row, tree->n_counts))
            return false;
        merge_calls(tree, other, node);
    }
    return true;
}
