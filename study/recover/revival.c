/* SPDX-License-Identifier: BSD-3-Clause
 * Section tables that are built up again. */
#include "study/recover/revival.h"

#include <string.h>

#include "host/memory.h"
#include "record/keptcalls.h"
#include "record/noted.h"
#include "record/snapshot.h"
#include "source/generic.h"
#include "source/source.h"
#include "source/usage.h"

/* Words of the largest row that a table may have. */
enum { MOST_ROW = HPM_MAX_SLOTS + HPM_MAX_CHARGED + HPM_N_EDGES };

/* The numbers of bits of record/noted.h. */
enum { N_NOTED = HPM_NOTED_VIA * HPM_N_VIAS };

const struct hpm_source hpm_revival_charged = {.name = "journal"};

void
hpm_revival_take_instant(struct hpm_revival *revival, struct hpm_words *words)
{
    struct hpm_instant instant;

    hpm_words_fields(words, hpm_snapshot_instant, &instant);
    if (!words->is_wrong && instant.ns > revival->latest.ns)
        revival->latest = instant;
}

char *
hpm_revival_read_text(struct hpm_words *words)
{
    char *text = hpm_words_text(words);

    words->is_wrong |= text == NULL;
    return text;
}

/* The event of a counter, as far as its values depend on that. */
static struct hpm_event
event_of(const struct hpm_counter *counter, bool is_charged)
{
    const char *source = counter->source != NULL ? counter->source : "";
    struct hpm_event event = {.source =
                                  is_charged ? &hpm_revival_charged : NULL};
    struct hpm_generic generic;
    enum hpm_domain domain;
    struct hpm_error ignored;
    char name[256];

    hpm_domain_split(counter->name, name, sizeof name, &domain);
    if (strcmp(source, hpm_source_kernel.name) == 0 &&
        hpm_generic_find(name, &generic)) {
        event.source = &hpm_source_kernel;
        event.encoding = generic.encoding;
    } else if (strcmp(source, hpm_source_usage.name) == 0 &&
               hpm_source_usage.find(name, HPM_DOMAIN_ALL, &event, &ignored) ==
                   HPM_FINDING_FOUND) {
        hpm_memory_free(event.description);
        hpm_memory_free(event.unit);
        event.description = event.unit = NULL;
    }
    event.is_coarse = !is_charged;
    return event;
}

static bool
make_meter(struct hpm_revived_table *table, const struct hpm_shape *shape,
           size_t n_events, const struct hpm_revival *revival)
{
    struct hpm_meter *meter = hpm_memory_new(1, sizeof *meter);

    table->meter = meter;
    if (meter == NULL)
        return false;
    meter->set = &table->set;
    meter->n_events = n_events;
    meter->n_slots = shape->n_slots;
    meter->events = hpm_memory_new(n_events + 1, sizeof *meter->events);
    table->set.events = hpm_memory_new(n_events + 1, sizeof(struct hpm_event));
    if (meter->events == NULL || table->set.events == NULL)
        return false;
    table->set.n_events = n_events;
    for (size_t i = 0; i < n_events; i++) {
        table->set.events[i] =
            event_of(&revival->experiment->counters[i],
                     revival->is_charged[i] && 1 + i < shape->n_overheads);
    }
    return true;
}

static void
read_events(struct hpm_revived_table *table, struct hpm_words *words)
{
    for (size_t i = 0; i < table->meter->n_events && !words->is_wrong; i++) {
        struct hpm_metered *metered = &table->meter->events[i];

        hpm_words_fields(words, hpm_snapshot_event, metered);
        words->is_wrong |= metered->clock_slot != 0 &&
                           metered->clock_slot >= table->meter->n_slots - 1;
    }
}

/* number + 1 of a node of that table, 0 for none. */
static struct hpm_node *
find_node(const struct hpm_revived_table *table, uint64_t reference,
          struct hpm_words *words)
{
    if (reference == 0)
        return NULL;
    if (table != NULL && reference <= table->n_nodes)
        return table->nodes[reference - 1];
    words->is_wrong = true;
    return NULL;
}

static void
read_works(struct hpm_words *words, struct hpm_node *node)
{
    size_t n = hpm_words_count(words, 2);

    for (size_t i = 0; i < n && !words->is_wrong; i++) {
        char *unit = hpm_revival_read_text(words);
        uint64_t amount = hpm_words_word(words);

        if (!words->is_wrong && !hpm_node_add_work(node, amount, unit))
            words->is_wrong = true;
        hpm_memory_free(unit);
    }
}

static struct hpm_node *
add_node(struct hpm_revived_table *table,
         const struct hpm_snapshot_section *section, struct hpm_words *words)
{
    const struct hpm_identity identity = {section->instance, section->label,
                                          section->file, section->line_start};
    struct hpm_calltree *tree = table->tree;
    struct hpm_node *parent = find_node(table, section->parent, words);
    struct hpm_node *node;

    words->is_wrong |= section->flags / HPM_SNAPSHOT_NOTED >= N_NOTED;
    if (words->is_wrong)
        return NULL;
    node = hpm_nodes_add(&tree->nodes, parent, &identity, tree->n_row,
                         tree->n_counts);
    if (node == NULL) {
        words->is_wrong = true;
        return NULL;
    }
    node->line_end = section->line_end;
    node->is_open = (section->flags & HPM_SNAPSHOT_OPEN) != 0;
    node->has_overlap = (section->flags & HPM_SNAPSHOT_OVERLAP) != 0;
    node->is_only_exclusive =
        (section->flags & HPM_SNAPSHOT_ONLY_EXCLUSIVE) != 0;
    node->is_excluded = (section->flags & HPM_SNAPSHOT_EXCLUDED) != 0;
    node->is_outside = (section->flags & HPM_SNAPSHOT_OUTSIDE) != 0;
    node->noted = section->flags / HPM_SNAPSHOT_NOTED % N_NOTED;
    table->omits_counts_outside |=
        (section->flags & HPM_SNAPSHOT_ONLY_TIME) != 0;
    node->outer = section->outer;
    node->again = section->calls - section->outer;
    node->n_skipped = section->n_skipped;
    return node;
}

/* A section around that was never entered has no record to point to. */
static void
read_section(struct hpm_revived_table *table,
             const struct hpm_revived_table *process, struct hpm_words *words)
{
    struct hpm_snapshot_section section;
    const struct hpm_calltree *tree = table->tree;
    struct hpm_node *node = NULL;

    hpm_words_fields(words, hpm_snapshot_section, &section);
    if (!words->is_wrong)
        node = add_node(table, &section, words);
    hpm_memory_free(section.label);
    hpm_memory_free(section.file);
    if (node == NULL)
        return;
    if (process != NULL && section.within <= process->n_nodes)
        node->within = find_node(process, section.within, words);
    if (node->within != NULL && node->within->outer == 0)
        node->within = NULL;
    read_works(words, node);
    hpm_words_take(words, node->inclusive, tree->n_row);
    hpm_words_take(words, node->inner, tree->n_row);
    hpm_words_take(words, (uint64_t *)node->squares, 2 * tree->n_counts);
    for (size_t i = 0; i < tree->n_row; i++) /* the journal has the rest */
        node->inner[i] = node->inclusive[i] - node->inner[i];
    table->nodes[table->n_nodes++] = node;
}

/* In the order of the journal each of them has a row, for there are as many.  False
 * when there is no room for it.  The reservoir may be NULL. */
static bool
keep_call(const struct hpm_calltree *tree, struct hpm_reservoir *reservoir,
          struct hpm_words *words)
{
    uint64_t start[MOST_ROW] = {0}, end[MOST_ROW] = {0};
    uint64_t number = hpm_words_word(words);

    start[0] = hpm_words_word(words);
    hpm_words_take(words, end, tree->n_row);
    end[0] += start[0];
    return words->is_wrong ||
           (reservoir != NULL && hpm_reservoir_keep(tree->reservoirs, reservoir,
                                                    number, start, end));
}

/* NULL when there is no memory. */
static struct hpm_reservoir *
add_reservoir(struct hpm_calltree *tree, unsigned number, size_t n)
{
    if (tree->reservoirs == NULL)
        tree->reservoirs = hpm_reservoirs_new(tree->n_row);
    return tree->reservoirs != NULL &&
                   hpm_reservoirs_choose(tree->reservoirs, number, n, 0)
               ? hpm_reservoirs_of(tree->reservoirs, number)
               : NULL;
}

/* All n of a section, or as many as there is room for: these are still a fair
 * draw. */
static void
keep_calls(struct hpm_revival *revival, struct hpm_calltree *tree,
           unsigned number, uint64_t n_made, size_t n, struct hpm_words *words)
{
    struct hpm_reservoir *reservoir = add_reservoir(tree, number, n);
    bool have_room = true;

    for (size_t i = 0; i < n; i++)
        have_room &= keep_call(tree, reservoir, words);
    revival->n_no_room += !have_room;
    if (reservoir != NULL)
        reservoir->n_made = reservoir->n > 0 ? n_made : 0;
}

/* The single calls of a section, of which some calls have ended.  False where the
 * words are wrong. */
static bool
read_calls_of(struct hpm_revival *revival,
              const struct hpm_revived_table *table, unsigned number,
              struct hpm_words *words)
{
    uint64_t n_made = hpm_words_word(words);
    size_t n;

    if (n_made == 0)
        return !words->is_wrong;
    n = hpm_words_count(words, 2 + table->tree->n_row);
    if (words->is_wrong || n > n_made || number >= table->n_nodes ||
        table->nodes[number]->outer == 0)
        return false;
    if (n > 0)
        keep_calls(revival, table->tree, number, n_made, n, words);
    revival->n_left_out += n == 0;
    return !words->is_wrong;
}

static bool
read_calls(struct hpm_revival *revival, const struct hpm_revived_table *table,
           struct hpm_words *words)
{
    size_t n = hpm_words_count(words, 1);

    for (size_t i = 0; i < n; i++) {
        if (!read_calls_of(revival, table, (unsigned)i, words))
            return false;
    }
    return true;
}

static bool
read_shape(struct hpm_words *words, struct hpm_shape *ret_shape)
{
    ret_shape->n_slots = hpm_words_word(words);
    ret_shape->n_counts = hpm_words_word(words);
    ret_shape->n_overheads = hpm_words_word(words);
    return !words->is_wrong && ret_shape->n_slots <= HPM_MAX_SLOTS &&
           ret_shape->n_counts >= 1 &&
           ret_shape->n_counts <= ret_shape->n_slots &&
           ret_shape->n_overheads >= 1 &&
           ret_shape->n_overheads <= ret_shape->n_counts &&
           ret_shape->n_overheads <= HPM_MAX_CHARGED;
}

const struct hpm_calibration *
hpm_revival_calibration(const struct hpm_revival *revival, int kind)
{
    return &revival->calibrations[kind == HPM_SNAPSHOT_PROCESS
                                      ? HPM_CALIBRATION_PROCESS_INIT
                                      : HPM_CALIBRATION_THREAD_INIT];
}

static struct hpm_samples_nodes
nodes_of(const struct hpm_revived_table *table)
{
    if (table == NULL)
        return (struct hpm_samples_nodes){.n = 0};
    return (struct hpm_samples_nodes){table->nodes, table->n_nodes};
}

bool
hpm_revival_read_table(struct hpm_revival *revival,
                       const struct hpm_revived_table *process,
                       struct hpm_revived_table *table, struct hpm_words *words)
{
    struct hpm_shape shape;
    size_t n_events, n_sections;

    table->tid = hpm_words_int(words);
    table->omp = hpm_words_int(words);
    table->n_threads = hpm_words_word(words);
    hpm_revival_take_instant(revival, words);
    if (!read_shape(words, &shape))
        return false;
    n_events = hpm_words_count(words, 3);
    if (n_events > revival->n_counters || n_events >= shape.n_counts + 1 ||
        !make_meter(table, &shape, n_events, revival))
        return false;
    read_events(table, words);
    n_sections = hpm_words_count(words, 13);
    table->tree = hpm_calltree_new(
        &shape, &hpm_revival_calibration(revival, table->kind)->costs, NULL,
        NULL);
    table->nodes = hpm_memory_new(n_sections + 1, sizeof *table->nodes);
    if (table->tree == NULL || table->nodes == NULL)
        return false;
    for (size_t i = 0; i < n_sections && !words->is_wrong; i++)
        read_section(table, process, words);
    hpm_calltree_shrink(table->tree);
    table->samples = hpm_samples_read(&revival->samples, nodes_of(table),
                                      nodes_of(process), words);
    return read_calls(revival, table, words) && hpm_words_end(words);
}

void
hpm_revival_clear_table(struct hpm_revived_table *table)
{
    for (size_t i = 0; table->meter != NULL && table->meter->events != NULL &&
                       i < table->meter->n_events;
         i++)
        hpm_memory_free(table->meter->events[i].reason);
    if (table->meter != NULL)
        hpm_memory_free(table->meter->events);
    hpm_memory_free(table->meter);
    hpm_memory_free(table->set.events);
    hpm_memory_free(table->nodes);
    hpm_sampler_free(table->samples);
    hpm_calltree_free(table->tree);
}
