/* SPDX-License-Identifier: BSD-3-Clause
 * Call chains: each place with each caller is stored once, and keeps its
 * number. */
#include "model/chains.h"

#include "host/memory.h"
#include "tap.h"

enum { MANY = 2000 };

static struct hpm_chains chains;

/* Places that differ in their position and in their caller. */
static struct hpm_chain
place(uint32_t i)
{
    return (struct hpm_chain){
        .module = i % 3, .offset = 16 * (uint64_t)i, .caller = i / 2};
}

static void
test_same(void)
{
    const struct hpm_chain base = place(10);
    struct hpm_chain others[4] = {base, base, base, base};

    others[0].offset++;
    others[1].module++;
    others[2].caller++;
    others[3].is_cut = true;
    is_count(hpm_chains_add(&chains, &base), 1, "the first one has number 1");
    is_count(hpm_chains_add(&chains, &base), 1, "it is there once");
    for (uint32_t i = 0; i < 4; i++)
        is_count(hpm_chains_add(&chains, &others[i]), 2 + i,
                 "one that differs in anything is another");
    for (uint32_t i = 0; i < 4; i++)
        is_count(hpm_chains_add(&chains, &others[i]), 2 + i, "and stays it");
    is_count(chains.n_chains, 5, "they are five");
    hpm_chains_clear(&chains);
    ok(chains.n_chains == 0 && chains.chains == NULL && chains.n_slots == 0,
       "all are forgotten");
}

static void
test_many(void)
{
    bool are_right = true;

    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < MANY; i++) {
            const struct hpm_chain chain = place(i);

            are_right = are_right && hpm_chains_add(&chains, &chain) == i + 1 &&
                        chains.chains[i].offset == chain.offset &&
                        chains.chains[i].caller == chain.caller;
        }
    }
    ok(are_right && chains.n_chains == MANY, "each of many keeps its number");
    is_count(chains.n_slots, 4096, "half of the slots at most are in use");
    hpm_chains_clear(&chains);
}

/* Whichever allocation fails, chains stored before are kept, and a chain that
 * failed can be added when there is memory again. */
static void
test_no_memory(void)
{
    bool are_right = true;
    size_t n_lacks = 0;

    for (uint32_t i = 0; i < MANY; i++) {
        const struct hpm_chain chain = place(i), first = place(0);
        uint32_t number;

        hpm_memory_fail_at(1 + i % 2, true);
        number = hpm_chains_add(&chains, &chain);
        hpm_memory_fail_at(0, false);
        n_lacks += number == 0;
        are_right = are_right && (number == 0 || number == i + 1) &&
                    hpm_chains_add(&chains, &chain) == i + 1 &&
                    hpm_chains_add(&chains, &first) == 1;
    }
    ok(are_right && n_lacks > 5 && chains.n_chains == MANY,
       "what there is no memory for is not added, and the others stay");
    hpm_chains_clear(&chains);
}

/* No number is left. */
static void
test_most(void)
{
    const struct hpm_chain chain = place(1);

    chains.n_chains = UINT32_MAX / 2;
    is_count(hpm_chains_add(&chains, &chain), 0,
             "of two thousand million no more is added");
    chains.n_chains = 0;
    hpm_chains_clear(&chains);
}

int
main(void)
{
    test_same();
    test_many();
    test_no_memory();
    test_most();
    return done();
}
