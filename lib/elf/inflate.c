/* SPDX-License-Identifier: BSD-3-Clause
 * Bytes that zlib has compressed. */
#include "elf/inflate.h"

#include <stdint.h>
#include <string.h>

enum {
    MOST_BITS = 15, /* of a code */
    QUICK_BITS = 9, /* codes that are no longer are found at once */
    N_LITERALS = 288,
    N_DISTANCES = 32,
    N_LENGTHS = 19, /* codes that say how long codes are */
    END_OF_BLOCK = 256
};

/* The codes of a block: those of one length follow each other as numbers do, in the
 * order of what they stand for, and after all shorter ones. */
struct codes {
    uint16_t counts[MOST_BITS + 1];  /* how many there are of a length */
    uint16_t symbols[N_LITERALS];    /* in the order of their codes */
    uint16_t quick[1 << QUICK_BITS]; /* 16 times the symbol, and the length; 0:
                                      * a longer code */
};

struct work {
    const unsigned char *from, *end;
    uint64_t bits; /* the next ones, the first is the lowest */
    unsigned n_bits;
    unsigned char *to;
    size_t n_done, size;
    bool is_wrong;
    struct codes literals, distances;
};

/* ---- bits --------------------------------------------------------------- */

static void
fill(struct work *work)
{
    while (work->n_bits <= 56 && work->from < work->end) {
        work->bits |= (uint64_t)*work->from++ << work->n_bits;
        work->n_bits += 8;
    }
}

static void
drop(struct work *work, unsigned n)
{
    if (n > work->n_bits) {
        work->is_wrong = true;
        n = work->n_bits;
    }
    work->bits >>= n;
    work->n_bits -= n;
}

/* At most 16 bits. */
static unsigned
take(struct work *work, unsigned n)
{
    unsigned value;

    fill(work);
    value = (unsigned)(work->bits & ((1u << n) - 1));
    drop(work, n);
    return value;
}

/* ---- codes -------------------------------------------------------------- */

static unsigned
turned(unsigned code, unsigned length)
{
    unsigned result = 0;

    for (unsigned i = 0; i < length; i++)
        result |= (code >> i & 1) << (length - 1 - i);
    return result;
}

static void
make_quick(struct codes *codes)
{
    unsigned code = 0, at = 0;

    memset(codes->quick, 0, sizeof codes->quick);
    for (unsigned length = 1; length <= QUICK_BITS; length++) {
        for (unsigned i = 0; i < codes->counts[length]; i++, code++, at++) {
            for (unsigned k = turned(code, length); k < 1u << QUICK_BITS;
                 k += 1u << length)
                codes->quick[k] = (uint16_t)(codes->symbols[at] << 4 | length);
        }
        code <<= 1;
    }
}

/* False where there are more codes than bits can tell apart.  Fewer are allowed. */
static bool
make_codes(struct codes *codes, const unsigned char *lengths, size_t n)
{
    uint16_t first[MOST_BITS + 2] = {0};
    int left = 1;

    memset(codes->counts, 0, sizeof codes->counts);
    for (size_t i = 0; i < n; i++)
        codes->counts[lengths[i]]++;
    codes->counts[0] = 0;
    for (unsigned length = 1; length <= MOST_BITS; length++) {
        left = 2 * left - codes->counts[length];
        if (left < 0)
            return false;
        first[length + 1] = (uint16_t)(first[length] + codes->counts[length]);
    }
    for (size_t i = 0; i < n; i++) {
        if (lengths[i] != 0)
            codes->symbols[first[lengths[i]]++] = (uint16_t)i;
    }
    make_quick(codes);
    return true;
}

/* A bit at a time: of each length the codes are a row of numbers. */
static unsigned
take_long_symbol(struct work *work, const struct codes *codes)
{
    unsigned code = 0, first = 0, at = 0;

    for (unsigned length = 1; length <= MOST_BITS; length++) {
        unsigned count = codes->counts[length];

        code |= (unsigned)(work->bits >> (length - 1) & 1);
        if (code < first + count) {
            drop(work, length);
            return codes->symbols[at + code - first];
        }
        at += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    work->is_wrong = true;
    return END_OF_BLOCK;
}

static unsigned
take_symbol(struct work *work, const struct codes *codes)
{
    unsigned quick;

    fill(work);
    quick = codes->quick[work->bits & ((1u << QUICK_BITS) - 1)];
    if (quick == 0)
        return take_long_symbol(work, codes);
    drop(work, quick & 15);
    return quick >> 4;
}

/* ---- blocks ------------------------------------------------------------- */

static void
put(struct work *work, unsigned byte)
{
    if (work->n_done == work->size)
        work->is_wrong = true;
    else
        work->to[work->n_done++] = (unsigned char)byte;
}

/* Bytes that came before, which may reach into those that they make. */
static void
copy(struct work *work, size_t length, size_t distance)
{
    if (distance > work->n_done || length > work->size - work->n_done) {
        work->is_wrong = true;
        return;
    }
    for (; length > 0; length--, work->n_done++)
        work->to[work->n_done] = work->to[work->n_done - distance];
}

/* The symbols from 257 on stand for lengths, of which the last bits follow. */
static void
take_copy(struct work *work, unsigned symbol)
{
    unsigned i = symbol - 257, n_more = i < 8 || i >= 28 ? 0 : i / 4 - 1;
    size_t length = i < 8 ? 3 + i : 3 + ((4 + i % 4) << n_more), distance;

    length = i == 28 ? 258 : length + take(work, n_more);
    i = take_symbol(work, &work->distances);
    if (symbol > 285 || i > 29) {
        work->is_wrong = true;
        return;
    }
    n_more = i < 4 ? 0 : i / 2 - 1;
    distance = i < 4 ? 1 + i : 1 + ((size_t)(2 + i % 2) << n_more);
    distance += take(work, n_more);
    copy(work, length, distance);
}

static void
take_coded(struct work *work)
{
    while (!work->is_wrong) {
        unsigned symbol = take_symbol(work, &work->literals);

        if (symbol == END_OF_BLOCK)
            return;
        if (symbol < END_OF_BLOCK)
            put(work, symbol);
        else
            take_copy(work, symbol);
    }
}

static void
take_plain(struct work *work)
{
    unsigned length, other;

    drop(work, work->n_bits % 8);
    length = take(work, 16);
    other = take(work, 16);
    work->is_wrong |= (length ^ other) != 0xffff;
    for (; length > 0 && !work->is_wrong; length--)
        put(work, take(work, 8));
}

static void
fix_codes(struct work *work)
{
    unsigned char lengths[N_LITERALS];

    for (unsigned i = 0; i < N_LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_codes(&work->literals, lengths, N_LITERALS);
    memset(lengths, 5, N_DISTANCES);
    make_codes(&work->distances, lengths, N_DISTANCES);
}

/* The lengths of all codes are coded, too, and repeated ones are counted. */
static void
take_lengths(struct work *work, unsigned char *lengths, unsigned n)
{
    unsigned at = 0;

    while (at < n && !work->is_wrong) {
        unsigned symbol = take_symbol(work, &work->literals), count = 1;
        unsigned char value = (unsigned char)symbol;

        if (symbol > 15) {
            value = symbol == 16 && at > 0 ? lengths[at - 1] : 0;
            work->is_wrong |= (symbol == 16 && at == 0) || symbol > 18;
            count = symbol == 16   ? 3 + take(work, 2)
                    : symbol == 17 ? 3 + take(work, 3)
                                   : 11 + take(work, 7);
        }
        if (count > n - at)
            work->is_wrong = true;
        else
            memset(lengths + at, value, count);
        at += count;
    }
}

static void
take_codes(struct work *work)
{
    static const unsigned char order[N_LENGTHS] = {
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[N_LITERALS + N_DISTANCES] = {0};
    unsigned n_literals = 257 + take(work, 5);
    unsigned n_distances = 1 + take(work, 5), n = 4 + take(work, 4);

    if (n_literals > N_LITERALS) {
        work->is_wrong = true;
        return;
    }
    for (unsigned i = 0; i < n; i++)
        lengths[order[i]] = (unsigned char)take(work, 3);
    if (!make_codes(&work->literals, lengths, N_LENGTHS)) {
        work->is_wrong = true;
        return;
    }
    take_lengths(work, lengths, n_literals + n_distances);
    if (!work->is_wrong)
        work->is_wrong =
            !make_codes(&work->literals, lengths, n_literals) ||
            !make_codes(&work->distances, lengths + n_literals, n_distances);
}

static void
take_blocks(struct work *work)
{
    bool is_last = false;

    while (!is_last && !work->is_wrong) {
        is_last = take(work, 1) != 0;
        switch (take(work, 2)) {
        case 0:
            take_plain(work);
            break;
        case 1:
            fix_codes(work);
            take_coded(work);
            break;
        case 2:
            take_codes(work);
            take_coded(work);
            break;
        default:
            work->is_wrong = true;
        }
    }
}

/* The sum at the end (Adler-32). */
static bool
has_sum(const struct work *work, unsigned long expected)
{
    unsigned long a = 1, b = 0;

    for (size_t i = 0; i < work->size; i++) {
        a = (a + work->to[i]) % 65521;
        b = (b + a) % 65521;
    }
    return (b << 16 | a) == expected;
}

bool
hpm_inflate(const void *from, size_t n, void *to, size_t size)
{
    const unsigned char *bytes = from;
    struct work work = {.from = bytes, .to = to, .size = size};
    unsigned long sum = 0;

    if (n < 2 || bytes[0] % 16 != 8 || (bytes[0] * 256 + bytes[1]) % 31 != 0 ||
        (bytes[1] & 32) != 0)
        return false;
    work.from += 2;
    work.end = bytes + n;
    take_blocks(&work);
    drop(&work, work.n_bits % 8);
    for (int i = 0; i < 4; i++)
        sum = sum << 8 | take(&work, 8);
    return !work.is_wrong && work.n_done == size && has_sum(&work, sum);
}
