/* SPDX-License-Identifier: BSD-3-Clause
 * Texts as small numbers: each different text is kept once, so that equal texts
 * have one number and one address. */
#ifndef HPM_BASE_NAMES_H
#define HPM_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/arena.h"

/* No name; also returned when memory runs out. */
#define HPM_NO_NAME UINT32_MAX

/* A hash of these bytes; `seed` is the seed of the names. */
typedef uint64_t hpm_names_hash(const uint64_t seed[2], const void *bytes,
                                size_t length);

/* Start from {0}.  Set `arena` to take the memory from another arena.  Set
 * `hash` to a hash that nobody can foresee where an attacker may have made
 * texts that collide.  Numbers count up from 0 and never change. */
struct hpm_names {
    struct hpm_arena *arena; /* NULL: `own` */
    hpm_names_hash *hash;    /* NULL: a fast one */
    uint64_t seed[2];
    struct hpm_arena own;
    const char **texts;
    size_t n_texts, capacity;
    uint32_t *slots; /* hash table, by the text: number + 1, 0 is free */
    size_t n_slots;  /* a power of two, or 0 */
};

/* Not for names whose memory comes from the caller's arena. */
void hpm_names_free(struct hpm_names *names);

/* The number of these bytes, which hold no NUL; the bytes get a new number if
 * they had none.  HPM_NO_NAME when memory runs out. */
uint32_t hpm_names_add(struct hpm_names *names, const char *text,
                       size_t length);

/* Like hpm_names_add, for a text that ends in NUL after `length` bytes and
 * lives as long as the names: the text is not copied. */
uint32_t hpm_names_lend(struct hpm_names *names, const char *text,
                        size_t length);

/* The kept text equal to these bytes or to this text; NULL when memory runs
 * out, and for a `text` of NULL. */
const char *hpm_names_keep(struct hpm_names *names, const char *bytes,
                           size_t length);
const char *hpm_names_keep_text(struct hpm_names *names, const char *text);

/* Make room for `n_more` more texts; false when memory runs out. */
bool hpm_names_reserve(struct hpm_names *names, size_t n_more);

/* The number of a text; HPM_NO_NAME when the text is not there. */
uint32_t hpm_names_find(const struct hpm_names *names, const char *text);

/* The text of a number; NULL for HPM_NO_NAME. */
const char *hpm_names_text(const struct hpm_names *names, uint32_t name);

#endif
