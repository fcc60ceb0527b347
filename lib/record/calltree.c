/* SPDX-License-Identifier: BSD-3-Clause
 * The section table of one thread, or of the process. */
#include "record/calltree.h"

#include <string.h>

#include "host/floating.h"
#include "host/literal.h"
#include "host/memory.h"
#include "model/experiment.h"

/* ---- making and freeing ---------------------------------------------- */

/* Each frame has a row for its start; two more rows are for now and for the
 * begin of the run.  The ground is a frame that sums can be added to like a
 * section's; a stop never closes it. */
static void
lay_rows(struct hpm_calltree *tree)
{
    struct hpm_frame *ground = tree->frames;

    for (size_t i = 0; i <= HPM_MAX_DEPTH; i++)
        tree->frames[i].start = tree->samples + i * tree->n_row;
    ground->inner = ground->start;
    ground->recursions = 1;
    tree->now = tree->samples + (HPM_MAX_DEPTH + 1) * tree->n_row;
    tree->first = tree->now + tree->n_row;
    tree->top = ground;
    tree->limit = &tree->frames[HPM_MAX_DEPTH];
}

/* The lower halves of addresses tell frames from each other and from no frame,
 * unless the frames span a multiple of 2^32: then take other memory. */
static struct hpm_calltree *
new_tree(void)
{
    struct hpm_calltree *tree = hpm_memory_new(1, sizeof *tree);
    struct hpm_calltree *other;

    if (tree == NULL || (uint32_t)(uintptr_t)tree->frames <
                            (uint32_t)(uintptr_t)(&tree->changing))
        return tree;
    other = hpm_memory_new(1, sizeof *tree);
    hpm_memory_free(tree);
    return other;
}

struct hpm_calltree *
hpm_calltree_new(const struct hpm_shape *shape, const struct hpm_costs *costs,
                 const struct hpm_filter *filter, struct hpm_problems *problems)
{
    struct hpm_calltree *tree = new_tree();

    if (tree == NULL)
        return NULL;
    tree->tid = -1;
    tree->nesting = filter != NULL ? filter->nesting : HPM_NESTING_SCOPES;
    tree->n_slots = shape->n_slots;
    tree->n_counts = shape->n_counts;
    tree->n_overheads = shape->n_overheads;
    tree->n_row = hpm_shape_row(shape);
    tree->inner_at = hpm_shape_inner(shape);
    tree->costs = costs;
    tree->filter = filter;
    tree->problems = problems;
    tree->due = tree->put_due = UINT64_MAX;
    tree->samples = hpm_memory_new((HPM_MAX_DEPTH + 3) * tree->n_row,
                                   sizeof *tree->samples);
    if (filter != NULL && filter->calls != NULL)
        tree->reservoirs = hpm_reservoirs_new(tree->n_row);
    if (!hpm_sites_init(&tree->sites) || !hpm_nodes_init(&tree->nodes) ||
        tree->samples == NULL) {
        hpm_calltree_free(tree);
        return NULL;
    }
    lay_rows(tree);
    return tree;
}

void
hpm_calltree_free(struct hpm_calltree *tree)
{
    if (tree == NULL)
        return;
    hpm_memory_free(tree->samples);
    hpm_sites_clear(&tree->sites);
    hpm_changing_clear(&tree->changing);
    hpm_shares_free(tree->shares);
    hpm_reservoirs_free(tree->reservoirs);
    hpm_nodes_clear(&tree->nodes);
    hpm_memory_free(tree);
}

void
hpm_calltree_set_shares(struct hpm_calltree *tree, struct hpm_shares *shares)
{
    tree->shares = shares;
    if (shares != NULL)
        tree->due = 0;
}

void
hpm_calltree_set_due(struct hpm_calltree *tree, uint64_t due)
{
    tree->put_due = due;
    if (tree->shares == NULL)
        tree->due = due;
}

/* ---- problems -------------------------------------------------------- */

void
hpm_calltree_note_at(const struct hpm_calltree *tree,
                     enum hpm_problem_kind kind, struct hpm_place place,
                     const struct hpm_node *other)
{
    struct hpm_place other_place;

    if (other != NULL) {
        other_place = hpm_calltree_place_of(other);
        place.other = &other_place;
    }
    place.has_tid = tree->tid >= 0;
    place.tid = tree->tid;
    hpm_problems_add(tree->problems, kind, &place, 1);
}

void
hpm_calltree_note_few_calls(const struct hpm_calltree *tree,
                            const struct hpm_node *node)
{
    if (tree->problems != NULL) /* NULL: the table is one that was recovered */
        hpm_calltree_note_at(tree, HPM_PROBLEM_FEW_CALLS,
                             hpm_calltree_place_of(node), NULL);
}

/* ---- finding nodes ---------------------------------------------------- */

/* The node for sections beyond HPM_MAX_SECTIONS. */
static struct hpm_node *
other_node(struct hpm_calltree *tree)
{
    const struct hpm_identity other = {0, "(other)", "", 0};

    hpm_problems_add(tree->problems, HPM_PROBLEM_TOO_MANY_SECTIONS,
                     &(struct hpm_place){.label = "(other)"}, 1);
    if (tree->other == NULL)
        tree->other = hpm_nodes_add(&tree->nodes, NULL, &other, tree->n_row,
                                    tree->n_counts);
    return tree->other;
}

/* Is `below` this node, or below it? */
static bool
is_above(const struct hpm_node *node, const struct hpm_node *below)
{
    while (below != NULL && below != node)
        below = below->parent;
    return below != NULL;
}

/* The frame in which a section is measured now, on whatever call path; NULL if
 * it is not. */
static struct hpm_frame *
find_measured(const struct hpm_calltree *tree,
              const struct hpm_section *section)
{
    struct hpm_frame *frame = tree->top;

    while (frame > tree->frames &&
           (frame->left_out != NULL || frame->node->section != section))
        frame--;
    return frame > tree->frames ? frame : NULL;
}

/* The known node for a start of a section below `parent`: the node that is open
 * now, a node on the path to `parent`, or a child of `parent`.  NULL for
 * none. */
static struct hpm_node *
find_known(const struct hpm_calltree *tree, struct hpm_node *parent,
           const struct hpm_section *section)
{
    const struct hpm_frame *frame = find_measured(tree, section);
    struct hpm_node *node = frame != NULL ? frame->node : parent;

    while (node != NULL && node->section != section)
        node = node->parent;
    return node != NULL ? node : hpm_nodes_find(&tree->nodes, parent, section);
}

/* The seed is the same for the same call path, in every thread and run. */
static uint64_t
seed_of(const struct hpm_node *node)
{
    uint64_t seed = 0;

    for (; node != NULL; node = node->parent)
        seed = 31 * seed + node->section->hash;
    return seed;
}

/* Are the node's calls to be kept one by one?  Then the node is always
 * unsettled. */
static bool
choose_calls(struct hpm_calltree *tree, struct hpm_node *node)
{
    size_t most = hpm_filter_calls(tree->filter, node->label, node->instance);

    if (most == 0)
        return false;
    if (tree->reservoirs != NULL &&
        hpm_reservoirs_choose(tree->reservoirs, node->number, most,
                              seed_of(node)))
        return true;
    hpm_calltree_note_few_calls(tree, node);
    return false;
}

static struct hpm_node *
add_node(struct hpm_calltree *tree, struct hpm_node *parent,
         const struct hpm_identity *identity, const struct hpm_node *within)
{
    struct hpm_node *node;

    if (tree->nodes.n >= HPM_MAX_SECTIONS)
        return other_node(tree);
    node = hpm_nodes_add(&tree->nodes, parent, identity, tree->n_row,
                         tree->n_counts);
    if (node == NULL)
        return NULL;
    node->within = within;
    if (tree->filter != NULL) {
        node->is_excluded = !hpm_filter_takes(tree->filter, identity->label,
                                              identity->instance);
        node->n_to_skip = tree->filter->n_skipped;
        if (!node->is_excluded && choose_calls(tree, node))
            node->frame = HPM_NODE_UNSETTLED;
        if (node->is_excluded || node->n_to_skip > 0)
            node->frame = HPM_NODE_LEFT_OUT;
    }
    return node;
}

struct hpm_node *
hpm_calltree_find_node(struct hpm_calltree *tree, struct hpm_node *parent,
                       const struct hpm_identity *identity,
                       const struct hpm_node *within)
{
    const struct hpm_section *section =
        hpm_sections_find(&tree->nodes.sections, identity);
    struct hpm_node *node =
        section != NULL ? find_known(tree, parent, section) : NULL;

    return node != NULL ? node : add_node(tree, parent, identity, within);
}

/* ---- calls that do not match ---------------------------------------- */

/* A section is started on a call path for the first time: report if another
 * section with this id is open.  Sections left out by name do not matter. */
static void
check_id(struct hpm_calltree *tree, const struct hpm_node *node,
         const struct hpm_place *place)
{
    for (const struct hpm_frame *frame = tree->top; frame > tree->frames;
         frame--) {
        const struct hpm_node *other = hpm_frame_node(frame);

        if (frame->instance == place->instance && !other->is_excluded &&
            other->section != node->section) {
            hpm_calltree_note_at(tree, HPM_PROBLEM_OTHER_SECTION, *place,
                                 other);
            return;
        }
    }
}

/* ---- nodes by call site ---------------------------------------------- */

static bool
is_lasting(const struct hpm_site *site)
{
    return site->label == hpm_site_numbered ||
           (hpm_literal_is(site->label) && hpm_literal_is(site->file));
}

/* Remember where a call site leads.  Strings that may change in place are not
 * identified by their addresses alone.  A node that is open on another path is
 * not remembered: the site leads elsewhere once the node is closed. */
static void
keep_site(struct hpm_calltree *tree, struct hpm_site *site,
          struct hpm_node *parent, struct hpm_node *node)
{
    if (site == NULL || (node->parent != parent && !is_above(node, parent) &&
                         node != tree->other))
        return;
    site->node = node;
    if (!is_lasting(site)) {
        hpm_changing_learn(&tree->changing, site);
        return;
    }
    site->has_slot = node->parent == parent && node != tree->other;
    site->is_hidden = node->frame != HPM_NODE_CLOSED;
    hpm_sites_learn(
        &tree->sites, site,
        &(struct hpm_learnt){node->site.node == NULL ? &node->site : NULL,
                             parent != NULL ? parent->salt : 0, node->salt},
        tree->nodes.n);
}

/* The node of a call site that is new, or whose strings may change. */
static struct hpm_node *
learn_site(struct hpm_calltree *tree, struct hpm_site *site,
           struct hpm_node *parent, const struct hpm_place *place,
           const struct hpm_node *within)
{
    struct hpm_node *node = NULL;
    size_t n_nodes = tree->nodes.n;
    char *label = hpm_section_copy_label(place->label);

    if (label != NULL) {
        const struct hpm_identity identity = {place->instance, label,
                                              place->file, place->line};

        node = hpm_calltree_find_node(tree, parent, &identity, within);
        hpm_memory_free(label);
    }
    if (node == NULL) {
        hpm_problems_add(tree->problems, HPM_PROBLEM_NO_MEMORY, place, 1);
        return NULL;
    }
    if (tree->nodes.n > n_nodes && node != tree->other && !node->is_excluded)
        check_id(tree, node, place);
    keep_site(tree, site, parent, node);
    return node;
}

/* ---- open sections --------------------------------------------------- */

struct hpm_frame *
hpm_calltree_next_measured(const struct hpm_calltree *tree,
                           const struct hpm_frame *frame)
{
    for (struct hpm_frame *next = (struct hpm_frame *)frame + 1;
         next <= tree->top; next++) {
        if (next->left_out == NULL)
            return next;
    }
    return NULL;
}

bool
hpm_calltree_add_work(struct hpm_calltree *tree, int instance, uint64_t amount,
                      const char *unit)
{
    const struct hpm_frame *frame = hpm_calltree_find_open(tree, instance);

    if (frame != NULL && frame->left_out == NULL &&
        !hpm_node_add_work(frame->node, amount, unit))
        hpm_problems_add(
            tree->problems, HPM_PROBLEM_NO_MEMORY,
            &(struct hpm_place){.instance = instance, .label = unit}, 1);
    return frame != NULL;
}

/* ---- start ----------------------------------------------------------- */

static struct hpm_node *
choose_parent(struct hpm_calltree *tree, int parent,
              const struct hpm_place *place)
{
    const struct hpm_frame *frame;

    if (parent == HPM_PARENT_AUTO || parent == HPM_PARENT_EXCLUSIVE)
        return hpm_calltree_innermost(tree);
    if (parent == HPM_PARENT_NONE)
        return NULL;
    frame = hpm_calltree_find_open(tree, parent);
    if (frame != NULL)
        return frame->node;
    hpm_calltree_note_at(tree, HPM_PROBLEM_PARENT_NOT_OPEN, *place, NULL);
    return hpm_calltree_innermost(tree);
}

/* The frame of "(other)" with this id; "(other)" stands for many sections. */
static struct hpm_frame *
find_other(const struct hpm_calltree *tree, int instance)
{
    struct hpm_frame *frame = tree->top;

    while (frame > tree->frames &&
           (frame->left_out != tree->other || frame->instance != instance))
        frame--;
    return frame > tree->frames ? frame : NULL;
}

/* Start a section that gets no frame of its own: all frames are in use, or the
 * section is inside "(other)" and belongs to it. */
static void
start_without(struct hpm_calltree *tree, struct hpm_node *node,
              const struct hpm_place *place)
{
    if (node != tree->other)
        hpm_calltree_note_at(tree, HPM_PROBLEM_TOO_DEEP, *place, NULL);
    hpm_calltree_push_excluded(tree, node, place->instance,
                               node == tree->other
                                   ? find_other(tree, place->instance)
                                   : node->section->open_excluded);
    hpm_calltree_add_overhead(tree, HPM_COST_AGAIN_START);
}

/* Is the node left out?  It may have been marked as unsettled. */
static bool
is_left_out(struct hpm_node *node)
{
    if (!node->is_excluded && node->n_to_skip == 0)
        return false;
    node->frame = HPM_NODE_LEFT_OUT;
    return true;
}

/* A start on the long way at which nothing is read.  False if the section is to
 * be opened. */
static bool
start_unopened(struct hpm_calltree *tree, struct hpm_node *node,
               const struct hpm_place *place)
{
    struct hpm_frame *frame = find_measured(tree, node->section);

    if (frame != NULL && frame->instance == place->instance)
        hpm_calltree_start_again(tree, frame);
    else if (is_left_out(node))
        hpm_calltree_start_excluded(tree, node, place->instance);
    else if (frame != NULL || tree->top == tree->limit)
        start_without(tree, node, place);
    else
        return false;
    return true;
}

/* The frame's section is open, and the next one opened is not below it.  So the
 * section may be started on another of its paths: unsettle the nodes of
 * these. */
static void
tell_paths(struct hpm_calltree *tree, struct hpm_frame *frame)
{
    struct hpm_node *node = frame->node->section->paths;

    if ((frame->recursions & hpm_frame_is_told) != 0 || node->next_path == NULL)
        return;
    frame->recursions |= hpm_frame_is_told;
    for (; node != NULL; node = node->next_path) {
        if (!hpm_node_is_in_frame(node)) {
            node->frame = HPM_NODE_UNSETTLED;
            hpm_calltree_show_node(tree, node, false);
        }
    }
}

/* Unsettle the paths of the frames that are not above the new node. */
static void
tell_others(struct hpm_calltree *tree, const struct hpm_node *node)
{
    for (struct hpm_frame *frame = tree->frames + 1; frame < tree->top;
         frame++) {
        if (frame->left_out == NULL && !is_above(frame->node, node))
            tell_paths(tree, frame);
    }
}

/* Is one of the frames below the topmost on a node below `node`? */
static bool
is_above_open(const struct hpm_calltree *tree, const struct hpm_node *node)
{
    for (const struct hpm_frame *frame = tree->frames + 1; frame < tree->top;
         frame++) {
        if (frame->left_out == NULL && is_above(node, frame->node))
            return true;
    }
    return false;
}

/* Hide open children of a node that is opened only now. */
static void
hide_children(struct hpm_calltree *tree, const struct hpm_node *node)
{
    for (struct hpm_frame *frame = tree->frames + 1; frame < tree->top;
         frame++) {
        if (frame->left_out == NULL && frame->node->parent == node) {
            frame->recursions |= hpm_frame_is_unshown;
            hpm_calltree_show_node(tree, frame->node, false);
        }
    }
}

static uint64_t *
open_node(struct hpm_calltree *tree, struct hpm_node *node, int instance)
{
    const struct hpm_node *around = tree->innermost;
    bool is_unsettled = node->frame == HPM_NODE_UNSETTLED;
    bool has_reservoir =
        hpm_reservoirs_of(tree->reservoirs, node->number) != NULL;
    uint64_t *row = hpm_calltree_open(tree, node, instance, HPM_COST_START);

    hpm_calltree_show_node(tree, node, !has_reservoir);
    if (has_reservoir)
        tree->top->recursions |= hpm_frame_is_kept;
    if (is_unsettled && is_above_open(tree, node)) {
        tree->top->recursions |= hpm_frame_has_below;
        hide_children(tree, node);
    }
    if (node->parent != around)
        tell_others(tree, node);
    return row;
}

uint64_t *
hpm_calltree_start_site(struct hpm_calltree *tree, int parent_id,
                        const struct hpm_place *place, struct hpm_site *site,
                        const struct hpm_node *within)
{
    struct hpm_node *parent = choose_parent(tree, parent_id, place);
    struct hpm_node *node = NULL;

    if (site != NULL) {
        site->parent = parent;
        node = hpm_sites_find(&tree->sites, site);
        if (node == NULL)
            node = hpm_changing_find(&tree->changing, site, place);
    }
    if (node == NULL)
        node = learn_site(tree, site, parent, place, within);
    if (node == NULL || start_unopened(tree, node, place))
        return NULL;
    if (node->outer == 0)
        node->is_only_exclusive = parent_id == HPM_PARENT_EXCLUSIVE;
    return open_node(tree, node, place->instance);
}

uint64_t *
hpm_calltree_start(struct hpm_calltree *tree, int instance, int parent,
                   const char *label, const char *file, int line,
                   const struct hpm_node *within)
{
    const struct hpm_place place = {.instance = instance,
                                    .label = label != NULL ? label : "",
                                    .file = file != NULL ? file : "",
                                    .line = line};
    struct hpm_site site = {.label = label,
                            .file = file,
                            .where = hpm_site_where(line, 0, 0),
                            .instance = instance};

    return hpm_calltree_start_site(tree, parent, &place, &site, within);
}

/* ---- the table's end ------------------------------------------------ */

/* Keeps only the row `now`. */
void
hpm_calltree_shrink(struct hpm_calltree *tree)
{
    uint64_t *row = hpm_memory_new(tree->n_row, sizeof *row);

    if (row == NULL)
        return;
    memcpy(row, tree->now, tree->n_row * sizeof *row);
    hpm_memory_free(tree->samples);
    tree->samples = tree->now = row;
    hpm_sites_clear(&tree->sites);
    hpm_changing_clear(&tree->changing);
}
