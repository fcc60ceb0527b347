/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of events while kernels run.  A kernel runs some rounds, and then
 * twice as many: the difference contains no cost of reading the counters. */
#include "hpm/verify/trial.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/memory.h"
#include "source/clock.h"
#include "source/meter.h"

enum { REPETITIONS = 3, FIRST_ROUNDS = 16 };

/* Long compared with starting and reading counters, short for the user who
 * waits. */
static const double least_ns = 1000000;

/* A part of that is enough to see whether an event counts at all. */
enum { SHORTER = 4 };

/* Less of the thread's own time is too inexact. */
static const double least_cpu_ns = 500000;

/* No window needs to be longer than most_ns, by the kernel's clock.  Other
 * programs may use more of the processor, but not twice in a row.  A thread's
 * clock that stood still for most_still_ns, longer than a tick of any kernel's
 * clock, does not run at all. */
static const double most_ns = 200000000, most_still_ns = 20000000;

struct batch {
    struct hpm_meter *meter;
    struct trial_event *of[HPM_MAX_ALL_EVENTS]; /* per event of the set; NULL:
                                                 * not tried */
    size_t n;
    bool is_known, needs_walks; /* for the events in `of` */
    uint64_t slots[HPM_MAX_SLOTS];
    uint64_t rounds[MOST_KERNELS]; /* used for all batches; 0: not found yet */
};

struct window {
    double counts[HPM_MAX_ALL_EVENTS]; /* NAN: none */
    double ns;                         /* by the kernel's clock */
    double cpu_ns; /* the thread's; 0 if the thread has no clock */
};

static double
thread_ns(void)
{
    struct timespec time;

    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0
               ? 1e9 * (double)time.tv_sec + (double)time.tv_nsec
               : 0.0;
}

static void
run_once(struct batch *batch, const struct kernel_ready *ready, uint64_t rounds,
         struct window *ret_window)
{
    uint64_t difference[HPM_MAX_SLOTS] = {0}, before[HPM_MAX_SLOTS] = {0};
    uint64_t after[HPM_MAX_SLOTS] = {0};
    uint64_t begin = hpm_clock_kernel_ns();
    double cpu = thread_ns();

    hpm_meter_read(batch->meter, before);
    ready->kernel->run(ready->place, rounds);
    hpm_meter_read(batch->meter, after);
    ret_window->cpu_ns = thread_ns() - cpu;
    ret_window->ns = (double)(hpm_clock_kernel_ns() - begin);
    for (size_t i = 0; i < batch->meter->n_slots; i++)
        difference[i] = after[i] - before[i];
    for (size_t i = 0; i < batch->n; i++) {
        struct hpm_count count = hpm_meter_count(batch->meter, i, difference);

        ret_window->counts[i] = count.state == HPM_STATE_COUNTED
                                    ? (double)(int64_t)count.value
                                    : (double)NAN;
    }
    memcpy(batch->slots, after, sizeof after);
}

static bool
is_too_slow(const struct window *window)
{
    return window->ns >= (window->cpu_ns > 0 ? most_ns : most_still_ns);
}

/* Find a number of rounds that takes a millisecond of the thread's own time:
 * else all batches would have too few rounds while other programs use the
 * processor. */
static uint64_t
find_rounds(struct batch *batch, const struct kernel_ready *ready)
{
    uint64_t most = ready->kernel->most_rounds;
    uint64_t rounds = ready->kernel->least_rounds > 0
                          ? ready->kernel->least_rounds
                          : FIRST_ROUNDS;
    int n_slow = 0;
    struct window window;

    if (most > 0)
        return most;
    for (;;) {
        run_once(batch, ready, rounds, &window);
        n_slow = is_too_slow(&window) ? n_slow + 1 : 0;
        if (window.cpu_ns >= least_ns || n_slow > 1 ||
            rounds > UINT64_C(1) << 40)
            return rounds;
        if (n_slow == 0)
            rounds *= 4;
    }
}

/* Two equal repetitions give the median, whatever a third one would count. */
static bool
repeats(const struct batch *batch, const struct window *a,
        const struct window *b)
{
    for (size_t e = 0; e < batch->n; e++) {
        if (batch->of[e] != NULL && !(a->counts[e] == b->counts[e]))
            return false;
    }
    return true;
}

/* Run all repetitions, or only one if no correct count is known. */
static void
run_windows(struct batch *batch, const struct kernel_ready *ready,
            uint64_t rounds, struct window *once, struct window *twice)
{
    for (int i = 0; i < REPETITIONS; i++) {
        bool is_enough =
            i > 0 && (!batch->is_known ||
                      (i > 1 && repeats(batch, &once[i - 2], &once[i - 1]) &&
                       repeats(batch, &twice[i - 2], &twice[i - 1])));

        if (is_enough) {
            once[i] = once[i - 1];
            twice[i] = twice[i - 1];
            continue;
        }
        run_once(batch, ready, rounds, &once[i]);
        run_once(batch, ready, 2 * rounds, &twice[i]);
    }
}

static double
middle_of(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

static void
try_kernel(struct batch *batch, const struct kernel_ready *ready, size_t at)
{
    static struct window once[REPETITIONS], twice[REPETITIONS];
    uint64_t rounds;
    double n;

    if (batch->rounds[at] == 0)
        batch->rounds[at] = find_rounds(batch, ready);
    rounds = batch->rounds[at];
    if (!batch->is_known && rounds >= FIRST_ROUNDS * SHORTER &&
        ready->kernel->most_rounds == 0)
        rounds /= SHORTER;
    n = (double)rounds;
    run_windows(batch, ready, rounds, once, twice);
    for (size_t e = 0; e < batch->n; e++) {
        struct trial_value *value;
        double rates[REPETITIONS], offsets[REPETITIONS];

        if (batch->of[e] == NULL)
            continue;
        value = &batch->of[e]->values[at];
        for (int i = 0; i < REPETITIONS; i++) {
            rates[i] = (twice[i].counts[e] - once[i].counts[e]) / n;
            offsets[i] = 2 * once[i].counts[e] - twice[i].counts[e];
        }
        *value = (struct trial_value){
            .is_present =
                !isnan(rates[0]) && !isnan(rates[1]) && !isnan(rates[2]),
            .rate = middle_of(rates[0], rates[1], rates[2]),
            .spread = fmax(fmax(rates[0], rates[1]), rates[2]) -
                      fmin(fmin(rates[0], rates[1]), rates[2]),
            .offset = middle_of(offsets[0], offsets[1], offsets[2]),
            .first = once[1].counts[e],
            .rounds = n,
            .cpu_ns = once[1].cpu_ns >= least_cpu_ns
                          ? middle_of(twice[0].cpu_ns - once[0].cpu_ns,
                                      twice[1].cpu_ns - once[1].cpu_ns,
                                      twice[2].cpu_ns - once[2].cpu_ns) /
                                n
                          : 0};
    }
}

/* ---- batches of events ---------------------------------------------- */

/* An event without a value in a batch, or whose counter other events used
 * meanwhile, as PAPI's events do with the kernel's, is tried again alone. */
enum turn { TURN_WAITS, TURN_ALONE, TURN_DONE };

/* Can the two be in one batch?  Events with known counts are apart from others,
 * which need no repetition, and from events that need walks through memory,
 * which take long. */
static bool
are_alike(const struct trial_event *a, const struct trial_event *b)
{
    return a->is_known == b->is_known && a->needs_walks == b->needs_walks;
}

/* Choose the first events that were not tried yet, up to the size of a set. */
static bool
choose(struct hpm_eventset *set, struct trial_event *events,
       const enum turn *turns, size_t n,
       const struct hpm_source *const *sources, struct hpm_error *err)
{
    enum turn turn = TURN_DONE;
    const struct trial_event *first = NULL;
    struct hpm_string list = {0};
    size_t n_chosen = 0;
    bool is_good;

    for (size_t i = 0; i < n && n_chosen < HPM_MAX_EVENTS; i++) {
        if (turns[i] == TURN_DONE ||
            (n_chosen > 0 && (turn == TURN_ALONE || turns[i] != turn ||
                              !are_alike(&events[i], first))))
            continue;
        turn = turns[i];
        first = &events[i];
        hpm_string_add_format(&list, "%s%s", n_chosen > 0 ? "," : "",
                              events[i].name);
        n_chosen++;
    }
    is_good = !list.failed || hpm_error_no_memory(err);
    is_good = is_good && hpm_eventset_choose(set, hpm_string_text(&list), NULL,
                                             HPM_DOMAIN_USER, sources, err);
    hpm_string_free(&list);
    return is_good;
}

static struct trial_event *
find_event(struct trial_event *events, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(events[i].name, name) == 0)
            return &events[i];
    }
    return NULL;
}

/* An event that found no free counter waits for the next batch. */
static void
note_states(struct batch *batch, const struct hpm_eventset *set,
            struct trial_event *events, enum turn *turns, size_t n)
{
    bool has_one = false;

    for (size_t i = 0; i < set->n_events; i++)
        has_one |= set->events[i].state == HPM_STATE_COUNTED;
    for (size_t i = 0; i < set->n_events; i++) {
        const struct hpm_event *event = &set->events[i];
        struct trial_event *trial = find_event(events, n, event->name);

        batch->of[i] = NULL;
        batch->is_known |= trial != NULL && trial->is_known;
        batch->needs_walks |= trial != NULL && trial->needs_walks;
        if (trial == NULL || (event->state == HPM_STATE_UNSCHEDULED && has_one))
            continue;
        turns[trial - events] =
            event->state == HPM_STATE_COUNTED || set->n_events == 1
                ? TURN_DONE
                : TURN_ALONE;
        trial->is_counted = event->state == HPM_STATE_COUNTED;
        if (trial->is_counted)
            batch->of[i] = trial;
        else if (event->reason != NULL)
            snprintf(trial->reason, sizeof trial->reason, "%s", event->reason);
    }
}

static bool
has_values(const struct trial_event *event, size_t n_kernels)
{
    for (size_t i = 0; i < n_kernels; i++) {
        if (event->values[i].is_present)
            return true;
    }
    return false;
}

static size_t
count_tried(const struct batch *batch)
{
    size_t n = 0;

    for (size_t i = 0; i < batch->n; i++)
        n += batch->of[i] != NULL;
    return n;
}

/* An event without a value is tried again alone; if it was alone, it gets a
 * reason. */
static void
note_values(struct batch *batch, const struct trial_event *events,
            enum turn *turns, size_t n_kernels)
{
    size_t n_tried = count_tried(batch);

    for (size_t i = 0; i < batch->n; i++) {
        struct trial_event *event = batch->of[i];

        if (event == NULL || has_values(event, n_kernels))
            continue;
        if (n_tried > 1) {
            turns[event - events] = TURN_ALONE;
            continue;
        }
        event->is_counted = false;
        snprintf(event->reason, sizeof event->reason,
                 "others had its counter part of the time");
    }
}

static bool
is_of_software(const struct hpm_event *event)
{
    return event->source == &hpm_source_usage ||
           (event->source == &hpm_source_kernel &&
            (event->encoding.type == PERF_TYPE_SOFTWARE ||
             event->encoding.type == PERF_TYPE_TRACEPOINT));
}

/* Kernels that wait for a processor take seconds each time if other programs
 * use the processors, and show nothing about hardware events. */
static bool
shows_waiting(const struct batch *batch, const struct hpm_eventset *set)
{
    for (size_t i = 0; i < batch->n; i++) {
        if (batch->of[i] != NULL && is_of_software(&set->events[i]))
            return true;
    }
    return false;
}

static void
try_kernels(struct batch *batch, const struct hpm_eventset *set,
            const struct kernels *kernels)
{
    bool has_waiting = shows_waiting(batch, set);

    if (count_tried(batch) == 0)
        return;
    for (size_t i = 0; i < kernels->n; i++) {
        const struct kernel *kernel = kernels->list[i].kernel;

        if ((!kernel->is_waiting || has_waiting) &&
            (kernel->prepare == NULL || batch->needs_walks))
            try_kernel(batch, &kernels->list[i], i);
    }
}

static bool
run_batch(struct batch *batch, struct trial_event *events, enum turn *turns,
          size_t n, const struct kernels *kernels,
          const struct hpm_source *const *sources, struct hpm_error *err)
{
    struct hpm_eventset set = {0};
    bool is_good = choose(&set, events, turns, n, sources, err);

    batch->meter = NULL;
    batch->n = set.n_events;
    batch->is_known = batch->needs_walks = false;
    if (is_good) {
        note_states(batch, &set, events, turns, n);
        batch->meter = hpm_meter_open(&set, HPM_TARGET_THREAD, 0, err);
        is_good = batch->meter != NULL;
    }
    if (is_good) {
        try_kernels(batch, &set, kernels);
        note_values(batch, events, turns, kernels->n);
    }
    for (size_t i = 0; is_good && i < set.n_events; i++) {
        if (batch->of[i] != NULL)
            batch->of[i]->raw = batch->slots[1 + i];
    }
    hpm_meter_close(batch->meter);
    hpm_eventset_clear(&set);
    return is_good;
}

static bool
is_left(const enum turn *turns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (turns[i] != TURN_DONE)
            return true;
    }
    return false;
}

bool
trial_run(struct trial_event *events, size_t n, const struct kernels *kernels,
          const struct hpm_source *const *sources, struct hpm_error *err)
{
    static struct batch batch;
    enum turn *turns = hpm_memory_new(n + 1, sizeof *turns);
    bool is_good = turns != NULL || hpm_error_no_memory(err);

    memset(batch.rounds, 0, sizeof batch.rounds);
    for (size_t i = 0; is_good && is_left(turns, n) && i < 2 * n; i++)
        is_good = run_batch(&batch, events, turns, n, kernels, sources, err);
    hpm_memory_free(turns);
    return is_good;
}
