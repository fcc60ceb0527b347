/* SPDX-License-Identifier: BSD-3-Clause
 * The slicer: a thread of our own that ends slices of other threads' sets. */
#include "config.h"

#include "source/slicer.h"

#if HAVE_PAPI

#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "source/papilib.h"
#include "source/papislices.h"
#include "source/tasks.h"

/* PAPI's calls take 11 KB of stack; the least stack of some C libraries is
 * larger. */
enum { STACK = 256 << 10, MOST_LENGTHS_ASLEEP = 16 };

static struct {
    atomic_int pid; /* the process in which it runs; 0: not running */
    atomic_bool has_ended;
    atomic_bool is_looking;
    atomic_bool is_there; /* it has said that it is none of the program's
                           * threads */
} slicer;

/* Needs PAPI's lock. */
static bool
look_at_all(void)
{
    bool is_moving = false;

    for (struct hpm_papislices *each = hpm_papislices_first(); each != NULL;
         each = hpm_papislices_next(each))
        is_moving |= hpm_papislices_look(each);
    return is_moving;
}

/* Needs PAPI's lock.  The slicer's thread number may be another thread's
 * next. */
static void
forget(void)
{
    slicer.pid = 0;
    hpm_tasks_leave_out(HPM_TASKS_SLICER, 0);
}

/* False if the slicer has nothing to do any more. */
static bool
look(bool *ret_is_moving)
{
    bool is_needed;

    atomic_store(&slicer.is_looking, true);
    hpm_papilib_lock();
    is_needed =
        !atomic_load(&slicer.has_ended) && hpm_papislices_first() != NULL;
    if (is_needed)
        *ret_is_moving = look_at_all();
    else
        forget();
    hpm_papilib_unlock();
    atomic_store(&slicer.is_looking, false);
    return is_needed;
}

/* While the program sleeps the slicer sleeps, too, longer each time: without
 * processor time no slice ends.  When all other threads have ended, the slicer
 * ends, too: it would be the last thread, and keep the process alive. */
static void *
run(void *context)
{
    long lengths = 1;
    bool is_moving = true;

    prctl(PR_SET_NAME, "hpm-slicer");
    hpm_tasks_leave_out(HPM_TASKS_SLICER, gettid());
    atomic_store(&slicer.is_there, true);
    while (look(&is_moving)) {
        long ns = lengths * HPM_SLICE_LENGTH;

        nanosleep(&(struct timespec){0, ns}, NULL);
        lengths = is_moving ? 1 : lengths * 2;
        if (lengths > MOST_LENGTHS_ASLEEP)
            lengths = MOST_LENGTHS_ASLEEP;
        if (!is_moving && hpm_tasks_have_ended())
            break;
    }
    return context;
}

bool
hpm_slicer_start(struct hpm_error *err)
{
    if (slicer.pid == getpid() || !hpm_papislices_run_by_kernel())
        return true;
    atomic_store(&slicer.has_ended, false);
    atomic_store(&slicer.is_looking, false);
    atomic_store(&slicer.is_there, false);
    slicer.pid = getpid();
    if (hpm_tasks_start_own(run, STACK)) {
        while (!atomic_load(&slicer.is_there))
            sched_yield();
        return true;
    }
    slicer.pid = 0;
    return hpm_error_set(err, "the thread that lets events take turns cannot "
                              "be made (pthread_create)");
}

/* A change of sets takes some microseconds, but its thread may have to wait for
 * a processor: wait, but not for ever, for the process ends. */
void
hpm_slicer_end(void)
{
    const struct timespec a_millisecond = {0, 1000000};

    if (slicer.pid != getpid())
        return;
    atomic_store(&slicer.has_ended, true);
    for (int i = 0; i < 1000 && atomic_load(&slicer.is_looking); i++)
        nanosleep(&a_millisecond, NULL);
}

bool
hpm_slicer_hold(void)
{
    if (slicer.pid != getpid())
        return false;
    hpm_papilib_lock();
    return true;
}

void
hpm_slicer_release(void)
{
    hpm_papilib_unlock();
}

void
hpm_slicer_leave_parent(void)
{
    hpm_papilib_leave_parent();
}

#else

void
hpm_slicer_end(void)
{
}

bool
hpm_slicer_hold(void)
{
    return false;
}

void
hpm_slicer_release(void)
{
}

void
hpm_slicer_leave_parent(void)
{
}

#endif
