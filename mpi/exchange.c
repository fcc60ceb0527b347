/* SPDX-License-Identifier: BSD-3-Clause
 * Messages between the tasks at the end of a job.
 *
 * No call blocks: a task without this library would never come.  Each call is
 * begun, then looked at until it is done or its time is over. */
#include "mpi/exchange.h"

#include <sched.h>
#include <stdint.h>
#include <time.h>

#include "base/env.h"

enum { TIMEOUT_SECONDS = 600, MOST_SECONDS = 1000000000, TAG = 1 };
enum { N_YIELDS = 1000 };

/* In pieces, MPI holds no copy of all that is sent. */
enum { PIECE_BYTES = 1 << 20 };

static void
pause_after(unsigned long n_looks)
{
    const struct timespec step = {0, 1000000};

    if (n_looks < N_YIELDS)
        sched_yield();
    else
        nanosleep(&step, NULL);
}

static uint64_t
now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* False when the time is over. */
static bool
go_on_waiting(struct hpm_exchange *exchange, uint64_t waited_ms)
{
    uint64_t most_ms = (uint64_t)exchange->timeout * 1000;

    if (exchange->is_meeting && waited_ms > most_ms / 2)
        hpm_arrivals_look(&exchange->arrivals);
    exchange->is_late = waited_ms > most_ms;
    return !exchange->is_late;
}

bool
hpm_exchange_wait(struct hpm_exchange *exchange, int status,
                  MPI_Request *request)
{
    uint64_t start = now_ms();
    int is_done = 0;

    for (unsigned long i = 0; status == MPI_SUCCESS; i++) {
        status = PMPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS || is_done)
            break;
        if (!go_on_waiting(exchange, now_ms() - start))
            return false;
        pause_after(i);
    }
    return status == MPI_SUCCESS;
}

bool
hpm_exchange_begin(struct hpm_exchange *exchange)
{
    exchange->comm = MPI_COMM_NULL;
    exchange->is_late = false;
    exchange->timeout =
        hpm_env_number(HPM_VARIABLE_TIMEOUT, 1, TIMEOUT_SECONDS);
    if (exchange->timeout > MOST_SECONDS)
        exchange->timeout = MOST_SECONDS;
    return PMPI_Comm_rank(MPI_COMM_WORLD, &exchange->rank) == MPI_SUCCESS &&
           PMPI_Comm_size(MPI_COMM_WORLD, &exchange->n) == MPI_SUCCESS &&
           exchange->n > 1;
}

bool
hpm_exchange_meet(struct hpm_exchange *exchange, struct hpm_string *ret_missing)
{
    struct hpm_arrivals *arrivals = &exchange->arrivals;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Errhandler programs;
    int status;
    bool is_good;

    if (PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &programs) != MPI_SUCCESS)
        return false;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    *arrivals = (struct hpm_arrivals){.rank = exchange->rank, .n = exchange->n};
    exchange->is_meeting = true;
    status = PMPI_Comm_idup(MPI_COMM_WORLD, &exchange->comm, &request);
    is_good = hpm_exchange_wait(exchange, status, &request);
    exchange->is_meeting = false;
    if (exchange->is_late)
        hpm_arrivals_add_missing(arrivals, ret_missing);
    hpm_arrivals_end(arrivals);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, programs);
    PMPI_Errhandler_free(&programs);
    return is_good && PMPI_Comm_set_errhandler(
                          exchange->comm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

/* ---- bytes ------------------------------------------------------------ */

static size_t
piece_of(size_t left)
{
    return left < PIECE_BYTES ? left : PIECE_BYTES;
}

bool
hpm_exchange_send(struct hpm_exchange *exchange, int task, const void *bytes,
                  size_t length)
{
    for (size_t i = 0; i < length; i += PIECE_BYTES) {
        MPI_Request request = MPI_REQUEST_NULL;
        int status =
            PMPI_Isend((const char *)bytes + i, (int)piece_of(length - i),
                       MPI_BYTE, task, TAG, exchange->comm, &request);

        if (!hpm_exchange_wait(exchange, status, &request))
            return false;
    }
    return true;
}

bool
hpm_exchange_receive(struct hpm_exchange *exchange, int task, void *bytes,
                     size_t length)
{
    for (size_t i = 0; i < length; i += PIECE_BYTES) {
        MPI_Request request = MPI_REQUEST_NULL;
        int status = PMPI_Irecv((char *)bytes + i, (int)piece_of(length - i),
                                MPI_BYTE, task, TAG, exchange->comm, &request);

        if (!hpm_exchange_wait(exchange, status, &request))
            return false;
    }
    return true;
}
