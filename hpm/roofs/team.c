/* SPDX-License-Identifier: BSD-3-Clause
 * How fast a kernel runs on one processor, and on several at once. */
#include "hpm/roofs/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "host/memory.h"

/* The best attempt is the roof: other programs make attempts slower, and never
 * faster. */
enum { ATTEMPTS = 9 };

static const double attempt_ns = 15e6, first_ns = 1e6;

struct attempt {
    double begin, end; /* nanoseconds */
};

struct member {
    struct team *team;
    pthread_t thread;
    int processor;
    struct roof_place place;
    struct attempt attempts[ATTEMPTS];
};

struct team {
    const struct roof_kernel *kernel;
    pthread_barrier_t barrier;
    pthread_mutex_t mutex;
    pthread_cond_t all_there;
    bool is_given_up;
    size_t n_waited; /* number of members that have started */
    uint64_t rounds;
    struct member *members;
    size_t n;
};

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static double
time_of(struct member *member, uint64_t rounds)
{
    double begin = now();

    member->team->kernel->run(&member->place, rounds);
    return now() - begin;
}

/* Find the number of rounds that takes the time of an attempt. */
static uint64_t
find_rounds(struct member *member)
{
    uint64_t rounds = 1;
    double ns = time_of(member, rounds);

    while (ns < first_ns && rounds < UINT64_C(1) << 40) {
        rounds *= 2;
        ns = time_of(member, rounds);
    }
    return 1 + (uint64_t)((double)rounds * attempt_ns / ns);
}

static bool
wait_for_all(struct team *team)
{
    bool is_given_up;

    pthread_mutex_lock(&team->mutex);
    while (team->n_waited < team->n && !team->is_given_up)
        pthread_cond_wait(&team->all_there, &team->mutex);
    is_given_up = team->is_given_up;
    pthread_mutex_unlock(&team->mutex);
    return !is_given_up;
}

static void *
work(void *context)
{
    struct member *member = context;
    struct team *team = member->team;

    if (!wait_for_all(team))
        return NULL;
    /* each page is touched first by the thread that reads it */
    if (member->place.size > 0)
        memset(member->place.memory, 1, member->place.size);
    if (member == team->members)
        team->rounds = find_rounds(member);
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_barrier_wait(&team->barrier);
        member->attempts[i].begin = now();
        team->kernel->run(&member->place, team->rounds);
        member->attempts[i].end = now();
    }
    return NULL;
}

/* ---- threads ----------------------------------------------------------- */

/* The numbers of processors that this process may use, up to `n`. */
static size_t
list_processors(int *processors, size_t n)
{
    cpu_set_t allowed;
    size_t found = 0;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 0;
    for (int i = 0; i < CPU_SETSIZE && found < n; i++) {
        if (CPU_ISSET(i, &allowed))
            processors[found++] = i;
    }
    return found;
}

size_t
team_count_processors(void)
{
    int processors[CPU_SETSIZE];
    size_t n = list_processors(processors, CPU_SETSIZE);

    return n > 0 ? n : 1;
}

static bool
start(struct member *member)
{
    pthread_attr_t attributes;
    cpu_set_t one;
    bool is_good;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    CPU_ZERO(&one);
    if (member->processor >= 0)
        CPU_SET((size_t)member->processor, &one);
    is_good =
        (member->processor < 0 ||
         pthread_attr_setaffinity_np(&attributes, sizeof one, &one) == 0) &&
        pthread_create(&member->thread, &attributes, work, member) == 0;
    pthread_attr_destroy(&attributes);
    return is_good;
}

/* Start all members; those that have started wait until all have, or until the
 * team gives up. */
static bool
run_all(struct team *team)
{
    size_t n = 0;
    bool is_good;

    while (n < team->n && start(&team->members[n]))
        n++;
    is_good = n == team->n;
    pthread_mutex_lock(&team->mutex);
    team->n_waited = n;
    team->is_given_up = !is_good;
    pthread_cond_broadcast(&team->all_there);
    pthread_mutex_unlock(&team->mutex);
    for (size_t i = 0; i < n; i++)
        pthread_join(team->members[i].thread, NULL);
    return is_good;
}

static bool
run_team(struct team *team)
{
    bool is_good;

    if (pthread_barrier_init(&team->barrier, NULL, (unsigned)team->n) != 0)
        return false;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->all_there, NULL);
    is_good = run_all(team);
    pthread_cond_destroy(&team->all_there);
    pthread_mutex_destroy(&team->mutex);
    pthread_barrier_destroy(&team->barrier);
    return is_good;
}

/* ---- memory ------------------------------------------------------------ */

static bool
take_places(struct team *team, size_t size)
{
    for (size_t i = 0; size > 0 && i < team->n; i++) {
        char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (memory == MAP_FAILED)
            return false;
        madvise(memory, size, MADV_HUGEPAGE);
        team->members[i].place = (struct roof_place){memory, size};
    }
    return true;
}

static void
release_places(struct team *team)
{
    for (size_t i = 0; i < team->n; i++) {
        if (team->members[i].place.size > 0)
            munmap(team->members[i].place.memory, team->members[i].place.size);
    }
}

/* ---- the result -------------------------------------------------------- */

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The rate from the first begin to the last end. */
static struct roof_rate
rate_of(const struct team *team, size_t size)
{
    double work_of_all = (double)team->rounds * (double)team->n *
                         (size > 0 ? (double)size : team->kernel->operations);
    double rates[ATTEMPTS];

    for (int i = 0; i < ATTEMPTS; i++) {
        struct attempt all = team->members[0].attempts[i];

        for (size_t j = 1; j < team->n; j++) {
            const struct attempt *own = &team->members[j].attempts[i];

            all.begin = own->begin < all.begin ? own->begin : all.begin;
            all.end = own->end > all.end ? own->end : all.end;
        }
        rates[i] = 1e9 * work_of_all / (all.end - all.begin);
    }
    qsort(rates, ATTEMPTS, sizeof rates[0], compare);
    return (struct roof_rate){rates[ATTEMPTS - 1], rates[ATTEMPTS / 2],
                              team->n};
}

bool
team_measure(const struct roof_kernel *kernel, size_t n_threads, size_t size,
             struct roof_rate *ret_rate, struct hpm_error *err)
{
    struct team team = {.kernel = kernel, .n = n_threads};
    int processors[CPU_SETSIZE];
    size_t n_processors = list_processors(processors, CPU_SETSIZE);
    bool is_good;

    team.members = hpm_memory_new(n_threads, sizeof *team.members);
    if (team.members == NULL)
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < n_threads; i++) {
        team.members[i].team = &team;
        team.members[i].processor = i < n_processors ? processors[i] : -1;
    }
    is_good = take_places(&team, size) || hpm_error_no_memory(err);
    if (is_good && !run_team(&team))
        is_good = hpm_error_set(err,
                                "cannot start %zu threads; allow more (ulimit "
                                "-u), or fewer processors with taskset",
                                n_threads);
    if (is_good)
        *ret_rate = rate_of(&team, size);
    release_places(&team);
    hpm_memory_free(team.members);
    return is_good;
}
