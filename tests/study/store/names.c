/* SPDX-License-Identifier: BSD-3-Clause
 * Texts stored once, even if an attacker chose them. */
#include "base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/store/keyedhash.h"
#include "tap.h"

enum { N_PAIRS = 17, N_TEXTS = 1 << N_PAIRS, TEXT_BYTES = 2 * N_PAIRS };

/* ---- texts made to collide ------------------------------------------- */

/* The i-th of N_TEXTS texts with the same hash, if a hash multiplies by 33 and
 * adds: 69 * 33 + 122 is 70 * 33 + 89. */
static void
make_colliding(char *text, unsigned i)
{
    for (int j = 0; j < N_PAIRS; j++)
        memcpy(text + 2 * (size_t)j, (i >> j & 1) != 0 ? "Ez" : "FY", 2);
}

static void
make_plain(char *text, unsigned i)
{
    char number[TEXT_BYTES + 1];

    snprintf(number, sizeof number, "loop %*u", TEXT_BYTES - 5, i);
    memcpy(text, number, TEXT_BYTES);
}

static unsigned
multiply_and_add(const char *text)
{
    unsigned hash = 5381;

    for (int i = 0; i < TEXT_BYTES; i++)
        hash = hash * 33 + (unsigned char)text[i];
    return hash;
}

static void
test_collisions(void)
{
    char first[TEXT_BYTES], other[TEXT_BYTES];
    bool is_one = true;

    make_colliding(first, 0);
    for (unsigned i = 1; i < N_TEXTS; i++) {
        make_colliding(other, i);
        is_one = is_one && multiply_and_add(other) == multiply_and_add(first);
    }
    ok(is_one, "the texts made to collide do so in a common hash");
}

/* ---- the table ------------------------------------------------------- */

/* How many slots are looked at to find each text. */
static size_t
count_probes(const struct hpm_names *names)
{
    size_t mask = names->n_slots - 1, n = 0;

    for (size_t i = 0; i <= mask; i++) {
        const char *text =
            names->slots[i] != 0 ? names->texts[names->slots[i] - 1] : NULL;

        if (text != NULL)
            n += ((i - hpm_keyedhash(names->seed, text, strlen(text))) & mask) +
                 1;
    }
    return n;
}

static size_t
fill(void (*make)(char *text, unsigned i), bool *ret_is_right)
{
    struct hpm_arena arena = {0};
    struct hpm_names names = {.arena = &arena, .hash = hpm_keyedhash};
    const char **kept = calloc(N_TEXTS, sizeof *kept);
    char text[TEXT_BYTES];
    bool is_right = true;
    size_t n;

    hpm_keyedhash_seed(names.seed);
    for (unsigned i = 0; i < N_TEXTS; i++) {
        make(text, i);
        kept[i] = hpm_names_keep(&names, text, sizeof text);
    }
    for (unsigned i = 0; i < N_TEXTS; i++) {
        make(text, i);
        is_right = is_right && memcmp(kept[i], text, sizeof text) == 0 &&
                   hpm_names_keep(&names, text, sizeof text) == kept[i];
    }
    *ret_is_right = is_right && names.n_texts == N_TEXTS;
    n = count_probes(&names);
    hpm_arena_free(&arena);
    free(kept);
    return n;
}

static void
test_flood(void)
{
    bool is_right;
    size_t plain = fill(make_plain, &is_right), colliding;

    ok(is_right, "equal texts have one address, others have others");
    ok(plain < 8 * (size_t)N_TEXTS, "few slots are looked at to find one");
    colliding = fill(make_colliding, &is_right);
    ok(is_right && colliding < 2 * plain,
       "texts made to collide are found as fast as any");
}

static void
test_seed(void)
{
    const uint64_t a[2] = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};
    const uint64_t b[2] = {0x0706050403020100u, 0x0f0e0d0c0b0a0909u};

    /* from the reference implementation of SipHash-1-3 */
    ok(hpm_keyedhash(a, "", 0) == 0xabac0158050fc4dcu,
       "nothing has the hash it has in the reference");
    ok(hpm_keyedhash(a, "main loop", 9) != hpm_keyedhash(b, "main loop", 9),
       "a hash depends on the seed");
}

int
main(void)
{
    test_collisions();
    test_flood();
    test_seed();
    return done();
}
