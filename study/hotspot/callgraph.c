/* SPDX-License-Identifier: BSD-3-Clause
 * The call graph of samples. */
#include "study/hotspot/callgraph.h"

#include <stdlib.h>

#include "host/memory.h"

/* With so many new entries, equal ones are combined. */
enum { SETTLES = 1 << 16 };

static const struct hpm_stacks_frame no_frame = {HPM_NO_NAME, HPM_NO_NAME};

static int
compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int
compare_frames(struct hpm_stacks_frame a, struct hpm_stacks_frame b)
{
    int order = compare(a.name, b.name);

    return order != 0 ? order : compare(a.module, b.module);
}

static int
compare_keys(const void *first, const void *second)
{
    const struct hpm_callgraph_entry *a = first, *b = second;
    int order = compare(a->sampled, b->sampled);

    if (order == 0)
        order = compare_frames(a->function, b->function);
    return order != 0 ? order : compare_frames(a->caller, b->caller);
}

/* Combine equal entries from `first` on.  Of different hits the samples add up;
 * entries of one hit have the same samples, which count once. */
static void
put_together(struct hpm_callgraph *graph, size_t first, bool are_of_one_hit)
{
    size_t n_entries = graph->n_entries - first, n = 0;
    struct hpm_callgraph_entry *entries;

    if (n_entries == 0)
        return;
    entries = graph->entries + first;
    qsort(entries, n_entries, sizeof *entries, compare_keys);
    for (size_t i = 1; i < n_entries; i++) {
        if (compare_keys(&entries[n], &entries[i]) != 0) {
            entries[++n] = entries[i];
            continue;
        }
        entries[n].n += are_of_one_hit ? 0 : entries[i].n;
        entries[n].n_self += entries[i].n_self;
    }
    graph->n_entries = first + n + 1;
}

static void
settle(struct hpm_callgraph *graph)
{
    put_together(graph, 0, false);
    graph->n_settled = graph->n_entries;
}

static bool
add(struct hpm_callgraph *graph, const struct hpm_callgraph_entry *entry)
{
    if (!hpm_memory_grow(&graph->entries, &graph->capacity,
                         graph->n_entries + 1, sizeof *graph->entries))
        return false;
    graph->entries[graph->n_entries++] = *entry;
    return true;
}

/* ---- one sample ------------------------------------------------------ */

static struct hpm_stacks_frame
caller_of(const struct hpm_stacks *stacks, size_t i)
{
    return i + 1 < stacks->n_frames ? stacks->frames[i + 1] : no_frame;
}

static bool
add_frame(struct hpm_callgraph *graph, const struct hpm_study_hit *hit,
          size_t i)
{
    const struct hpm_stacks *stacks = &graph->stacks;
    struct hpm_callgraph_entry entry = {.sampled = hit->sampled,
                                        .function = stacks->frames[i],
                                        .caller = no_frame,
                                        .n_self = i == 0 ? hit->n : 0,
                                        .n = hit->n};

    if (!add(graph, &entry))
        return false;
    entry.caller = caller_of(stacks, i);
    entry.n_self = 0;
    return entry.caller.name == HPM_NO_NAME || add(graph, &entry);
}

static bool
add_hit(struct hpm_callgraph *graph, const struct hpm_study_hit *hit)
{
    size_t first;

    if (graph->n_entries >= 2 * graph->n_settled + SETTLES)
        settle(graph);
    first = graph->n_entries;
    if (!hpm_stacks_find(&graph->stacks, hit))
        return false;
    for (size_t i = 0; i < graph->stacks.n_frames; i++) {
        if (graph->stacks.frames[i].name != graph->stacks.more &&
            !add_frame(graph, hit, i))
            return false;
    }
    put_together(graph, first, true);
    return true;
}

/* ---- all samples ----------------------------------------------------- */

/* The order for readers.  Frames are compared by their names' numbers. */
static int
compare_sizes(const void *first, const void *second)
{
    const struct hpm_callgraph_entry *a = first, *b = second;
    int order = compare(a->sampled, b->sampled);

    if (order == 0)
        order = hpm_callgraph_is_call(a) - hpm_callgraph_is_call(b);
    if (order == 0)
        order = compare(b->n, a->n);
    if (order == 0)
        order = compare(b->n_self, a->n_self);
    return order != 0 ? order : compare_keys(a, b);
}

bool
hpm_callgraph_make(struct hpm_callgraph *graph, const struct hpm_study *study)
{
    if (!hpm_stacks_begin(&graph->stacks, study))
        return false;
    for (size_t i = 0; i < study->n_hits; i++) {
        if (hpm_stacks_counts(&graph->stacks, &study->hits[i]) &&
            !add_hit(graph, &study->hits[i]))
            return false;
    }
    settle(graph);
    if (graph->n_entries > 0)
        qsort(graph->entries, graph->n_entries, sizeof *graph->entries,
              compare_sizes);
    return true;
}

void
hpm_callgraph_clear(struct hpm_callgraph *graph)
{
    hpm_stacks_end(&graph->stacks);
    hpm_memory_free(graph->entries);
}
