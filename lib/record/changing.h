/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites whose strings may change in place: on the heap, or in an object
 * that may be unloaded, in whose place another one may come.  A site is found
 * by addresses, as the others are (record/site.h), but believed only when the
 * section it leads to still has the strings that stand there now. */
#ifndef HPM_RECORD_CHANGING_H
#define HPM_RECORD_CHANGING_H

#include "record/problems.h"
#include "record/site.h"

/* One site a slot: where two meet, the later one stays. */
struct hpm_changing {
    struct hpm_site *slots; /* NULL: none was kept */
    unsigned shift;         /* the topmost bits of the hash are the slot */
    size_t n_lost;          /* sites that others took the slots of */
};

/* The node of the site with this key, whose strings `place` has now; NULL when
 * it is not known, or they are others. */
struct hpm_node *hpm_changing_find(const struct hpm_changing *changing,
                                   const struct hpm_site *key,
                                   const struct hpm_place *place);

/* Keep the site.  When memory runs out it is not kept. */
void hpm_changing_learn(struct hpm_changing *changing,
                        const struct hpm_site *site);

/* Forget all, and free. */
void hpm_changing_clear(struct hpm_changing *changing);

#endif
