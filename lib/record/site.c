/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: a start as the program makes it again and again. */
#include "record/site.h"

#include <string.h>

#include "base/memory.h"

enum { FIRST_BUCKETS = 64, FIRST_SHIFT = 58 };

/* Site 0 stands in free places: it is no site, its node is NULL. */
bool
hpm_sites_init(struct hpm_sites *sites)
{
    sites->buckets = hpm_memory_new(FIRST_BUCKETS, sizeof *sites->buckets);
    sites->shift = FIRST_SHIFT;
    sites->n_sites = 1;
    return hpm_memory_grow(&sites->sites, &sites->capacity, FIRST_BUCKETS,
                           sizeof *sites->sites) &&
           sites->buckets != NULL;
}

void
hpm_sites_clear(struct hpm_sites *sites)
{
    hpm_memory_free(sites->buckets);
    hpm_memory_free(sites->sites);
    *sites = (struct hpm_sites){0};
}

static size_t
n_buckets(unsigned shift)
{
    return (size_t)1 << (64 - shift);
}

static void
forget_all(struct hpm_sites *sites)
{
    memset(sites->buckets, 0,
           n_buckets(sites->shift) * sizeof *sites->buckets);
    sites->n_sites = 1;
}

/* Into its bucket; false when that is full.  Two keys with one tag cannot both
 * be found: the later one stays. */
static bool
place(struct hpm_bucket *buckets, unsigned shift, uint64_t tag, uint32_t index)
{
    struct hpm_bucket *bucket = &buckets[tag >> shift];

    for (size_t way = 0; way < HPM_SITE_WAYS; way++) {
        if (bucket->tags[way] == 0 || bucket->tags[way] == tag) {
            bucket->tags[way] = tag;
            bucket->sites[way] = index;
            return true;
        }
    }
    return false;
}

static bool
place_all(const struct hpm_sites *sites, struct hpm_bucket *buckets,
          unsigned shift)
{
    for (size_t i = 1; i < sites->n_sites; i++) {
        if (!place(buckets, shift, hpm_site_hash(&sites->sites[i]),
                   (uint32_t)i))
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

    for (; n_buckets(shift) <= 16 * (sites->n_sites + FIRST_BUCKETS);
         shift--) {
        struct hpm_bucket *buckets =
            hpm_memory_new(n_buckets(shift), sizeof *sites->buckets);

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
displace(struct hpm_sites *sites, uint64_t tag, uint32_t index)
{
    struct hpm_bucket *bucket = &sites->buckets[tag >> sites->shift];

    bucket->tags[index % HPM_SITE_WAYS] = tag;
    bucket->sites[index % HPM_SITE_WAYS] = index;
}

void
hpm_sites_learn(struct hpm_sites *sites, const struct hpm_site *site,
                size_t n_nodes)
{
    uint64_t tag = hpm_site_hash(site);
    uint32_t index;

    if (sites->n_sites > 8 * (n_nodes + FIRST_BUCKETS))
        forget_all(sites);
    if (!hpm_memory_grow(&sites->sites, &sites->capacity, sites->n_sites + 1,
                         sizeof *sites->sites))
        return;
    index = (uint32_t)sites->n_sites++;
    sites->sites[index] = *site;
    if (!place(sites->buckets, sites->shift, tag, index) && !spread(sites))
        displace(sites, tag, index);
}
