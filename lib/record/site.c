/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: a start as the program makes it again and again. */
#include "record/site.h"

#include <string.h>

#include "base/memory.h"
#include "record/node.h"

enum { FIRST_BUCKETS = 32, FIRST_SHIFT = 59 };

/* What is found where there is nothing. */
static struct hpm_site no_site;

static size_t
n_buckets(unsigned shift)
{
    return (size_t)1 << (64 - shift);
}

static void
empty(struct hpm_bucket *buckets, unsigned shift)
{
    memset(buckets, 0, n_buckets(shift) * sizeof *buckets);
    for (size_t i = 0; i < n_buckets(shift); i++)
        buckets[i].sites[0] = &no_site;
}

static struct hpm_bucket *
new_buckets(unsigned shift)
{
    struct hpm_bucket *buckets =
        hpm_memory_new(n_buckets(shift), sizeof *buckets);

    if (buckets != NULL)
        empty(buckets, shift);
    return buckets;
}

bool
hpm_sites_init(struct hpm_sites *sites)
{
    sites->shift = FIRST_SHIFT;
    sites->buckets = new_buckets(FIRST_SHIFT);
    return sites->buckets != NULL;
}

/* Those in nodes belong to these. */
static void
free_sites(struct hpm_sites *sites)
{
    while (sites->n_sites > 0) {
        struct hpm_site *site = sites->sites[--sites->n_sites];

        if (site == &site->node->site)
            *site = no_site;
        else
            hpm_memory_free(site);
    }
}

void
hpm_sites_clear(struct hpm_sites *sites)
{
    free_sites(sites);
    hpm_memory_free(sites->buckets);
    hpm_memory_free(sites->sites);
    *sites = (struct hpm_sites){0};
}

static void
forget_all(struct hpm_sites *sites)
{
    empty(sites->buckets, sites->shift);
    free_sites(sites);
}

/* Into its bucket; false when that is full.  Two keys with one tag cannot both
 * be found: the later one stays. */
static bool
place(struct hpm_bucket *buckets, unsigned shift, struct hpm_site *site)
{
    uint64_t hash = hpm_site_hash(site);
    struct hpm_bucket *bucket = &buckets[hash >> shift];
    uint32_t tag = hpm_site_tag(hash);

    for (size_t way = 0; way < HPM_SITE_WAYS; way++) {
        if (bucket->tags[way] == 0 || bucket->tags[way] == tag) {
            bucket->tags[way] = tag;
            bucket->sites[way] = site;
            return true;
        }
    }
    return false;
}

static bool
place_all(const struct hpm_sites *sites, struct hpm_bucket *buckets,
          unsigned shift)
{
    for (size_t i = 0; i < sites->n_sites; i++) {
        if (!place(buckets, shift, sites->sites[i]))
            return false;
    }
    return true;
}

/* Twice as many buckets, or as many more as it takes that all find a place;
 * false when that would be wasteful, or there is no memory. */
static bool
spread(struct hpm_sites *sites)
{
    unsigned shift = sites->shift - 1;

    for (; n_buckets(shift) <= 16 * (sites->n_sites + FIRST_BUCKETS); shift--) {
        struct hpm_bucket *buckets = new_buckets(shift);

        if (buckets == NULL)
            return false;
        if (place_all(sites, buckets, shift)) {
            hpm_memory_free(sites->buckets);
            sites->buckets = buckets;
            sites->shift = shift;
            return true;
        }
        hpm_memory_free(buckets);
    }
    return false;
}

/* A site that finds no place takes another's: that one is learnt again. */
static void
displace(struct hpm_sites *sites, struct hpm_site *site)
{
    uint64_t hash = hpm_site_hash(site);
    struct hpm_bucket *bucket = &sites->buckets[hash >> sites->shift];
    size_t way = sites->n_sites % HPM_SITE_WAYS;

    bucket->tags[way] = hpm_site_tag(hash);
    bucket->sites[way] = site;
}

void
hpm_sites_learn(struct hpm_sites *sites, const struct hpm_site *site,
                struct hpm_site *room, size_t n_nodes)
{
    if (sites->n_sites > 8 * (n_nodes + FIRST_BUCKETS))
        forget_all(sites);
    if (!hpm_memory_grow(&sites->sites, &sites->capacity, sites->n_sites + 1,
                         sizeof *sites->sites))
        return;
    if (room == NULL)
        room = hpm_memory_new(1, sizeof *room);
    if (room == NULL)
        return;
    *room = *site;
    sites->sites[sites->n_sites++] = room;
    if (!place(sites->buckets, sites->shift, room) && !spread(sites))
        displace(sites, room);
}
