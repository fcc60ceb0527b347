/* SPDX-License-Identifier: BSD-3-Clause
 * A hash that nobody can predict without its seed. */
#include "study/store/keyedhash.h"

#include <string.h>
#include <sys/auxv.h>

/* The kernel gives every program 16 random bytes at its start. */
void
hpm_keyedhash_seed(uint64_t ret_seed[2])
{
    const void *random = (const void *)getauxval(AT_RANDOM);

    ret_seed[0] = 0x736f6d6570736575u;
    ret_seed[1] = 0x646f72616e646f6du;
    if (random != NULL)
        memcpy(ret_seed, random, 2 * sizeof *ret_seed);
}

/* ---- SipHash-1-3 (Aumasson and Bernstein, 2012) ------------------------ */

static uint64_t
turn(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void
sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = turn(v[1], 13) ^ v[0];
    v[0] = turn(v[0], 32);
    v[2] += v[3];
    v[3] = turn(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = turn(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = turn(v[1], 17) ^ v[2];
    v[2] = turn(v[2], 32);
}

static inline void
sip_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
}

uint64_t
hpm_keyedhash(const uint64_t seed[2], const void *bytes, size_t length)
{
    const unsigned char *c = bytes;
    uint64_t v[4] = {
        seed[0] ^ 0x736f6d6570736575u, seed[1] ^ 0x646f72616e646f6du,
        seed[0] ^ 0x6c7967656e657261u, seed[1] ^ 0x7465646279746573u};
    uint64_t word, last = (uint64_t)length << 56;

    for (; length >= sizeof word; length -= sizeof word, c += sizeof word) {
        memcpy(&word, c, sizeof word);
        sip_word(v, word);
    }
    for (size_t i = 0; i < length; i++)
        last |= (uint64_t)c[i] << 8 * i;
    sip_word(v, last);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
