/* SPDX-License-Identifier: BSD-3-Clause
 * All threads of a recording. */
#include "record/threads.h"

#include <sched.h>

#include "host/memory.h"
#include "record/checkpointer.h"
#include "record/sharing.h"

/* Defined if the program brings an OpenMP runtime with it. */
extern int omp_get_level(void) __attribute__((weak));
extern int omp_get_thread_num(void) __attribute__((weak));

void
hpm_threads_init(struct hpm_threads *threads, size_t n_with_records)
{
    pthread_mutex_init(&threads->lock, NULL);
    threads->n_with_records = n_with_records;
}

void
hpm_threads_clear(struct hpm_threads *threads)
{
    while (threads->list != NULL) {
        struct hpm_thread *thread = threads->list;

        threads->list = thread->next;
        hpm_thread_free(thread);
    }
    hpm_thread_free(threads->folded);
    hpm_memory_free(threads->ahead);
    pthread_mutex_destroy(&threads->lock);
}

/* ---- numbers --------------------------------------------------------- */

static int (*openmp_tool)(void);

void
hpm_threads_ask(int (*number)(void))
{
    openmp_tool = number;
}

/* The thread's number in a parallel region of the first level, -1 elsewhere:
 * there the numbers of different teams would collide. */
static int
openmp_number(void)
{
    if (openmp_tool != NULL)
        return openmp_tool();
    if (omp_get_level == NULL || omp_get_thread_num == NULL ||
        omp_get_level() != 1)
        return -1;
    return omp_get_thread_num();
}

/* All numbers below next_tid are given away; above it, only those in `ahead`,
 * which OpenMP gave. */
static bool
is_ahead(const struct hpm_threads *threads, int tid)
{
    for (size_t i = 0; i < threads->n_ahead; i++) {
        if (threads->ahead[i] == tid)
            return true;
    }
    return false;
}

static bool
keep_ahead(struct hpm_threads *threads, int tid)
{
    if (!hpm_memory_grow(&threads->ahead, &threads->ahead_capacity,
                         threads->n_ahead + 1, sizeof *threads->ahead))
        return false;
    threads->ahead[threads->n_ahead++] = tid;
    return true;
}

static void
forget_ahead(struct hpm_threads *threads, int tid)
{
    for (size_t i = 0; i < threads->n_ahead; i++) {
        if (threads->ahead[i] == tid)
            threads->ahead[i--] = threads->ahead[--threads->n_ahead];
    }
}

/* Number the thread in order of first use, but with OpenMP's own number if that
 * is free. */
static void
choose_tid(struct hpm_threads *threads, struct hpm_thread *thread)
{
    int omp = openmp_number();

    if (omp > threads->next_tid && !is_ahead(threads, omp) &&
        keep_ahead(threads, omp)) {
        thread->tid = omp;
        return;
    }
    for (; is_ahead(threads, threads->next_tid); threads->next_tid++)
        forget_ahead(threads, threads->next_tid);
    thread->tid = threads->next_tid++;
    thread->omp = omp != thread->tid ? omp : -1;
}

enum { N_TRIES = 3 };

/* The cost of threads that come and go is measured at the next start or stop of
 * a process section: then the program has more than one thread anyway, and no
 * signal handler or exit is held up. */
static void
ask_for_costs(struct hpm_threads *threads)
{
    if (!threads->is_counting || threads->is_asked ||
        threads->n_tries >= N_TRIES)
        return;
    threads->is_asked = true;
    for (struct hpm_thread *thread = threads->list; thread != NULL;
         thread = thread->next)
        atomic_store_explicit(&thread->has_process, false,
                              memory_order_relaxed);
}

bool
hpm_threads_begin_try(struct hpm_threads *threads)
{
    bool is_asked;

    pthread_mutex_lock(&threads->lock);
    is_asked = threads->is_asked && threads->n_tries < N_TRIES;
    threads->n_tries += is_asked;
    pthread_mutex_unlock(&threads->lock);
    return is_asked;
}

bool
hpm_threads_lock_in_call(struct hpm_threads *threads,
                         const atomic_bool *is_closing)
{
    while (pthread_mutex_trylock(&threads->lock) != 0) {
        if (atomic_load(is_closing))
            return false;
        sched_yield();
    }
    return true;
}

void
hpm_threads_end_try(struct hpm_threads *threads, bool is_done,
                    const atomic_bool *is_closing)
{
    if (!hpm_threads_lock_in_call(threads, is_closing))
        return;
    threads->is_asked = is_done;
    if (is_done)
        threads->n_tries = N_TRIES;
    pthread_mutex_unlock(&threads->lock);
}

void
hpm_threads_add(struct hpm_threads *threads, struct hpm_thread *thread)
{
    pthread_mutex_lock(&threads->lock);
    choose_tid(threads, thread);
    thread->meter->tid = thread->tid;
    thread->tree->tid = thread->tid;
    thread->folds = threads->n_registered++ >= threads->n_with_records;
    thread->next = threads->list;
    threads->list = thread;
    ask_for_costs(threads);
    pthread_mutex_unlock(&threads->lock);
}

/* ---- the end of a thread --------------------------------------------- */

static bool
has_same_slots(const struct hpm_meter *a, const struct hpm_meter *b)
{
    if (a->n_slots != b->n_slots)
        return false;
    for (size_t i = 0; i < a->n_events; i++) {
        if (a->events[i].clock_slot != b->events[i].clock_slot)
            return false;
    }
    return true;
}

/* An event without a value in one thread has no value in the sum. */
static void
fold_states(struct hpm_meter *meter, const struct hpm_meter *other)
{
    for (size_t i = 0; i < meter->n_events; i++) {
        if (!hpm_state_has_value(other->events[i].state))
            hpm_meter_fail(meter, i, other->events[i].state,
                           other->events[i].reason);
    }
}

/* Has `folded` memory for the thread's samples?  If not, the thread keeps its
 * own records, so that no sample is lost silently. */
static bool
has_place_for_samples(struct hpm_thread *folded,
                      const struct hpm_thread *thread)
{
    if (thread->samples != NULL && folded->samples == NULL)
        folded->samples = hpm_sampler_new_sum();
    return thread->samples == NULL || folded->samples != NULL;
}

/* False when the thread's samples have another shape, or there is no memory. */
static bool
fold(struct hpm_threads *threads, struct hpm_thread *thread,
     bool *ret_is_meter_left)
{
    struct hpm_thread *folded = threads->folded;

    if (folded == NULL) {
        thread->tid = HPM_TID_FOLDED;
        thread->omp = -1;
        threads->folded = thread;
        threads->n_folded = 1;
        return true;
    }
    if (!has_same_slots(folded->meter, thread->meter) ||
        !has_place_for_samples(folded, thread) ||
        !hpm_calltree_merge(folded->tree, thread->tree))
        return false;
    hpm_sharing_merge(folded->tree, thread->tree);
    if (thread->samples != NULL)
        hpm_sampler_merge(folded->samples, thread->samples);
    fold_states(folded->meter, thread->meter);
    folded->n_calls_in_calls += thread->n_calls_in_calls;
    folded->missing_ns += thread->missing_ns;
    threads->n_folded++;
    thread->meter = NULL;
    *ret_is_meter_left = true;
    hpm_thread_free(thread);
    return true;
}

static void
take_out(struct hpm_threads *threads, const struct hpm_thread *thread)
{
    struct hpm_thread **link = &threads->list;

    while (*link != thread)
        link = &(*link)->next;
    *link = thread->next;
}

bool
hpm_threads_retire(struct hpm_threads *threads, struct hpm_thread *thread)
{
    bool is_meter_left = false;

    pthread_mutex_lock(&threads->lock);
    thread->has_ended = true;
    for (size_t i = 0; i < thread->tree->n_overheads; i++)
        hpm_threads_add_overhead(threads, i,
                                 hpm_calltree_overhead_of(thread->tree, i));
    ask_for_costs(threads);
    if (!thread->is_abandoned) /* no caller reads its overhead any more */
        hpm_calltree_shrink(thread->tree);
    if (thread->folds && !thread->is_abandoned) {
        take_out(threads, thread);
        if (fold(threads, thread, &is_meter_left)) {
            if (threads->folded->checkpointer != NULL)
                threads->folded->checkpointer->put_folded(threads);
        } else {
            thread->next = threads->list;
            threads->list = thread;
        }
    }
    pthread_mutex_unlock(&threads->lock);
    return is_meter_left;
}

/* The overhead of threads that have ended, and of registering and ending
 * threads. */
static uint64_t
overhead_of_lives(const struct hpm_threads *threads, size_t slot)
{
    uint64_t n_left = __atomic_load_n(&threads->n_left, __ATOMIC_RELAXED);
    uint64_t sum =
        __atomic_load_n(&threads->ended_overhead[slot], __ATOMIC_RELAXED) +
        n_left * threads->cost_of_leaving[slot];

    for (int call = 0; call < HPM_N_FIRST_CALLS; call++)
        sum += __atomic_load_n(&threads->n_entered[call], __ATOMIC_RELAXED) *
               threads->cost_of_entering[call][slot];
    return sum;
}

void
hpm_threads_sum_overheads(struct hpm_threads *threads,
                          const struct hpm_thread *except,
                          uint64_t *ret_overheads, size_t n)
{
    pthread_mutex_lock(&threads->lock);
    for (size_t i = 1; i < n; i++)
        ret_overheads[i] = overhead_of_lives(threads, i);
    for (const struct hpm_thread *thread = threads->list; thread != NULL;
         thread = thread->next) {
        size_t n_overheads = thread->shown->n_overheads;

        if (thread == except || thread->has_ended)
            continue;
        for (size_t i = 1; i < n && i < n_overheads; i++)
            ret_overheads[i] += hpm_calltree_overhead_of(thread->shown, i);
    }
    pthread_mutex_unlock(&threads->lock);
}

size_t
hpm_threads_collect_samples(struct hpm_threads *threads)
{
    size_t room = SIZE_MAX;

    if (!threads->is_sampling)
        return room;
    pthread_mutex_lock(&threads->lock);
    for (const struct hpm_thread *thread = threads->list; thread != NULL;
         thread = thread->next) {
        size_t own = hpm_sampler_collect(thread->samples);

        if (own < room)
            room = own;
    }
    pthread_mutex_unlock(&threads->lock);
    return room;
}
