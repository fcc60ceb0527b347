/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: a start as the program makes it again and again, the same place
 * in the code with the same strings at the same addresses.  Finding a node this
 * way walks over no string; the caller compares the label, whose bytes may have
 * changed in place. */
#ifndef HPM_RECORD_SITE_H
#define HPM_RECORD_SITE_H

#include <stdbool.h>
#include <stddef.h>

struct hpm_node;

/* All of it but `node` is the key; strings by address. */
struct hpm_site {
    const struct hpm_node *parent;
    const char *label;
    const char *file;
    int line;
    int instance;
    struct hpm_node *node; /* NULL: a free place */
};

/* A hash table of sites, at most half full. */
struct hpm_sites {
    struct hpm_site *places;
    size_t n_places; /* a power of two */
    size_t n_used;
};

/* An empty table; false when there is no memory. */
bool hpm_sites_init(struct hpm_sites *sites);
void hpm_sites_clear(struct hpm_sites *sites);

/* The place of the site with this key: its own, or the free one where it
 * belongs. */
struct hpm_site *hpm_sites_find(const struct hpm_sites *sites,
                                const struct hpm_site *key);

/* Keep the site.  Labels built in ever new places make ever new sites: when
 * they are many more than there are nodes (`n_nodes`), or memory runs out, all
 * are forgotten and learnt anew. */
void hpm_sites_learn(struct hpm_sites *sites, const struct hpm_site *site,
                     size_t n_nodes);

#endif
