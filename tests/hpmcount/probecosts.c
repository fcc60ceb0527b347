/* SPDX-License-Identifier: BSD-3-Clause
 * What a hit of a probe costs, of windows that are made up: no probe is set. */
#include "hpmcount/probecosts.c"

#include "tap.h"

/* proberings.c is not here */
bool
proberings_open(struct proberings *rings, const struct hpm_eventset *set,
                const struct tracefs *tracefs, pid_t pid, bool now,
                enum proberings_extent extent, struct hpm_error *err)
{
    (void)rings, (void)set, (void)tracefs, (void)pid, (void)now;
    (void)extent;
    return hpm_error_set(err, "no probes");
}

void
proberings_read(struct proberings *rings,
                void (*take_one)(void *context,
                                 const struct proberings_record *record),
                void *context)
{
    (void)rings, (void)take_one, (void)context;
}

void
proberings_close(struct proberings *rings)
{
    (void)rings;
}

static char instructions[] = "instructions", misses[] = "cache-misses";
static struct hpm_event events[2] = {{.name = instructions}, {.name = misses}};
static const struct hpm_eventset set = {.events = events, .n_events = 2};
static struct proberings rings = {
    .set = &set, .is_counted = {true, true}, .n_counted = 2};
static struct windows windows = {.rings = &rings};

/* What a round of CALLS calls of each function has in each slot; the twin is the
 * last one. */
static const int64_t usual[3][N_FUNCTIONS] = {{5100, 7100, 9100, 11100, 100},
                                              {2350, 3450, 2450, 2550, 50},
                                              {-205, -100, 95, -305, 0}};

enum { SLOT_TIME, SLOT_INSTRUCTIONS, SLOT_MISSES };

static void
feed(enum proberings_kind kind, int function, const int64_t *counts)
{
    const uint64_t others[] = {(uint64_t)counts[1], (uint64_t)counts[2]};
    const struct proberings_record record = {
        .kind = kind,
        .ns = (uint64_t)counts[0],
        .counts = others,
        .address = function < 0 ? 1 : address_of(function)};

    take(&windows, &record);
}

/* A call of the function from one reading to another. */
static void
feed_call(int function, const int64_t *used)
{
    static int64_t now[3] = {1000, 1000, 1000};

    feed(PROBERINGS_ENTRY, function, now);
    for (int i = 0; i < 3; i++)
        now[i] += used[i];
    feed(PROBERINGS_BACK, function, now);
}

/* One inner call is interrupted, and the first round of the twin. */
static void
feed_all(void)
{
    static const int64_t inner[3] = {10, 3, 0}, late[3] = {5000, 3, 1};
    const int64_t none[3] = {0};

    for (int i = 0; i < WINDOWS; i++) {
        for (int k = 0; k < HPM_N_INSTRUCTION_KINDS; k++)
            feed_call(k, i == 0 ? late : inner);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < N_FUNCTIONS; k++) {
            int64_t used[3];

            for (int slot = 0; slot < 3; slot++)
                used[slot] = usual[slot][k];
            if (round == 0 && k == CALLER)
                used[SLOT_TIME] += 10000;
            feed_call(CALLER, used);
        }
    }
    feed(PROBERINGS_SWITCH, 0, none);
    feed(PROBERINGS_ENTRY, -1, none);
}

static void
is_amounts(const struct probecosts *costs, size_t slot, int64_t self,
           int64_t start, int64_t stop, const char *sentence)
{
    const struct hpm_costs *constants = &costs->calibration.costs;

    ok((int64_t)constants->amounts[HPM_COST_SELF][slot] == self &&
           (int64_t)constants->amounts[HPM_COST_START][slot] == start &&
           (int64_t)constants->amounts[HPM_COST_STOP][slot] == stop,
       sentence);
}

static void
test_costs(void)
{
    const struct hpm_calibration *base;
    struct probecosts costs;

    fill(&windows, &set, &costs);
    base = &costs.calibration;
    ok(base->is_done && base->n_overheads == 3, "time and both counters");
    is_amounts(&costs, SLOT_TIME, 10, 25, 25, "the time of a call, in two");
    is_amounts(&costs, SLOT_INSTRUCTIONS, 1, 11, 12,
               "instructions, without the function's own");
    is_amounts(&costs, SLOT_MISSES, 0, -1, -1,
               "what the twin had more of is below 0");
    ok((int64_t)base->pair[SLOT_TIME].min == -50 &&
           base->pair[SLOT_TIME].median == 50 &&
           base->pair[SLOT_TIME].max == 50,
       "a twin that was interrupted makes a time below 0");
    is_near(base->timed[HPM_TIMED_PAIR].least, -50.0, 0.0,
            "which is the least one that is published");
    is_near(base->timed[HPM_TIMED_PAIR].middle, 50.0, 0.0, "not the middle");
    ok(base->self[SLOT_TIME].min == 10 && base->self[SLOT_TIME].max == 5000,
       "the least and the most inside a call");
    is_near(base->timed[HPM_TIMED_SELF].most, 5000.0, 0.0, "as a time, too");
    is_near(base->timed[HPM_TIMED_SELF].low, 8.75, 0.0, "an eighth less");
    is_near(base->timed[HPM_TIMED_SELF].high, 11.25, 0.0, "an eighth more");
}

static void
test_more(void)
{
    struct probecosts costs;

    fill(&windows, &set, &costs);
    ok(costs.more[HPM_INSTRUCTION_IMITATED][SLOT_TIME] == 0,
       "an instruction that the kernel imitates costs no more");
    ok(costs.more[HPM_INSTRUCTION_FRAME][SLOT_TIME] == 20 &&
           costs.more[HPM_INSTRUCTION_MOVE][SLOT_TIME] == 40 &&
           costs.more[HPM_INSTRUCTION_OTHER][SLOT_TIME] == 60,
       "the others cost their own time more");
    ok(costs.more[HPM_INSTRUCTION_FRAME][SLOT_INSTRUCTIONS] == 10 &&
           costs.more[HPM_INSTRUCTION_MOVE][SLOT_INSTRUCTIONS] == 1,
       "of a frame's function one instruction is its own");
    ok(costs.more[HPM_INSTRUCTION_OTHER][SLOT_MISSES] == 0 &&
           costs.more[HPM_INSTRUCTION_MOVE][SLOT_MISSES] == 3,
       "nothing costs less than the imitated one");
}

static void
test_whole(void)
{
    ok(is_whole(&windows), "all calls were reported");
    for (int k = 0; k < PROBECOSTS_PLACES; k++) {
        windows.n[k]--;
        ok(!is_whole(&windows), "a call that was not reported is missed");
        windows.n[k]++;
    }
}

/* Fewer events are counted than are asked for. */
static void
test_not_counted(void)
{
    struct probecosts costs;

    for (size_t i = 0; i < WINDOWS; i++) /* fill() has taken them off */
        windows.of[HPM_INSTRUCTION_IMITATED][WINDOWS + i] += 1;
    rings.is_counted[0] = false;
    fill(&windows, &set, &costs);
    is_amounts(&costs, 1, 0, 0, 0,
               "an event that is not counted costs nothing");
    is_amounts(&costs, 2, 2, 11, 12, "the next one has the first counts");
}

static void
test_places(void)
{
    struct tracefs_place places[PROBECOSTS_PLACES];
    char path[PATH_MAX];
    struct hpm_error err;
    bool are_different = true;

    ok(probecosts_places(path, places, &err), "the places are found");
    for (int k = 0; k < PROBECOSTS_PLACES; k++) {
        ok(places[k].path == path && places[k].offset > 0,
           "each is in this program");
        for (int i = 0; i < k; i++)
            are_different =
                are_different && places[i].offset != places[k].offset;
    }
    ok(are_different, "no two are the same");
}

int
main(void)
{
    for (int k = 0; k < PROBECOSTS_PLACES; k++)
        windows.of[k] = hpm_memory_new(3 * WINDOWS, sizeof *windows.of[k]);
    feed_all();
    test_whole();
    test_costs();
    for (size_t i = 0; i < WINDOWS; i++)
        windows.of[HPM_INSTRUCTION_IMITATED][WINDOWS + i] += INNER_INSTRUCTIONS;
    test_more();
    test_not_counted();
    test_places();
    for (int k = 0; k < PROBECOSTS_PLACES; k++)
        hpm_memory_free(windows.of[k]);
    return done();
}
