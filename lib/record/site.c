/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: a place in the program that starts a section, again and again. */
#include "record/site.h"

#include <string.h>

#include "host/memory.h"

enum { FIRST_BUCKETS = 32, FIRST_SHIFT = 59, FIRST_SLOTS = 128 };

const char hpm_site_numbered[] = "numbered";

/* An empty place in a bucket points to this site.  Its number is neither a call
 * site's nor 0, the number of a call site before its registration: else a
 * search for 0 would take more instructions than a search that finds another
 * site. */
static struct hpm_site no_site = {.where = UINT64_MAX};

/* The number in a hidden slot; no call site has it either. */
static const uint32_t hidden = UINT32_MAX;
static struct hpm_slot no_slots[] = {{.number = UINT32_MAX}};

static size_t
n_buckets(unsigned shift)
{
    return (size_t)1 << (64 - shift);
}

static void
empty(struct hpm_bucket *buckets, unsigned shift)
{
    for (size_t i = 0; i < n_buckets(shift); i++) {
        memset(buckets[i].tags, 0, sizeof buckets[i].tags);
        for (size_t way = 0; way < HPM_SITE_WAYS; way++)
            buckets[i].sites[way] = &no_site;
    }
}

/* Make empty buckets, each in one line of the cache; false when there is no
 * memory. */
static bool
make_buckets(struct hpm_sites *sites, unsigned shift)
{
    size_t line = sizeof *sites->buckets;

    sites->memory = hpm_memory_new(n_buckets(shift) + 1, line);
    if (sites->memory == NULL)
        return false;
    sites->buckets =
        (struct hpm_bucket *)(((uintptr_t)sites->memory + line - 1) / line *
                              line);
    sites->shift = shift;
    empty(sites->buckets, shift);
    return true;
}

/* ---- slots ------------------------------------------------------------ */

static void
forget_slots(struct hpm_sites *sites)
{
    if (sites->slots != no_slots)
        hpm_memory_free(sites->slots);
    sites->slots = no_slots;
    sites->slot_mask = 0;
    sites->slot_shift = 31;
}

static uint32_t
first_slot(const struct hpm_sites *sites, const struct hpm_site *site,
           uint32_t salt)
{
    return hpm_sites_slot(sites, salt, (unsigned)site->where, site->instance);
}

/* The first site in a slot stays there: of two sites that take turns, one is
 * then found at once. */
static void
place_in_slot(const struct hpm_sites *sites, const struct hpm_learnt *learnt)
{
    const struct hpm_site *site = learnt->site;
    uint32_t first = first_slot(sites, site, learnt->salt);
    uint32_t second = hpm_sites_second_slot(sites, first);
    struct hpm_slot *slot = &sites->slots[first];

    if (sites->first_place != HPM_SITES_FIRST_SLOT || slot->node != NULL)
        slot = &sites->slots[second];
    if (sites->first_place > HPM_SITES_SECOND_SLOT || slot->node != NULL)
        return;
    *slot = (struct hpm_slot){.number = site->is_hidden ? hidden
                                                        : (uint32_t)site->where,
                              .parent_salt = learnt->salt,
                              .instance = site->instance,
                              .salt = learnt->own_salt,
                              .node = site->node};
}

void
hpm_sites_hide(const struct hpm_sites *sites, struct hpm_site *site,
               uint32_t salt, bool is_hidden)
{
    uint32_t first = first_slot(sites, site, salt);
    struct hpm_slot *slot = &sites->slots[first];

    if (!site->has_slot || site->is_hidden == is_hidden)
        return;
    site->is_hidden = is_hidden;
    if (slot->node != site->node)
        slot = &sites->slots[hpm_sites_second_slot(sites, first)];
    if (slot->node == site->node)
        slot->number = is_hidden ? hidden : (uint32_t)site->where;
}

/* Make new slots, and place all sites that have a number; false when there is
 * no memory, and nothing changes. */
static bool
make_slots(struct hpm_sites *sites, size_t n)
{
    struct hpm_slot *slots = hpm_memory_new(n, sizeof *slots);

    if (slots == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        slots[i] = no_slots[0];
    forget_slots(sites);
    sites->slots = slots;
    sites->slot_mask = (uint32_t)(n - 1);
    sites->slot_shift = 32 - (unsigned)__builtin_ctzl(n);
    for (size_t i = 0; i < sites->n_sites; i++) {
        if (sites->sites[i].site->has_slot)
            place_in_slot(sites, &sites->sites[i]);
    }
    return true;
}

/* Give the newest site one slot: hiding a site would miss a second one.  At
 * most three of sixteen slots are taken: then few sites meet, and none of those
 * that are spread as far apart as possible. */
static void
learn_slot(struct hpm_sites *sites)
{
    size_t n = (size_t)sites->slot_mask + 1;
    bool is_placed = false;

    sites->n_numbered++;
    if (sites->slots == no_slots)
        is_placed = make_slots(sites, FIRST_SLOTS);
    else if (sites->n_numbered > n / 16 * 3)
        is_placed = make_slots(sites, 2 * n);
    if (!is_placed && sites->slots != no_slots)
        place_in_slot(sites, &sites->sites[sites->n_sites - 1]);
}

/* ---- all sites of a table ------------------------------------------- */

bool
hpm_sites_init(struct hpm_sites *sites)
{
    forget_slots(sites);
    return make_buckets(sites, FIRST_SHIFT);
}

/* A site in a node is part of the node's memory, so it is only emptied. */
static void
free_sites(struct hpm_sites *sites)
{
    while (sites->n_sites > 0) {
        struct hpm_site *site = sites->sites[--sites->n_sites].site;

        if (site->is_in_node)
            *site = no_site;
        else
            hpm_memory_free(site);
    }
}

void
hpm_sites_clear(struct hpm_sites *sites)
{
    free_sites(sites);
    forget_slots(sites);
    hpm_memory_free(sites->memory);
    hpm_memory_free(sites->sites);
    *sites = (struct hpm_sites){.slots = no_slots, .slot_shift = 31};
}

static void
forget_all(struct hpm_sites *sites)
{
    empty(sites->buckets, sites->shift);
    forget_slots(sites);
    sites->n_numbered = 0;
    free_sites(sites);
}

void
hpm_sites_restart(struct hpm_sites *sites, enum hpm_sites_place place)
{
    forget_all(sites);
    sites->first_place = place;
}

static void
put(struct hpm_bucket *bucket, size_t way, uint32_t tag, struct hpm_site *site)
{
    if (way < HPM_SITE_TAGS)
        bucket->tags[way] = tag;
    bucket->sites[way] = site;
}

/* Put a site into its bucket; false when the bucket is full.  Of two keys with
 * the same tag only one can be found: the later one stays. */
static bool
place(const struct hpm_sites *sites, struct hpm_site *site)
{
    uint64_t hash = hpm_site_hash(site);
    struct hpm_bucket *bucket = &sites->buckets[hash >> sites->shift];
    uint32_t tag = hpm_site_tag(hash);
    size_t way = 0;

    while (way < HPM_SITE_WAYS && bucket->sites[way] != &no_site &&
           (way >= HPM_SITE_TAGS || bucket->tags[way] != tag))
        way++;
    if (way == HPM_SITE_WAYS)
        return false;
    put(bucket, way, tag, site);
    return true;
}

static bool
place_all(const struct hpm_sites *sites)
{
    for (size_t i = 0; i < sites->n_sites; i++) {
        if (!place(sites, sites->sites[i].site))
            return false;
    }
    return true;
}

/* Double the number of buckets until all sites find a place; false when that
 * would waste memory, or there is no memory. */
static bool
spread(struct hpm_sites *sites)
{
    struct hpm_sites wider = *sites;
    unsigned shift = sites->shift - 1;

    for (; n_buckets(shift) <= 16 * (sites->n_sites + FIRST_BUCKETS); shift--) {
        if (!make_buckets(&wider, shift))
            return false;
        if (place_all(&wider)) {
            hpm_memory_free(sites->memory);
            *sites = wider;
            return true;
        }
        hpm_memory_free(wider.memory);
    }
    return false;
}

/* A site that finds no place takes another one's place: the other site will be
 * learnt again. */
static void
displace(struct hpm_sites *sites, struct hpm_site *site)
{
    uint64_t hash = hpm_site_hash(site);

    put(&sites->buckets[hash >> sites->shift], sites->n_sites % HPM_SITE_WAYS,
        hpm_site_tag(hash), site);
}

void
hpm_sites_learn(struct hpm_sites *sites, const struct hpm_site *site,
                const struct hpm_learnt *room, size_t n_nodes)
{
    struct hpm_learnt learnt = *room;

    if (sites->n_sites > 8 * (n_nodes + FIRST_BUCKETS))
        forget_all(sites);
    if (!hpm_memory_grow(&sites->sites, &sites->capacity, sites->n_sites + 1,
                         sizeof *sites->sites))
        return;
    if (learnt.site == NULL)
        learnt.site = hpm_memory_new(1, sizeof *site);
    if (learnt.site == NULL)
        return;
    *learnt.site = *site;
    learnt.site->is_in_node = room->site != NULL;
    learnt.site->has_slot &=
        room->site != NULL && site->label == hpm_site_numbered;
    sites->sites[sites->n_sites++] = learnt;
    if (learnt.site->has_slot)
        learn_slot(sites);
    if (!place(sites, learnt.site) && !spread(sites))
        displace(sites, learnt.site);
}
