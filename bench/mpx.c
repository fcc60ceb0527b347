/* SPDX-License-Identifier: BSD-3-Clause
 * The experiment of the MPX paper (J. May, IPDPS 2001, section 6), with
 * counters whose true counts are known: a loop of multiplications and
 * additions, tiled for the cache, untiled, and by random indices, of 2^17 to
 * 2^24 iterations, in 1 or 4 threads, each a section.  A fourth loop, which is
 * not in the paper, has two phases of different rates.
 *
 *     mpx THREADS FROM TO    iterations 2^FROM to 2^TO
 *
 * The counters are software-defined events of PAPI, kept by the loop itself:
 * flops, loads, misses of a simulated direct-mapped cache of 32 KB, and the
 * processor time of the process (for cycles).  Prints the true counts of each
 * section. */
#include <pthread.h>
#include <sde_lib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <libhpm.h>

/* An iteration takes about as long as one of the paper's, relative to a slice:
 * 2^17 of them take one to three slices. */
enum {
    N_ELEMENTS = 1 << 19,
    N_PER_ITERATION = 64,
    N_TILE = 2048,
    N_PER_TILE = 64, /* passes through a tile */
    N_LINES = 512,
    MOST_THREADS = 4
};

enum { FLOPS, LOADS, MISSES, TIME, N_EVENTS };

static const char *const events[N_EVENTS] = {"flops", "loads", "misses",
                                             "time"};

struct worker {
    _Alignas(64) volatile long long counts[N_EVENTS];
    double a[N_ELEMENTS], b[N_ELEMENTS];
    uint32_t tags[N_LINES];
    uint32_t random;
    pthread_t thread;
    long n;
    size_t loop;
};

static struct worker *workers;
static long n_threads = 1;

/* ---- counters ------------------------------------------------------- */

static long long
processor_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* PAPI calls this; `which` points to the name of the event. */
static long long
count_of(void *which)
{
    size_t event = (size_t)((const char *const *)which - events);
    long long sum = 0;

    if (event == TIME)
        return processor_time();
    for (long i = 0; i < n_threads; i++)
        sum += workers[i].counts[event];
    return sum;
}

static void
register_events(void)
{
    papi_handle_t library = papi_sde_init("mpx");

    for (size_t i = 0; i < N_EVENTS; i++)
        papi_sde_register_counter_cb(
            library, events[i], PAPI_SDE_RO | PAPI_SDE_DELTA,
            PAPI_SDE_long_long, count_of, (void *)(uintptr_t)&events[i]);
}

/* ---- loops ----------------------------------------------------------- */

/* Go through elements one after the other, from `base` on. */
static void
go_through(struct worker *me, size_t base)
{
    long long misses = 0;

    for (size_t i = base; i < base + N_PER_ITERATION; i++) {
        uint32_t line = (uint32_t)(i / 8);

        me->a[i] = me->a[i] * 0.999 + me->b[i];
        misses += me->tags[line % N_LINES] != line;
        me->tags[line % N_LINES] = line;
    }
    me->counts[FLOPS] += 2 * N_PER_ITERATION;
    me->counts[LOADS] += 2 * N_PER_ITERATION;
    me->counts[MISSES] += misses;
}

static void
go_tiled(struct worker *me, long i)
{
    enum { N_IN_TILE = N_TILE / N_PER_ITERATION };
    size_t tile = (size_t)i / ((size_t)N_IN_TILE * N_PER_TILE);

    go_through(me, (tile * N_TILE + (size_t)i % N_IN_TILE * N_PER_ITERATION) %
                       N_ELEMENTS);
}

static void
go_untiled(struct worker *me, long i)
{
    go_through(me, (size_t)i * N_PER_ITERATION % N_ELEMENTS);
}

static void
go_indirect(struct worker *me, long i)
{
    long long misses = 0;

    (void)i;
    for (int j = 0; j < N_PER_ITERATION; j++) {
        size_t at = (me->random = me->random * 1664525 + 1013904223) >> 13;
        uint32_t line = (uint32_t)(at / 8);

        me->a[at] = me->a[at] * 0.999 + me->b[at];
        misses += me->tags[line % N_LINES] != line;
        me->tags[line % N_LINES] = line;
    }
    me->counts[FLOPS] += 2 * N_PER_ITERATION;
    me->counts[LOADS] += 3 * N_PER_ITERATION;
    me->counts[MISSES] += misses;
}

/* The first half has no misses and a quarter of the flops. */
static void
go_in_phases(struct worker *me, long i)
{
    if (i >= me->n / 2)
        go_indirect(me, i);
    else
        go_tiled(me, i % 64);
}

static const struct {
    const char *name;
    void (*go)(struct worker *me, long i);
} loops[] = {{"tiled", go_tiled},
             {"untiled", go_untiled},
             {"indirect", go_indirect},
             {"phases", go_in_phases}};

enum { N_LOOPS = sizeof loops / sizeof *loops };

static void *
work(void *argument)
{
    struct worker *me = argument;

    for (long i = 0; i < me->n; i++)
        loops[me->loop].go(me, i);
    return NULL;
}

/* ---- sections -------------------------------------------------------- */

static void
run_threads(size_t loop, long n)
{
    for (long i = 0; i < n_threads; i++) {
        workers[i].loop = loop;
        workers[i].n = n;
        if (i > 0)
            pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    work(&workers[0]);
    for (long i = 1; i < n_threads; i++)
        pthread_join(workers[i].thread, NULL);
}

static void
measure(size_t loop, int power)
{
    long long before[N_EVENTS], after[N_EVENTS];
    char label[32];

    snprintf(label, sizeof label, "%s %d", loops[loop].name, power);
    hpmStart(1 + (int)loop * 100 + power, label);
    for (size_t i = 0; i < N_EVENTS; i++)
        before[i] = count_of((void *)(uintptr_t)&events[i]);
    run_threads(loop, 1L << power);
    for (size_t i = 0; i < N_EVENTS; i++)
        after[i] = count_of((void *)(uintptr_t)&events[i]);
    hpmStop(1 + (int)loop * 100 + power);
    for (size_t i = 0; i < N_EVENTS; i++)
        printf("%s %s %lld\n", label, events[i], after[i] - before[i]);
}

int
main(int argc, char **argv)
{
    int from, to;

    if (argc != 4) {
        fprintf(stderr, "mpx: expected THREADS FROM TO\n");
        return 2;
    }
    n_threads = atol(argv[1]);
    from = atoi(argv[2]);
    to = atoi(argv[3]);
    if (n_threads < 1 || n_threads > MOST_THREADS) {
        fprintf(stderr, "mpx: expected 1 to %d threads\n", MOST_THREADS);
        return 2;
    }
    workers = calloc(MOST_THREADS, sizeof *workers);
    if (workers == NULL)
        return 1;
    for (uint32_t i = 0; i < MOST_THREADS; i++)
        workers[i].random = i;
    register_events();
    hpmInit(-1, "mpx");
    for (int power = from; power <= to; power++) {
        for (size_t loop = 0; loop < N_LOOPS; loop++)
            measure(loop, power);
    }
    hpmTerminate(0);
    return 0;
}
