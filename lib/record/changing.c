/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites whose strings may change in place. */
#include "record/changing.h"

#include <string.h>

#include "base/string.h"
#include "host/memory.h"
#include "host/path.h"
#include "record/node.h"

enum { FIRST_SHIFT = 64 - 5, LAST_SHIFT = 64 - 14 };

static size_t
n_slots(unsigned shift)
{
    return (size_t)1 << (64 - shift);
}

static struct hpm_site *
slot_of(const struct hpm_changing *changing, const struct hpm_site *key)
{
    return &changing->slots[hpm_site_hash(key) >> changing->shift];
}

static bool
is_same_file(const char *a, const char *b)
{
    return strcmp(a, b) == 0 ||
           strcmp(hpm_path_base_name(a), hpm_path_base_name(b)) == 0;
}

struct hpm_node *
hpm_changing_find(const struct hpm_changing *changing,
                  const struct hpm_site *key, const struct hpm_place *place)
{
    const struct hpm_site *site;
    struct hpm_node *node;

    if (changing->slots == NULL)
        return NULL;
    site = slot_of(changing, key);
    node = site->node;
    if (node == NULL || site->parent != key->parent ||
        site->label != key->label || site->file != key->file ||
        site->where != key->where || site->instance != key->instance)
        return NULL;
    return node->instance == place->instance &&
                   node->line_start == place->line &&
                   strcmp(node->label, place->label) == 0 &&
                   is_same_file(node->file, place->file)
               ? node
               : NULL;
}

/* Double the number of slots; false when there are enough, or no memory. */
static bool
widen(struct hpm_changing *changing)
{
    struct hpm_changing wider = {NULL, changing->shift - 1, 0};

    if (changing->shift == LAST_SHIFT)
        return false;
    wider.slots = hpm_memory_new(n_slots(wider.shift), sizeof *wider.slots);
    if (wider.slots == NULL)
        return false;
    for (size_t i = 0; i < n_slots(changing->shift); i++) {
        if (changing->slots[i].node != NULL)
            *slot_of(&wider, &changing->slots[i]) = changing->slots[i];
    }
    hpm_memory_free(changing->slots);
    *changing = wider;
    return true;
}

/* If a slot is taken over by a site that differs in its label, place or parent,
 * a site is lost: after as many losses as there are slots the table grows.
 * Other strings at the addresses of the same site are no loss. */
void
hpm_changing_learn(struct hpm_changing *changing, const struct hpm_site *site)
{
    struct hpm_site *slot;

    if (changing->slots == NULL) {
        changing->shift = FIRST_SHIFT;
        changing->slots =
            hpm_memory_new(n_slots(FIRST_SHIFT), sizeof *changing->slots);
    }
    if (changing->slots == NULL)
        return;
    slot = slot_of(changing, site);
    if (slot->node != NULL &&
        (slot->label != site->label || slot->where != site->where ||
         slot->parent != site->parent) &&
        ++changing->n_lost > n_slots(changing->shift) && widen(changing))
        slot = slot_of(changing, site);
    *slot = *site;
}

void
hpm_changing_clear(struct hpm_changing *changing)
{
    hpm_memory_free(changing->slots);
    *changing = (struct hpm_changing){0};
}
