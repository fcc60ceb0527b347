/* SPDX-License-Identifier: BSD-3-Clause
 * Is each call kept with the same probability?  Over many seeds; alone, with
 * two threads joined, and if memory ends early. */
#include "record/reservoir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "tap.h"

enum { N_ROW = 3, N_TRIES = 20000 };

static void
offer(const struct hpm_reservoirs *of, struct hpm_reservoir *reservoir,
      uint64_t first, uint64_t n)
{
    for (uint64_t i = first; i < first + n; i++) {
        const uint64_t start[N_ROW] = {1000 * i, 7, 1};
        const uint64_t now[N_ROW] = {1000 * i + i, 7 + 2 * i, 1};

        hpm_reservoir_keep(of, reservoir, i, start, now);
    }
}

/* Does each row have the values of its call? */
static bool
is_whole(const struct hpm_reservoirs *of, const struct hpm_reservoir *reservoir)
{
    for (size_t i = 0; i < reservoir->n; i++) {
        const uint64_t *row = hpm_reservoir_row(of, reservoir, i);

        if (row[1] != 1000 * row[0] || row[2] != row[0] ||
            row[3] != 2 * row[0] || row[4] != 0)
            return false;
        for (size_t j = 0; j < i; j++) {
            if (hpm_reservoir_row(of, reservoir, j)[0] == row[0])
                return false;
        }
    }
    return true;
}

static struct hpm_reservoirs *
choose(size_t most, uint64_t seed)
{
    struct hpm_reservoirs *of = hpm_reservoirs_new(N_ROW);

    if (of == NULL || !hpm_reservoirs_choose(of, 0, most, seed))
        exit(99);
    return of;
}

/* Chi square per degree of freedom of how often each of n calls was kept with
 * the probability `chance`; the variance is that of a draw without
 * replacement. */
static double
spread_of(const unsigned *hits, size_t n, double chance)
{
    double expected = N_TRIES * chance, sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += (hits[i] - expected) * (hits[i] - expected);
    return sum / (expected * (1.0 - chance)) / (double)(n - 1);
}

/* With 59 and more degrees of freedom a value above 1.9 occurs in one of 30,000
 * tests; the seeds are always the same. */
static void
check_spread(const unsigned *hits, size_t n, double chance,
             const char *sentence)
{
    double spread = spread_of(hits, n, chance);

    printf("# %s: %.3f\n", sentence, spread);
    ok(spread > 0.4 && spread < 1.9, sentence);
}

static void
count(const struct hpm_reservoirs *of, unsigned *hits)
{
    const struct hpm_reservoir *reservoir = hpm_reservoirs_of(of, 0);

    for (size_t i = 0; i < reservoir->n; i++)
        hits[hpm_reservoir_row(of, reservoir, i)[0]]++;
}

static void
test_one(size_t most, uint64_t n, const char *sentence)
{
    unsigned hits[512] = {0};
    bool is_good = true;

    for (uint64_t seed = 0; seed < N_TRIES; seed++) {
        struct hpm_reservoirs *of = choose(most, seed * 0x9e3779b9u);

        offer(of, of->of_nodes[0], 0, n);
        is_good &= of->of_nodes[0]->n == most && of->of_nodes[0]->n_made == n &&
                   (seed % 100 != 0 || is_whole(of, of->of_nodes[0]));
        count(of, hits);
        hpm_reservoirs_free(of);
    }
    ok(is_good, "as many as wished, each once, with what it used");
    check_spread(hits, (size_t)n, (double)most / (double)n, sentence);
}

struct two {
    uint64_t n_here, n_there, n_later; /* calls before and after */
    size_t most_there; /* the second one had no more room for rows; 0: it had */
    size_t expected;   /* rows; 0: 20 */
    uint64_t other;    /* difference of the seeds */
    bool lacks_memory; /* no memory for more rows than the first one has */
};

static void
join_and_count(const struct two *two, uint64_t seed, unsigned *hits,
               bool *ret_is_good)
{
    size_t most_there = two->most_there > 0 ? two->most_there : 20;
    size_t expected = two->expected > 0 ? two->expected : 20;
    struct hpm_reservoirs *here = choose(20, seed);
    struct hpm_reservoirs *there = choose(most_there, seed ^ two->other);
    struct hpm_reservoir *joined = here->of_nodes[0];
    uint64_t n = two->n_here + two->n_there;

    offer(here, joined, 0, two->n_here);
    offer(there, there->of_nodes[0], two->n_here, two->n_there);
    hpm_memory_fail_at(two->lacks_memory, true);
    *ret_is_good &= hpm_reservoir_join(here, joined, there->of_nodes[0]) ==
                        !two->lacks_memory &&
                    joined->n == expected && joined->n_made == n &&
                    (seed % 100 != 0 || is_whole(here, joined));
    hpm_memory_fail_at(0, false);
    offer(here, joined, n, two->n_later);
    count(here, hits);
    hpm_reservoirs_free(here);
    hpm_reservoirs_free(there);
}

static void
test_two(const struct two *two, const char *sentence)
{
    size_t n = (size_t)(two->n_here + two->n_there + two->n_later);
    size_t expected = two->expected > 0 ? two->expected : 20;
    unsigned hits[512] = {0};
    bool is_good = true;

    for (uint64_t i = 0; i < N_TRIES; i++)
        join_and_count(two, i * 0x9e3779b9u, hits, &is_good);
    ok(is_good, "joined, each row is there once");
    check_spread(hits, n, (double)expected / (double)n, sentence);
}

static void
test_all_twos(void)
{
    enum { OTHER = 0xabcdef };

    test_two(&(struct two){60, 60, 40, .other = OTHER},
             "of two that made as many");
    test_two(&(struct two){200, 30, 40, .other = OTHER},
             "of one that made many and one that made few");
    test_two(&(struct two){10, 200, 40, .other = OTHER},
             "of one that has all of its calls");
    test_two(&(struct two){90, 70, 40, 8, .expected = 8, .other = OTHER},
             "of one that had less room");
    test_two(&(struct two){15, 200, 40, .expected = 16, .lacks_memory = true},
             "of one that gets no more memory");
    test_two(&(struct two){60, 60, .n_later = 0}, "of two with the same seed");
    test_two(&(struct two){21, 40, .n_later = 0},
             "where the second one made more");
}

static void
test_few(void)
{
    struct hpm_reservoirs *here = choose(20, 1), *there = choose(20, 2);

    offer(here, here->of_nodes[0], 0, 5);
    offer(there, there->of_nodes[0], 5, 7);
    ok(hpm_reservoir_join(here, here->of_nodes[0], there->of_nodes[0]) &&
           here->of_nodes[0]->n == 12 && is_whole(here, here->of_nodes[0]),
       "of fewer than wished all are kept");
    offer(here, here->of_nodes[0], 12, 8);
    ok(here->of_nodes[0]->n == 20 && is_whole(here, here->of_nodes[0]),
       "and as many more as there is room for");
    hpm_reservoirs_free(here);
    hpm_reservoirs_free(there);
}

/* 64 MiB have room for 1,677,721 such rows. */
static void
test_room(void)
{
    enum { N = 1200000 };
    struct hpm_reservoirs *of = choose(N, 1), *other = choose(N, 2);
    struct hpm_reservoir *first = of->of_nodes[0], *second = other->of_nodes[0];
    const uint64_t row[N_ROW] = {0};
    unsigned n_told = 0;

    offer(of, first, 0, N);
    for (uint64_t i = 0; i < N; i++)
        n_told += !hpm_reservoir_keep(other, second, i, row, row);
    ok(first->n == N, "the first has all it wants");
    ok(second->n < N && second->n > 100000 && second->n_made == N &&
           second->most == second->n,
       "the second what is left, and goes on with that");
    is_count(n_told, 1, "which is told once");
    hpm_reservoirs_free(of);
    hpm_reservoirs_free(other);
    of = choose(N, 3);
    offer(of, of->of_nodes[0], 0, N);
    ok(of->of_nodes[0]->n == N, "what was freed is there again");
    hpm_reservoirs_free(of);
}

/* A reservoir without room for any row does not remove the rows of the
 * other. */
static void
test_nothing(void)
{
    for (int i = 0; i < 2; i++) {
        struct hpm_reservoirs *of[] = {choose(20, 1), choose(20, 2)};

        offer(of[i], of[i]->of_nodes[0], 0, 30);
        hpm_memory_fail_at(1, true);
        offer(of[!i], of[!i]->of_nodes[0], 30, 9);
        hpm_memory_fail_at(0, false);
        ok(!hpm_reservoir_join(of[0], of[0]->of_nodes[0], of[1]->of_nodes[0]) &&
               of[0]->of_nodes[0]->n == 20 &&
               of[0]->of_nodes[0]->n_made == 30 &&
               is_whole(of[0], of[0]->of_nodes[0]),
           "calls of which none has room are left out");
        hpm_reservoirs_free(of[0]);
        hpm_reservoirs_free(of[1]);
    }
}

/* The parent's rows do not count in a forked child. */
static void
test_child(void)
{
    enum { N = 1200000 };
    struct hpm_reservoirs *parent = choose(N, 1), *child = choose(N, 2);

    offer(parent, parent->of_nodes[0], 0, N);
    hpm_reservoirs_forget();
    offer(child, child->of_nodes[0], 0, N);
    ok(child->of_nodes[0]->n == N, "a child has all the room");
    hpm_reservoirs_free(child);
    hpm_reservoirs_free(parent);
    hpm_reservoirs_forget();
}

/* Of all nodes, also behind those whose calls are not kept. */
static void
test_freed(void)
{
    enum { N = 1200000 };

    for (int i = 0; i < 2; i++) {
        struct hpm_reservoirs *of = hpm_reservoirs_new(N_ROW);

        if (of == NULL || !hpm_reservoirs_choose(of, 2, N, 1))
            exit(99);
        offer(of, of->of_nodes[2], 0, N);
        is_count(of->of_nodes[2]->n, N,
                 i == 0 ? "nearly all the room for one"
                        : "and for another one when that is freed");
        hpm_reservoirs_free(of);
    }
}

int
main(void)
{
    test_one(20, 60, "20 of 60 calls: each has the same chance");
    test_one(1, 64, "1 of 64");
    test_one(100, 500, "100 of 500");
    test_all_twos();
    test_few();
    test_nothing();
    test_room();
    test_child();
    test_freed();
    return done();
}
