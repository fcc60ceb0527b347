/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites whose strings may change in place: on the heap, or in an object
 * that may be unloaded and replaced by another one.  A site is found by
 * addresses, like other sites (record/site.h), but is used only if its section
 * still has the strings that are at these addresses now. */
#ifndef HPM_RECORD_CHANGING_H
#define HPM_RECORD_CHANGING_H

#include "record/problems.h"
#include "record/site.h"

/* One site a slot: of two sites with the same slot the later one is kept. */
struct hpm_changing {
    struct hpm_site *slots; /* NULL: no site was kept */
    unsigned shift;         /* the slot is the hash without its lowest `shift`
                             * bits */
    size_t n_lost;          /* sites whose slot another site took */
};

/* The node of the site with this key, if its strings are still those of
 * `place`; else NULL, as for an unknown key. */
struct hpm_node *hpm_changing_find(const struct hpm_changing *changing,
                                   const struct hpm_site *key,
                                   const struct hpm_place *place);

/* Keep the site, unless memory runs out. */
void hpm_changing_learn(struct hpm_changing *changing,
                        const struct hpm_site *site);

/* Forget all sites, and free the memory. */
void hpm_changing_clear(struct hpm_changing *changing);

#endif
