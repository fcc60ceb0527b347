/* SPDX-License-Identifier: BSD-3-Clause
 * Callers of samples that end, that are broken, and that are cut. */
#include "hpmcount/callers.h"

#include <linux/perf_event.h>

#include "tap.h"

enum { MOST = 3, CODE_END = 1000 }; /* addresses above are no code */

static struct hpm_profile profile;
static struct mappings mappings = {.profile = &profile};
static struct callers callers;

/* Replaces the real function: one module, up to CODE_END. */
bool
mappings_find(struct mappings *asked, uint32_t pid, bool is_kernel,
              uint64_t address, size_t *ret_module, uint64_t *ret_offset)
{
    (void)asked;
    (void)pid;
    (void)is_kernel;
    *ret_module = address < CODE_END ? 0 : HPM_PROFILE_NO_MODULE;
    *ret_offset = address;
    return true;
}

/* Find the callers of a sample at address 1; the list ends with 0. */
static uint32_t
find(const uint64_t *addresses)
{
    uint64_t words[16] = {[5] = (uint64_t)PERF_CONTEXT_USER, [6] = 1};
    struct cpuring_record sample = {.words = words};
    size_t n = 7;
    uint32_t chain;

    while (*addresses != 0)
        words[n++] = *addresses++;
    words[4] = n - 5;
    sample.n_words = n;
    if (!callers_find(&callers, &mappings, &sample, false, &chain))
        chain = UINT32_MAX;
    return chain;
}

/* The number of callers in a chain, and whether the chain is marked as cut. */
static size_t
length_of(uint32_t chain, bool *ret_is_cut)
{
    size_t n = 0;

    *ret_is_cut = false;
    while (chain != 0 && chain <= profile.chains.n_chains) {
        const struct hpm_chain *place = &profile.chains.chains[chain - 1];

        *ret_is_cut = place->is_cut;
        n += !place->is_cut;
        chain = place->caller;
    }
    return n;
}

static void
check(const uint64_t *addresses, size_t n, bool is_cut, const char *sentence)
{
    bool is_found_cut;

    ok(length_of(find(addresses), &is_found_cut) == n && is_found_cut == is_cut,
       sentence);
}

static void
test_ends(void)
{
    static const uint64_t none[] = {0}, all[] = {2, 3, 0},
                          broken[] = {2, 3, 5000, 0}, no_code[] = {5000, 2, 0},
                          many[] = {2, 3, 4, 5, 0};

    callers = (struct callers){.n_most = MOST};
    check(none, 0, false, "no caller");
    check(all, 2, false, "a chain that ends has all its callers");
    check(broken, 2, true, "one that goes on to what is no code has more");
    check(no_code, 0, false, "what begins with no code is no chain");
    check(many, MOST, true, "one with more than the most has more");
    ok(callers.n_samples == 5 && callers.n_without == 2 &&
           callers.n_broken == 1,
       "they are counted");
}

static void
check_told(uint64_t n_without, uint64_t n_broken, const char *expected,
           const char *sentence)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    const char *told = NULL;

    callers = (struct callers){.n_most = MOST,
                               .n_samples = 20,
                               .n_without = n_without,
                               .n_broken = n_broken};
    ok(callers_tell(&callers, experiment), "it is told");
    if (experiment->n_problems > 0)
        told = experiment->problems[0].text;
    is_text(told, expected, sentence);
    hpm_experiment_free(experiment);
}

static void
test_told(void)
{
    check_told(9, 2, NULL, "a tenth and less is not worth a line");
    check_told(10, 0,
               "--chains fp: 10 of 20 samples have no caller: most of the "
               "program has no frame pointers; compile it, and its libraries, "
               "with -fno-omit-frame-pointer",
               "half without callers are");
    check_told(0, 3,
               "--chains fp: the callers of 3 of 20 samples break off, where "
               "code has no frame pointers: their outer ones are missing; "
               "compile the program, and its libraries, with "
               "-fno-omit-frame-pointer",
               "and more than a tenth that break off");
}

int
main(void)
{
    test_ends();
    test_told();
    hpm_profile_clear(&profile);
    return done();
}
