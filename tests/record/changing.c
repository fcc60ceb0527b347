/* SPDX-License-Identifier: BSD-3-Clause
 * Sites whose strings may change in place: which sites are found again, and how
 * many. */
#include "record/changing.c"

#include "tap.h"

enum { MANY = 1 << 15 };

static struct hpm_node node = {
    .label = "loop", .file = "/src/a.c", .instance = 3, .line_start = 7};
static struct hpm_node parent;
static const struct hpm_place place = {
    .instance = 3, .label = "loop", .file = "/src/a.c", .line = 7};

static struct hpm_site
site_of(uint64_t where)
{
    static const char label[] = "", file[] = "";

    return (struct hpm_site){.parent = &parent,
                             .node = &node,
                             .label = label,
                             .file = file,
                             .where = where,
                             .instance = 3};
}

static bool
knows(const struct hpm_changing *changing, const struct hpm_site *key)
{
    return hpm_changing_find(changing, key, &place) == &node;
}

/* A different address, place, id or parent makes a different site. */
static void
test_sites(void)
{
    struct hpm_changing changing = {NULL, 0, 0};
    const struct hpm_site site = site_of(7);
    struct hpm_site others[5];
    size_t n_known = 0;

    ok(!knows(&changing, &site), "nothing is known at first");
    hpm_changing_learn(&changing, &site);
    ok(knows(&changing, &site), "a site that was learnt is known");
    for (size_t i = 0; i < 5; i++) {
        others[i] = site;
        if (i == 0)
            others[i].label++;
        if (i == 1)
            others[i].file++;
        if (i == 2)
            others[i].where++;
        if (i == 3)
            others[i].instance++;
        if (i == 4)
            others[i].parent = &node;
        /* in its own slot, and in that of the learnt one */
        n_known += knows(&changing, &others[i]);
        *slot_of(&changing, &others[i]) = site;
        n_known += knows(&changing, &others[i]);
        hpm_changing_clear(&changing);
        hpm_changing_learn(&changing, &site);
    }
    is_count(n_known, 0, "one that differs in anything is not");
    hpm_changing_clear(&changing);
    ok(!knows(&changing, &site), "nothing is known when all was forgotten");
    hpm_memory_fail_at(1, false);
    hpm_changing_learn(&changing, &site);
    hpm_memory_fail_at(0, false);
    ok(!knows(&changing, &site), "nor what there is no memory for");
}

/* The strings are compared with those at the addresses now. */
static void
test_strings(void)
{
    struct hpm_changing changing = {NULL, 0, 0};
    const struct hpm_site site = site_of(7);
    struct hpm_place now = place;

    hpm_changing_learn(&changing, &site);
    now.file = "/other/a.c";
    ok(hpm_changing_find(&changing, &site, &now) == &node,
       "a file is the same in another folder");
    now.file = "/src/b.c";
    ok(hpm_changing_find(&changing, &site, &now) == NULL, "but by its name");
    now = place;
    now.label = "Loop";
    ok(hpm_changing_find(&changing, &site, &now) == NULL,
       "another label is another section");
    now = place;
    now.line = 8;
    ok(hpm_changing_find(&changing, &site, &now) == NULL, "as is a line");
    now = place;
    now.instance = 4;
    ok(hpm_changing_find(&changing, &site, &now) == NULL, "or an id");
    hpm_changing_clear(&changing);
}

static size_t
n_known_of(const struct hpm_changing *changing, size_t n)
{
    size_t n_known = 0;

    for (size_t i = 0; i < n; i++) {
        const struct hpm_site site = site_of(i);

        n_known += knows(changing, &site);
    }
    return n_known;
}

/* The table grows, up to a limit, when sites have taken the slots of others
 * more often than there are slots. */
static void
test_many(void)
{
    struct hpm_changing changing = {NULL, 0, 0};

    for (uint64_t where = 0; where < 24; where++) {
        const struct hpm_site site = site_of(where);

        hpm_changing_learn(&changing, &site);
    }
    is_count(changing.shift, FIRST_SHIFT, "a few sites have the first slots");
    for (uint64_t where = 0; where < MANY; where++) {
        const struct hpm_site site = site_of(where % 1000);

        hpm_changing_learn(&changing, &site);
    }
    ok(changing.shift < FIRST_SHIFT && changing.shift >= LAST_SHIFT,
       "many have more");
    ok(n_known_of(&changing, 1000) > 800, "in which most of them are known");
    for (uint64_t where = 0; where < 64 * MANY; where++) {
        const struct hpm_site site = site_of(where);

        hpm_changing_learn(&changing, &site);
    }
    is_count(changing.shift, LAST_SHIFT, "but not more than a number");
    hpm_changing_clear(&changing);
}

static void
test_widening(void)
{
    struct hpm_changing changing = {NULL, 0, 0};
    size_t n;

    for (uint64_t where = 0; where < 24; where++) {
        const struct hpm_site site = site_of(where);

        hpm_changing_learn(&changing, &site);
    }
    n = n_known_of(&changing, 24);
    hpm_memory_fail_at(1, false);
    ok(!widen(&changing) && n_known_of(&changing, 24) == n,
       "without memory for more slots all stay where they are");
    hpm_memory_fail_at(0, false);
    changing.n_lost = 9;
    ok(widen(&changing) && n_known_of(&changing, 24) == n,
       "with it all are known in the new ones");
    is_count(changing.n_lost, 0, "where none has lost its slot yet");
    hpm_changing_clear(&changing);
}

/* Another label at the same address each time. */
static void
test_one_address(void)
{
    struct hpm_changing changing = {NULL, 0, 0};
    struct hpm_site site = site_of(7);

    for (int i = 0; i < 1000; i++)
        hpm_changing_learn(&changing, &site);
    ok(changing.n_lost == 0 && changing.shift == FIRST_SHIFT,
       "strings one after the other at one address take no other's slot");
    hpm_changing_clear(&changing);
}

int
main(void)
{
    test_sites();
    test_strings();
    test_many();
    test_widening();
    test_one_address();
    return done();
}
