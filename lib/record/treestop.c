/* SPDX-License-Identifier: BSD-3-Clause
 * The stops of a section table that take the long way. */
#include "record/calltree.h"

#include "record/lasting.h"

/* The newest section with this id; NULL for none. */
static const struct hpm_node *
find_latest(const struct hpm_calltree *tree, int instance)
{
    const struct hpm_node *latest = NULL;

    for (const struct hpm_node *node = tree->nodes.first; node != NULL;
         node = node->next) {
        if (node->instance == instance)
            latest = node;
    }
    return latest;
}

static void
note_stop(struct hpm_calltree *tree, int instance, const char *file, int line)
{
    const struct hpm_place place = {
        .instance = instance, .file = file, .line = line};

    if (!hpm_problems_repeat(tree->problems, HPM_PROBLEM_STOP_WITHOUT_START,
                             &place))
        hpm_calltree_note_at(tree, HPM_PROBLEM_STOP_WITHOUT_START, place,
                             find_latest(tree, instance));
}

/* Remove a frame from the stack: the frames above it move down, and its rows go
 * to the end, to be used again. */
static void
take_out(struct hpm_calltree *tree, struct hpm_frame *frame)
{
    struct hpm_frame gone = *frame;

    for (; frame < tree->top; frame++) {
        *frame = frame[1];
        if (frame->left_out == NULL) {
            frame->node->frame = (uint32_t)(uintptr_t)frame;
        } else {
            frame->node = frame[-1].node;
            frame->salt = frame[-1].salt;
            frame->inner = frame[-1].inner;
            frame->left_out->section->open_excluded = frame;
        }
    }
    gone.left_out = NULL;
    gone.recursions = 0;
    *tree->top-- = gone;
    tree->innermost = tree->top->node;
    tree->salt = tree->top->salt;
}

static void
mark_overlap(const struct hpm_calltree *tree, const struct hpm_frame *frame)
{
    for (; frame != NULL; frame = hpm_calltree_next_measured(tree, frame))
        frame->node->has_overlap = true;
}

/* A section ends while others, started later, stay open.  Its inclusive value
 * is as always; its exclusive value ended when the next section started, and
 * the time after that belongs to the next section (semantics: overlap).
 *
 *     k    |-------------------|          excl(k) = start(k+1)-start(k)-inner
 *     k+1        |--------------------| */
static void
end_overlapped(const struct hpm_calltree *tree, const struct hpm_frame *frame,
               const struct hpm_frame *next)
{
    for (size_t i = 0; i < tree->n_row; i++) {
        uint64_t rest = tree->now[i] - next->start[i];

        frame->inner[i] += rest;
        frame[-1].inner[i] -= rest;
    }
    mark_overlap(tree, frame);
}

/* Add up what a measured section has used, and remove its frame: the frames
 * inside it then follow the frame below. */
static void
close_frame(struct hpm_calltree *tree, struct hpm_frame *frame)
{
    const struct hpm_frame *next = hpm_calltree_next_measured(tree, frame);
    bool is_unsettled =
        next != NULL ||
        (frame->recursions &
         (hpm_frame_is_kept | hpm_frame_has_below | hpm_frame_is_unshown)) != 0;

    if (next != NULL)
        end_overlapped(tree, frame, next);
    hpm_calltree_add_call(tree, frame, hpm_calltree_shape(tree));
    frame->node->frame = is_unsettled ? HPM_NODE_UNSETTLED : HPM_NODE_CLOSED;
    hpm_calltree_show_node(tree, frame->node, !is_unsettled);
    take_out(tree, frame);
}

/* Keep a call that was ended by its own stop, unless inclusive values are not
 * wanted. */
static void
keep_call(struct hpm_calltree *tree, const struct hpm_frame *frame)
{
    const struct hpm_node *node = frame->node;

    if ((frame->recursions & hpm_frame_is_kept) != 0 &&
        !node->is_only_exclusive &&
        !hpm_reservoir_keep(tree->reservoirs,
                            hpm_reservoirs_of(tree->reservoirs, node->number),
                            node->outer + 1, frame->start, tree->now))
        hpm_calltree_note_few_calls(tree, node);
}

static void
close_excluded(struct hpm_calltree *tree, struct hpm_frame *frame)
{
    if (frame == tree->top) {
        hpm_calltree_pop_excluded(tree);
        return;
    }
    frame->left_out->section->open_excluded = NULL;
    tree->n_excluded--;
    take_out(tree, frame);
}

/* Does this stop end the sections inside that the program left open, by a jump
 * or an exception? */
static bool
is_strict(const struct hpm_calltree *tree, int line)
{
    return tree->nesting == HPM_NESTING_STRICT ||
           (tree->nesting == HPM_NESTING_SCOPES && line == HPM_LINE_OF_SCOPE);
}

bool
hpm_calltree_closes_inside(const struct hpm_calltree *tree,
                           const struct hpm_frame *frame, int line)
{
    return is_strict(tree, line) && hpm_frame_recursions(frame) == 0 &&
           hpm_calltree_next_measured(tree, frame) != NULL;
}

/* Close the frames above a frame, innermost first, since no stop closes them.
 * Those that are left out have no measured values. */
static void
close_above(struct hpm_calltree *tree, const struct hpm_frame *frame,
            enum hpm_problem_kind problem)
{
    while (tree->top > frame) {
        struct hpm_frame *inside = tree->top;

        if (inside->left_out != NULL) {
            inside->recursions = 0;
            close_excluded(tree, inside);
            continue;
        }
        if (problem != HPM_PROBLEM_NEVER_STOPPED ||
            !hpm_lasting_is(inside->instance)) {
            inside->node->is_open = true;
            hpm_calltree_note_at(tree, problem,
                                 hpm_calltree_place_of(inside->node), NULL);
        }
        close_frame(tree, inside);
    }
}

void
hpm_calltree_stop(struct hpm_calltree *tree, int instance, const char *file,
                  int line)
{
    struct hpm_frame *frame = hpm_calltree_find_open(tree, instance);

    if (frame == NULL && tree->n_beyond > 0) {
        tree->n_beyond--;
    } else if (frame == NULL) {
        note_stop(tree, instance, file, line == HPM_LINE_OF_SCOPE ? 0 : line);
    } else if (hpm_frame_recursions(frame) > 0) {
        frame->recursions--;
    } else if (is_strict(tree, line) && frame < tree->top) {
        close_above(tree, frame, HPM_PROBLEM_OUTER_STOPPED);
        hpm_calltree_stop(tree, instance, file, line);
    } else if (frame->left_out != NULL) {
        close_excluded(tree, frame);
    } else {
        frame->node->line_end = line;
        keep_call(tree, frame);
        close_frame(tree, frame);
    }
}

bool
hpm_calltree_stop_again(struct hpm_calltree *tree, int instance)
{
    struct hpm_frame *frame = tree->top;

    if (frame->instance != instance || hpm_frame_recursions(frame) == 0 ||
        frame->left_out != NULL || frame == tree->frames)
        return false;
    frame->recursions--;
    hpm_calltree_add_overhead(tree, HPM_COST_AGAIN_STOP);
    return true;
}

void
hpm_calltree_stop_excluded(struct hpm_calltree *tree, struct hpm_frame *frame,
                           int line)
{
    if (frame->recursions > 0) {
        frame->recursions--;
        return;
    }
    if (is_strict(tree, line))
        close_above(tree, frame, HPM_PROBLEM_OUTER_STOPPED);
    close_excluded(tree, frame);
}

void
hpm_calltree_close_all(struct hpm_calltree *tree)
{
    close_above(tree, tree->frames, HPM_PROBLEM_NEVER_STOPPED);
    tree->n_beyond = 0;
}
