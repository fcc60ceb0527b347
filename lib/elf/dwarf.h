/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers and texts of debugging data (DWARF), one after the other; they may be damaged:
 * behind the end everything is 0. */
#ifndef HPM_ELF_DWARF_H
#define HPM_ELF_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hpm_dwarf {
    const unsigned char *at, *end;
    bool failed; /* more was asked for than there is */
};

static inline size_t
hpm_dwarf_left(const struct hpm_dwarf *bytes)
{
    return (size_t)(bytes->end - bytes->at);
}

static inline void
hpm_dwarf_skip(struct hpm_dwarf *bytes, uint64_t n)
{
    if (n > hpm_dwarf_left(bytes)) {
        bytes->failed = true;
        n = hpm_dwarf_left(bytes);
    }
    bytes->at += n;
}

/* A number of at most 8 bytes in this machine's order. */
static inline uint64_t
hpm_dwarf_number(struct hpm_dwarf *bytes, size_t size)
{
    uint64_t number = 0;
    const unsigned char *at = bytes->at;

    hpm_dwarf_skip(bytes, size);
    if (bytes->failed || size > sizeof number)
        return 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&number, at, size);
#else
    memcpy((char *)&number + sizeof number - size, at, size);
#endif
    return number;
}

/* A number of 7 bits a byte (LEB128); its sign is extended from the highest bit
 * that it has where `is_signed`. */
static inline uint64_t
hpm_dwarf_leb128(struct hpm_dwarf *bytes, bool is_signed)
{
    uint64_t number = 0, byte;
    unsigned shift = 0;

    do {
        byte = hpm_dwarf_number(bytes, 1);
        if (shift < 64)
            number |= (byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) != 0 && !bytes->failed);
    if (is_signed && (byte & 0x40) != 0 && shift < 64)
        number |= ~(uint64_t)0 << shift;
    return number;
}

static inline uint64_t
hpm_dwarf_unsigned(struct hpm_dwarf *bytes)
{
    return hpm_dwarf_leb128(bytes, false);
}

static inline int64_t
hpm_dwarf_signed(struct hpm_dwarf *bytes)
{
    return (int64_t)hpm_dwarf_leb128(bytes, true);
}

/* A text that ends with NUL; "" where there is none. */
static inline const char *
hpm_dwarf_text(struct hpm_dwarf *bytes)
{
    const char *text = (const char *)bytes->at;
    const void *end = memchr(bytes->at, '\0', hpm_dwarf_left(bytes));

    if (end == NULL) {
        hpm_dwarf_skip(bytes, UINT64_MAX);
        return "";
    }
    bytes->at = (const unsigned char *)end + 1;
    return text;
}

#endif
