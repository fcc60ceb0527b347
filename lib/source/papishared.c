/* SPDX-License-Identifier: BSD-3-Clause
 * Events that belong to the process: those of PAPI components that know no
 * threads. */
#include "source/papishared.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/barrier.h"
#include "host/forklock.h"
#include "host/memory.h"
#include "source/papiset.h"
#include "source/source.h"

/* PAPI passes a floating-point number as its bits.  Read as an integer, the
 * bits of any number beyond 1e-154 in size are larger than any count. */
static const long long most_counted = 1LL << 61;

/* Software-defined events have the same value in all sets, but PAPI_read stores
 * into the set itself: so there are several sets, and each meter uses the one
 * with the fewest users.  All start together, before anything is measured,
 * because each start resets the counters. */
enum { FEWEST_SETS = 8, MOST_SETS = 64, STACK_TO_START = 256 << 10 };

struct hpm_papishared {
    struct hpm_papishared *next;
    const struct hpm_eventset *events;
    pid_t pid; /* a forked child has sets of its own */
    int component;
    unsigned n_users;
    struct hpm_papiset set;
    bool is_started;
    /* Only one thread at a time may use the members below.  While only one
     * meter reads, no lock is needed.  A second meter sets is_locking and waits
     * until the first does not read any more; from then on both lock. */
    struct hpm_forklock lock;
    atomic_bool is_locking;
    atomic_bool is_reading; /* a meter reads without the lock */
    int error;              /* PAPI_read's error */
    atomic_bool is_troubled;
    size_t n;
    uint16_t slots[HPM_MAX_EVENTS]; /* index in a meter's sample */
    unsigned latest;                /* index in `values` of the latest
                                     * reading */
    long long values[2][HPM_MAX_EVENTS];
    atomic_int troubles[HPM_MAX_EVENTS];
};

static struct hpm_papishared *running;

static bool
belongs(const struct hpm_event *event, int component)
{
    return event->source == &hpm_source_papi &&
           event->encoding.type == (uint32_t)component;
}

static bool
add_events(struct hpm_papishared *shared, struct hpm_error *err)
{
    for (size_t i = 0; i < shared->events->n_thread_events; i++) {
        const struct hpm_event *event = &shared->events->events[i];
        int result;

        if (!belongs(event, shared->component))
            continue;
        result = hpm_papiset_add(&shared->set, event->name);
        if (result != PAPI_OK) {
            hpm_papiset_explain(result, err);
            return false;
        }
        shared->slots[shared->n++] = (uint16_t)(1 + i);
    }
    return true;
}

static void
fail(struct hpm_papishared *shared, size_t item,
     enum hpm_papishared_trouble trouble)
{
    int fine = HPM_PAPISHARED_FINE;

    atomic_compare_exchange_strong(&shared->troubles[item], &fine,
                                   (int)trouble);
    atomic_store(&shared->is_troubled, true);
}

static bool
is_real(long long value)
{
    return value > most_counted || value < -most_counted;
}

/* Read the values that the first reading is compared with. */
static void
read_first(struct hpm_papishared *shared)
{
    long long *values = shared->values[shared->latest];

    shared->error = hpm_papiset_read(&shared->set, values);
    for (size_t i = 0; i < shared->n; i++) {
        if (shared->error != PAPI_OK)
            fail(shared, i, HPM_PAPISHARED_FAILED);
        else if (is_real(values[i]))
            fail(shared, i, HPM_PAPISHARED_IS_REAL);
    }
}

static bool
start(struct hpm_papishared *shared, struct hpm_error *err)
{
    const struct hpm_papiset_request request = {.component = shared->component};

    if (!hpm_papiset_open(&shared->set, &request, err))
        return false;
    if (add_events(shared, err) && hpm_papiset_start(&shared->set, err))
        return true;
    hpm_papiset_close(&shared->set);
    return false;
}

/* ---- several sets ---------------------------------------------------- */

static bool
may_wait(int component)
{
    const PAPI_component_info_t *info =
        hpm_papilib.get_component_info(component);

    return info == NULL || strcmp(info->short_name, "sde") != 0;
}

static void *
start_here(void *argument)
{
    struct hpm_papishared *shared = argument;
    struct hpm_error err;

    shared->is_started = start(shared, &err);
    return NULL;
}

/* In PAPI each thread can have only one running set of a component, also after
 * the thread has ended: so each set is started in a thread of its own. */
static bool
start_elsewhere(struct hpm_papishared *shared)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;

    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_TO_START);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, &attributes, start_here, shared) == 0)
        pthread_join(thread, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return shared->is_started;
}

static struct hpm_papishared *
new_shared(const struct hpm_eventset *events, int component)
{
    struct hpm_papishared *shared = hpm_memory_new(1, sizeof *shared);

    if (shared == NULL)
        return NULL;
    shared->events = events;
    shared->component = component;
    shared->pid = getpid();
    return shared;
}

static void
link_shared(struct hpm_papishared *shared)
{
    shared->next = running;
    running = shared;
}

/* Start one set for each processor, if possible: so many threads can read at
 * once.  Fewer sets work, too. */
static void
start_others(const struct hpm_eventset *events, int component)
{
    long wanted = sysconf(_SC_NPROCESSORS_ONLN);

    if (wanted < FEWEST_SETS)
        wanted = FEWEST_SETS;
    for (long i = 1; i < wanted && i < MOST_SETS; i++) {
        struct hpm_papishared *shared = new_shared(events, component);

        if (shared == NULL || !start_elsewhere(shared)) {
            hpm_memory_free(shared);
            return;
        }
        link_shared(shared);
    }
}

static bool
is_of(const struct hpm_papishared *shared, const struct hpm_eventset *events,
      int component)
{
    return shared->pid == getpid() && shared->component == component &&
           shared->events == events;
}

static bool
start_all(const struct hpm_eventset *events, int component,
          struct hpm_error *err)
{
    struct hpm_papishared *shared = new_shared(events, component);

    if (shared == NULL)
        return hpm_error_no_memory(err);
    if (!start(shared, err)) {
        hpm_memory_free(shared);
        return false;
    }
    link_shared(shared);
    if (!may_wait(component))
        start_others(events, component);
    for (shared = running; shared != NULL; shared = shared->next) {
        if (is_of(shared, events, component))
            read_first(shared);
    }
    return true;
}

/* The running set with the fewest users; NULL if there is none. */
static struct hpm_papishared *
find_running(const struct hpm_eventset *events, int component)
{
    struct hpm_papishared *found = NULL;

    for (struct hpm_papishared *shared = running; shared != NULL;
         shared = shared->next) {
        if (is_of(shared, events, component) &&
            (found == NULL || shared->n_users < found->n_users))
            found = shared;
    }
    return found;
}

/* The reading thread may be off the processor, or have left the reading by
 * longjmp from a signal handler: so wait, but not for ever. */
static void
begin_locking(struct hpm_papishared *shared)
{
    const struct timespec a_millisecond = {0, 1000000};

    atomic_store(&shared->is_locking, true);
    hpm_barrier_everywhere();
    for (int i = 0; i < 1000 && atomic_load(&shared->is_reading); i++)
        nanosleep(&a_millisecond, NULL);
}

struct hpm_papishared *
hpm_papishared_open(const struct hpm_eventset *events, int component,
                    struct hpm_error *err)
{
    struct hpm_papishared *shared = find_running(events, component);

    if (shared == NULL && !start_all(events, component, err))
        return NULL;
    if (shared == NULL)
        shared = find_running(events, component);
    if (shared->n_users++ == 1)
        begin_locking(shared);
    return shared;
}

static bool
is_used(const struct hpm_eventset *events, int component)
{
    for (struct hpm_papishared *shared = running; shared != NULL;
         shared = shared->next) {
        if (is_of(shared, events, component) && shared->n_users > 0)
            return true;
    }
    return false;
}

void
hpm_papishared_close(struct hpm_papishared *shared)
{
    const struct hpm_eventset *events = shared->events;
    struct hpm_papishared **link = &running;
    int component = shared->component;

    shared->n_users--;
    if (is_used(events, component))
        return;
    while (*link != NULL) {
        struct hpm_papishared *other = *link;

        if (!is_of(other, events, component)) {
            link = &other->next;
            continue;
        }
        *link = other->next;
        hpm_papiset_close(&other->set);
        hpm_memory_free(other);
    }
}

/* A value below the one before is wrong, for all readings are in sequence; and
 * so is a value far above it. */
static bool
has_jumped(long long value, long long before)
{
    return (uint64_t)value - (uint64_t)before > (uint64_t)most_counted;
}

static __attribute__((cold)) void
note_troubles(struct hpm_papishared *shared)
{
    const long long *values = shared->values[shared->latest];
    const long long *before = shared->values[!shared->latest];

    for (size_t i = 0; i < shared->n; i++) {
        if (shared->error != PAPI_OK)
            fail(shared, i, HPM_PAPISHARED_FAILED);
        else if (has_jumped(values[i], before[i]))
            fail(shared, i,
                 is_real(values[i]) ? HPM_PAPISHARED_IS_REAL
                                    : HPM_PAPISHARED_WENT_BACK);
    }
}

bool
hpm_papishared_may_wait(const struct hpm_papishared *shared)
{
    return may_wait(shared->component);
}

/* If no step is beyond 2^61, no step has any bit from there on: so one
 * comparison of all steps ORed together is enough. */
static inline void
read_alone(struct hpm_papishared *shared, uint64_t *slots)
{
    const long long *before = shared->values[shared->latest];
    long long *values = shared->values[shared->latest ^= 1];
    size_t n = shared->n;
    uint64_t steps = 0;

    if (shared->error == PAPI_OK)
        shared->error = hpm_papiset_read(&shared->set, values);
    if (__builtin_expect(shared->error != PAPI_OK, 0)) {
        note_troubles(shared);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        steps |= (uint64_t)values[i] - (uint64_t)before[i];
        slots[shared->slots[i]] = (uint64_t)values[i];
    }
    if (__builtin_expect(steps >= (uint64_t)most_counted, 0))
        note_troubles(shared);
}

/* Only the compiler must keep the order of these accesses, not the processor:
 * the thread that sets is_locking makes all threads see it, by
 * hpm_barrier_everywhere, before it looks at is_reading. */
bool
hpm_papishared_read(struct hpm_papishared *shared, uint64_t *slots)
{
    bool is_locking;

    atomic_store_explicit(&shared->is_reading, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    is_locking =
        atomic_load_explicit(&shared->is_locking, memory_order_acquire);
    if (__builtin_expect(is_locking, 0)) {
        atomic_store_explicit(&shared->is_reading, false, memory_order_relaxed);
        hpm_forklock_take(&shared->lock, shared->pid);
    }
    read_alone(shared, slots);
    if (__builtin_expect(is_locking, 0))
        hpm_forklock_give(&shared->lock);
    else
        atomic_store_explicit(&shared->is_reading, false, memory_order_release);
    return !atomic_load_explicit(&shared->is_troubled, memory_order_relaxed);
}

size_t
hpm_papishared_event(const struct hpm_papishared *shared, size_t n,
                     enum hpm_papishared_trouble *ret_trouble)
{
    if (n >= shared->n)
        return SIZE_MAX;
    *ret_trouble =
        (enum hpm_papishared_trouble)atomic_load(&shared->troubles[n]);
    return shared->slots[n] - 1u;
}

void
hpm_papishared_explain(const struct hpm_papishared *shared,
                       enum hpm_papishared_trouble trouble,
                       struct hpm_error *err)
{
    switch (trouble) {
    case HPM_PAPISHARED_FINE:
        hpm_error_set(err, "nothing is wrong");
        break;
    case HPM_PAPISHARED_IS_REAL:
        hpm_error_set(err, "its value is a floating-point number, or beyond "
                           "2^61; only integers are counted");
        break;
    case HPM_PAPISHARED_WENT_BACK:
        hpm_error_set(err, "it went back, which a count does not: it is a "
                           "level, or the program set it back (PAPI_start and "
                           "PAPI_reset do)");
        break;
    case HPM_PAPISHARED_FAILED:
        hpm_papiset_explain(shared->error, err);
        break;
    }
}
