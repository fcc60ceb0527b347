/* SPDX-License-Identifier: BSD-3-Clause
 * Waiting told from moving: how long a task waits in a call until the last task has
 * come to the same call, or until the message is there. */
#include "mpi/waiting.h"

#include <time.h>

#include "base/env.h"
#include "base/message.h"

enum { TIMEOUT_SECONDS = 60 };

atomic_bool hpm_waiting_is_on;

static int mine, all; /* in use until the request ends, which may be never */
static MPI_Request request = MPI_REQUEST_NULL;

static time_t
seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Has every task answered in time? */
static bool
has_ended(time_t timeout)
{
    const struct timespec pause = {0, 100000};
    time_t last = seconds() + timeout;
    int is_over = 0;

    while (PMPI_Test(&request, &is_over, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           !is_over && seconds() < last)
        nanosleep(&pause, NULL);
    return is_over;
}

/* A task that goes on after the others have not answered would meet them with a
 * collective too many, sooner or later.  A launcher that hears of the end at once may
 * lose what was said just before. */
void
hpm_waiting_agree(void)
{
    static const struct timespec second = {1, 0};
    static atomic_flag is_asked = ATOMIC_FLAG_INIT;
    unsigned long timeout =
        hpm_env_number(HPM_VARIABLE_TIMEOUT, 1, TIMEOUT_SECONDS);

    if (atomic_flag_test_and_set(&is_asked) ||
        !hpm_env_is_on(HPM_VARIABLE_WAITING, false))
        return;
    if (PMPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD,
                        &request) == MPI_SUCCESS &&
        has_ended((time_t)timeout)) {
        atomic_store(&hpm_waiting_is_on, true);
        return;
    }
    hpm_message_say_format(
        "HPM_WAITING: not all tasks of the job answer within %lu s "
        "(HPM_TIMEOUT); all must have this variable and be linked with "
        "libhpm_mpi; the job ends",
        timeout);
    nanosleep(&second, NULL);
    PMPI_Abort(MPI_COMM_WORLD, 125);
}

/* ---- one call ------------------------------------------------------------ */

/* A call inside another one has no time of its own. */
static bool
is_timed(const struct hpm_calltime *own)
{
    return own != NULL && own->depth == 1;
}

static void
begin(struct hpm_calltime *own)
{
    if (is_timed(own))
        atomic_store_explicit(
            &own->waits_since,
            atomic_load_explicit(&own->since, memory_order_relaxed),
            memory_order_release);
}

static void
end(struct hpm_calltime *own, enum hpm_callclass class)
{
    uint64_t now = hpm_calltime_now();

    if (!is_timed(own))
        return;
    hpm_calltime_open(own);
    hpm_calltime_raise(
        &own->sums[class].waiting,
        now - atomic_load_explicit(&own->waits_since, memory_order_relaxed));
    atomic_store_explicit(&own->waits_since, 0, memory_order_release);
    hpm_calltime_close(own);
}

void
hpm_waiting_wait_for_all(struct hpm_calltime *own, enum hpm_callclass class,
                         MPI_Comm comm)
{
    begin(own);
    PMPI_Barrier(comm);
    end(own, class);
}

void
hpm_waiting_wait_for_message(struct hpm_calltime *own, enum hpm_callclass class,
                             int source, int tag, MPI_Comm comm)
{
    begin(own);
    PMPI_Probe(source, tag, comm, MPI_STATUS_IGNORE);
    end(own, class);
}
