/* SPDX-License-Identifier: BSD-3-Clause
 * Bytes that zlib has compressed (RFC 1950, RFC 1951), as in compressed sections of
 * ELF files.  A reader of our own: a measured program loads no library for it. */
#ifndef HPM_ELF_INFLATE_H
#define HPM_ELF_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

/* Make of `n` bytes exactly `size` others; false where they are damaged, or come to
 * another number of bytes. */
bool hpm_inflate(const void *from, size_t n, void *to, size_t size);

#endif
