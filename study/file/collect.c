/* SPDX-License-Identifier: BSD-3-Clause
 * Reading many files with several threads.
 *
 *     read by threads, any order     slots[i % N_SLOTS]     taken in order
 *
 * A thread begins a file when the file's slot is free, so there are at most
 * N_SLOTS studies at a time.  The thread that takes studies also reads files
 * instead of waiting: so one thread is not a special case, and on a busy
 * machine no thread waits for another one to get a processor.
 */
#include "study/file/collect.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "study/file/xmlguard.h"

enum { MOST_THREADS = 8, N_SLOTS = 2 * MOST_THREADS };

struct slot {
    bool is_ready;
    struct hpm_collected collected;
};

struct collecting {
    const char *const *paths;
    size_t n;
    size_t most_bytes;

    pthread_mutex_t lock;
    pthread_cond_t is_free;  /* a slot is free, or reading has stopped */
    pthread_cond_t can_take; /* the next file to take is ready */
    size_t next_read;        /* next file to begin */
    size_t next_taken;       /* next file to take */
    bool is_stopped;
    struct slot slots[N_SLOTS];
};

/* Read a file.  `reader` is NULL where there was no memory for a reader. */
static void
read_one(const struct collecting *collecting, struct hpm_reader *reader,
         size_t i, struct hpm_collected *ret_collected)
{
    const char *path = collecting->paths[i];
    struct hpm_reader_report *report = &ret_collected->report;
    struct hpm_error *err = &ret_collected->err;

    *ret_collected = (struct hpm_collected){.i = i, .path = path};
    ret_collected->study =
        reader != NULL
            ? hpm_reader_read_next(reader, path, collecting->most_bytes, report,
                                   err)
            : hpm_reader_read(path, collecting->most_bytes, report, err);
}

/* ---- reading --------------------------------------------------------- */

/* May the next file be begun?  The caller holds the lock. */
static bool
has_room(const struct collecting *collecting)
{
    return collecting->next_read < collecting->n &&
           collecting->next_read < collecting->next_taken + N_SLOTS;
}

static void
read_into_slot(struct collecting *collecting, struct hpm_reader *reader,
               size_t i)
{
    struct slot *slot = &collecting->slots[i % N_SLOTS];

    read_one(collecting, reader, i, &slot->collected);
    pthread_mutex_lock(&collecting->lock);
    slot->is_ready = true;
    if (i == collecting->next_taken)
        pthread_cond_signal(&collecting->can_take);
    pthread_mutex_unlock(&collecting->lock);
}

/* ---- the threads that only read -------------------------------------- */

/* The next file whose slot is free; n when no file is left. */
static size_t
begin_next(struct collecting *collecting)
{
    size_t i;

    pthread_mutex_lock(&collecting->lock);
    while (!collecting->is_stopped && collecting->next_read < collecting->n &&
           !has_room(collecting))
        pthread_cond_wait(&collecting->is_free, &collecting->lock);
    i = collecting->is_stopped ? collecting->n : collecting->next_read;
    if (i < collecting->n)
        collecting->next_read++;
    pthread_mutex_unlock(&collecting->lock);
    return i;
}

static void *
read_files(void *context)
{
    struct collecting *collecting = context;
    struct hpm_reader *reader = hpm_reader_new();
    size_t i;

    while ((i = begin_next(collecting)) < collecting->n)
        read_into_slot(collecting, reader, i);
    hpm_reader_free(reader);
    return NULL;
}

/* Start the threads, with signals blocked: the collecting thread handles them.
 * Returns the number of threads started. */
static int
start_threads(struct collecting *collecting, int wanted, pthread_t *threads)
{
    sigset_t all, before;
    int n = 0;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (n < wanted &&
           pthread_create(&threads[n], NULL, read_files, collecting) == 0)
        n++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

/* ---- the thread that takes ------------------------------------------- */

/* Read other files until this one is ready. */
static void
wait_for(struct collecting *collecting, struct hpm_reader *reader,
         struct slot *slot)
{
    pthread_mutex_lock(&collecting->lock);
    while (!slot->is_ready) {
        if (has_room(collecting)) {
            size_t i = collecting->next_read++;

            pthread_mutex_unlock(&collecting->lock);
            read_into_slot(collecting, reader, i);
            pthread_mutex_lock(&collecting->lock);
        } else {
            pthread_cond_wait(&collecting->can_take, &collecting->lock);
        }
    }
    pthread_mutex_unlock(&collecting->lock);
}

static void
free_slot(struct collecting *collecting, struct slot *slot, bool is_going_on)
{
    hpm_notes_free(&slot->collected.report.notes);
    pthread_mutex_lock(&collecting->lock);
    slot->is_ready = false;
    collecting->next_taken++;
    collecting->is_stopped = !is_going_on;
    if (is_going_on)
        pthread_cond_signal(&collecting->is_free);
    else
        pthread_cond_broadcast(&collecting->is_free);
    pthread_mutex_unlock(&collecting->lock);
}

static void
take_all(struct collecting *collecting, hpm_collect_take *take, void *owner)
{
    struct hpm_reader *reader = hpm_reader_new();
    bool is_going_on = true;

    for (size_t i = 0; i < collecting->n && is_going_on; i++) {
        struct slot *slot = &collecting->slots[i % N_SLOTS];

        wait_for(collecting, reader, slot);
        is_going_on = take(owner, &slot->collected);
        free_slot(collecting, slot, is_going_on);
    }
    hpm_reader_free(reader);
}

/* Free the studies that were read but not taken. */
static void
drop_rest(struct collecting *collecting)
{
    for (size_t i = 0; i < N_SLOTS; i++) {
        struct slot *slot = &collecting->slots[i];

        if (!slot->is_ready)
            continue;
        hpm_study_free(slot->collected.study);
        hpm_notes_free(&slot->collected.report.notes);
    }
}

/* ---- public functions ------------------------------------------------ */

static int
count_processors(void)
{
    cpu_set_t allowed;
    int n = 1;

    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        n = CPU_COUNT(&allowed);
    return n;
}

void
hpm_collect(const char *const *paths, size_t n, int n_threads,
            size_t most_bytes, hpm_collect_take *take, void *owner)
{
    struct collecting collecting = {.paths = paths,
                                    .n = n,
                                    .most_bytes = most_bytes,
                                    .lock = PTHREAD_MUTEX_INITIALIZER,
                                    .is_free = PTHREAD_COND_INITIALIZER,
                                    .can_take = PTHREAD_COND_INITIALIZER};
    pthread_t threads[MOST_THREADS];
    int n_started;

    hpm_xmlguard_prepare();
    if (n_threads <= 0)
        n_threads = count_processors();
    if (n_threads > MOST_THREADS)
        n_threads = MOST_THREADS;
    if ((size_t)n_threads > n)
        n_threads = (int)n;
    n_started = start_threads(&collecting, n_threads - 1, threads);
    take_all(&collecting, take, owner);
    for (int i = 0; i < n_started; i++)
        pthread_join(threads[i], NULL);
    drop_rest(&collecting);
}
