/* SPDX-License-Identifier: BSD-3-Clause
 * Texts as small numbers: each different text is kept once. */
#include "base/names.h"

#include <string.h>

enum { FIRST_SLOTS = 256 };

void
hpm_names_free(struct hpm_names *names)
{
    hpm_arena_free(&names->own);
    *names = (struct hpm_names){0};
}

static struct hpm_arena *
arena_of(struct hpm_names *names)
{
    return names->arena != NULL ? names->arena : &names->own;
}

/* FNV-1a, 64 bits, over eight bytes at a time: half of the text in definitions
 * of metrics is prose, and hpmcount reads all of it at each start. */
static uint64_t
hash_quickly(const char *text, size_t length)
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
    return code ^ code >> 32;
}

/* The slot that holds these bytes or, if there is none, the free slot for
 * them. */
static uint32_t *
find_slot(const struct hpm_names *names, const char *text, size_t length)
{
    size_t mask = names->n_slots - 1;
    size_t i = (names->hash != NULL ? names->hash(names->seed, text, length)
                                    : hash_quickly(text, length)) &
               mask;

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
    size_t n_slots = names->n_slots > 0 ? names->n_slots : FIRST_SLOTS;
    uint32_t *slots;

    while (n_slots < 2 * n_texts)
        n_slots *= 2;
    slots = hpm_arena_new(arena_of(names), n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    names->slots = slots;
    names->n_slots = n_slots;
    for (size_t i = 0; i < names->n_texts; i++) {
        const char *text = names->texts[i];

        *find_slot(names, text, strlen(text)) = (uint32_t)i + 1;
    }
    return true;
}

/* Keeps at least half of the slots free, so that a search ends soon. */
bool
hpm_names_reserve(struct hpm_names *names, size_t n_more)
{
    size_t n_texts = names->n_texts + n_more;

    return hpm_arena_grow(arena_of(names), &names->texts, &names->capacity,
                          n_texts, sizeof *names->texts) &&
           (2 * n_texts <= names->n_slots || enlarge_slots(names, n_texts));
}

static const char *
copy(struct hpm_names *names, const char *text, size_t length)
{
    char *kept = hpm_arena_new(arena_of(names), length + 1, 1);

    if (kept != NULL)
        memcpy(kept, text, length);
    return kept;
}

static uint32_t
add(struct hpm_names *names, const char *text, size_t length, bool is_lent)
{
    uint32_t *slot;

    if (!hpm_names_reserve(names, 1) || names->n_texts >= HPM_NO_NAME - 1)
        return HPM_NO_NAME;
    slot = find_slot(names, text, length);
    if (*slot != 0)
        return *slot - 1;
    if (!is_lent)
        text = copy(names, text, length);
    if (text == NULL)
        return HPM_NO_NAME;
    names->texts[names->n_texts++] = text;
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

const char *
hpm_names_keep(struct hpm_names *names, const char *bytes, size_t length)
{
    return hpm_names_text(names, add(names, bytes, length, false));
}

const char *
hpm_names_keep_text(struct hpm_names *names, const char *text)
{
    return text != NULL ? hpm_names_keep(names, text, strlen(text)) : NULL;
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
