/* SPDX-License-Identifier: BSD-3-Clause
 * A section on one call path, and the list of all nodes of one table. */
#include "record/node.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"

enum { FIRST_BUCKETS = 64 };

_Static_assert(offsetof(struct hpm_node, site) % HPM_SITE_LINE == 32 &&
                   offsetof(struct hpm_node, frame) ==
                       offsetof(struct hpm_node, site) + HPM_SITE_LINE &&
                   offsetof(struct hpm_node, sums) ==
                       offsetof(struct hpm_node, frame) + 16,
               "what edges look at, and what they touch, are lines of the "
               "cache");

/* ---- one node -------------------------------------------------------- */

static void
free_node(struct hpm_node *node)
{
    for (size_t i = 0; i < node->n_works; i++)
        hpm_memory_free(node->works[i].unit);
    hpm_memory_free(node->works);
    hpm_memory_free(node);
}

static struct hpm_node *
new_node(struct hpm_node *parent, struct hpm_section *section, size_t n_row,
         size_t n_counts)
{
    size_t n_sums = 2 * n_row + 2 * n_counts;
    struct hpm_node *node =
        hpm_memory_new(1, sizeof *node + n_sums * sizeof node->sums[0]);

    if (node == NULL)
        return NULL;
    node->parent = parent;
    node->section = section;
    node->label = section->label;
    node->file = section->file;
    node->instance = section->instance;
    node->line_start = node->line_end = section->line;
    node->index = SIZE_MAX;
    node->inclusive = node->sums;
    node->squares = (hpm_square *)(node->sums + n_row);
    node->inner = node->sums + n_row + 2 * n_counts;
    return node;
}

void
hpm_node_exclusive(const struct hpm_node *node, size_t n_row, uint64_t *ret_row)
{
    for (size_t i = 0; i < n_row; i++)
        ret_row[i] = node->inclusive[i] - node->inner[i];
}

/* Distances are from the mean rounded to an integer: so the sum of their
 * squares is exact, computed modulo 2^128, and the rest of the rounding is
 * small.  No long double: that would show in the program's x87 flags. */
double
hpm_node_deviation(const struct hpm_node *node, size_t slot, int64_t sum)
{
    int64_t n = (int64_t)node->outer;
    int64_t mean, rest;
    hpm_square distances;
    double spread;

    if (n < 2)
        return NAN;
    mean = sum / n;
    rest = sum - mean * n;
    distances =
        node->squares[slot] -
        (hpm_square)((__int128)mean * ((__int128)2 * sum - n * (__int128)mean));
    spread = (double)distances - (double)rest * (double)rest / (double)n;
    return spread > 0.0 ? sqrt(spread / (double)(n - 1)) : 0.0;
}

static struct hpm_work *
find_work(struct hpm_node *node, const char *unit)
{
    struct hpm_work *work;

    for (size_t i = 0; i < node->n_works; i++) {
        if (strcmp(node->works[i].unit, unit) == 0)
            return &node->works[i];
    }
    if (!hpm_memory_grow(&node->works, &node->works_capacity, node->n_works + 1,
                         sizeof *node->works))
        return NULL;
    work = &node->works[node->n_works];
    *work = (struct hpm_work){hpm_memory_copy_text(unit), 0};
    if (work->unit == NULL)
        return NULL;
    node->n_works++;
    return work;
}

bool
hpm_node_add_work(struct hpm_node *node, uint64_t amount, const char *unit)
{
    struct hpm_work *work = find_work(node, unit);

    if (work != NULL)
        work->amount = hpm_work_sum(work->amount, amount);
    return work != NULL;
}

/* ---- all nodes of a table ------------------------------------------- */

bool
hpm_nodes_init(struct hpm_nodes *nodes)
{
    nodes->buckets = hpm_memory_new(FIRST_BUCKETS, sizeof *nodes->buckets);
    nodes->n_buckets = FIRST_BUCKETS;
    return hpm_sections_init(&nodes->sections) && nodes->buckets != NULL;
}

void
hpm_nodes_clear(struct hpm_nodes *nodes)
{
    for (struct hpm_node *node = nodes->first; node != NULL;) {
        struct hpm_node *next = node->next;

        free_node(node);
        node = next;
    }
    hpm_memory_free(nodes->buckets);
    hpm_sections_clear(&nodes->sections);
}

/* Nodes of one section differ by their parents: the address of the parent is
 * part of the hash. */
static struct hpm_node **
bucket_of(struct hpm_node **buckets, size_t n_buckets,
          const struct hpm_node *parent, const struct hpm_section *section)
{
    uint64_t hash = section->hash ^ (uintptr_t)parent;

    hash *= 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
    return &buckets[(hash ^ hash >> 32) & (n_buckets - 1)];
}

static void
chain(struct hpm_node **buckets, size_t n_buckets, struct hpm_node *node)
{
    struct hpm_node **bucket =
        bucket_of(buckets, n_buckets, node->parent, node->section);

    node->next_same_hash = *bucket;
    *bucket = node;
}

static bool
grow_buckets(struct hpm_nodes *nodes)
{
    size_t n = nodes->n_buckets * 2;
    struct hpm_node **buckets;

    if (nodes->n < nodes->n_buckets)
        return true;
    buckets = hpm_memory_new(n, sizeof *buckets);
    if (buckets == NULL)
        return false;
    for (struct hpm_node *node = nodes->first; node != NULL; node = node->next)
        chain(buckets, n, node);
    hpm_memory_free(nodes->buckets);
    nodes->buckets = buckets;
    nodes->n_buckets = n;
    return true;
}

struct hpm_node *
hpm_nodes_find(const struct hpm_nodes *nodes, const struct hpm_node *parent,
               const struct hpm_section *section)
{
    struct hpm_node *node =
        *bucket_of(nodes->buckets, nodes->n_buckets, parent, section);

    while (node != NULL && (node->parent != parent || node->section != section))
        node = node->next_same_hash;
    return node;
}

static void
append(struct hpm_nodes *nodes, struct hpm_node *node)
{
    chain(nodes->buckets, nodes->n_buckets, node);
    if (nodes->last != NULL)
        nodes->last->next = node;
    else
        nodes->first = node;
    nodes->last = node;
    node->number = (unsigned)nodes->n++;
    node->salt = hpm_site_salt(node->number + 1);
    node->next_path = node->section->paths;
    node->section->paths = node;
}

struct hpm_node *
hpm_nodes_add(struct hpm_nodes *nodes, struct hpm_node *parent,
              const struct hpm_identity *identity, size_t n_row,
              size_t n_counts)
{
    struct hpm_section *section =
        grow_buckets(nodes) ? hpm_sections_get(&nodes->sections, identity)
                            : NULL;
    struct hpm_node *node =
        section != NULL ? new_node(parent, section, n_row, n_counts) : NULL;

    if (node != NULL)
        append(nodes, node);
    else if (section != NULL && section->paths == NULL)
        hpm_sections_remove(&nodes->sections, section);
    return node;
}
