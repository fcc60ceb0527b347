/* SPDX-License-Identifier: BSD-3-Clause
 * Data about counters that take turns: for which events and sections. */
#include "record/shares.h"

#include "host/memory.h"
#include "tap.h"

/* Three events; the first one is counted all the time. */
enum { N_EVENTS = 3, SECOND = 4, THIRD = 6, N_SLOTS = 8 };

static struct hpm_metered events[N_EVENTS];
static struct hpm_meter meter = {
    .n_events = N_EVENTS, .n_slots = N_SLOTS, .events = events};

static void
set_turns(bool takes_turns, uint16_t second, uint16_t third)
{
    meter.takes_turns = takes_turns;
    events[1].clock_slot = second;
    events[2].clock_slot = third;
}

static void
test_new(void)
{
    struct hpm_shares *shares;

    set_turns(false, SECOND, THIRD);
    ok(hpm_shares_new(&meter) == NULL,
       "where none takes turns there is nothing");
    set_turns(true, 0, 0);
    ok(hpm_shares_new(&meter) == NULL, "nor where no event has a clock");
    set_turns(true, SECOND, THIRD);
    shares = hpm_shares_new(&meter);
    ok(shares != NULL && shares->n_events == 2, "two take turns");
    ok(shares != NULL && shares->events[0].slot == 2 &&
           shares->events[0].clock_slot == SECOND &&
           shares->events[1].slot == 3 && shares->events[1].clock_slot == THIRD,
       "those with a clock, each with its own");
    ok(shares != NULL && shares->at == shares->last + N_SLOTS,
       "two rows are kept, side by side");
    for (size_t i = 0; shares != NULL && i < 2 * N_SLOTS; i++)
        shares->last[i] = i; /* the sanitizers see an array that is too short */
    hpm_shares_free(shares);
    hpm_shares_free(NULL);
}

static void
test_sections(void)
{
    struct hpm_shares *shares = hpm_shares_new(&meter);
    struct hpm_blocks *blocks;

    ok(hpm_shares_of(shares, 5) == NULL, "a section has none at first");
    blocks = hpm_shares_get(shares, 5);
    ok(blocks != NULL && hpm_shares_get(shares, 5) == blocks &&
           hpm_shares_of(shares, 5) == blocks,
       "it gets some, and keeps them");
    ok(hpm_shares_of(shares, 4) == NULL && hpm_shares_of(shares, 6) == NULL,
       "sections beside it have none");
    ok(hpm_shares_get(shares, 4) != blocks, "nor the same");
    ok(hpm_shares_find(shares, 5, 1, false) == blocks &&
           hpm_shares_find(shares, 5, 1, true) == blocks + 1 &&
           hpm_shares_find(shares, 5, 2, false) == blocks + 2 &&
           hpm_shares_find(shares, 5, 2, true) == blocks + 3,
       "each event has its own, inclusive and exclusive");
    ok(hpm_shares_find(shares, 5, 0, false) == NULL,
       "but none that is counted all the time");
    ok(hpm_shares_find(NULL, 5, 1, false) == NULL &&
           hpm_shares_find(shares, 77, 1, false) == NULL,
       "nor what nobody has kept");
    hpm_shares_be_even(shares);
    ok(shares->slice_ns == UINT64_MAX && shares->step_ns == UINT64_MAX,
       "no slice is due where each stop is to take the same way");
    hpm_shares_free(shares);
}

static void
test_no_memory(void)
{
    struct hpm_shares *shares = NULL;
    unsigned long n = 0;
    bool is_refused;

    while (shares == NULL && n < 10) {
        hpm_memory_fail_at(++n, false);
        shares = hpm_shares_new(&meter);
        hpm_memory_fail_at(0, false);
    }
    is_count(n, 4, "each of three allocations is needed");
    hpm_memory_fail_at(1, true);
    is_refused = hpm_shares_get(shares, 300) == NULL;
    hpm_memory_fail_at(0, false);
    ok(is_refused && hpm_shares_of(shares, 300) == NULL,
       "a section without memory has none");
    hpm_memory_fail_at(2, true);
    is_refused = hpm_shares_get(shares, 300) == NULL;
    hpm_memory_fail_at(0, false);
    ok(is_refused && hpm_shares_of(shares, 300) == NULL,
       "nor one for which there is but a place");
    ok(hpm_shares_get(shares, 300) != NULL, "later it may get some");
    hpm_shares_free(shares);
}

int
main(void)
{
    test_new();
    test_sections();
    test_no_memory();
    return done();
}
