/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: a start as the program makes it again and again. */
#include "record/site.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_PLACES = 64 };

bool
hpm_sites_init(struct hpm_sites *sites)
{
    sites->places = hpm_memory_new(FIRST_PLACES, sizeof *sites->places);
    sites->n_places = FIRST_PLACES;
    sites->n_used = 0;
    return sites->places != NULL;
}

void
hpm_sites_clear(struct hpm_sites *sites)
{
    hpm_memory_free(sites->places);
    sites->places = NULL;
}

static size_t
hash(const struct hpm_site *key)
{
    uint64_t h = (uintptr_t)key->parent ^ (uintptr_t)key->label << 7 ^
                 (uintptr_t)key->file << 21 ^
                 (uint64_t)(uint32_t)key->instance ^
                 (uint64_t)(uint32_t)key->line << 32;

    h ^= h >> 32;
    h *= 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
    return (size_t)(h ^ h >> 29);
}

struct hpm_site *
hpm_sites_find(const struct hpm_sites *sites, const struct hpm_site *key)
{
    size_t mask = sites->n_places - 1;

    for (size_t i = hash(key) & mask;; i = (i + 1) & mask) {
        struct hpm_site *site = &sites->places[i];

        if (site->node == NULL ||
            (site->parent == key->parent && site->instance == key->instance &&
             site->label == key->label && site->file == key->file &&
             site->line == key->line))
            return site;
    }
}

static void
forget_all(struct hpm_sites *sites)
{
    memset(sites->places, 0, sites->n_places * sizeof *sites->places);
    sites->n_used = 0;
}

static void
make_room(struct hpm_sites *sites, size_t n_nodes)
{
    struct hpm_sites larger = {.n_places = sites->n_places * 2,
                               .n_used = sites->n_used};

    if (2 * (sites->n_used + 1) <= sites->n_places)
        return;
    if (sites->n_places <= 8 * (n_nodes + FIRST_PLACES))
        larger.places =
            hpm_memory_new(larger.n_places, sizeof *larger.places);
    if (larger.places == NULL) {
        forget_all(sites);
        return;
    }
    for (size_t i = 0; i < sites->n_places; i++) {
        if (sites->places[i].node != NULL)
            *hpm_sites_find(&larger, &sites->places[i]) = sites->places[i];
    }
    hpm_sites_clear(sites);
    *sites = larger;
}

void
hpm_sites_learn(struct hpm_sites *sites, const struct hpm_site *site,
                size_t n_nodes)
{
    struct hpm_site *place;

    make_room(sites, n_nodes);
    place = hpm_sites_find(sites, site);
    sites->n_used += place->node == NULL;
    *place = *site;
}
