/* SPDX-License-Identifier: BSD-3-Clause
 * The section table of one thread, or of the process. */
#include "record/forest.h"

#include <string.h>

#include "base/floating.h"
#include "base/literal.h"
#include "base/memory.h"

struct hpm_frame hpm_left_out;

/* ---- making and freeing ---------------------------------------------- */

/* A row for each frame's start and one for now.  The ground is a frame to add
 * to like a section's; a stop never closes it. */
static void
lay_rows(struct hpm_forest *forest)
{
    struct hpm_frame *ground = forest->frames;

    for (size_t i = 0; i <= HPM_MAX_DEPTH; i++)
        forest->frames[i].start = forest->samples + i * forest->n_row;
    ground->inner = ground->start;
    ground->recursions = 1;
    forest->now = forest->samples + (HPM_MAX_DEPTH + 1) * forest->n_row;
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
    forest->samples = hpm_memory_new((HPM_MAX_DEPTH + 2) * forest->n_row,
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

/* The node of this section below `parent`: on the path already (recursion),
 * known, or new.  NULL when there is no memory. */
static struct hpm_node *
find_node(struct hpm_forest *forest, struct hpm_node *parent,
          const struct hpm_identity *identity, const struct hpm_node *within)
{
    struct hpm_node *node = parent;

    while (node != NULL && !hpm_node_is(node, identity))
        node = node->parent;
    if (node == NULL)
        node = hpm_nodes_find(&forest->nodes, parent, identity);
    if (node != NULL)
        return node;
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

/* ---- nodes by call site ---------------------------------------------- */

/* The node of a call site not seen before, or whose strings may change in
 * place; such a one is not kept. */
static struct hpm_node *
learn_site(struct hpm_forest *forest, struct hpm_site *site,
           struct hpm_node *parent, const struct hpm_place *place,
           const struct hpm_node *within)
{
    struct hpm_node *node = NULL;
    char *label = hpm_node_copy_label(place->label);

    if (label != NULL) {
        const struct hpm_identity identity = {place->instance, label,
                                              place->file, place->line};

        node = find_node(forest, parent, &identity, within);
        hpm_memory_free(label);
    }
    if (node == NULL) {
        hpm_problems_add(forest->problems, HPM_PROBLEM_NO_MEMORY, place, 1);
    } else if (site != NULL && hpm_literal_is(site->label) &&
               hpm_literal_is(site->file)) {
        site->node = node;
        hpm_sites_learn(&forest->sites, site,
                        node->site.node == NULL ? &node->site : NULL,
                        forest->nodes.n);
    }
    return node;
}

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

static void
check_id(struct hpm_forest *forest, const struct hpm_place *place)
{
    for (struct hpm_frame *frame = forest->top - 1; frame > forest->frames;
         frame--) {
        if (frame->instance == place->instance) {
            note_at(forest, HPM_PROBLEM_OTHER_SECTION, *place, frame->node);
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

/* ---- open sections --------------------------------------------------- */

/* The innermost frame with that id; NULL for none. */
static struct hpm_frame *
find_frame(const struct hpm_forest *forest, int instance)
{
    struct hpm_frame *frame = forest->top;

    while (frame > forest->frames && frame->instance != instance)
        frame--;
    return frame > forest->frames ? frame : NULL;
}

struct hpm_node *
hpm_forest_find_open(const struct hpm_forest *forest, int instance)
{
    const struct hpm_frame *frame = find_frame(forest, instance);

    return frame != NULL ? frame->node : NULL;
}

bool
hpm_forest_add_work(struct hpm_forest *forest, int instance, uint64_t amount,
                    const char *unit)
{
    struct hpm_node *node = hpm_forest_find_open(forest, instance);

    if (node != NULL && !hpm_node_add_work(node, amount, unit))
        hpm_problems_add(
            forest->problems, HPM_PROBLEM_NO_MEMORY,
            &(struct hpm_place){.instance = instance, .label = unit}, 1);
    return node != NULL;
}

/* ---- start ----------------------------------------------------------- */

static struct hpm_node *
choose_parent(struct hpm_forest *forest, int parent,
              const struct hpm_place *place)
{
    struct hpm_node *node;

    if (parent == HPM_PARENT_AUTO || parent == HPM_PARENT_EXCLUSIVE)
        return hpm_forest_innermost(forest);
    if (parent == HPM_PARENT_NONE)
        return NULL;
    node = hpm_forest_find_open(forest, parent);
    if (node != NULL)
        return node;
    note_at(forest, HPM_PROBLEM_PARENT_NOT_OPEN, *place, NULL);
    return hpm_forest_innermost(forest);
}

static void
start_off(struct hpm_forest *forest, struct hpm_node *node, int instance)
{
    if (!node->is_off) {
        node->n_to_skip--;
        node->n_skipped++;
        if (node->n_to_skip == 0)
            node->frame = NULL;
    }
    if (forest->n_off < HPM_MAX_DEPTH)
        forest->off[forest->n_off++] = instance;
    hpm_forest_charge(forest, HPM_COST_OFF);
}

bool
hpm_forest_start_unread(struct hpm_forest *forest, struct hpm_node *node,
                        int instance)
{
    if (node->frame == &hpm_left_out) {
        start_off(forest, node, instance);
        return true;
    }
    if (node->frame == NULL || node == forest->other || forest->n_skipped > 0)
        return false;
    node->frame->recursions++;
    node->again++;
    hpm_forest_charge(forest, HPM_COST_AGAIN_START);
    return true;
}

/* Is there no frame for it?  Then its stop comes before any other, as if the
 * innermost section were open once more. */
static bool
skip_start(struct hpm_forest *forest, const struct hpm_node *node,
           const struct hpm_place *place)
{
    if (node->frame == NULL && forest->top != forest->limit)
        return false;
    if (forest->n_skipped++ == 0)
        forest->top->recursions++;
    forest->limit = forest->top;
    if (node != forest->other)
        note_at(forest, HPM_PROBLEM_TOO_DEEP, *place, NULL);
    return true;
}

uint64_t *
hpm_forest_start_site(struct hpm_forest *forest, int parent_id,
                      const struct hpm_place *place, struct hpm_site *site,
                      const struct hpm_node *within)
{
    struct hpm_node *parent = choose_parent(forest, parent_id, place);
    struct hpm_node *node = NULL;
    uint64_t *row;
    bool is_new;

    if (site != NULL) {
        site->parent = parent;
        node = hpm_sites_find(&forest->sites, site);
    }
    if (node == NULL)
        node = learn_site(forest, site, parent, place, within);
    if (node == NULL ||
        hpm_forest_start_unread(forest, node, place->instance) ||
        skip_start(forest, node, place))
        return NULL;
    is_new = node->outer == 0;
    row = hpm_forest_open(forest, node, place->instance, HPM_COST_START);
    if (is_new) {
        node->is_only_exclusive = parent_id == HPM_PARENT_EXCLUSIVE;
        check_id(forest, place);
    }
    return row;
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
    struct hpm_site site = {NULL, label, file, hpm_site_where(line, 0, 0),
                            instance, NULL};

    return hpm_forest_start_site(forest, parent, &place, &site, within);
}

/* ---- stop ------------------------------------------------------------ */

/* What it has used is added up: the frames inside it are its neighbours' now,
 * and its rows go to the end, to be used again. */
static void
close_frame(struct hpm_forest *forest, struct hpm_frame *frame)
{
    struct hpm_frame closing = *frame;

    hpm_forest_add_call(forest, frame);
    closing.node->frame = NULL;
    for (; frame < forest->top; frame++) {
        *frame = frame[1];
        frame->node->frame = frame;
        frame->node->has_overlap = true;
    }
    *forest->top-- = closing;
    forest->innermost = forest->top->node;
}

/* A section ends while others, started later, stay open.  Its inclusive value
 * is as always; its exclusive one ended when the next section started, and
 * what follows belongs to that (semantics: overlap).
 *
 *     k    |-------------------|          excl(k) = start(k+1)-start(k)-inner
 *     k+1        |--------------------|
 */
static void
end_overlapped(const struct hpm_forest *forest, const struct hpm_frame *frame)
{
    const uint64_t *next_start = frame[1].start;

    for (size_t i = 0; i < forest->n_row; i++) {
        uint64_t rest = forest->now[i] - next_start[i];

        frame->inner[i] += rest;
        frame[-1].inner[i] -= rest;
    }
    frame->node->has_overlap = true;
}

static void
stop_skipped(struct hpm_forest *forest)
{
    if (--forest->n_skipped > 0)
        return;
    forest->top->recursions--;
    forest->limit = &forest->frames[HPM_MAX_DEPTH];
}

void
hpm_forest_stop(struct hpm_forest *forest, int instance, const char *file,
                int line)
{
    struct hpm_frame *frame = find_frame(forest, instance);

    if (forest->n_skipped > 0) {
        stop_skipped(forest);
        return;
    }
    if (frame == NULL) {
        note_stop(forest, instance, file, line);
        return;
    }
    if (frame->recursions > 0) {
        frame->recursions--;
        return;
    }
    frame->node->line_end = line;
    if (frame != forest->top)
        end_overlapped(forest, frame);
    close_frame(forest, frame);
}

bool
hpm_forest_stop_again(struct hpm_forest *forest, int instance)
{
    struct hpm_frame *frame = forest->top;

    if (frame->instance != instance || frame->recursions == 0 ||
        frame == forest->frames || forest->n_skipped > 0)
        return false;
    frame->recursions--;
    hpm_forest_charge(forest, HPM_COST_AGAIN_STOP);
    return true;
}

bool
hpm_forest_stop_off(struct hpm_forest *forest, int instance)
{
    size_t k = forest->n_off;

    while (k > 0 && forest->off[k - 1] != instance)
        k--;
    if (k == 0)
        return false;
    for (; k < forest->n_off; k++)
        forest->off[k - 1] = forest->off[k];
    forest->n_off--;
    return true;
}

void
hpm_forest_close_all(struct hpm_forest *forest)
{
    while (forest->top > forest->frames) {
        struct hpm_node *node = forest->top->node;

        node->is_open = true;
        forest->top->recursions = 0;
        note_at(forest, HPM_PROBLEM_NEVER_STOPPED, place_of(node), NULL);
        close_frame(forest, forest->top);
    }
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
}

/* From a frame's start to the row `end`, which thread `opener` has taken.  Time
 * is charged to the thread that makes an edge: what passed of that between
 * edges of two threads nobody knows. */
static uint64_t
passed(const struct hpm_forest *forest, const struct hpm_frame *frame,
       const uint64_t *end, int opener, size_t i)
{
    bool is_known = i != forest->n_slots || frame->node->opener == opener;

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
    bool is_top = frame == forest->top;
    const uint64_t *end = is_top ? forest->now : frame[1].start;
    int end_opener = is_top ? opener : frame[1].node->opener;
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
