/* SPDX-License-Identifier: BSD-3-Clause
 * The section table of one thread, or of the process. */
#include "record/forest.h"

#include <string.h>

#include "base/memory.h"
#include "base/string.h"

enum { FIRST_CONTENTS = 64 };

/* ---- making and freeing ---------------------------------------------- */

struct hpm_forest *
hpm_forest_new(size_t n_slots, struct hpm_problems *problems)
{
    struct hpm_forest *forest = hpm_memory_new(1, sizeof *forest);

    if (forest == NULL)
        return NULL;
    forest->n_slots = n_slots;
    forest->problems = problems;
    forest->n_contents = FIRST_CONTENTS;
    forest->samples = hpm_memory_new((2 * HPM_MAX_DEPTH + 1) * n_slots,
                                     sizeof *forest->samples);
    forest->contents = hpm_memory_new(FIRST_CONTENTS,
                                      sizeof(struct hpm_node *));
    if (!hpm_sites_init(&forest->sites) || forest->samples == NULL ||
        forest->contents == NULL) {
        hpm_forest_free(forest);
        return NULL;
    }
    for (size_t i = 0; i < HPM_MAX_DEPTH; i++) {
        forest->frames[i].start = forest->samples + 2 * i * n_slots;
        forest->frames[i].inner = forest->samples + (2 * i + 1) * n_slots;
    }
    forest->now = forest->samples + 2 * HPM_MAX_DEPTH * n_slots;
    return forest;
}

static void
free_node(struct hpm_node *node)
{
    if (node == NULL)
        return;
    for (size_t i = 0; i < node->n_works; i++)
        hpm_memory_free(node->works[i].unit);
    hpm_memory_free(node->works);
    hpm_memory_free(node->label);
    hpm_memory_free(node->file);
    hpm_memory_free(node);
}

void
hpm_forest_free(struct hpm_forest *forest)
{
    if (forest == NULL)
        return;
    for (struct hpm_node *node = forest->first; node != NULL;) {
        struct hpm_node *next = node->next;

        free_node(node);
        node = next;
    }
    hpm_memory_free(forest->samples);
    hpm_sites_clear(&forest->sites);
    hpm_memory_free(forest->contents);
    hpm_memory_free(forest);
}

/* ---- identity -------------------------------------------------------- */

static uint64_t
hash_text(uint64_t hash, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u; /* FNV-1a */
    return hash;
}

static uint64_t
mix(uint64_t hash)
{
    hash ^= hash >> 32;
    hash *= 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
    return hash ^ hash >> 29;
}

static uint64_t
hash_content(const struct hpm_node *parent, int instance, const char *label,
             const char *base_name, int line)
{
    uint64_t hash = hash_text(0xcbf29ce484222325u, label);

    hash = hash_text(hash * 31, base_name);
    return mix(hash ^ (uintptr_t)parent ^ (uint64_t)(uint32_t)instance << 32 ^
               (uint32_t)line);
}

/* At most HPM_MAX_LABEL bytes, cut at a character, made different again by a
 * hash of the whole. */
static char *
copy_label(const char *label)
{
    size_t length = strlen(label);
    struct hpm_string copy = {0};

    if (length <= HPM_MAX_LABEL)
        return hpm_memory_copy_text(label);
    length = HPM_MAX_LABEL - 17;
    while (length > 0 && ((unsigned char)label[length] & 0xc0) == 0x80)
        length--;
    hpm_string_add_bytes(&copy, label, length);
    hpm_string_add_format(&copy, "~%016llx",
                          (unsigned long long)hash_text(0, label));
    if (copy.failed)
        hpm_string_free(&copy);
    return copy.text;
}

static bool
is_section(const struct hpm_node *node, int instance, const char *label,
           const char *base_name, int line)
{
    return node->instance == instance && node->line_start == line &&
           strcmp(node->label, label) == 0 &&
           strcmp(hpm_string_base_name(node->file), base_name) == 0;
}

/* ---- nodes by content ------------------------------------------------ */

static bool
grow_contents(struct hpm_forest *forest)
{
    size_t n = forest->n_contents * 2;
    struct hpm_node **contents;

    if (forest->n_nodes < forest->n_contents)
        return true;
    contents = hpm_memory_new(n, sizeof(struct hpm_node *));
    if (contents == NULL)
        return false;
    for (struct hpm_node *node = forest->first; node; node = node->next) {
        struct hpm_node **bucket = &contents[node->content_hash & (n - 1)];

        node->next_same_hash = *bucket;
        *bucket = node;
    }
    hpm_memory_free(forest->contents);
    forest->contents = contents;
    forest->n_contents = n;
    return true;
}

static struct hpm_node *
new_node(struct hpm_forest *forest, struct hpm_node *parent, int instance,
         const char *label, const char *file, int line, uint64_t hash)
{
    size_t n = forest->n_slots;
    struct hpm_node *node;

    if (!grow_contents(forest))
        return NULL;
    node = hpm_memory_new(1, sizeof *node + 4 * n * sizeof node->sums[0]);
    if (node == NULL)
        return NULL;
    node->label = hpm_memory_copy_text(label);
    node->file = hpm_memory_copy_text(file);
    if (node->label == NULL || node->file == NULL) {
        free_node(node);
        return NULL;
    }
    node->parent = parent;
    node->instance = instance;
    node->line_start = node->line_end = line;
    node->content_hash = hash;
    node->index = SIZE_MAX;
    node->inclusive = node->sums;
    node->exclusive = node->sums + n;
    node->mean = (double *)(node->sums + 2 * n);
    node->squares = (double *)(node->sums + 3 * n);
    node->next_same_hash = forest->contents[hash & (forest->n_contents - 1)];
    forest->contents[hash & (forest->n_contents - 1)] = node;
    if (forest->last != NULL)
        forest->last->next = node;
    else
        forest->first = node;
    forest->last = node;
    forest->n_nodes++;
    return node;
}

static struct hpm_node *
find_content(const struct hpm_forest *forest, const struct hpm_node *parent,
             int instance, const char *label, const char *base_name, int line,
             uint64_t hash)
{
    struct hpm_node *node = forest->contents[hash & (forest->n_contents - 1)];

    for (; node != NULL; node = node->next_same_hash) {
        if (node->content_hash == hash && node->parent == parent &&
            is_section(node, instance, label, base_name, line))
            return node;
    }
    return NULL;
}

/* The node for sections beyond HPM_MAX_SECTIONS. */
static struct hpm_node *
other_node(struct hpm_forest *forest, const struct hpm_place *place)
{
    hpm_problems_add(forest->problems, HPM_PROBLEM_TOO_MANY_SECTIONS,
                     &(struct hpm_place){.label = "(other)"}, 1);
    if (forest->other == NULL) {
        forest->other = new_node(forest, NULL, 0, "(other)", "", 0,
                                 hash_content(NULL, 0, "(other)", "", 0));
        if (forest->other == NULL)
            hpm_problems_add(forest->problems, HPM_PROBLEM_NO_MEMORY, place,
                             1);
    }
    return forest->other;
}

/* The node of this section below `parent`: on the path already (recursion),
 * known, or new.  NULL when there is no memory. */
static struct hpm_node *
find_node(struct hpm_forest *forest, struct hpm_node *parent,
          const struct hpm_place *place, const struct hpm_node *within)
{
    const char *base_name = hpm_string_base_name(place->file);
    uint64_t hash = hash_content(parent, place->instance, place->label,
                                 base_name, place->line);
    struct hpm_node *node;

    for (node = parent; node != NULL; node = node->parent) {
        if (is_section(node, place->instance, place->label, base_name,
                       place->line))
            return node;
    }
    node = find_content(forest, parent, place->instance, place->label,
                        base_name, place->line, hash);
    if (node != NULL)
        return node;
    if (forest->n_nodes >= HPM_MAX_SECTIONS)
        return other_node(forest, place);
    node = new_node(forest, parent, place->instance, place->label,
                    place->file, place->line, hash);
    if (node != NULL)
        node->within = within;
    else
        hpm_problems_add(forest->problems, HPM_PROBLEM_NO_MEMORY, place, 1);
    return node;
}

/* ---- nodes by call site ---------------------------------------------- */

/* The node of a call site not seen before, or whose label changed in place. */
static struct hpm_node *
learn_site(struct hpm_forest *forest, struct hpm_node *parent,
           const struct hpm_place *place, const struct hpm_node *within)
{
    struct hpm_site site = {parent,      place->label,    place->file,
                            place->line, place->instance, NULL};
    struct hpm_place kept = *place;
    char *label = copy_label(place->label);

    if (label != NULL) {
        kept.label = label;
        site.node = find_node(forest, parent, &kept, within);
        hpm_memory_free(label);
    } else {
        hpm_problems_add(forest->problems, HPM_PROBLEM_NO_MEMORY, place, 1);
    }
    if (site.node != NULL)
        hpm_sites_learn(&forest->sites, &site, forest->n_nodes);
    return site.node;
}

static void
check_id(struct hpm_forest *forest, const struct hpm_place *place)
{
    for (size_t i = 0; i + 1 < forest->depth; i++) {
        if (forest->frames[i].instance == place->instance) {
            hpm_problems_add(forest->problems, HPM_PROBLEM_OTHER_SECTION,
                             place, 1);
            return;
        }
    }
}

/* ---- open sections --------------------------------------------------- */

static struct hpm_node *
innermost(const struct hpm_forest *forest)
{
    return forest->depth > 0 ? forest->frames[forest->depth - 1].node : NULL;
}

/* How many frames there are up to the innermost one with that id; 0 for
 * none. */
static size_t
find_frame(const struct hpm_forest *forest, int instance)
{
    size_t k = forest->depth;

    while (k > 0 && forest->frames[k - 1].instance != instance)
        k--;
    return k;
}

struct hpm_node *
hpm_forest_find_open(const struct hpm_forest *forest, int instance)
{
    size_t k = find_frame(forest, instance);

    return k > 0 ? forest->frames[k - 1].node : NULL;
}

static struct hpm_work *
find_work(struct hpm_node *node, const char *unit)
{
    struct hpm_work *work;

    for (size_t i = 0; i < node->n_works; i++) {
        if (strcmp(node->works[i].unit, unit) == 0)
            return &node->works[i];
    }
    if (!hpm_memory_grow(&node->works, &node->works_capacity,
                         node->n_works + 1, sizeof *node->works))
        return NULL;
    work = &node->works[node->n_works];
    *work = (struct hpm_work){hpm_memory_copy_text(unit), 0};
    if (work->unit == NULL)
        return NULL;
    node->n_works++;
    return work;
}

bool
hpm_forest_add_work(struct hpm_forest *forest, int instance, uint64_t amount,
                    const char *unit)
{
    struct hpm_node *node = hpm_forest_find_open(forest, instance);
    struct hpm_work *work = node != NULL ? find_work(node, unit) : NULL;

    if (node == NULL)
        return false;
    if (work != NULL)
        work->amount += amount;
    else
        hpm_problems_add(forest->problems, HPM_PROBLEM_NO_MEMORY,
                         &(struct hpm_place){instance, unit, NULL, 0}, 1);
    return true;
}

/* ---- start ----------------------------------------------------------- */

static struct hpm_node *
choose_parent(struct hpm_forest *forest, int parent,
              const struct hpm_place *place)
{
    struct hpm_node *node;

    if (parent == HPM_PARENT_AUTO || parent == HPM_PARENT_EXCLUSIVE)
        return innermost(forest);
    if (parent == HPM_PARENT_NONE)
        return NULL;
    node = hpm_forest_find_open(forest, parent);
    if (node != NULL)
        return node;
    hpm_problems_add(forest->problems, HPM_PROBLEM_PARENT_NOT_OPEN, place, 1);
    return innermost(forest);
}

uint64_t *
hpm_forest_start(struct hpm_forest *forest, int instance, int parent_id,
                 const char *label, const char *file, int line,
                 const struct hpm_node *within)
{
    const struct hpm_place place = {instance, label != NULL ? label : "",
                                    file != NULL ? file : "", line};
    struct hpm_node *parent = choose_parent(forest, parent_id, &place);
    const struct hpm_site site = {parent, place.label, place.file,
                                  line,   instance,    NULL};
    struct hpm_node *node = hpm_sites_find(&forest->sites, &site)->node;
    struct hpm_frame *frame;
    bool is_new;

    if (node == NULL || strcmp(node->label, place.label) != 0)
        node = learn_site(forest, parent, &place, within);
    if (node == NULL)
        return NULL;
    if (node->frame != NULL && node != forest->other &&
        forest->n_skipped == 0) {
        node->frame->recursions++;
        node->calls++;
        return NULL;
    }
    if (node->frame != NULL || forest->depth == HPM_MAX_DEPTH) {
        forest->n_skipped++;
        if (node != forest->other)
            hpm_problems_add(forest->problems, HPM_PROBLEM_TOO_DEEP, &place,
                             1);
        return NULL;
    }
    is_new = node->calls == 0;
    frame = &forest->frames[forest->depth++];
    frame->node = node;
    frame->instance = instance;
    frame->recursions = 0;
    memset(frame->inner, 0, forest->n_slots * sizeof *frame->inner);
    node->frame = frame;
    node->calls++;
    if (is_new) {
        node->is_only_exclusive = parent_id == HPM_PARENT_EXCLUSIVE;
        check_id(forest, &place);
    }
    return frame->start;
}

/* ---- stop ------------------------------------------------------------ */

/* One more outermost call that used `used` in slot i: mean and squared
 * deviations after Welford, who never subtracts large sums. */
static inline void
add_call(struct hpm_node *node, size_t i, double used, double per_call)
{
    double distance = used - node->mean[i];

    node->mean[i] += distance * per_call;
    node->squares[i] += distance * (used - node->mean[i]);
}

/* The innermost section ends: `now` - start is its inclusive value, less what
 * ran inside its exclusive one. */
static void
close_innermost(struct hpm_forest *forest)
{
    struct hpm_frame *frame = &forest->frames[--forest->depth];
    struct hpm_node *node = frame->node;
    uint64_t *outer_inner = forest->depth > 0 ? frame[-1].inner : NULL;
    double per_call = 1.0 / (double)++node->outer;

    for (size_t i = 0; i < forest->n_slots; i++) {
        uint64_t used = forest->now[i] - frame->start[i];

        node->inclusive[i] += used;
        node->exclusive[i] += used - frame->inner[i];
        add_call(node, i, (double)used, per_call);
        if (outer_inner != NULL)
            outer_inner[i] += used;
    }
    node->frame = NULL;
}

/* A section ends while others, started later, stay open.  Its inclusive value
 * is as always; its exclusive one ended when the next section started, and
 * what follows belongs to that (semantics: overlap).
 *
 *     k    |-------------------|          excl(k) = start(k+1)-start(k)-inner
 *     k+1        |--------------------|
 */
static void
close_overlapped(struct hpm_forest *forest, size_t k)
{
    struct hpm_frame closing = forest->frames[k];
    struct hpm_node *node = closing.node;
    const uint64_t *next_start = forest->frames[k + 1].start;
    double per_call = 1.0 / (double)++node->outer;

    for (size_t i = 0; i < forest->n_slots; i++) {
        uint64_t used = forest->now[i] - closing.start[i];
        uint64_t alone = next_start[i] - closing.start[i];

        node->inclusive[i] += used;
        node->exclusive[i] += alone - closing.inner[i];
        add_call(node, i, (double)used, per_call);
        if (k > 0)
            forest->frames[k - 1].inner[i] += alone;
    }
    node->frame = NULL;
    node->has_overlap = true;
    for (size_t i = k; i + 1 < forest->depth; i++) {
        forest->frames[i] = forest->frames[i + 1];
        forest->frames[i].node->frame = &forest->frames[i];
        forest->frames[i].node->has_overlap = true;
    }
    /* the rows of the closed frame go to the end, to be used again */
    forest->frames[--forest->depth] = closing;
}

void
hpm_forest_stop(struct hpm_forest *forest, int instance, const char *file,
                int line)
{
    struct hpm_frame *frame;
    size_t k;

    if (forest->n_skipped > 0) {
        forest->n_skipped--;
        return;
    }
    k = find_frame(forest, instance);
    if (k == 0) {
        hpm_problems_add(forest->problems, HPM_PROBLEM_STOP_WITHOUT_START,
                         &(struct hpm_place){instance, NULL, file, line}, 1);
        return;
    }
    frame = &forest->frames[k - 1];
    if (frame->recursions > 0) {
        frame->recursions--;
        return;
    }
    frame->node->line_end = line;
    if (k == forest->depth)
        close_innermost(forest);
    else
        close_overlapped(forest, k - 1);
}

void
hpm_forest_close_all(struct hpm_forest *forest)
{
    while (forest->depth > 0) {
        struct hpm_node *node = forest->frames[forest->depth - 1].node;

        node->is_open = true;
        hpm_problems_add(forest->problems, HPM_PROBLEM_NEVER_STOPPED,
                         &(struct hpm_place){node->instance, node->label,
                                             node->file, node->line_start},
                         1);
        close_innermost(forest);
    }
}
