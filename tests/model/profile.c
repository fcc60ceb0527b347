/* SPDX-License-Identifier: BSD-3-Clause
 * Profiles: hits of one place added up, in order; modules that have hits. */
#include "model/profile.h"

#include "host/memory.h"
#include "tap.h"

static struct hpm_profile profile;

static void
add(size_t record, size_t event, size_t module, uint64_t offset, uint64_t n)
{
    const struct hpm_profile_hit hit = {record, event, module, offset, n, 0};

    if (!hpm_profile_add_hit(&profile, &hit))
        ok(false, "a hit is added");
}

static bool
is_hit(size_t i, size_t record, size_t event, size_t module, uint64_t offset,
       uint64_t n)
{
    const struct hpm_profile_hit *hit = &profile.hits[i];

    return hit->record == record && hit->event == event &&
           hit->module == module && hit->offset == offset && hit->n == n;
}

static void
add_modules(void)
{
    ok(hpm_profile_add_module(&profile, "/bin/a", "aa") &&
           hpm_profile_add_module(&profile, "/lib/unused", "bb") &&
           hpm_profile_add_module(&profile, "/lib/b", "") &&
           hpm_profile_add_module(&profile, "[heap]", "") &&
           hpm_profile_add_module(&profile, "/lib/also unused", "cc"),
       "modules are added");
}

/* Two hits of each place; each field decides the order once. */
static void
add_hits(void)
{
    for (uint64_t n = 1; n <= 2; n++) {
        add(1, 0, 0, 0, n);
        add(0, 0, HPM_PROFILE_NO_MODULE, UINT64_MAX, 10 * n);
        add(0, 1, 0, 16, 100 * n);
        add(0, 0, HPM_PROFILE_LOST, 0, 1000 * n);
        add(0, 0, 3, 8, 3 * n);
        add(0, 0, 2, 32, 5 * n);
        add(0, 0, 2, 31, 7 * n);
    }
}

static void
test_order(void)
{
    const struct hpm_profile_hit *first;

    add_modules();
    add_hits();
    hpm_profile_settle(&profile);
    is_count(profile.n_hits, 7, "hits of one place are one");
    ok(is_hit(0, 0, 0, 2, 31, 21) && is_hit(1, 0, 0, 2, 32, 15) &&
           is_hit(2, 0, 0, 3, 8, 9) &&
           is_hit(3, 0, 0, HPM_PROFILE_LOST, 0, 3000) &&
           is_hit(4, 0, 0, HPM_PROFILE_NO_MODULE, UINT64_MAX, 30) &&
           is_hit(5, 0, 1, 0, 16, 300) && is_hit(6, 1, 0, 0, 0, 3),
       "by record, event, module and address");
    ok(hpm_profile_hits_of(&profile, 0, &first) == 6 && first == profile.hits,
       "a record has its hits");
    ok(hpm_profile_hits_of(&profile, 1, &first) == 1 &&
           first == profile.hits + 6,
       "the last one, too");
    is_count(hpm_profile_hits_of(&profile, 2, &first), 0, "others have none");
}

static void
test_used_modules(void)
{
    ok(hpm_profile_keep_used_modules(&profile), "unused modules are left out");
    is_count(profile.n_modules, 3, "those with hits stay");
    is_text(profile.modules[0].path, "/bin/a", "in their order");
    is_text(profile.modules[0].build_id, "aa", "with their build's name");
    is_text(profile.modules[1].path, "/lib/b", "the second was the third");
    is_text(profile.modules[2].path, "[heap]", "the third the fourth");
    ok(is_hit(0, 0, 0, 1, 31, 21) && is_hit(1, 0, 0, 1, 32, 15) &&
           is_hit(2, 0, 0, 2, 8, 9) && is_hit(5, 0, 1, 0, 16, 300),
       "hits have their new numbers");
    ok(is_hit(3, 0, 0, HPM_PROFILE_LOST, 0, 3000) &&
           is_hit(4, 0, 0, HPM_PROFILE_NO_MODULE, UINT64_MAX, 30),
       "hits of no module have none");
    hpm_profile_clear(&profile);
    hpm_profile_settle(&profile);
    ok(hpm_profile_keep_used_modules(&profile) && profile.n_modules == 0 &&
           profile.n_hits == 0,
       "an empty profile stays empty");
}

/* One hit alone, and none. */
static void
test_one_hit(void)
{
    const struct hpm_profile_hit hit = {.record = 4, .n = 1};
    const struct hpm_profile_hit *first = &hit;

    is_count(hpm_profile_hits_of(&profile, 4, &first), 0, "no hit is none,");
    ok(first == NULL, "and is nowhere");
    hpm_profile_add_hit(&profile, &hit);
    hpm_profile_settle(&profile);
    ok(hpm_profile_hits_of(&profile, 4, &first) == 1 && first == profile.hits,
       "one is found");
    ok(hpm_profile_hits_of(&profile, 3, &first) == 0 && first == profile.hits &&
           hpm_profile_hits_of(&profile, 5, &first) == 0 &&
           first == profile.hits + 1,
       "and where others would be");
    hpm_profile_clear(&profile);
}

/* Two chains that begin alike share that part; the modules they name are
 * kept. */
static void
test_chains(void)
{
    struct hpm_chain outer = {.module = 1, .offset = 8}, inner = {.module = 2};
    struct hpm_profile_hit hit = {.module = 0, .n = 1};
    uint32_t first, second;

    add_modules();
    first = hpm_chains_add(&profile.chains, &outer);
    inner.caller = first;
    second = hpm_chains_add(&profile.chains, &inner);
    ok(first == 1 && second == 2, "chains have numbers from 1 on");
    ok(hpm_chains_add(&profile.chains, &outer) == first &&
           hpm_chains_add(&profile.chains, &inner) == second &&
           profile.chains.n_chains == 2,
       "a chain is there once");
    for (hit.chain = 0; hit.chain <= 2; hit.chain++)
        ok(hpm_profile_add_hit(&profile, &hit), "a hit is added");
    hit.chain = 1;
    ok(hpm_profile_add_hit(&profile, &hit), "one more of a chain");
    hpm_profile_settle(&profile);
    ok(profile.n_hits == 3 && profile.hits[1].n == 2,
       "hits of one place and other callers are others");
    ok(hpm_profile_keep_used_modules(&profile) && profile.n_modules == 3,
       "modules of callers are used");
    is_text(profile.modules[profile.chains.chains[0].module].path,
            "/lib/unused", "a caller has its module");
    for (uint64_t i = 0; i < 5000; i++) {
        outer.offset = 1000 + i;
        if (hpm_chains_add(&profile.chains, &outer) != i + 3)
            ok(false, "each of many chains is another");
    }
    outer.offset = 8;
    outer.module = profile.chains.chains[0].module;
    is_count(hpm_chains_add(&profile.chains, &outer), 1,
             "it is found among many");
    hpm_profile_clear(&profile);
}

static bool
fill(void)
{
    return hpm_profile_add_event(&profile, "cpu-clock", "ns", "user", 1000) &&
           hpm_profile_add_module(&profile, "/bin/a", "aa") &&
           hpm_profile_add_module(&profile, "/bin/b", "bb") &&
           hpm_profile_add_hit(
               &profile, &(struct hpm_profile_hit){.module = 1, .n = 1}) &&
           hpm_profile_keep_used_modules(&profile);
}

static void
test_no_memory(void)
{
    size_t n_lacks = 0;
    bool is_good = false;

    while (!is_good && n_lacks < 100) {
        hpm_profile_clear(&profile);
        hpm_memory_fail_at(n_lacks + 1, false);
        is_good = fill();
        hpm_memory_fail_at(0, false);
        n_lacks += !is_good;
    }
    /* three arrays, three texts of an event, two of each module, the numbers */
    is_count(n_lacks, 11, "each lack of memory is said");
    ok(profile.n_events == 1 && profile.events[0].period == 1000 &&
           strcmp(profile.events[0].name, "cpu-clock") == 0 &&
           strcmp(profile.events[0].unit, "ns") == 0 &&
           strcmp(profile.events[0].domain, "user") == 0,
       "an event has what was given");
    ok(profile.n_modules == 1 && profile.hits[0].module == 0 &&
           strcmp(profile.modules[0].path, "/bin/b") == 0,
       "with enough of it all is there");
    hpm_profile_clear(&profile);
}

int
main(void)
{
    test_order();
    test_used_modules();
    test_one_hit();
    test_chains();
    test_no_memory();
    return done();
}
