/* SPDX-License-Identifier: BSD-3-Clause
 * Names as small numbers: each different text is kept once. */
#include "metric/language/names.h"

#include <string.h>

#include "host/memory.h"

void
hpm_names_free(struct hpm_names *names)
{
    while (names->block != NULL) {
        char *before;

        memcpy(&before, names->block, sizeof before);
        hpm_memory_free(names->block);
        names->block = before;
    }
    hpm_memory_free(names->texts);
    hpm_memory_free(names->slots);
    *names = (struct hpm_names){0};
}

/* FNV-1a, 64 bits, over eight bytes at a time: half of what is kept is prose,
 * and hpmcount reads all of it at each start. */
static size_t
hash(const char *text, size_t length)
{
    uint64_t code = 14695981039346656037u, word;

    for (; length >= sizeof word; length -= sizeof word) {
        memcpy(&word, text, sizeof word);
        code = (code ^ word) * 1099511628211u;
        code ^= code >> 32;
        text += sizeof word;
    }
    for (size_t i = 0; i < length; i++)
        code = (code ^ (unsigned char)text[i]) * 1099511628211u;
    return (size_t)(code ^ code >> 32);
}

/* The slot that holds these bytes or, if none does, the free one they go to. */
static uint32_t *
find_slot(const struct hpm_names *names, const char *text, size_t length)
{
    size_t mask = names->n_slots - 1;
    size_t i = hash(text, length) & mask;

    for (;; i = (i + 1) & mask) {
        const char *there;

        if (names->slots[i] == 0)
            return &names->slots[i];
        there = names->texts[names->slots[i] - 1];
        if (strncmp(there, text, length) == 0 && there[length] == '\0')
            return &names->slots[i];
    }
}

static bool
enlarge_slots(struct hpm_names *names, size_t n_texts)
{
    size_t n_slots = names->n_slots > 0 ? names->n_slots : 256;
    uint32_t *slots;

    while (n_slots < 2 * n_texts)
        n_slots *= 2;
    slots = hpm_memory_new(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    hpm_memory_free(names->slots);
    names->slots = slots;
    names->n_slots = n_slots;
    for (size_t i = 0; i < names->n_texts; i++) {
        const char *text = names->texts[i];

        *find_slot(names, text, strlen(text)) = (uint32_t)i + 1;
    }
    return true;
}

/* At most half of the slots are taken, so that a search ends soon. */
bool
hpm_names_reserve(struct hpm_names *names, size_t n_more)
{
    size_t n_texts = names->n_texts + n_more;

    return hpm_memory_grow(&names->texts, &names->capacity, n_texts,
                           sizeof *names->texts) &&
           (2 * n_texts <= names->n_slots || enlarge_slots(names, n_texts));
}

/* Room for a text, in blocks large enough that there are few. */
static char *
cut(struct hpm_names *names, size_t size)
{
    enum { BLOCK = 32000 };

    if (names->block == NULL || names->size - names->used < size) {
        size_t room = sizeof(char *) + (size > BLOCK ? size : BLOCK);
        char *block = hpm_memory_take(room);

        if (block == NULL)
            return NULL;
        memcpy(block, &names->block, sizeof names->block);
        names->block = block;
        names->used = sizeof(char *);
        names->size = room;
    }
    names->used += size;
    return names->block + names->used - size;
}

static const char *
copy(struct hpm_names *names, const char *text, size_t length)
{
    char *kept = cut(names, length + 1);

    if (kept == NULL)
        return NULL;
    memcpy(kept, text, length);
    kept[length] = '\0';
    return kept;
}

static uint32_t
add(struct hpm_names *names, const char *text, size_t length, bool is_lent)
{
    const char *kept = text;
    uint32_t *slot;

    if (!hpm_names_reserve(names, 1) || names->n_texts >= HPM_NO_NAME - 1)
        return HPM_NO_NAME;
    slot = find_slot(names, text, length);
    if (*slot != 0)
        return *slot - 1;
    if (!is_lent)
        kept = copy(names, text, length);
    if (kept == NULL)
        return HPM_NO_NAME;
    names->texts[names->n_texts++] = kept;
    *slot = (uint32_t)names->n_texts;
    return *slot - 1;
}

uint32_t
hpm_names_add(struct hpm_names *names, const char *text, size_t length)
{
    return add(names, text, length, false);
}

uint32_t
hpm_names_lend(struct hpm_names *names, const char *text, size_t length)
{
    return add(names, text, length, true);
}

uint32_t
hpm_names_find(const struct hpm_names *names, const char *text)
{
    uint32_t slot =
        names->n_slots > 0 ? *find_slot(names, text, strlen(text)) : 0;

    return slot != 0 ? slot - 1 : HPM_NO_NAME;
}

const char *
hpm_names_text(const struct hpm_names *names, uint32_t name)
{
    return name != HPM_NO_NAME ? names->texts[name] : NULL;
}
