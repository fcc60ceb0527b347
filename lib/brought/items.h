/* SPDX-License-Identifier: BSD-3-Clause
 * Events of a source that a library brings libhpm, and what is counted of them for one
 * meter. */
#ifndef HPM_BROUGHT_ITEMS_H
#define HPM_BROUGHT_ITEMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/handover.h"
#include "source/event.h"
#include "source/source.h"

/* hpm_encoding.type of the event that is the time that passed; the source has the
 * other types. */
enum { HPM_ITEMS_ELAPSED };

/* hpm_encoding.type and .config are the item's quantity, and of which class or state
 * that is. */
struct hpm_items {
    struct hpm_meter *meter;
    const struct hpm_loan *loan;
    size_t n;
    struct {
        _Atomic uint64_t most; /* the last value: no later one is below */
        uint16_t slot;
        uint8_t quantity;
        uint8_t which;
    } items[HPM_MAX_ALL_EVENTS];
};

/* Fill in an event of the source; FAILED when memory runs out. */
enum hpm_finding hpm_items_fill_event(struct hpm_event *ret_event,
                                      const struct hpm_source *source,
                                      int quantity, size_t which,
                                      const char *description, const char *unit,
                                      const struct hpm_loan *loan,
                                      struct hpm_error *err);

/* Is the name the word and the ending? */
bool hpm_items_are_named(const char *name, const char *word,
                         const char *ending);

/* Why the event of a meter has no value; NULL if the event has one.  `has_part`: there
 * is memory for the counting. */
const char *hpm_items_lack(const struct hpm_meter *meter,
                           const struct hpm_event *event, bool has_part);

/* Count event i of the meter, too. */
void hpm_items_add(struct hpm_items *items, const struct hpm_event *event,
                   size_t i);

/* From now on nobody knows the item's value. */
void hpm_items_lose(const struct hpm_items *items, size_t item,
                    const char *reason);

/* Put the value into its slot; a reading that lacks what an earlier one had has the
 * earlier value. */
void hpm_items_put(struct hpm_items *items, size_t item, uint64_t value,
                   uint64_t *slots);

/* A torn reading at the begin may have had what this one lacks. */
static inline uint64_t
hpm_items_beyond(uint64_t before, uint64_t now)
{
    return now > before ? now - before : 0;
}

#endif
