/* SPDX-License-Identifier: BSD-3-Clause
 * The section table of one thread, or of the process. */
#include "record/calltree.h"

#include <string.h>

#include "host/floating.h"
#include "host/literal.h"
#include "host/memory.h"
#include "model/experiment.h"

/* ---- making and freeing ---------------------------------------------- */

/* A row for each frame's start, for now, and for the begin of the run.  The
 * ground is a frame to add to like a section's; a stop never closes it. */
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

/* By the lower halves of addresses frames are told from each other, and from no
 * frame, unless a multiple of 2^32 is among them: then the memory is taken
 * elsewhere. */
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

/* Where the section is started. */
static struct hpm_place
place_of(const struct hpm_node *node)
{
    return (struct hpm_place){.instance = node->instance,
                              .label = node->label,
                              .file = node->file,
                              .line = node->line_start};
}

static void
note_at(const struct hpm_calltree *tree, enum hpm_problem_kind kind,
        struct hpm_place place, const struct hpm_node *other)
{
    struct hpm_place other_place;

    if (other != NULL) {
        other_place = place_of(other);
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
    note_at(tree, HPM_PROBLEM_FEW_CALLS, place_of(node), NULL);
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

/* Is it that node, or above it? */
static bool
is_above(const struct hpm_node *node, const struct hpm_node *below)
{
    while (below != NULL && below != node)
        below = below->parent;
    return below != NULL;
}

/* The frame in which a section is measured now, whatever its call path; NULL
 * for none. */
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

/* The node of a section that is known, started below `parent`: where it is
 * open, on the path already, or a child.  NULL for none. */
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

/* The seed is the same wherever and whenever this call path is. */
static uint64_t
seed_of(const struct hpm_node *node)
{
    uint64_t seed = 0;

    for (; node != NULL; node = node->parent)
        seed = 31 * seed + node->section->hash;
    return seed;
}

/* Are its calls to be kept one by one?  Then it is unsettled, always. */
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

/* The node of this section below `parent`, known or new.  NULL when there is no
 * memory. */
static struct hpm_node *
find_node(struct hpm_calltree *tree, struct hpm_node *parent,
          const struct hpm_identity *identity, const struct hpm_node *within)
{
    const struct hpm_section *section =
        hpm_sections_find(&tree->nodes.sections, identity);
    struct hpm_node *node =
        section != NULL ? find_known(tree, parent, section) : NULL;

    return node != NULL ? node : add_node(tree, parent, identity, within);
}

/* ---- calls that do not fit -------------------------------------------- */

/* A section is started on a call path for the first time: is its id open as
 * another one?  Those left out by name do not matter. */
static void
check_id(struct hpm_calltree *tree, const struct hpm_node *node,
         const struct hpm_place *place)
{
    for (const struct hpm_frame *frame = tree->top; frame > tree->frames;
         frame--) {
        const struct hpm_node *other = hpm_frame_node(frame);

        if (frame->instance == place->instance && !other->is_excluded &&
            other->section != node->section) {
            note_at(tree, HPM_PROBLEM_OTHER_SECTION, *place, other);
            return;
        }
    }
}

/* Of the sections with that id the one that came last; NULL for none. */
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
        note_at(tree, HPM_PROBLEM_STOP_WITHOUT_START, place,
                find_latest(tree, instance));
}

/* ---- nodes by call site ---------------------------------------------- */

static bool
is_lasting(const struct hpm_site *site)
{
    return site->label == hpm_site_numbered ||
           (hpm_literal_is(site->label) && hpm_literal_is(site->file));
}

/* May a quick start of it look no further than at its slot? */
static void
show_node(struct hpm_calltree *tree, struct hpm_node *node, bool is_shown)
{
    hpm_sites_hide(&tree->sites, &node->site,
                   node->parent != NULL ? node->parent->salt : 0, !is_shown);
}

/* Strings that may change in place say nothing by their addresses alone; nor
 * does a node that is open elsewhere say where this site leads once it is
 * closed. */
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

/* The node of a call site not seen before, or whose strings may change. */
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

        node = find_node(tree, parent, &identity, within);
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
    note_at(tree, HPM_PROBLEM_PARENT_NOT_OPEN, *place, NULL);
    return hpm_calltree_innermost(tree);
}

/* "(other)" is many sections. */
static struct hpm_frame *
find_other(const struct hpm_calltree *tree, int instance)
{
    struct hpm_frame *frame = tree->top;

    while (frame > tree->frames &&
           (frame->left_out != tree->other || frame->instance != instance))
        frame--;
    return frame > tree->frames ? frame : NULL;
}

/* There is no frame for it, or it is inside "(other)" and one of those. */
static void
start_without(struct hpm_calltree *tree, struct hpm_node *node,
              const struct hpm_place *place)
{
    if (node != tree->other)
        note_at(tree, HPM_PROBLEM_TOO_DEEP, *place, NULL);
    hpm_calltree_push_excluded(tree, node, place->instance,
                               node == tree->other
                                   ? find_other(tree, place->instance)
                                   : node->section->open_excluded);
    hpm_calltree_add_overhead(tree, HPM_COST_AGAIN_START);
}

/* It may have been unsettled. */
static bool
is_left_out(struct hpm_node *node)
{
    if (!node->is_excluded && node->n_to_skip == 0)
        return false;
    node->frame = HPM_NODE_LEFT_OUT;
    return true;
}

/* A start on the long way, where nothing is to be read.  False when the section
 * is to be opened. */
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

/* Its stop takes the long way: */
static const uint64_t is_kept = (uint64_t)1
                                << 60; /* its calls are, one by one */
static const uint64_t is_unshown = (uint64_t)1 << 61; /* hidden while open */
static const uint64_t is_told = (uint64_t)1 << 62;    /* its other paths know */
static const uint64_t has_below = (uint64_t)1 << 63;  /* opened above others */

static uint64_t
recursions_of(const struct hpm_frame *frame)
{
    return frame->recursions & ~(is_kept | is_unshown | is_told | has_below);
}

/* It is open, and what is opened next is not below it: so its section may be
 * started on another of its paths. */
static void
tell_paths(struct hpm_calltree *tree, struct hpm_frame *frame)
{
    struct hpm_node *node = frame->node->section->paths;

    if ((frame->recursions & is_told) != 0 || node->next_path == NULL)
        return;
    frame->recursions |= is_told;
    for (; node != NULL; node = node->next_path) {
        if (!hpm_node_is_in_frame(node)) {
            node->frame = HPM_NODE_UNSETTLED;
            show_node(tree, node, false);
        }
    }
}

/* The frames below a new one that is no child of the one next to it. */
static void
tell_others(struct hpm_calltree *tree, const struct hpm_node *node)
{
    for (struct hpm_frame *frame = tree->frames + 1; frame < tree->top;
         frame++) {
        if (frame->left_out == NULL && !is_above(frame->node, node))
            tell_paths(tree, frame);
    }
}

/* Has one of the frames below the topmost a node below that? */
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

/* What is open below a node that is opened only now. */
static void
hide_children(struct hpm_calltree *tree, const struct hpm_node *node)
{
    for (struct hpm_frame *frame = tree->frames + 1; frame < tree->top;
         frame++) {
        if (frame->left_out == NULL && frame->node->parent == node) {
            frame->recursions |= is_unshown;
            show_node(tree, frame->node, false);
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

    show_node(tree, node, !has_reservoir);
    if (has_reservoir)
        tree->top->recursions |= is_kept;
    if (is_unsettled && is_above_open(tree, node)) {
        tree->top->recursions |= has_below;
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

/* ---- stop ------------------------------------------------------------ */

/* A frame leaves the stack: those above it move down, and its rows go to the
 * end, to be used again. */
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
 * is as always; its exclusive one ended when the next section started, and
 * what follows belongs to that (semantics: overlap).
 *
 *     k    |-------------------|          excl(k) = start(k+1)-start(k)-inner
 *     k+1        |--------------------|
 */
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

/* What a measured section has used is added up: the frames inside it are its
 * neighbours' now. */
static void
close_frame(struct hpm_calltree *tree, struct hpm_frame *frame)
{
    const struct hpm_frame *next = hpm_calltree_next_measured(tree, frame);
    bool is_unsettled =
        next != NULL ||
        (frame->recursions & (is_kept | has_below | is_unshown)) != 0;

    if (next != NULL)
        end_overlapped(tree, frame, next);
    hpm_calltree_add_call(tree, frame, hpm_calltree_shape(tree));
    frame->node->frame = is_unsettled ? HPM_NODE_UNSETTLED : HPM_NODE_CLOSED;
    show_node(tree, frame->node, !is_unsettled);
    take_out(tree, frame);
}

/* A call that was ended by its own stop.  Inclusive values that nobody wants are
 * not kept. */
static void
keep_call(struct hpm_calltree *tree, const struct hpm_frame *frame)
{
    const struct hpm_node *node = frame->node;

    if ((frame->recursions & is_kept) != 0 && !node->is_only_exclusive &&
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

/* Does this stop end what the program has left open inside its section, by a
 * jump or an exception? */
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
    return is_strict(tree, line) && recursions_of(frame) == 0 &&
           hpm_calltree_next_measured(tree, frame) != NULL;
}

/* Close what is above a frame, innermost first, for no stop does.  Nothing was
 * measured of those that are left out. */
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
        inside->node->is_open = true;
        note_at(tree, problem, place_of(inside->node), NULL);
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
    } else if (recursions_of(frame) > 0) {
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

    if (frame->instance != instance || recursions_of(frame) == 0 ||
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

/* ---- its end ---------------------------------------------------------- */

/* Only the live row is kept. */
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

/* ---- merge ------------------------------------------------------------ */

static bool
merge_node(struct hpm_node *node, const struct hpm_node *other, size_t n_row,
           size_t n_counts)
{
    bool is_good = true;

    /* inclusive values are there whether they are wanted or not */
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

/* Both are chosen: they have the same names. */
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

/* Each node of the other table finds or gets its place here, under the place
 * of its parent, which came before it. */
bool
hpm_calltree_merge(struct hpm_calltree *tree, struct hpm_calltree *other)
{
    for (struct hpm_node *node = other->nodes.first; node != NULL;
         node = node->next) {
        const struct hpm_identity identity = {node->instance, node->label,
                                              node->file, node->line_start};
        struct hpm_node *parent =
            node->parent != NULL ? node->parent->merged : NULL;

        node->merged = find_node(tree, parent, &identity, node->within);
        if (node->merged == NULL ||
            !merge_node(node->merged, node, tree->n_row, tree->n_counts))
            return false;
        merge_calls(tree, other, node);
    }
    return true;
}
