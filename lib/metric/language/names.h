/* SPDX-License-Identifier: BSD-3-Clause
 * Names as small numbers: each different text is kept once. */
#ifndef HPM_METRIC_LANGUAGE_NAMES_H
#define HPM_METRIC_LANGUAGE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No name; also: out of memory. */
#define HPM_NO_NAME UINT32_MAX

/* Start from {0}.  Numbers count up from 0 and stay. */
struct hpm_names {
    const char **texts;
    size_t n_texts;
    size_t capacity;
    uint32_t *slots; /* hash table, by the text: number + 1, 0 is free */
    size_t n_slots;  /* a power of two, or 0 */
    char *block;     /* texts are cut from blocks; the first bytes of each */
    size_t used;     /* point to the one before */
    size_t size;
};

void hpm_names_free(struct hpm_names *names);

/* The number of these bytes, new if they were not there yet; HPM_NO_NAME when
 * there is no memory. */
uint32_t hpm_names_add(struct hpm_names *names, const char *text,
                       size_t length);

/* The same of a text that ends in NUL after `length` bytes and lasts as long as
 * the names: it is not copied. */
uint32_t hpm_names_lend(struct hpm_names *names, const char *text,
                        size_t length);

/* Make room for so many more; false when there is none. */
bool hpm_names_reserve(struct hpm_names *names, size_t n_more);

/* The number of a text; HPM_NO_NAME when it is not there. */
uint32_t hpm_names_find(const struct hpm_names *names, const char *text);

/* The text of a number; NULL for HPM_NO_NAME. */
const char *hpm_names_text(const struct hpm_names *names, uint32_t name);

#endif
