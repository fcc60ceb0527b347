/* SPDX-License-Identifier: BSD-3-Clause
 * The callers of samples. */
#include "hpmcount/callers.h"

#include <stdio.h>

#include "base/mark.h"
#include "base/string.h"

/* The words of a sample: identity, address, thread and time, then the number of
 * addresses and the addresses.  The kernel marks parts with words of its own,
 * and outside the kernel the first address is the sampled place itself. */
enum { N_ADDRESSES = 4, FIRST_ADDRESS };

bool
callers_most(unsigned *ret_most, struct hpm_error *err)
{
    FILE *file = fopen("/proc/sys/kernel/perf_event_max_stack", "re");
    unsigned most = CALLERS_MOST + 1;

    if (file != NULL) {
        if (fscanf(file, "%u", &most) != 1)
            most = CALLERS_MOST + 1;
        fclose(file);
    }
    if (most < 2)
        return hpm_error_set(err,
                             "--chains: kernel.perf_event_max_stack is %u; "
                             "expected 2 or more (as root: sysctl "
                             "kernel.perf_event_max_stack=127)",
                             most);
    *ret_most = most > CALLERS_MOST ? CALLERS_MOST : most - 1;
    return true;
}

/* The addresses outside the kernel; the kernel's marks are larger than any
 * address. */
static const uint64_t *
find_addresses(const struct cpuring_record *sample, size_t *ret_n)
{
    const uint64_t least_word = (uint64_t)PERF_CONTEXT_MAX;
    const uint64_t *addresses = sample->words + FIRST_ADDRESS;
    size_t n = sample->n_words > N_ADDRESSES ? sample->words[N_ADDRESSES] : 0;
    size_t i = 0;

    *ret_n = 0;
    if (n > sample->n_words - FIRST_ADDRESS)
        return addresses;
    while (i < n && addresses[i] != (uint64_t)PERF_CONTEXT_USER)
        i++;
    if (i < n)
        i++;
    while (i + *ret_n < n && addresses[i + *ret_n] < least_word)
        ++*ret_n;
    return addresses + i;
}

/* Add the outermost caller first: each chain refers to the chain of its
 * caller. */
static bool
add_chain(struct mappings *mappings, struct hpm_chain *places, size_t n,
          bool is_cut, uint32_t *ret_chain)
{
    struct hpm_chains *chains = &mappings->profile->chains;

    *ret_chain = 0;
    if (is_cut)
        *ret_chain = hpm_chains_add(
            chains,
            &(struct hpm_chain){.is_cut = 1, .module = HPM_PROFILE_NO_MODULE});
    if (is_cut && *ret_chain == 0)
        return false;
    while (n > 0) {
        places[--n].caller = *ret_chain;
        *ret_chain = hpm_chains_add(chains, &places[n]);
        if (*ret_chain == 0)
            return false;
    }
    return true;
}

static void
count_sample(struct callers *callers, size_t n, size_t n_good)
{
    callers->n_samples++;
    callers->n_without += n_good == 0;
    callers->n_broken += n_good > 0 && n_good < n;
}

bool
callers_find(struct callers *callers, struct mappings *mappings,
             const struct cpuring_record *sample, bool is_kernel,
             uint32_t *ret_chain)
{
    struct hpm_chain places[CALLERS_MOST] = {0};
    const uint64_t *addresses;
    size_t n, n_good = 0;

    addresses = find_addresses(sample, &n);
    if (!is_kernel && n > 0) {
        addresses++;
        n--;
    }
    if (n > callers->n_most)
        n = callers->n_most;
    for (; n_good < n; n_good++) {
        struct hpm_chain *place = &places[n_good];

        if (!mappings_find(mappings, sample->pid, false, addresses[n_good],
                           &place->module, &place->offset))
            return false;
        if (place->module == HPM_PROFILE_NO_MODULE)
            break;
    }
    count_sample(callers, n, n_good);
    return add_chain(mappings, places, n_good,
                     n_good > 0 && (n_good < n || n >= callers->n_most),
                     ret_chain);
}

static bool
tell_without(const struct callers *callers, struct hpm_experiment *experiment)
{
    struct hpm_string text = {0};

    hpm_string_add_format(
        &text,
        N_("--chains fp: %llu of %llu samples have no caller: most of the "
           "program has no frame pointers; compile it, and its libraries, with "
           "-fno-omit-frame-pointer"),
        (unsigned long long)callers->n_without,
        (unsigned long long)callers->n_samples);
    return hpm_experiment_tell(experiment, &text);
}

static bool
tell_broken(const struct callers *callers, struct hpm_experiment *experiment)
{
    struct hpm_string text = {0};

    hpm_string_add_format(
        &text,
        N_("--chains fp: the callers of %llu of %llu samples break off, where "
           "code has no frame pointers: their outer ones are missing; compile "
           "the program, and its libraries, with -fno-omit-frame-pointer"),
        (unsigned long long)callers->n_broken,
        (unsigned long long)callers->n_samples);
    return hpm_experiment_tell(experiment, &text);
}

bool
callers_tell(const struct callers *callers, struct hpm_experiment *experiment)
{
    if (callers->n_most == 0 || callers->n_samples == 0)
        return true;
    return (2 * callers->n_without < callers->n_samples ||
            tell_without(callers, experiment)) &&
           (10 * callers->n_broken <= callers->n_samples ||
            tell_broken(callers, experiment));
}
