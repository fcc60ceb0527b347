/* SPDX-License-Identifier: BSD-3-Clause
 * The definition files that come with us, compiled in: as tables
 * (metric/language/tables.h), or as text where none can be made. */
#ifndef HPM_METRIC_LANGUAGE_BUILTIN_H
#define HPM_METRIC_LANGUAGE_BUILTIN_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hpm_builtin {
    const char *name; /* "generic.hpm" */
    size_t length;    /* of its text */
    uint64_t digest;  /* of its text; of no meaning where there is the text */
    const char *text; /* NULL: there are tables made of it */
};

/* In the order they are to be read; made from metrics/ by metrics/maketables.c,
 * or by metrics/embed. */
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

/* Tells a text from another of the same length, the same on all machines: with
 * certainty if they differ in one word, the 8 bytes from a multiple of 8 on;
 * of others that differ by chance it misses one in 2^64. */
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
