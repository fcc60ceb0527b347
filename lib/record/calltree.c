/* SPDX-License-Identifier: BSD-3-Clause
 * The section table of one thread, or of the process. */
#include "record/calltree.h"

#include <limits.h>
#include <string.h>

#include "host/floating.h"
#include "host/literal.h"
#include "host/memory.h"
#include "model/experiment.h"

struct hpm_frame hpm_left_out, hpm_unsettled;

/* ---- making and freeing ---------------------------------------------- */

/* A row for each frame's start, for now, and for the begin of the run.  The
 * ground is a frame to add to like a section's; a stop never closes it. */
static void
lay_rows(struct hpm_forest *forest)
{
    struct hpm_frame *ground = forest->frames;

    for (size_t i = 0; i <= HPM_MAX_DEPTH; i++)
        forest->frames[i].start = forest->samples + i * forest->n_row;
    ground->inner = ground->start;
    ground->recursions = 1;
    forest->now = forest->samples + (HPM_MAX_DEPTH + 1) * forest->n_row;
    forest->first = forest->now + forest->n_row;
    forest->top = ground;
    forest->limit = &forest->frames[HPM_MAX_DEPTH];
}

struct hpm_forest *
hpm_forest_new(const struct hpm_shape *shape, const struct hpm_costs *costs,
               const struct hpm_filter *filter, struct hpm_problems *problems)
{
    struct hpm_forest *forest = hpm_memory_new(1, sizeof *forest);

    if (forest == NULL)
        return NULL;
    forest->tid = -1;
    forest->n_slots = shape->n_slots;
    forest->n_counts = shape->n_counts;
    forest->n_charged = shape->n_charged;
    forest->n_row = shape->n_slots + shape->n_charged + HPM_N_EDGES;
    forest->costs = costs;
    forest->filter = filter;
    forest->problems = problems;
    forest->due = UINT64_MAX;
    forest->samples = hpm_memory_new((HPM_MAX_DEPTH + 3) * forest->n_row,
                                     sizeof *forest->samples);
    if (!hpm_sites_init(&forest->sites) || !hpm_nodes_init(&forest->nodes) ||
        forest->samples == NULL) {
        hpm_forest_free(forest);
        return NULL;
    }
    lay_rows(forest);
    return forest;
}

void
hpm_forest_free(struct hpm_forest *forest)
{
    if (forest == NULL)
        return;
    hpm_memory_free(forest->samples);
    hpm_sites_clear(&forest->sites);
    hpm_changing_clear(&forest->changing);
    hpm_nodes_clear(&forest->nodes);
    hpm_memory_free(forest);
}

/* ---- finding nodes ---------------------------------------------------- */

/* The node for sections beyond HPM_MAX_SECTIONS. */
static struct hpm_node *
other_node(struct hpm_forest *forest)
{
    const struct hpm_identity other = {0, "(other)", "", 0};

    hpm_problems_add(forest->problems, HPM_PROBLEM_TOO_MANY_SECTIONS,
                     &(struct hpm_place){.label = "(other)"}, 1);
    if (forest->other == NULL)
        forest->other = hpm_nodes_add(&forest->nodes, NULL, &other,
                                      forest->n_row, forest->n_counts);
    return forest->other;
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
find_measured(const struct hpm_forest *forest,
              const struct hpm_section *section)
{
    struct hpm_frame *frame = forest->top;

    while (frame > forest->frames &&
           (frame->left_out != NULL || frame->node->section != section))
        frame--;
    return frame > forest->frames ? frame : NULL;
}

/* The node of a section that is known, started below `parent`: where it is
 * open, on the path already, or a child.  NULL for none. */
static struct hpm_node *
find_known(const struct hpm_forest *forest, struct hpm_node *parent,
           const struct hpm_section *section)
{
    const struct hpm_frame *frame = find_measured(forest, section);
    struct hpm_node *node = frame != NULL ? frame->node : parent;

    while (node != NULL && node->section != section)
        node = node->parent;
    return node != NULL ? node
                        : hpm_nodes_find(&forest->nodes, parent, section);
}

static struct hpm_node *
add_node(struct hpm_forest *forest, struct hpm_node *parent,
         const struct hpm_identity *identity, const struct hpm_node *within)
{
    struct hpm_node *node;

    if (forest->nodes.n >= HPM_MAX_SECTIONS)
        return other_node(forest);
    node = hpm_nodes_add(&forest->nodes, parent, identity, forest->n_row,
                         forest->n_counts);
    if (node == NULL)
        return NULL;
    node->within = within;
    if (forest->filter != NULL) {
        node->is_off = !hpm_filter_takes(forest->filter, identity->label,
                                         identity->instance);
        node->n_to_skip = forest->filter->n_skipped;
        if (node->is_off || node->n_to_skip > 0)
            node->frame = &hpm_left_out;
    }
    return node;
}

/* The node of this section below `parent`, known or new.  NULL when there is no
 * memory. */
static struct hpm_node *
find_node(struct hpm_forest *forest, struct hpm_node *parent,
          const struct hpm_identity *identity, const struct hpm_node *within)
{
    const struct hpm_section *section =
        hpm_sections_find(&forest->nodes.sections, identity);
    struct hpm_node *node =
        section != NULL ? find_known(forest, parent, section) : NULL;

    return node != NULL ? node : add_node(forest, parent, identity, within);
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
note_at(struct hpm_forest *forest, enum hpm_problem_kind kind,
        struct hpm_place place, const struct hpm_node *other)
{
    struct hpm_place other_place;

    if (other != NULL) {
        other_place = place_of(other);
        place.other = &other_place;
    }
    place.has_tid = forest->tid >= 0;
    place.tid = forest->tid;
    hpm_problems_add(forest->problems, kind, &place, 1);
}

/* A section is started on a call path for the first time: is its id open as
 * another one?  Those left out by name do not matter. */
static void
check_id(struct hpm_forest *forest, const struct hpm_node *node,
         const struct hpm_place *place)
{
    for (const struct hpm_frame *frame = forest->top; frame > forest->frames;
         frame--) {
        const struct hpm_node *other = hpm_frame_node(frame);

        if (frame->instance == place->instance && !other->is_off &&
            other->section != node->section) {
            note_at(forest, HPM_PROBLEM_OTHER_SECTION, *place, other);
            return;
        }
    }
}

/* Of the sections with that id the one that came last; NULL for none. */
static const struct hpm_node *
find_latest(const struct hpm_forest *forest, int instance)
{
    const struct hpm_node *latest = NULL;

    for (const struct hpm_node *node = forest->nodes.first; node != NULL;
         node = node->next) {
        if (node->instance == instance)
            latest = node;
    }
    return latest;
}

static void
note_stop(struct hpm_forest *forest, int instance, const char *file, int line)
{
    const struct hpm_place place = {
        .instance = instance, .file = file, .line = line};

    if (!hpm_problems_repeat(forest->problems, HPM_PROBLEM_STOP_WITHOUT_START,
                             &place))
        note_at(forest, HPM_PROBLEM_STOP_WITHOUT_START, place,
                find_latest(forest, instance));
}

/* ---- nodes by call site ---------------------------------------------- */

/* Strings that may change in place say nothing by their addresses alone; nor
 * does a node that is open elsewhere say where this site leads once it is
 * closed. */
static void
keep_site(struct hpm_forest *forest, struct hpm_site *site,
          struct hpm_node *parent, struct hpm_node *node)
{
    if (site == NULL || (node->parent != parent && !is_above(node, parent) &&
                         node != forest->other))
        return;
    site->node = node;
    if (!hpm_literal_is(site->label) || !hpm_literal_is(site->file)) {
        hpm_changing_learn(&forest->changing, site);
        return;
    }
    hpm_sites_learn(&forest->sites, site,
                    node->site.node == NULL ? &node->site : NULL,
                    forest->nodes.n);
}

/* The node of a call site not seen before, or whose strings may change. */
static struct hpm_node *
learn_site(struct hpm_forest *forest, struct hpm_site *site,
           struct hpm_node *parent, const struct hpm_place *place,
           const struct hpm_node *within)
{
    struct hpm_node *node = NULL;
    size_t n_nodes = forest->nodes.n;
    char *label = hpm_section_copy_label(place->label);

    if (label != NULL) {
        const struct hpm_identity identity = {place->instance, label,
                                              place->file, place->line};

        node = find_node(forest, parent, &identity, within);
        hpm_memory_free(label);
    }
    if (node == NULL) {
        hpm_problems_add(forest->problems, HPM_PROBLEM_NO_MEMORY, place, 1);
        return NULL;
    }
    if (forest->nodes.n > n_nodes && node != forest->other && !node->is_off)
        check_id(forest, node, place);
    keep_site(forest, site, parent, node);
    return node;
}

/* ---- open sections --------------------------------------------------- */

/* The next frame above that measures, NULL for none. */
static struct hpm_frame *
next_measured(const struct hpm_forest *forest, const struct hpm_frame *frame)
{
    for (struct hpm_frame *next = (struct hpm_frame *)frame + 1;
         next <= forest->top; next++) {
        if (next->left_out == NULL)
            return next;
    }
    return NULL;
}

bool
hpm_forest_add_work(struct hpm_forest *forest, int instance, uint64_t amount,
                    const char *unit)
{
    const struct hpm_frame *frame = hpm_forest_find_open(forest, instance);

    if (frame != NULL && frame->left_out == NULL &&
        !hpm_node_add_work(frame->node, amount, unit))
        hpm_problems_add(
            forest->problems, HPM_PROBLEM_NO_MEMORY,
            &(struct hpm_place){.instance = instance, .label = unit}, 1);
    return frame != NULL;
}

/* ---- start ----------------------------------------------------------- */

static struct hpm_node *
choose_parent(struct hpm_forest *forest, int parent,
              const struct hpm_place *place)
{
    const struct hpm_frame *frame;

    if (parent == HPM_PARENT_AUTO || parent == HPM_PARENT_EXCLUSIVE)
        return hpm_forest_innermost(forest);
    if (parent == HPM_PARENT_NONE)
        return NULL;
    frame = hpm_forest_find_open(forest, parent);
    if (frame != NULL)
        return frame->node;
    note_at(forest, HPM_PROBLEM_PARENT_NOT_OPEN, *place, NULL);
    return hpm_forest_innermost(forest);
}

/* "(other)" is many sections. */
static struct hpm_frame *
find_other(const struct hpm_forest *forest, int instance)
{
    struct hpm_frame *frame = forest->top;

    while (frame > forest->frames &&
           (frame->left_out != forest->other || frame->instance != instance))
        frame--;
    return frame > forest->frames ? frame : NULL;
}

/* There is no frame for it, or it is inside "(other)" and one of those. */
static void
start_without(struct hpm_forest *forest, struct hpm_node *node,
              const struct hpm_place *place)
{
    if (node != forest->other)
        note_at(forest, HPM_PROBLEM_TOO_DEEP, *place, NULL);
    hpm_forest_push_off(forest, node, place->instance,
                        node == forest->other
                            ? find_other(forest, place->instance)
                            : node->section->off);
    hpm_forest_charge(forest, HPM_COST_AGAIN_START);
}

/* It may have been unsettled. */
static bool
is_left_out(struct hpm_node *node)
{
    if (!node->is_off && node->n_to_skip == 0)
        return false;
    node->frame = &hpm_left_out;
    return true;
}

/* A start on the long way, where nothing is to be read.  False when the section
 * is to be opened. */
static bool
start_unopened(struct hpm_forest *forest, struct hpm_node *node,
               const struct hpm_place *place)
{
    struct hpm_frame *frame = find_measured(forest, node->section);

    if (frame != NULL && frame->instance == place->instance)
        hpm_forest_start_again(forest, frame);
    else if (is_left_out(node))
        hpm_forest_start_off(forest, node, place->instance);
    else if (frame != NULL || forest->top == forest->limit)
        start_without(forest, node, place);
    else
        return false;
    return true;
}

/* Its stop takes the long way: */
static const uint64_t is_told = (uint64_t)1 << 62;   /* its other paths know */
static const uint64_t has_below = (uint64_t)1 << 63; /* opened above others */

static uint64_t
recursions_of(const struct hpm_frame *frame)
{
    return frame->recursions & ~(is_told | has_below);
}

/* It is open, and what is opened next is not below it: so its section may be
 * started on another of its paths. */
static void
tell_paths(struct hpm_frame *frame)
{
    struct hpm_node *node = frame->node->section->paths;

    if ((frame->recursions & is_told) != 0 || node->next_path == NULL)
        return;
    frame->recursions |= is_told;
    for (; node != NULL; node = node->next_path) {
        if (!hpm_node_is_in_frame(node))
            node->frame = &hpm_unsettled;
    }
}

/* The frames below a new one that is no child of the one next to it. */
static void
tell_others(struct hpm_forest *forest, const struct hpm_node *node)
{
    for (struct hpm_frame *frame = forest->frames + 1; frame < forest->top;
         frame++) {
        if (frame->left_out == NULL && !is_above(frame->node, node))
            tell_paths(frame);
    }
}

/* Has one of the frames below the topmost a node below that? */
static bool
is_above_open(const struct hpm_forest *forest, const struct hpm_node *node)
{
    for (const struct hpm_frame *frame = forest->frames + 1;
         frame < forest->top; frame++) {
        if (frame->left_out == NULL && is_above(node, frame->node))
            return true;
    }
    return false;
}

static uint64_t *
open_node(struct hpm_forest *forest, struct hpm_node *node, int instance)
{
    const struct hpm_node *around = forest->innermost;
    bool is_unsettled = node->frame == &hpm_unsettled;
    uint64_t *row = hpm_forest_open(forest, node, instance, HPM_COST_START);

    if (is_unsettled && is_above_open(forest, node))
        forest->top->recursions |= has_below;
    if (node->parent != around)
        tell_others(forest, node);
    return row;
}

uint64_t *
hpm_forest_start_site(struct hpm_forest *forest, int parent_id,
                      const struct hpm_place *place, struct hpm_site *site,
                      const struct hpm_node *within)
{
    struct hpm_node *parent = choose_parent(forest, parent_id, place);
    struct hpm_node *node = NULL;

    if (site != NULL) {
        site->parent = parent;
        node = hpm_sites_find(&forest->sites, site);
        if (node == NULL)
            node = hpm_changing_find(&forest->changing, site, place);
    }
    if (node == NULL)
        node = learn_site(forest, site, parent, place, within);
    if (node == NULL || start_unopened(forest, node, place))
        return NULL;
    if (node->outer == 0)
        node->is_only_exclusive = parent_id == HPM_PARENT_EXCLUSIVE;
    return open_node(forest, node, place->instance);
}

uint64_t *
hpm_forest_start(struct hpm_forest *forest, int instance, int parent,
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

    return hpm_forest_start_site(forest, parent, &place, &site, within);
}

/* ---- stop ------------------------------------------------------------ */

/* A frame leaves the stack: those above it move down, and its rows go to the
 * end, to be used again. */
static void
take_out(struct hpm_forest *forest, struct hpm_frame *frame)
{
    struct hpm_frame gone = *frame;

    for (; frame < forest->top; frame++) {
        *frame = frame[1];
        if (frame->left_out == NULL) {
            frame->node->frame = frame;
        } else {
            frame->node = frame[-1].node;
            frame->inner = frame[-1].inner;
            frame->left_out->section->off = frame;
        }
    }
    gone.left_out = NULL;
    gone.recursions = 0;
    *forest->top-- = gone;
    forest->innermost = forest->top->node;
}

static void
mark_overlap(const struct hpm_forest *forest, const struct hpm_frame *frame)
{
    for (; frame != NULL; frame = next_measured(forest, frame))
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
end_overlapped(const struct hpm_forest *forest, const struct hpm_frame *frame,
               const struct hpm_frame *next)
{
    for (size_t i = 0; i < forest->n_row; i++) {
        uint64_t rest = forest->now[i] - next->start[i];

        frame->inner[i] += rest;
        frame[-1].inner[i] -= rest;
    }
    mark_overlap(forest, frame);
}

/* What a measured section has used is added up: the frames inside it are its
 * neighbours' now. */
static void
close_frame(struct hpm_forest *forest, struct hpm_frame *frame)
{
    const struct hpm_frame *next = next_measured(forest, frame);
    bool has_open_below = next != NULL || (frame->recursions & has_below) != 0;

    if (next != NULL)
        end_overlapped(forest, frame, next);
    hpm_forest_add_call(forest, frame);
    frame->node->frame = has_open_below ? &hpm_unsettled : NULL;
    take_out(forest, frame);
}

static void
close_off(struct hpm_forest *forest, struct hpm_frame *frame)
{
    if (frame == forest->top) {
        hpm_forest_pop_off(forest);
        return;
    }
    frame->left_out->section->off = NULL;
    forest->n_off--;
    take_out(forest, frame);
}

void
hpm_forest_stop(struct hpm_forest *forest, int instance, const char *file,
                int line)
{
    struct hpm_frame *frame = hpm_forest_find_open(forest, instance);

    if (frame == NULL && forest->n_beyond > 0) {
        forest->n_beyond--;
    } else if (frame == NULL) {
        note_stop(forest, instance, file, line);
    } else if (recursions_of(frame) > 0) {
        frame->recursions--;
    } else if (frame->left_out != NULL) {
        close_off(forest, frame);
    } else {
        frame->node->line_end = line;
        close_frame(forest, frame);
    }
}

bool
hpm_forest_stop_again(struct hpm_forest *forest, int instance)
{
    struct hpm_frame *frame = forest->top;

    if (frame->instance != instance || recursions_of(frame) == 0 ||
        frame->left_out != NULL || frame == forest->frames)
        return false;
    frame->recursions--;
    hpm_forest_charge(forest, HPM_COST_AGAIN_STOP);
    return true;
}

void
hpm_forest_stop_off(struct hpm_forest *forest, struct hpm_frame *frame)
{
    if (frame->recursions > 0)
        frame->recursions--;
    else
        close_off(forest, frame);
}

/* Nothing was measured of those that are left out. */
void
hpm_forest_close_all(struct hpm_forest *forest)
{
    while (forest->top > forest->frames) {
        struct hpm_frame *frame = forest->top;

        if (frame->left_out != NULL) {
            close_off(forest, frame);
            continue;
        }
        frame->node->is_open = true;
        note_at(forest, HPM_PROBLEM_NEVER_STOPPED, place_of(frame->node), NULL);
        close_frame(forest, frame);
    }
    forest->n_beyond = 0;
}

/* ---- the run --------------------------------------------------------- */

void
hpm_forest_begin_run(struct hpm_forest *forest)
{
    memcpy(forest->first, forest->now, forest->n_row * sizeof *forest->first);
    forest->is_running = true;
}

/* What is closed has been added to the ground; of what is open, the outermost
 * has all the others inside. */
bool
hpm_forest_read_run(const struct hpm_forest *forest, uint64_t *ret_all,
                    uint64_t *ret_covered)
{
    const struct hpm_frame *outermost = next_measured(forest, forest->frames);

    if (!forest->is_running)
        return false;
    for (size_t i = 0; i < forest->n_row; i++) {
        ret_all[i] = forest->now[i] - forest->first[i];
        ret_covered[i] = forest->frames->inner[i];
        if (outermost != NULL)
            ret_covered[i] += forest->now[i] - outermost->start[i];
    }
    return true;
}

/* Its number is one no file has, so that no section can be taken for it. */
bool
hpm_forest_end_run(struct hpm_forest *forest)
{
    static const struct hpm_identity outside = {INT_MIN, HPM_OUTSIDE_LABEL, "",
                                                0};
    struct hpm_node *node;

    if (!forest->is_running)
        return true;
    node = hpm_nodes_add(&forest->nodes, NULL, &outside, forest->n_row,
                         forest->n_counts);
    if (node == NULL)
        return false;
    node->is_outside = true;
    node->outer = 1;
    hpm_forest_read_run(forest, node->inclusive, node->inner);
    forest->is_running = false;
    return true;
}

/* Only the live row is kept. */
void
hpm_forest_shrink(struct hpm_forest *forest)
{
    uint64_t *row = hpm_memory_new(forest->n_row, sizeof *row);

    if (row == NULL)
        return;
    memcpy(row, forest->now, forest->n_row * sizeof *row);
    hpm_memory_free(forest->samples);
    forest->samples = forest->now = row;
    hpm_sites_clear(&forest->sites);
    hpm_changing_clear(&forest->changing);
}

/* From a frame's start to the row `end`, which thread `opener` has taken.  Time
 * is charged to the thread that makes an edge: what passed of that between
 * edges of two threads nobody knows. */
static uint64_t
passed(const struct hpm_forest *forest, const struct hpm_frame *frame,
       const uint64_t *end, int opener, size_t i)
{
    bool is_known = i != forest->n_slots || frame->opener == opener;

    return is_known ? end[i] - frame->start[i] : 0;
}

/* As close_frame does, or would after the sections inside: what follows the
 * start of the next one is inside that. */
void
hpm_forest_add_open_call(const struct hpm_forest *forest,
                         const struct hpm_node *node, int opener,
                         uint64_t *sums)
{
    const struct hpm_frame *frame = node->frame;
    const struct hpm_frame *next = next_measured(forest, frame);
    const uint64_t *end = next != NULL ? next->start : forest->now;
    int end_opener = next != NULL ? next->opener : opener;
    hpm_square *squares = (hpm_square *)(sums + 2 * forest->n_row);

    for (size_t i = 0; i < forest->n_row; i++) {
        uint64_t used = passed(forest, frame, forest->now, opener, i);

        sums[i] += used;
        sums[forest->n_row + i] +=
            used - passed(forest, frame, end, end_opener, i);
    }
    for (size_t i = 0; i < forest->n_counts; i++) {
        uint64_t used = passed(forest, frame, forest->now, opener, i);

        if (i < forest->n_charged)
            used -=
                passed(forest, frame, forest->now, opener, forest->n_slots + i);
        squares[i] += (hpm_square)((__int128)(int64_t)used * (int64_t)used);
    }
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

/* Each node of the other table finds or gets its place here, under the place
 * of its parent, which came before it. */
bool
hpm_forest_merge(struct hpm_forest *forest, struct hpm_forest *other)
{
    for (struct hpm_node *node = other->nodes.first; node != NULL;
         node = node->next) {
        const struct hpm_identity identity = {node->instance, node->label,
                                              node->file, node->line_start};
        struct hpm_node *parent =
            node->parent != NULL ? node->parent->merged : NULL;

        node->merged = find_node(forest, parent, &identity, node->within);
        if (node->merged == NULL ||
            !merge_node(node->merged, node, forest->n_row, forest->n_counts))
            return false;
    }
    return true;
}
