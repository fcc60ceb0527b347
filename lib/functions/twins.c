/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of one object that have the same name. */
#include "functions/twins.h"

#include <stddef.h>
#include <string.h>

#include "host/memory.h"

static size_t
hash_of(const char *name)
{
    size_t hash = 0xcbf29ce484222325u;

    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u; /* FNV-1a */
    return hash ^ hash >> 32;
}

/* Where the table has the latest symbol of this name, or room for it.  An entry is
 * the symbol's index and 1. */
static uint32_t *
place_of(uint32_t *table, size_t mask, const struct hpm_elfsymbols *symbols,
         const char *name)
{
    size_t i = hash_of(name) & mask;

    while (table[i] != 0 && strcmp(symbols->list[table[i] - 1].name, name) != 0)
        i = (i + 1) & mask;
    return &table[i];
}

uint32_t *
hpm_twins_count(const struct hpm_elfsymbols *symbols)
{
    size_t size = 16;
    uint32_t *table, *counts;

    while (size < 2 * symbols->n)
        size *= 2;
    table = hpm_memory_new(size, sizeof *table);
    counts = hpm_memory_new(symbols->n + 1, sizeof *counts);
    if (table == NULL) {
        hpm_memory_free(counts);
        return NULL;
    }
    for (size_t i = 0; counts != NULL && i < symbols->n; i++) {
        uint32_t *latest =
            place_of(table, size - 1, symbols, symbols->list[i].name);

        if (*latest != 0)
            counts[i] = counts[*latest - 1] + 1;
        *latest = (uint32_t)i + 1;
    }
    hpm_memory_free(table);
    return counts;
}
