/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: a start as the program makes it again and again, the same place
 * in the code with the same strings at the same addresses.
 *
 * Finding one takes the same number of instructions every time, whatever is
 * in the table: that number is part of what a section costs, and is measured
 * once and taken off ever after.
 *
 *     bucket: [tag tag ... tag][site site ... site]     a line of the cache
 *                |               |
 *                |               the address of a site
 *                half of the key's hash, 0 for a free place
 *
 * A node has room for one site, so that finding it brings what a start touches
 * next into the cache.
 */
#ifndef HPM_RECORD_SITE_H
#define HPM_RECORD_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hpm_node;

/* All of it but `node` is the key; strings by address. */
struct hpm_site {
    const struct hpm_node *parent;
    const char *label;
    const char *file;
    uint64_t where; /* hpm_site_where */
    int instance;
    struct hpm_node *node;
};

/* Strings that end in NUL have length 0 here; others must be shorter than
 * HPM_SITE_MAX_LENGTH, for one address can begin many of them. */
enum { HPM_SITE_MAX_LENGTH = 1 << 16 };

static inline uint64_t
hpm_site_where(int line, size_t label_length, size_t file_length)
{
    return (uint64_t)(uint32_t)line | (uint64_t)label_length << 32 |
           (uint64_t)file_length << 48;
}

enum { HPM_SITE_WAYS = 5 };

struct hpm_bucket {
    uint32_t tags[HPM_SITE_WAYS];
    struct hpm_site *sites[HPM_SITE_WAYS]; /* the first is never NULL */
};

struct hpm_sites {
    struct hpm_bucket *buckets;
    unsigned shift; /* the topmost bits of the hash are the bucket's number */
    struct hpm_site **sites; /* all */
    size_t n_sites;
    size_t capacity;
};

/* An empty table; false when there is no memory. */
bool hpm_sites_init(struct hpm_sites *sites);
void hpm_sites_clear(struct hpm_sites *sites);

static inline uint64_t
hpm_site_hash(const struct hpm_site *key)
{
    uint64_t h = (uintptr_t)key->parent ^ (uintptr_t)key->label << 7 ^
                 (uintptr_t)key->file << 21 ^
                 (uint64_t)(uint32_t)key->instance << 3 ^
                 (key->where << 32 | key->where >> 32);

    return (h ^ h >> 32) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
}

static inline uint32_t
hpm_site_tag(uint64_t hash)
{
    return (uint32_t)(hash >> 8) | 1;
}

/* The place in the bucket that has this tag; 0 where none has. */
static inline uint32_t
hpm_site_way(const struct hpm_bucket *bucket, uint32_t tag)
{
    uint32_t way = 0;

#pragma GCC unroll 5
    for (uint32_t i = 1; i < HPM_SITE_WAYS; i++)
        way |= i & -(uint32_t)(bucket->tags[i] == tag);
    return way;
}

/* The node of the site with this key, NULL when it is not known.  All ways of
 * the bucket are compared, without a branch. */
static inline struct hpm_node *
hpm_sites_find(const struct hpm_sites *sites, const struct hpm_site *key)
{
    uint64_t hash = hpm_site_hash(key);
    uint32_t tag = hpm_site_tag(hash), way;
    const struct hpm_bucket *bucket = &sites->buckets[hash >> sites->shift];
    const struct hpm_site *site;
    uintptr_t differences;

    way = hpm_site_way(bucket, tag);
    site = bucket->sites[way];
    differences = bucket->tags[way] ^ tag;
    differences |= (uintptr_t)site->parent ^ (uintptr_t)key->parent;
    differences |= (uintptr_t)site->label ^ (uintptr_t)key->label;
    differences |= (uintptr_t)site->file ^ (uintptr_t)key->file;
    differences |= (uintptr_t)(site->where ^ key->where);
    differences |= (uintptr_t)(site->instance ^ key->instance);
    return differences == 0 ? site->node : NULL;
}

/* Keep the site, in `room` (its node's) unless that is NULL.  When there are
 * very many more sites than nodes (`n_nodes`), all are forgotten and learnt
 * anew; when memory runs out this one is not kept. */
void hpm_sites_learn(struct hpm_sites *sites, const struct hpm_site *site,
                     struct hpm_site *room, size_t n_nodes);

#endif
