/* SPDX-License-Identifier: BSD-3-Clause
 * Events of a source that a library brings libhpm, and what is counted of them for one
 * meter. */
#include "brought/items.h"

#include <string.h>

#include "base/mark.h"
#include "source/meter.h"

static bool
has_texts(struct hpm_event *event, const char *description, const char *unit,
          const struct hpm_loan *loan, struct hpm_error *err)
{
    event->description = loan->copy_text(description);
    event->unit = loan->copy_text(unit);
    if (event->description != NULL && event->unit != NULL)
        return true;
    loan->free(event->description);
    loan->free(event->unit);
    event->description = event->unit = NULL;
    return hpm_error_no_memory(err);
}

enum hpm_finding
hpm_items_fill_event(struct hpm_event *ret_event,
                     const struct hpm_source *source, int quantity,
                     size_t which, const char *description, const char *unit,
                     const struct hpm_loan *loan, struct hpm_error *err)
{
    if (!has_texts(ret_event, description, unit, loan, err))
        return HPM_FINDING_FAILED;
    ret_event->domain = HPM_DOMAIN_ALL;
    ret_event->encoding.type = (uint32_t)quantity;
    ret_event->encoding.config = which;
    ret_event->source = source;
    return HPM_FINDING_FOUND;
}

bool
hpm_items_are_named(const char *name, const char *word, const char *ending)
{
    size_t length = strlen(word);

    return strncmp(name, word, length) == 0 &&
           strcmp(name + length, ending) == 0;
}

const char *
hpm_items_lack(const struct hpm_meter *meter, const struct hpm_event *event,
               bool has_part)
{
    if (!has_part)
        return N_("out of memory, or of thread-specific keys of the program");
    if (event->encoding.type == HPM_ITEMS_ELAPSED &&
        meter->target != HPM_TARGET_THREAD)
        return N_("the threads of a process pass their time side by side; "
                  "their own sections have it");
    return NULL;
}

void
hpm_items_add(struct hpm_items *items, const struct hpm_event *event, size_t i)
{
    items->items[items->n].slot = (uint16_t)(1 + i);
    items->items[items->n].quantity = (uint8_t)event->encoding.type;
    items->items[items->n].which = (uint8_t)event->encoding.config;
    items->n++;
}

void
hpm_items_lose(const struct hpm_items *items, size_t item, const char *reason)
{
    items->loan->fail(items->meter, items->items[item].slot - 1u,
                      HPM_STATE_LOST, reason);
}

/* A reading may lack what an earlier one had: of a thread that is stopped while its
 * state changes.  Several threads may read what is of the process. */
void
hpm_items_put(struct hpm_items *items, size_t item, uint64_t value,
              uint64_t *slots)
{
    _Atomic uint64_t *most = &items->items[item].most;
    uint64_t last = atomic_load_explicit(most, memory_order_relaxed);

    while (value > last && !atomic_compare_exchange_weak(most, &last, value))
        continue;
    slots[items->items[item].slot] = value > last ? value : last;
}
