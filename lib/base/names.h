/* SPDX-License-Identifier: BSD-3-Clause
 * Texts as small numbers: each different text is kept once, so that equal texts
 * have one number and one address. */
#ifndef HPM_BASE_NAMES_H
#define HPM_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/arena.h"

/* No name; also: out of memory. */
#define HPM_NO_NAME UINT32_MAX

/* A number for these bytes; `seed` is that of the names. */
typedef uint64_t hpm_names_hash(const uint64_t seed[2], const void *bytes,
                                size_t length);

/* Start from {0}, or name an arena whose memory is to be taken, and a hash that
 * nobody can foresee where texts may have been made to collide.  Numbers count
 * up from 0 and stay. */
struct hpm_names {
    struct hpm_arena *arena; /* NULL: `own` */
    hpm_names_hash *hash;    /* NULL: a quick one */
    uint64_t seed[2];
    struct hpm_arena own;
    const char **texts;
    size_t n_texts, capacity;
    uint32_t *slots; /* hash table, by the text: number + 1, 0 is free */
    size_t n_slots;  /* a power of two, or 0 */
};

/* Not for names whose memory is another's. */
void hpm_names_free(struct hpm_names *names);

/* The number of these bytes, which hold no NUL, new if they were not there yet;
 * HPM_NO_NAME when there is no memory. */
uint32_t hpm_names_add(struct hpm_names *names, const char *text,
                       size_t length);

/* The same of a text that ends in NUL after `length` bytes and lasts as long as
 * the names: it is not copied. */
uint32_t hpm_names_lend(struct hpm_names *names, const char *text,
                        size_t length);

/* The kept text equal to these bytes, or to a text, of which NULL stays NULL;
 * NULL when there is no memory. */
const char *hpm_names_keep(struct hpm_names *names, const char *bytes,
                           size_t length);
const char *hpm_names_keep_text(struct hpm_names *names, const char *text);

/* Make room for so many more; false when there is none. */
bool hpm_names_reserve(struct hpm_names *names, size_t n_more);

/* The number of a text; HPM_NO_NAME when it is not there. */
uint32_t hpm_names_find(const struct hpm_names *names, const char *text);

/* The text of a number; NULL for HPM_NO_NAME. */
const char *hpm_names_text(const struct hpm_names *names, uint32_t name);

#endif
