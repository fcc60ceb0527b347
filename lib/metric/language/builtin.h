/* SPDX-License-Identifier: BSD-3-Clause
 * The definition files that are shipped, compiled in: as tables
 * (metric/language/tables.h), or as text if no tables can be made. */
#ifndef HPM_METRIC_LANGUAGE_BUILTIN_H
#define HPM_METRIC_LANGUAGE_BUILTIN_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hpm_builtin {
    const char *name; /* "generic.hpm" */
    size_t length;    /* of the file's text */
    uint64_t digest;  /* of the file's text; without meaning if `text` is
                       * there */
    const char *text; /* NULL: there are tables instead */
};

/* In the order in which to read them; made from metrics/ by
 * metrics/maketables.c, or by metrics/embed. */
extern const struct hpm_builtin hpm_builtins[];
extern const size_t hpm_n_builtins;

static inline uint64_t
hpm_builtin_digest_word(uint64_t digest, const char *bytes, size_t n_bytes)
{
    uint64_t word = 0;

    memcpy(&word, bytes, n_bytes);
    digest = (digest ^ le64toh(word)) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 32;
}

/* A digest that distinguishes texts of one length, equal on all machines.
 * Texts that differ in only one word (8 bytes at a multiple of 8) always have
 * different digests; other texts have the same digest by chance in one case of
 * 2^64. */
static inline uint64_t
hpm_builtin_digest(const char *text, size_t length)
{
    uint64_t digest = 0;
    size_t i = 0;

#pragma GCC unroll 8
    for (; i + 8 <= length; i += 8)
        digest = hpm_builtin_digest_word(digest, text + i, 8);
    return hpm_builtin_digest_word(digest, text + i, length - i);
}

#endif
