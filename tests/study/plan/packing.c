/* SPDX-License-Identifier: BSD-3-Clause
 * Events packed into few sets, compared with the least number of sets, found by
 * trying every partition.  Random counters and closures; the seed is
 * printed. */
#include "study/plan/packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tap.h"

enum { MAX_EVENTS = 7, MAX_CLOSURES = 5, N_TRIALS = 600 };

/* Simulated counters, each of which can hold some events. */
struct counters {
    unsigned holds[4]; /* events as bits */
    size_t n;
    size_t n_asked;
    uint64_t asked[1 << MAX_EVENTS];
};

static unsigned
bits_of(const struct hpm_eventmask *mask)
{
    return (unsigned)mask->words[0];
}

static struct hpm_eventmask
mask_of(unsigned bits)
{
    struct hpm_eventmask mask = {{bits}};

    return mask;
}

/* Has every event a counter of its own?  Found by trying all ways. */
static bool
has_places(const struct counters *counters, unsigned events, unsigned used)
{
    unsigned event = events & -events;

    if (events == 0)
        return true;
    for (size_t i = 0; i < counters->n; i++) {
        if ((used >> i & 1) == 0 && (counters->holds[i] & event) != 0 &&
            has_places(counters, events & ~event, used | 1u << i))
            return true;
    }
    return false;
}

static bool
fits(const struct hpm_eventmask *events, void *context)
{
    struct counters *counters = context;

    counters->n_asked++;
    counters->asked[bits_of(events)]++;
    return has_places(counters, bits_of(events), 0);
}

/* ---- the least number ------------------------------------------------ */

/* Put each closure from `first` on into one of the sets or a new one. */
static size_t
find_least(const struct counters *counters, const unsigned *pieces,
           size_t n_pieces, size_t first, unsigned *sets, size_t n_sets)
{
    size_t least = SIZE_MAX;

    if (first == n_pieces)
        return n_sets;
    for (size_t i = 0; i <= n_sets; i++) {
        unsigned before = sets[i];
        size_t n;

        sets[i] = (i < n_sets ? before : 0) | pieces[first];
        if (has_places(counters, sets[i], 0)) {
            n = find_least(counters, pieces, n_pieces, first + 1, sets,
                           i < n_sets ? n_sets : n_sets + 1);
            least = n < least ? n : least;
        }
        sets[i] = before;
    }
    return least;
}

/* Pieces that must stay whole: closures that fit and are not of ratios; all
 * other events alone. */
static size_t
least_of(const struct counters *counters, const struct hpm_packing_task *task)
{
    unsigned pieces[MAX_CLOSURES + MAX_EVENTS], rest = 0;
    unsigned sets[MAX_CLOSURES + MAX_EVENTS + 1] = {0};
    size_t n = 0;

    for (size_t i = 0; i < task->n_closures; i++) {
        unsigned events = bits_of(&task->closures[i].events);

        if (!task->closures[i].may_be_apart && has_places(counters, events, 0))
            pieces[n++] = events;
        else
            rest |= events;
    }
    for (; rest != 0; rest &= rest - 1) {
        if (has_places(counters, rest & -rest, 0))
            pieces[n++] = rest & -rest;
    }
    return find_least(counters, pieces, n, 0, sets, 0);
}

/* ---- one trial ------------------------------------------------------- */

static unsigned
draw(unsigned n)
{
    return (unsigned)rand() % n;
}

static void
make_trial(struct counters *counters, struct hpm_closure *closures,
           struct hpm_packing_task *task)
{
    *counters = (struct counters){.n = 1 + draw(4)};
    for (size_t i = 0; i < counters->n; i++)
        counters->holds[i] =
            draw(2) ? (1u << MAX_EVENTS) - 1 : draw(1u << MAX_EVENTS);
    *task = (struct hpm_packing_task){.closures = closures,
                                      .n_closures = 1 + draw(MAX_CLOSURES),
                                      .anchors = mask_of(draw(4)),
                                      .fits = fits,
                                      .context = counters};
    for (size_t i = 0; i < task->n_closures; i++)
        closures[i] = (struct hpm_closure){
            mask_of(1 + draw((1u << MAX_EVENTS) - 1)), draw(3) == 0};
}

static bool
is_in_some_set(const struct hpm_packing *packing, unsigned events)
{
    for (size_t i = 0; i < packing->n_sets; i++) {
        if ((events & ~bits_of(&packing->sets[i])) == 0)
            return true;
    }
    return false;
}

/* NULL when the packing is right. */
static const char *
find_fault(const struct counters *counters, const struct hpm_packing_task *task,
           const struct hpm_packing *packing)
{
    for (size_t i = 0; i < packing->n_sets; i++) {
        if (!has_places(counters, bits_of(&packing->sets[i]), 0))
            return "a set does not fit";
    }
    for (size_t i = 0; i < task->n_closures; i++) {
        unsigned events = bits_of(&task->closures[i].events);
        size_t set = packing->set_of[i];

        if (!task->closures[i].may_be_apart &&
            has_places(counters, events, 0) && set == HPM_NO_SET)
            return "a closure that fits is apart";
        if ((set != HPM_NO_SET) != is_in_some_set(packing, events) ||
            (set != HPM_NO_SET && (events & ~bits_of(&packing->sets[set]))))
            return "the set of a closure is wrong";
        for (; events != 0; events &= events - 1) {
            if (has_places(counters, events & -events, 0) &&
                !is_in_some_set(packing, events & -events))
                return "an event is nowhere";
        }
    }
    for (size_t i = 0; i < 1u << MAX_EVENTS; i++) {
        if (counters->asked[i] > 1)
            return "the counters were asked twice for the same events";
    }
    return NULL;
}

static void
test_random(unsigned seed)
{
    size_t n_more = 0, n_faults = 0;

    printf("# seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < N_TRIALS; i++) {
        struct hpm_closure closures[MAX_CLOSURES];
        struct hpm_packing_task task;
        struct hpm_packing packing;
        struct counters counters;
        struct hpm_error err;
        const char *fault;
        size_t least;

        make_trial(&counters, closures, &task);
        if (!hpm_packing_make(&packing, &task, &err))
            exit(1);
        fault = find_fault(&counters, &task, &packing);
        least = least_of(&counters, &task);
        if (fault == NULL && packing.n_sets < least)
            fault = "fewer sets than are possible";
        if (fault != NULL && n_faults++ < 3)
            printf("# trial %d: %s\n", i, fault);
        n_more += packing.n_sets > least;
        hpm_packing_clear(&packing);
    }
    printf("# of %d packings %zu have more sets than the fewest\n", N_TRIALS,
           n_more);
    ok(n_faults == 0, "random packings are right");
    ok(n_more <= N_TRIALS / 100,
       "at most 1 in 100 has more sets than the fewest");
}

/* ---- known cases ---------------------------------------------------- */

static struct hpm_packing
pack(struct counters *counters, const struct hpm_closure *closures, size_t n,
     unsigned anchors)
{
    struct hpm_packing_task task = {.closures = closures,
                                    .n_closures = n,
                                    .anchors = mask_of(anchors),
                                    .fits = fits,
                                    .context = counters};
    struct hpm_packing packing;
    struct hpm_error err;

    if (!hpm_packing_make(&packing, &task, &err))
        exit(1);
    return packing;
}

static void
test_ratios(void)
{
    /* two counters: a - b, c / a, d / c */
    const struct hpm_closure closures[] = {
        {mask_of(3), false}, {mask_of(5), true}, {mask_of(12), true}};
    struct counters counters = {{15, 15}, .n = 2};
    struct hpm_packing packing = pack(&counters, closures, 3, 0);

    ok(packing.n_sets == 2, "ratios take no set more");
    ok(packing.set_of[0] != HPM_NO_SET, "a difference is kept together");
    ok(packing.set_of[1] == HPM_NO_SET && packing.set_of[2] != HPM_NO_SET,
       "of two ratios the one that can be is kept together");
    hpm_packing_clear(&packing);
}

static void
test_anchors(void)
{
    const struct hpm_closure closures[] = {
        {mask_of(2), false}, {mask_of(4), false}, {mask_of(8), false}};
    struct counters counters = {{15, 15}, .n = 2};
    struct hpm_packing packing = pack(&counters, closures, 3, 1);

    ok(packing.n_sets == 2, "an anchor takes no set");
    ok((bits_of(&packing.sets[0]) & 1) != (bits_of(&packing.sets[1]) & 1),
       "the set with room has it, the other has not");
    hpm_packing_clear(&packing);
}

static void
test_lonely(void)
{
    /* 0 and 1 only by the first counter, 2 by the second, 3 by no counter */
    const struct hpm_closure closures[] = {
        {mask_of(1), false}, {mask_of(2), false}, {mask_of(8), false}};
    struct counters counters = {{3, 4}, .n = 2};
    struct hpm_packing packing = pack(&counters, closures, 3, 0);

    ok(packing.n_sets == 2 && packing.is_lonely[0] && packing.is_lonely[1],
       "events of one counter are alone");
    ok(packing.set_of[2] == HPM_NO_SET,
       "what no counter can hold is in no set");
    hpm_packing_clear(&packing);
    packing = pack(&counters, closures, 0, 0);
    ok(packing.n_sets == 0, "nothing takes no set");
    hpm_packing_clear(&packing);
}

int
main(void)
{
    const char *seed = getenv("HPM_TEST_SEED");
    unsigned other =
        getenv("HPM_TEST_ALL") != NULL ? (unsigned)time(NULL) : 20261127;

    test_random(seed != NULL ? (unsigned)atoi(seed) : other);
    test_ratios();
    test_anchors();
    test_lonely();
    return done();
}
