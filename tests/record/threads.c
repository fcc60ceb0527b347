/* SPDX-License-Identifier: BSD-3-Clause
 * All threads of a recording: their numbers, the results of those that end, and
 * their costs. */
#include "record/threads.h"

#include "host/memory.h"
#include "record/checkpointer.h"
#include "record/sampler.h"
#include "tap.h"

static int n_collected;
static const struct hpm_sampler *last_collected;

/* Each ring collected has less room than the one before. */
static size_t
note_collected(struct hpm_sampler *samples)
{
    n_collected++;
    last_collected = samples;
    return (size_t)(100 - n_collected);
}

#define hpm_sampler_collect note_collected
#include "record/threads.c"

enum { COUNT = 1, N_TIMES = 3 };

static struct hpm_eventset set;
static struct hpm_costs costs;
static struct hpm_threads threads;
static struct hpm_problems *problems;
static int omp_level, omp_number, n_put;

/* Replaces the program's OpenMP runtime. */
int omp_get_level(void);
int omp_get_thread_num(void);

int
omp_get_level(void)
{
    return omp_level;
}

int
omp_get_thread_num(void)
{
    return omp_number;
}

static void
say(const char *line)
{
    printf("# %s\n", line);
}

static void
begin(size_t n_with_records)
{
    threads = (struct hpm_threads){.list = NULL};
    problems = hpm_problems_new(say, NULL);
    hpm_threads_init(&threads, n_with_records);
    omp_level = 0;
}

static void
end(void)
{
    hpm_threads_clear(&threads);
    hpm_problems_free(problems);
}

/* A thread that has charged nothing. */
static struct hpm_thread *
add(void)
{
    struct hpm_thread *thread =
        hpm_thread_new(&set, NULL, &costs, NULL, problems);

    memset(thread->tree->now, 0,
           thread->tree->n_row * sizeof *thread->tree->now);
    hpm_threads_add(&threads, thread);
    return thread;
}

/* A thread with this number in a team at that level. */
static struct hpm_thread *
add_omp(int level, int number)
{
    struct hpm_thread *thread;

    omp_level = level;
    omp_number = number;
    thread = add();
    omp_level = 0;
    return thread;
}

/* A section of the thread counts this amount. */
static void
count(struct hpm_thread *thread, uint64_t amount)
{
    struct hpm_calltree *tree = thread->tree;

    memset(hpm_calltree_start(tree, 1, HPM_PARENT_AUTO, "a", "a.c", 1, NULL), 0,
           tree->n_row * sizeof *tree->now);
    tree->now[COUNT] = amount;
    hpm_calltree_close_top(tree, 9, HPM_COST_STOP);
}

static bool
retire(struct hpm_thread *thread)
{
    struct hpm_meter *meter = thread->meter;
    bool is_left = hpm_threads_retire(&threads, thread);

    if (is_left)
        hpm_meter_close(meter);
    return is_left;
}

/* ---- numbers --------------------------------------------------------- */

static void
check_numbers(const struct hpm_thread *thread, int tid, int omp,
              const char *sentence)
{
    ok(thread->tid == tid && thread->omp == omp && thread->meter->tid == tid &&
           thread->tree->tid == tid,
       sentence);
    printf("# %d, of OpenMP %d\n", thread->tid, thread->omp);
}

static void
test_numbers(void)
{
    begin(100);
    check_numbers(add_omp(1, 3), 3, -1, "OpenMP's number is taken");
    check_numbers(add_omp(1, 5), 5, -1, "as is another one");
    check_numbers(add(), 0, -1, "others have the first that is free");
    check_numbers(add_omp(1, 1), 1, -1, "which may be OpenMP's");
    check_numbers(add_omp(1, 3), 2, 3, "one that is taken is noted beside");
    check_numbers(add_omp(1, 0), 4, 0,
                  "as is one given away; taken ones are left out");
    check_numbers(add_omp(2, 9), 6, -1, "numbers of inner teams mean nothing");
    is_count(threads.n_ahead, 0, "all that were taken ahead are passed");
    end();
}

static void
test_numbers_without_memory(void)
{
    struct hpm_thread *thread;

    begin(100);
    thread = hpm_thread_new(&set, NULL, &costs, NULL, problems);
    omp_level = 1;
    omp_number = 7;
    hpm_memory_fail_at(1, true);
    hpm_threads_add(&threads, thread);
    hpm_memory_fail_at(0, false);
    check_numbers(thread, 0, 7,
                  "a number that cannot be kept is not taken ahead");
    end();
}

/* ---- threads that end ------------------------------------------------ */

static void
note_put(struct hpm_threads *its_threads)
{
    n_put += its_threads == &threads;
}

static void
test_fold(void)
{
    struct hpm_checkpointer checkpointer = {.put_folded = note_put};
    struct hpm_thread *first, *second, *third, *fourth;
    const struct hpm_node *node;

    begin(1);
    first = add();
    second = add();
    third = add();
    fourth = add();
    ok(!first->folds && second->folds && third->folds,
       "threads beyond a number fold");
    count(first, 1);
    count(second, 10);
    count(third, 100);
    count(fourth, 1000);
    third->n_calls_in_calls = 3;
    third->missing_ns = 30;
    second->n_calls_in_calls = 4;
    second->missing_ns = 40;
    hpm_meter_fail(third->meter, 0, HPM_STATE_LOST, "it was lost");
    second->checkpointer = &checkpointer;
    n_put = 0;
    ok(!retire(first) && first->has_ended && threads.folded == NULL,
       "the first one stays when it has ended");
    ok(!retire(second) && threads.folded == second && second->has_ended,
       "the first that folds has the others in it from now on");
    ok(second->tid == HPM_TID_FOLDED && second->omp == -1, "without a number");
    ok(retire(third), "of the next one only the meter is left");
    is_count(threads.n_folded, 2, "it is counted");
    node = second->tree->nodes.first;
    ok(node->inclusive[COUNT] == 110 && node->outer == 2 && node->next == NULL,
       "its sections are added");
    ok(second->n_calls_in_calls == 7 && second->missing_ns == 70,
       "and what else is known of it");
    ok(second->samples == NULL, "where none was sampled none is");
    ok(second->meter->events[0].state == HPM_STATE_LOST,
       "what it could not count, all together could not");
    is_text(second->meter->events[0].reason, "it was lost", "for its reason");
    is_count((uint64_t)n_put, 2, "each time that may be put aside");
    ok(threads.list == fourth && fourth->next == first && first->next == NULL,
       "the list has the others");
    end();
}

/* Threads with the same events can be folded; data after their events do not
 * matter. */
static void
test_alike(void)
{
    struct hpm_thread *first, *second;

    begin(0);
    first = add();
    second = add();
    memset(first->meter->scratch, 0, sizeof *first->meter->events);
    memset(second->meter->scratch, 1, sizeof *second->meter->events);
    retire(first);
    ok(retire(second) && threads.n_folded == 2, "threads with alike counters");
    end();
}

/* Threads whose values cannot be added up. */
static void
test_not_folded(void)
{
    struct hpm_thread *first, *second, *third;

    begin(0);
    first = add();
    second = add();
    third = add();
    second->meter->events[0].clock_slot = 7;
    retire(first);
    ok(!retire(second) && threads.n_folded == 1 && threads.list == second &&
           second->next == third,
       "a thread whose counters take turns otherwise stays by itself");
    third->is_abandoned = true;
    ok(!retire(third) && threads.list == second && second->next == third,
       "one that was cancelled inside a call is not touched");
    second = add();
    second->meter->n_slots++;
    ok(!retire(second) && threads.list == second,
       "one whose rows are longer stays, too");
    second->meter->n_slots--;
    end();
}

static void
add_sample(struct hpm_sampler *samples)
{
    samples->n_dropped = 5;
}

static void
test_folded_samples(void)
{
    struct hpm_thread *first, *second, *third;

    begin(0);
    first = add();
    second = add();
    third = add();
    second->samples = hpm_sampler_new_sum();
    third->samples = hpm_sampler_new_sum();
    add_sample(second->samples);
    add_sample(third->samples);
    retire(first);
    hpm_memory_fail_at(1, true);
    ok(!retire(second) && first->samples == NULL,
       "without memory for its samples a thread stays by itself");
    hpm_memory_fail_at(0, false);
    retire(third);
    ok(first->samples != NULL && first->samples->n_dropped == 5,
       "samples of a thread are added, to none as well");
    second = add();
    retire(second);
    is_count(threads.n_folded, 3, "a thread without any folds, too");
    end();
}

static void
test_collect(void)
{
    struct hpm_sampler *samples[3];

    begin(9);
    for (size_t i = 0; i < 3; i++) {
        struct hpm_thread *thread = add();

        thread->samples = hpm_sampler_new_sum();
        samples[i] = thread->samples;
    }
    ok(hpm_threads_collect_samples(&threads) == SIZE_MAX && n_collected == 0,
       "where nothing is sampled, nothing is collected");
    threads.is_sampling = true;
    is_count(hpm_threads_collect_samples(&threads), 97,
             "the ring with the least room decides");
    ok(n_collected == 3 && last_collected == samples[0],
       "else of all threads, down to the first");
    end();
}

/* ---- costs ---------------------------------------------------------- */

static void
test_overheads(void)
{
    struct hpm_thread *first, *second, *third;
    uint64_t sums[HPM_MAX_CHARGED] = {77};

    begin(1);
    first = add();
    second = add();
    third = add();
    hpm_calltree_add_slot_overhead(first->tree, COUNT, 1);
    hpm_calltree_add_slot_overhead(second->tree, COUNT, 10);
    hpm_calltree_add_slot_overhead(third->tree, COUNT, 100);
    hpm_threads_sum_overheads(&threads, second, sums, 2);
    is_count(sums[COUNT], 101, "the overhead is that of all but one");
    is_count(sums[0], 77, "but for the time, which does not add up");
    sums[COUNT] = 77;
    hpm_threads_sum_overheads(&threads, NULL, sums, 1);
    is_count(sums[COUNT], 77, "only of slots that are asked for");
    retire(third);
    hpm_calltree_add_slot_overhead(third->tree, COUNT, 1000);
    hpm_threads_sum_overheads(&threads, second, sums, 2);
    is_count(sums[COUNT], 101, "that of a thread stays when it has ended");
    hpm_threads_add_overhead(&threads, COUNT, 10000);
    hpm_threads_sum_overheads(&threads, NULL, sums, 2);
    is_count(sums[COUNT], 10111, "as does what is added behind that");
    hpm_threads_sum_overheads(&threads, NULL, sums, HPM_MAX_CHARGED);
    is_count(sums[COUNT], 10111, "threads have no more slots than they have");
    end();
}

/* The costs of threads that come and go. */
static void
test_lives(void)
{
    uint64_t sums[2] = {0};

    begin(1);
    hpm_threads_count(&threads, &threads.n_left);
    is_count(threads.n_left, 0, "threads are counted while the process is");
    threads.is_counting = true;
    hpm_threads_count(&threads, &threads.n_left);
    hpm_threads_count(&threads, &threads.n_left);
    hpm_threads_count(&threads, &threads.n_entered[HPM_FIRST_PLAIN]);
    hpm_threads_count(&threads, &threads.n_entered[HPM_FIRST_COUNTED]);
    threads.cost_of_leaving[COUNT] = 1;
    threads.cost_of_entering[HPM_FIRST_BY_SITE][COUNT] = 10000;
    threads.cost_of_entering[HPM_FIRST_PLAIN][COUNT] = 10;
    threads.cost_of_entering[HPM_FIRST_COUNTED][COUNT] = 100;
    hpm_threads_sum_overheads(&threads, NULL, sums, 2);
    is_count(sums[COUNT], 112, "each that has come or gone has its cost");
    end();
}

static void
test_tries(void)
{
    static const atomic_bool is_closing;
    struct hpm_thread *first;

    begin(1);
    first = add();
    first->has_process = true;
    add();
    ok(first->has_process && !hpm_threads_begin_try(&threads),
       "while no process section is counted nothing is to be measured");
    threads.is_counting = true;
    add();
    ok(!first->has_process, "then the next thread asks all others");
    for (int i = 0; i < N_TIMES; i++) {
        threads.is_asked = true;
        ok(hpm_threads_begin_try(&threads), "which may try");
        hpm_threads_end_try(&threads, false, &is_closing);
        ok(!threads.is_asked, "and in vain");
    }
    first->has_process = true;
    add();
    ok(first->has_process && !threads.is_asked, "but not for ever");
    threads.is_asked = true;
    ok(!hpm_threads_begin_try(&threads), "whoever asks");
    threads.n_tries = 0;
    ok(hpm_threads_begin_try(&threads), "another time");
    hpm_threads_end_try(&threads, true, &is_closing);
    ok(threads.n_tries == N_TIMES && threads.is_asked &&
           !hpm_threads_begin_try(&threads),
       "what was done is not done again");
    end();
}

static void
test_asked_at_the_end(void)
{
    struct hpm_thread *first, *second;

    begin(5);
    first = add();
    second = add();
    first->has_process = second->has_process = true;
    threads.is_counting = true;
    retire(second);
    ok(!first->has_process && threads.is_asked,
       "a thread that ends asks for its costs, too");
    first->has_process = true;
    add();
    ok(first->has_process, "what was asked for is not asked for again");
    end();
}

static void
test_lock(void)
{
    atomic_bool is_closing = true;

    begin(1);
    ok(hpm_threads_lock_in_call(&threads, &is_closing), "a free lock is taken");
    ok(!hpm_threads_lock_in_call(&threads, &is_closing),
       "the harvest's is not waited for");
    threads.is_asked = true;
    hpm_threads_end_try(&threads, false, &is_closing);
    ok(threads.is_asked, "and nothing is said to it");
    pthread_mutex_unlock(&threads.lock);
    hpm_threads_end_try(&threads, false, &is_closing);
    ok(pthread_mutex_trylock(&threads.lock) == 0, "a lock is given back");
    pthread_mutex_unlock(&threads.lock);
    end();
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel, NULL};

    if (!hpm_eventset_choose(&set, "page-faults:u", NULL, HPM_DOMAIN_ALL,
                             sources, NULL))
        return 1;
    test_numbers();
    test_numbers_without_memory();
    test_fold();
    test_alike();
    test_not_folded();
    test_folded_samples();
    test_collect();
    test_overheads();
    test_lives();
    test_tries();
    test_asked_at_the_end();
    test_lock();
    hpm_eventset_clear(&set);
    return done();
}
