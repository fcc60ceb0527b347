/* SPDX-License-Identifier: BSD-3-Clause
 * Waiting told from moving: how long a task waits in a call until the last task has
 * come to the same call, or until the message is there. */
#include "mpi/waiting.h"

#include <time.h>

#include "base/env.h"
#include "base/message.h"
#include "brought/tickscale.h"
#include "mpi/lastcomer.h"

enum {
    TIMEOUT_SECONDS = 60,
    N_LOOKS = 4,
    SOON_NS = 20000 /* what a message may take on its way is no late sender */
};

atomic_bool hpm_waiting_is_on;

static int mine, all; /* in use until the request ends, which may be never */
static MPI_Request request = MPI_REQUEST_NULL;

/* Has every task answered in time? */
static bool
has_ended(unsigned long timeout)
{
    const struct timespec pause = {0, 100000};
    uint64_t begin = hpm_calltime_kernel_ns();
    int is_over = 0;

    while (PMPI_Test(&request, &is_over, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           !is_over &&
           (hpm_calltime_kernel_ns() - begin) / 1000000000u < timeout)
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
        has_ended(timeout) && hpm_peers_begin() && hpm_lastcomer_begin()) {
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

void
hpm_waiting_end(void)
{
    if (!atomic_exchange(&hpm_waiting_is_on, false))
        return;
    hpm_peers_end();
    hpm_lastcomer_end();
}

/* ---- one call ------------------------------------------------------------ */

static void
begin(struct hpm_calltime *own)
{
    if (own != NULL)
        atomic_store_explicit(
            &own->waits_since,
            atomic_load_explicit(&own->since, memory_order_relaxed),
            memory_order_release);
}

/* Add the ticks since the call began. */
static uint64_t
end(struct hpm_calltime *own, enum hpm_callclass class)
{
    uint64_t now = hpm_calltime_now();
    uint64_t waited;

    if (own == NULL)
        return 0;
    waited = now - atomic_load_explicit(&own->since, memory_order_relaxed);
    hpm_turn_open(&own->turn);
    hpm_turn_raise(&own->sums[class].waiting, waited);
    atomic_store_explicit(&own->waits_since, 0, memory_order_release);
    hpm_turn_close(&own->turn);
    return waited;
}

void
hpm_waiting_wait_for_all(struct hpm_calltime *own, enum hpm_callclass class,
                         MPI_Comm comm)
{
    struct hpm_calltime *timed = hpm_waiting_is_told(own) ? own : NULL;
    uint64_t waited;

    begin(timed);
    PMPI_Barrier(comm);
    waited = end(timed, class);
    hpm_lastcomer_find(timed, class, comm, waited);
}

/* This task comes later to a message than the other one. */
static void
add_late(struct hpm_calltime *own, enum hpm_callclass class)
{
    if (!hpm_waiting_is_told(own))
        return;
    hpm_turn_open(&own->turn);
    hpm_turn_raise(&own->sums[class].last, 1);
    hpm_turn_close(&own->turn);
}

/* Is the message there already?  An MPI takes in what has come when it is asked, and
 * may tell of it the next time. */
static bool
is_there(int source, int tag, MPI_Comm comm, MPI_Status *ret_status)
{
    int found = 0;

    for (int i = 0; i < N_LOOKS && !found; i++) {
        if (PMPI_Iprobe(source, tag, comm, &found, ret_status) != MPI_SUCCESS)
            return false;
    }
    return found;
}

/* The message is there: its sender may wait. */
static void
answer_sender(struct hpm_calltime *own, const MPI_Status *status, MPI_Comm comm)
{
    if (status->MPI_SOURCE != MPI_PROC_NULL && hpm_peers_answer(status, comm))
        add_late(own, HPM_CALLCLASS_RECV);
}

void
hpm_waiting_answer_sender(struct hpm_calltime *own, int source, int tag,
                          MPI_Comm comm)
{
    MPI_Status status;

    if (is_there(source, tag, comm, &status))
        answer_sender(own, &status, comm);
}

/* Does the message come within the time that it takes one to come? */
static bool
comes_soon(int source, int tag, MPI_Comm comm)
{
    uint64_t begin = hpm_calltime_now();
    int found = 0;

    while (PMPI_Iprobe(source, tag, comm, &found, MPI_STATUS_IGNORE) ==
               MPI_SUCCESS &&
           !found && hpm_tickscale_ns(hpm_calltime_now() - begin) < SOON_NS)
        continue;
    return found;
}

/* The sender is late; it is told so while this task waits. */
static void
wait_for_sender(struct hpm_calltime *own, enum hpm_callclass class, int source,
                int tag, MPI_Comm comm)
{
    bool is_told = hpm_peers_tell_waiting(source, tag, comm);

    PMPI_Probe(source, tag, comm, MPI_STATUS_IGNORE);
    end(own, class);
    if (is_told)
        hpm_peers_tell_end(source, comm);
}

void
hpm_waiting_wait_for_message(struct hpm_calltime *own, enum hpm_callclass class,
                             int source, int tag, MPI_Comm comm)
{
    struct hpm_calltime *timed = hpm_waiting_is_told(own) ? own : NULL;
    MPI_Status status;

    begin(timed);
    if (is_there(source, tag, comm, &status)) {
        end(timed, class);
        answer_sender(timed, &status, comm);
    } else if (timed == NULL || comes_soon(source, tag, comm)) {
        end(timed, class);
    } else {
        wait_for_sender(timed, class, source, tag, comm);
    }
}

void
hpm_waiting_come_to_send(struct hpm_calltime *own, int dest, int tag,
                         MPI_Comm comm)
{
    if (hpm_peers_wait_for_this(dest, tag, comm))
        add_late(own, HPM_CALLCLASS_SEND);
}

/* Of several requests that have ended, MPI_Waitany tells the first. */
enum { ANSWER, MESSAGE };

/* Has the answer come?  Where the message is small, it has moved as soon. */
static bool
is_answered(MPI_Request *answer)
{
    int is_over = 0;

    for (int i = 0; i < N_LOOKS && !is_over; i++) {
        if (PMPI_Test(answer, &is_over, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
    }
    return is_over;
}

/* Until the receiver answers nobody knows whether this is waiting: a receiver that
 * does not answer may have been there all the time. */
static int
wait_for_answer(struct hpm_calltime *own, enum hpm_callclass class,
                MPI_Request *begun, MPI_Request *answer)
{
    MPI_Request both[] = {[ANSWER] = *answer, [MESSAGE] = *begun};
    int which = MESSAGE;
    int error = PMPI_Waitany(2, both, &which, MPI_STATUS_IGNORE);

    if (error == MPI_SUCCESS && (which == ANSWER || is_answered(&both[ANSWER])))
        end(own, class);
    if (error == MPI_SUCCESS && which == ANSWER)
        error = PMPI_Wait(&both[MESSAGE], MPI_STATUS_IGNORE);
    *answer = both[ANSWER];
    return error;
}

int
hpm_waiting_wait_for_receiver(struct hpm_calltime *own,
                              enum hpm_callclass class, MPI_Request *begun,
                              const struct hpm_sending *sending)
{
    int is_over = 0;
    int error = PMPI_Test(begun, &is_over, MPI_STATUS_IGNORE);
    struct hpm_question *question;

    if (error != MPI_SUCCESS || is_over)
        return error;
    question = hpm_peers_ask(sending);
    if (question == NULL)
        return PMPI_Wait(begun, MPI_STATUS_IGNORE);
    error = wait_for_answer(own, class, begun, hpm_question_answer(question));
    hpm_question_close(question);
    return error;
}

#ifdef OPEN_MPI
/* A variable of Open MPI's library for Fortran, in the spelling of its compiler. */
extern int mpi_fortran_bottom_ __attribute__((weak));
#endif

const void *
hpm_waiting_address(const void *fortrans)
{
#ifdef OPEN_MPI
    if (fortrans == &mpi_fortran_bottom_)
        return MPI_BOTTOM;
#endif
    return fortrans;
}
