/* SPDX-License-Identifier: BSD-3-Clause
 * Threads cancelled anywhere while they are in process sections: THREADS of
 * them, one after the other, through each door; each has made three calls of a
 * thread section before.  Prints the doors' names. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <libhpm.h>

#include "doors.h"

enum { THREAD_CALLS = 3, FIRST_PROCESS_ID = 100 };

static atomic_bool has_begun;
static const struct door *door;
static int process_id; /* another one for each thread: the section may stay
                        * open */

/* The thread spends nearly all of its time in the calls. */
static void *
measure_for_ever(void *nothing)
{
    int ignored;

    for (int i = 0; i < THREAD_CALLS; i++) {
        door->thread_start(1, door->name);
        door->thread_stop(1);
    }
    door->process_start(process_id, "process");
    door->process_stop(process_id);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &ignored);
    atomic_store(&has_begun, true);
    for (;;) {
        door->process_start(process_id, "process");
        hpmWork(process_id, 1, "units");
        hpmGetTimeAndCounters(0, NULL, NULL);
        door->process_stop(process_id);
    }
    return nothing;
}

static int
cancel_one(int number)
{
    void *result = NULL;
    pthread_t thread;

    process_id++;
    atomic_store(&has_begun, false);
    if (pthread_create(&thread, NULL, measure_for_ever, NULL) != 0)
        return 1;
    while (!atomic_load(&has_begun))
        sched_yield();
    usleep((unsigned)(number * 37 % 200));
    pthread_cancel(thread);
    pthread_join(thread, &result);
    return result != PTHREAD_CANCELED;
}

int
main(int argc, char **argv)
{
    int n_threads = argc > 1 ? atoi(argv[1]) : 1;

    hpmInit(-1, "cancelled");
    process_id = FIRST_PROCESS_ID;
    for (door = doors; door->name != NULL; door++) {
        printf("%s\n", door->name);
        for (int i = 0; i < n_threads; i++) {
            if (cancel_one(i) != 0)
                return 2;
        }
    }
    return 0;
}
