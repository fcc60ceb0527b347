/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of call sites: a site keeps its number, whatever is loaded and
 * where.  And places of sites: the first slot, the second one, or a bucket. */
#include "record/callsite.h"

#include <pthread.h>
#include <string.h>

#include "host/memory.h"
#include "record/node.h"
#include "record/site.h"
#include "tap.h"

static unsigned
number_of(const char *label, const char *file, int line, unsigned *word)
{
    return hpm_callsite_register(
        &(struct hpm_callsite){label, file, line, word});
}

static void
test_places(void)
{
    unsigned word = 0, again = 0, other = 0;
    char label[] = "solve", file[] = "a.c";
    unsigned number = number_of(label, file, 1, &word);

    ok(number != 0 && word == number, "a site gets a number, and keeps it");
    memset(label, 'x', 5);
    ok(number_of("solve", "a.c", 1, &again) == number && again == number,
       "a site that is loaded again has it again, wherever its text is");
    ok(number_of(label, "a.c", 1, &other) != number &&
           number_of("solve", "b.c", 1, &other) != number &&
           number_of("solve", "a.c", 2, &other) != number,
       "another label, file or line has another one");
    ok(number_of("ab", "c", 1, &other) != number_of("a", "bc", 1, &again),
       "it is known where a label ends");
    ok(number_of(NULL, NULL, 1, &other) == number_of("", "", 1, &again),
       "no text is empty text");
}

/* So many that some have one chain. */
static void
test_many(void)
{
    enum { N = 3000 };
    static unsigned first[N];
    unsigned word = 0, n_same = 0;

    for (int i = 0; i < N; i++)
        first[i] = number_of("many", "a.c", i, &word);
    for (int i = 0; i < N; i++)
        n_same += number_of("many", "a.c", i, &word) == first[i];
    is_count(n_same, N, "each of many sites has its number again");
}

static void
test_memory(void)
{
    unsigned word = 0;

    hpm_memory_fail_at(1, false);
    ok(number_of("late", "a.c", 1, &word) == 0 && word == 0,
       "without memory a site has no number");
    hpm_memory_fail_at(0, false);
    ok(number_of("late", "a.c", 1, &word) != 0, "it is tried again");
}

enum { N_THREADS = 8, N_SITES = 500 };

static pthread_barrier_t barrier;
static unsigned words[N_SITES];

static void *
register_all(void *ret_numbers)
{
    unsigned *numbers = ret_numbers;

    pthread_barrier_wait(&barrier);
    for (int i = 0; i < N_SITES; i++)
        numbers[i] = number_of("thread", "a.c", i, &words[i]);
    return NULL;
}

static void
test_threads(void)
{
    static unsigned numbers[N_THREADS][N_SITES];
    pthread_t threads[N_THREADS];
    bool are_same = true, are_apart = true;

    pthread_barrier_init(&barrier, NULL, N_THREADS);
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, register_all, numbers[i]);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N_SITES; i++) {
        for (int j = 1; j < N_THREADS; j++)
            are_same &= numbers[j][i] == numbers[0][i];
        are_apart &= i == 0 || numbers[0][i] != numbers[0][i - 1];
    }
    ok(are_same && are_apart, "threads give one site one number");
}

/* ---- places of sites ------------------------------------------------ */

enum { FIRST_SLOTS = 128, PARENT = 77, N_NODES = 1000 };

static struct hpm_sites sites;
static struct hpm_node nodes[N_NODES];
static struct hpm_site rooms[N_NODES];

/* The key of the site with that number, one section deep. */
static struct hpm_site
key_of(unsigned number)
{
    return (struct hpm_site){.parent = &nodes[0],
                             .label = hpm_site_numbered,
                             .where = number,
                             .instance = 5,
                             .has_slot = true,
                             .node = &nodes[number]};
}

static void
learn(unsigned number)
{
    const struct hpm_site site = key_of(number);

    hpm_sites_learn(
        &sites, &site,
        &(struct hpm_learnt){&rooms[number], PARENT, hpm_site_salt(number)},
        N_NODES);
}

static bool
has(uint32_t slot, unsigned number)
{
    const struct hpm_slot *it = &sites.slots[slot];

    return hpm_slot_is(it, PARENT, number, 5) && it->node == &nodes[number] &&
           it->salt == hpm_site_salt(number);
}

/* The places in which a start finds it: "1" and "2" are slots, "b" is its
 * bucket. */
static const char *
places_of(unsigned number)
{
    static const char *const found[] = {"",  "1",  "2",  "12",
                                        "b", "1b", "2b", "12b"};
    const struct hpm_site key = key_of(number);
    uint32_t slot = hpm_sites_slot(&sites, PARENT, number, 5);

    return found[has(slot, number) +
                 2 * has(hpm_sites_second_slot(&sites, slot), number) +
                 4 * (hpm_sites_find(&sites, &key) == &nodes[number])];
}

/* Numbers that differ by the number of slots have the same first slot. */
static void
test_slots(void)
{
    const unsigned a = 1, b = a + FIRST_SLOTS, c = b + FIRST_SLOTS;

    ok(hpm_sites_init(&sites), "there is memory for sites");
    is_text(places_of(a), "", "at first none is found");
    learn(a);
    is_text(places_of(a), "1b", "one is found in its first slot");
    learn(b);
    is_text(places_of(b), "2b", "where that is taken, in its second one");
    is_text(places_of(a), "1b", "and the first one stays");
    learn(c);
    is_text(places_of(c), "b", "where both are, in its bucket alone");
    hpm_sites_hide(&sites, &rooms[c], PARENT, true);
    hpm_sites_hide(&sites, &rooms[a], PARENT, true);
    ok(rooms[a].is_hidden && strcmp(places_of(a), "b") == 0 &&
           strcmp(places_of(b), "2b") == 0,
       "one that is hidden is not found in its slot, another one is");
    hpm_sites_hide(&sites, &rooms[b], PARENT, true);
    hpm_sites_hide(&sites, &rooms[a], PARENT, false);
    ok(strcmp(places_of(a), "1b") == 0 && strcmp(places_of(b), "b") == 0,
       "until it is shown again");
    hpm_sites_hide(&sites, &rooms[c], PARENT, false);
    hpm_sites_hide(&sites, &rooms[b], PARENT, false);
    is_text(places_of(b), "2b", "nor in its second one");
    hpm_sites_clear(&sites);
    ok(rooms[a].node == NULL && sites.n_sites == 0, "all is forgotten");
}

/* Restart with another first place, for a calibration. */
static void
test_restart(void)
{
    static const char *const places[] = {"1b", "2b", "b"};

    hpm_sites_init(&sites);
    for (size_t i = 0; i < 3; i++) {
        hpm_sites_restart(&sites, (enum hpm_sites_place)i);
        learn(1);
        learn(2);
        ok(strcmp(places_of(1), places[i]) == 0 &&
               strcmp(places_of(2), places[i]) == 0,
           "all are found where that is wanted");
    }
    hpm_sites_restart(&sites, HPM_SITES_FIRST_SLOT);
    is_text(places_of(1), "", "a restart forgets them");
    is_count(sites.n_numbered, 0, "and how many there were");
    hpm_sites_clear(&sites);
}

/* How many of the first n are found, each in a slot and a bucket. */
static size_t
n_found(unsigned n)
{
    size_t n_there = 0;

    for (unsigned i = 1; i <= n; i++)
        n_there += strlen(places_of(i)) == 2;
    return n_there;
}

static void
test_growth(void)
{
    hpm_sites_init(&sites);
    for (unsigned i = 1; i <= 24; i++)
        learn(i);
    ok(sites.slot_mask == FIRST_SLOTS - 1 && n_found(24) == 24,
       "three of sixteen slots are taken");
    learn(25);
    ok(sites.slot_mask == 2 * FIRST_SLOTS - 1 && n_found(25) == 25,
       "before there are more, there are twice as many slots");
    hpm_sites_hide(&sites, &rooms[3], PARENT, true);
    for (unsigned i = 26; i <= 48; i++)
        learn(i);
    is_count(sites.slot_mask, 2 * FIRST_SLOTS - 1, "so it goes on");
    learn(49);
    ok(sites.slot_mask == 4 * FIRST_SLOTS - 1 && n_found(49) == 48 &&
           strcmp(places_of(3), "b") == 0,
       "one that is hidden stays so");
    for (unsigned i = 50; i < N_NODES; i++)
        learn(i);
    is_count(n_found(N_NODES - 1), N_NODES - 2, "many are found as well");
    hpm_sites_clear(&sites);
}

/* Of 1,000 sites in twice as many buckets, about 800 have a bucket of their
 * own, whichever field they differ in. */
static void
test_hash(void)
{
    enum { N = 1000, N_BUCKETS = 2048, N_FIELDS = 5 };
    static const char text[8 * N];

    for (int field = 0; field < N_FIELDS; field++) {
        bool is_taken[N_BUCKETS] = {false};
        uint64_t n_taken = 0;

        for (int i = 0; i < N; i++) {
            struct hpm_site key = {.label = text, .file = text, .where = 9};
            bool *bucket;

            if (field == 0)
                key.label += 8 * i;
            if (field == 1)
                key.file += 8 * i;
            if (field == 2)
                key.where += (uint64_t)i;
            if (field == 3)
                key.instance += i;
            if (field == 4)
                key.parent = &nodes[i];
            bucket = &is_taken[hpm_site_hash(&key) >> 53];
            n_taken += !*bucket;
            *bucket = true;
        }
        ok(n_taken > 500, "sites are spread over the buckets");
        printf("# field %d: %d buckets\n", field, (int)n_taken);
    }
}

/* No memory for more sites. */
static void
test_sites_without_memory(void)
{
    hpm_memory_fail_at(1, false);
    ok(!hpm_sites_init(&sites), "lack of memory for sites is said");
    hpm_memory_fail_at(0, false);
    hpm_sites_init(&sites);
    hpm_memory_fail_at(1, false);
    learn(1);
    hpm_memory_fail_at(0, false);
    ok(sites.n_sites == 0 && *places_of(1) == '\0',
       "a site there is no memory for is not kept");
    hpm_memory_fail_at(2, false);
    learn(1);
    hpm_memory_fail_at(0, false);
    is_text(places_of(1), "b", "without memory for slots it is in its bucket");
    learn(2);
    ok(strcmp(places_of(2), "1b") == 0 && strcmp(places_of(1), "1b") == 0,
       "until there is some for both");
    for (unsigned i = 3; i <= 24; i++)
        learn(i);
    hpm_memory_fail_at(1, true);
    learn(25);
    hpm_memory_fail_at(0, false);
    ok(sites.slot_mask == FIRST_SLOTS - 1 && n_found(25) == 25,
       "without memory for more slots, those there are serve");
    hpm_sites_clear(&sites);
}

/* Sites without a number, many for one node. */
static void
test_strings(void)
{
    static const char files[20000];
    struct hpm_site key = {.parent = &nodes[0],
                           .label = "a",
                           .instance = 5,
                           .has_slot = true,
                           .node = &nodes[1]};
    size_t n_known = 0;

    hpm_sites_init(&sites);
    for (size_t i = 0; i < 288; i++) {
        key.file = &files[i];
        hpm_sites_learn(&sites, &key, &(struct hpm_learnt){NULL, PARENT, 1}, 4);
    }
    for (size_t i = 0; i < 288; i++) {
        key.file = &files[i];
        n_known += hpm_sites_find(&sites, &key) == &nodes[1];
    }
    is_count(n_known, 288, "eight for each node and some more are known");
    is_count(sites.n_numbered, 0, "they have no slot");
    key.file = &files[288];
    ok(hpm_sites_find(&sites, &key) == NULL, "others are not");
    hpm_sites_learn(&sites, &key, &(struct hpm_learnt){NULL, PARENT, 1}, 4);
    hpm_sites_learn(&sites, &key, &(struct hpm_learnt){NULL, PARENT, 1}, 4);
    is_count(sites.n_sites, 1, "when there are more, all are learnt anew");
    ok(hpm_sites_find(&sites, &key) == &nodes[1], "beginning with this one");
    hpm_sites_clear(&sites);
}

/* Of the five sites in a bucket one is displaced by the next. */
static void
test_displaced(void)
{
    static const char files[200];
    struct hpm_site key = {.parent = &nodes[0], .label = "a"};
    size_t n_newest = 0, n_known = 0;
    unsigned shift;

    hpm_sites_init(&sites);
    hpm_memory_grow(&sites.sites, &sites.capacity, 200, sizeof *sites.sites);
    shift = sites.shift;
    hpm_memory_fail_at(1, true);
    for (size_t i = 0; i < 200; i++) {
        key.file = &files[i];
        key.node = &nodes[i];
        hpm_sites_learn(&sites, &key, &(struct hpm_learnt){&rooms[i], 1, 1},
                        N_NODES);
        n_newest += hpm_sites_find(&sites, &key) == &nodes[i];
    }
    hpm_memory_fail_at(0, false);
    for (size_t i = 0; i < 200; i++) {
        key.file = &files[i];
        n_known += hpm_sites_find(&sites, &key) == &nodes[i];
    }
    ok(sites.shift == shift && n_newest == 200,
       "without memory for more buckets the newest site is found");
    ok(n_known > 80 && n_known <= 160, "and of the others many");
    hpm_sites_clear(&sites);
}

int
main(void)
{
    test_places();
    test_many();
    test_memory();
    test_threads();
    test_slots();
    test_restart();
    test_growth();
    test_hash();
    test_sites_without_memory();
    test_strings();
    test_displaced();
    return done();
}
