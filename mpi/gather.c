/* SPDX-License-Identifier: BSD-3-Clause
 * All tasks of a job send their recordings to one task, which makes one file.
 *
 *     task 0        task 1        task 2
 *       |  a communicator of our own  |     fails here if a task is missing
 *       |-----------------------------|
 *       |  find the first task with a file: the writer
 *       |<-- length, pieces --|       |
 *       |<------- length, pieces -----|     in the order of the tasks, so that
 *     merge and write                       the writer holds one text at a time
 *       |--- is it written? --------->|
 *     remove the own files
 *
 * No call blocks: a task without this library would never come.  Each call is
 * begun, then waited for with a time limit.  After the limit a call may still
 * be under way inside MPI_Finalize: so all that it reads and writes is in
 * memory that stays, never on the stack. */
#include "mpi/gather.h"

#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/message.h"
#include "host/memory.h"
#include "host/path.h"
#include "mpi/jobfile.h"

enum { TIMEOUT_SECONDS = 600, MOST_SECONDS = 1000000000, TAG = 1 };
enum { PIECE_BYTES = 256 << 10, NAME_BYTES = 256, N_YIELDS = 1000 };

/* A task sends this first. */
struct head {
    uint64_t length; /* of its file; 0: no file */
    char name[NAME_BYTES];
};

struct exchange {
    const struct hpm_gather *mine;
    int rank, n;
    unsigned long timeout; /* of each step, in seconds */
    bool is_late;          /* a step took longer than that */
    char *path;            /* the job's file, if this task has written it */
    bool is_own_gone;

    /* buffers of messages */
    MPI_Comm comm; /* MPI_COMM_NULL until all tasks are here */
    int candidate, writer;
    struct head head;
    char piece[PIECE_BYTES];
    int is_written;
};

/* ---- waiting --------------------------------------------------------- */

static void
pause_after(unsigned long n_looks)
{
    const struct timespec step = {0, 1000000};

    if (n_looks < N_YIELDS)
        sched_yield();
    else
        nanosleep(&step, NULL);
}

/* `status` is the result of the call that began the request.  False if that
 * call or the request failed, or took too long. */
static bool
wait_for(struct exchange *exchange, int status, MPI_Request *request)
{
    struct timespec now, start;
    int is_done = 0;

    clock_gettime(CLOCK_MONOTONIC, &start);
    for (unsigned long i = 0; status == MPI_SUCCESS; i++) {
        status = PMPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS || is_done)
            break;
        clock_gettime(CLOCK_MONOTONIC, &now);
        exchange->is_late =
            (unsigned long)(now.tv_sec - start.tv_sec) > exchange->timeout;
        if (exchange->is_late)
            return false;
        pause_after(i);
    }
    return status == MPI_SUCCESS;
}

/* ---- coming together ------------------------------------------------- */

/* Lets MPI return errors meanwhile instead of calling the program's error
 * handler. */
static bool
duplicate_world(struct exchange *exchange)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Errhandler programs;
    int status;
    bool is_good;

    if (PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &programs) != MPI_SUCCESS)
        return false;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    status = PMPI_Comm_idup(MPI_COMM_WORLD, &exchange->comm, &request);
    is_good = wait_for(exchange, status, &request);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, programs);
    PMPI_Errhandler_free(&programs);
    return is_good && PMPI_Comm_set_errhandler(
                          exchange->comm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

/* Find the first task that has a file; n if none has. */
static bool
choose_writer(struct exchange *exchange)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int status;

    exchange->candidate =
        exchange->mine->has_text ? exchange->rank : exchange->n;
    status = PMPI_Iallreduce(&exchange->candidate, &exchange->writer, 1,
                             MPI_INT, MPI_MIN, exchange->comm, &request);
    return wait_for(exchange, status, &request);
}

/* ---- the texts ------------------------------------------------------- */

static bool
send_bytes(struct exchange *exchange, const void *bytes, size_t length)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int status = PMPI_Isend(bytes, (int)length, MPI_BYTE, exchange->writer, TAG,
                            exchange->comm, &request);

    return wait_for(exchange, status, &request);
}

static bool
receive_bytes(struct exchange *exchange, int task, void *bytes, size_t length)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int status = PMPI_Irecv(bytes, (int)length, MPI_BYTE, task, TAG,
                            exchange->comm, &request);

    return wait_for(exchange, status, &request);
}

/* The name of the task's file, or a name for a task without one. */
static void
describe_own(struct exchange *exchange)
{
    const struct hpm_gather *mine = exchange->mine;
    struct head *head = &exchange->head;

    head->length = mine->has_text ? mine->length : 0;
    if (mine->path != NULL)
        snprintf(head->name, sizeof head->name, "%s",
                 hpm_path_base_name(mine->path));
    else
        snprintf(head->name, sizeof head->name, "task %d", exchange->rank);
}

static bool
send_text(struct exchange *exchange)
{
    const struct hpm_gather *mine = exchange->mine;
    uint64_t length;

    describe_own(exchange);
    length = exchange->head.length;
    if (!send_bytes(exchange, &exchange->head, sizeof exchange->head))
        return false;
    for (uint64_t i = 0; i < length; i += PIECE_BYTES) {
        uint64_t left = length - i;

        if (!send_bytes(exchange, mine->text + i,
                        left < PIECE_BYTES ? left : PIECE_BYTES))
            return false;
    }
    return true;
}

/* *ret_is_good becomes false if the file cannot be used; it is received
 * completely all the same, because the task waits for that.  False if receiving
 * fails. */
static bool
receive_text(struct exchange *exchange, int task, struct hpm_jobfile *jobfile,
             bool *ret_is_good, struct hpm_error *err)
{
    struct head *head = &exchange->head;

    if (!receive_bytes(exchange, task, head, sizeof *head))
        return false;
    if (head->length == 0)
        return true;
    hpm_jobfile_begin_task(jobfile);
    for (uint64_t i = 0; i < head->length; i += PIECE_BYTES) {
        uint64_t left = head->length - i;
        size_t length = left < PIECE_BYTES ? left : PIECE_BYTES;

        if (!receive_bytes(exchange, task, exchange->piece, length))
            return false;
        hpm_jobfile_add(jobfile, exchange->piece, length);
    }
    if (!hpm_jobfile_end_task(jobfile, head->name, *ret_is_good ? err : NULL))
        *ret_is_good = false;
    return true;
}

static bool
add_own(struct exchange *exchange, struct hpm_jobfile *jobfile,
        struct hpm_error *err)
{
    describe_own(exchange);
    hpm_jobfile_begin_task(jobfile);
    hpm_jobfile_add(jobfile, exchange->mine->text, exchange->mine->length);
    return hpm_jobfile_end_task(jobfile, exchange->head.name, err);
}

/* ---- the writer ------------------------------------------------------ */

static bool
receive_all(struct exchange *exchange, struct hpm_jobfile *jobfile,
            bool *ret_is_good, struct hpm_error *err)
{
    *ret_is_good = add_own(exchange, jobfile, err);
    for (int task = 0; task < exchange->n; task++) {
        if (task != exchange->rank &&
            !receive_text(exchange, task, jobfile, ret_is_good, err))
            return hpm_error_set(err, "what task %d has recorded did not come",
                                 task);
    }
    return true;
}

/* Does not write the job's file if only one task has recorded anything: the
 * task's own file says the same. */
static void
write_job(struct exchange *exchange, struct hpm_jobfile *jobfile, bool is_good,
          struct hpm_error *err)
{
    const struct hpm_gather *mine = exchange->mine;

    if (is_good && hpm_jobfile_n_tasks(jobfile) < 2 && mine->path != NULL)
        return;
    if (!is_good || !hpm_jobfile_write(jobfile, mine->folder, mine->name,
                                       mine->is_synced, &exchange->path, err))
        hpm_message_say_format("%s; there is no file of the whole job, each "
                               "task's own is kept",
                               err->text);
}

/* False if the other tasks cannot be reached any more. */
static bool
collect(struct exchange *exchange)
{
    struct hpm_error err = {""};
    struct hpm_jobfile *jobfile = hpm_jobfile_new(&err);
    bool is_good = false, is_reached = false;

    if (jobfile != NULL)
        is_reached = receive_all(exchange, jobfile, &is_good, &err);
    if (is_reached)
        write_job(exchange, jobfile, is_good, &err);
    else
        hpm_message_say_format("%s; there is no file of the whole job, each "
                               "task's own is kept",
                               err.text);
    hpm_jobfile_free(jobfile);
    return is_reached;
}

/* ---- all ------------------------------------------------------------- */

/* All tasks learn whether the job's file is written; then each removes its
 * own. */
static bool
clear_up(struct exchange *exchange)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int status;

    exchange->is_written = exchange->path != NULL;
    status = PMPI_Ibcast(&exchange->is_written, 1, MPI_INT, exchange->writer,
                         exchange->comm, &request);
    if (!wait_for(exchange, status, &request))
        return false;
    if (exchange->is_written && exchange->mine->path != NULL)
        exchange->is_own_gone = unlink(exchange->mine->path) == 0;
    if (!exchange->is_written && exchange->mine->has_text &&
        exchange->mine->path == NULL)
        hpm_message_say("the measurement of this task is lost");
    request = MPI_REQUEST_NULL;
    status = PMPI_Ibarrier(exchange->comm, &request);
    return wait_for(exchange, status, &request);
}

static bool
gather(struct exchange *exchange)
{
    if (!choose_writer(exchange))
        return false;
    if (exchange->writer == exchange->n)
        return true;
    if (exchange->rank == exchange->writer ? !collect(exchange)
                                           : !send_text(exchange))
        return false;
    if (!clear_up(exchange))
        return false;
    if (exchange->path != NULL)
        hpm_jobfile_rename(exchange->path, exchange->mine->name);
    return true;
}

/* One line for the job, not one for each task: task 0 says it, and tasks of a
 * second program, because task 0 may run a program without this library. */
static void
say_missing(const struct exchange *exchange)
{
    int *program, has_program = 0;

    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &program, &has_program);
    if (exchange->rank != 0 && !(has_program && *program > 0))
        return;
    if (exchange->is_late)
        hpm_message_say_format(
            "not all tasks came to MPI_Finalize within %lu s (HPM_TIMEOUT), or "
            "not all are linked with libhpm_mpi; each task's own file is kept",
            exchange->timeout);
    else
        hpm_message_say("MPI makes no communicator at the end; each task's own "
                        "file is kept");
}

static bool
begin(struct exchange *exchange, const struct hpm_gather *mine)
{
    exchange->mine = mine;
    exchange->comm = MPI_COMM_NULL;
    exchange->timeout =
        hpm_env_number(HPM_VARIABLE_TIMEOUT, 1, TIMEOUT_SECONDS);
    if (exchange->timeout > MOST_SECONDS)
        exchange->timeout = MOST_SECONDS;
    return PMPI_Comm_rank(MPI_COMM_WORLD, &exchange->rank) == MPI_SUCCESS &&
           PMPI_Comm_size(MPI_COMM_WORLD, &exchange->n) == MPI_SUCCESS &&
           exchange->n > 1;
}

bool
hpm_gather(const struct hpm_gather *mine, bool *ret_is_own_gone)
{
    struct exchange *exchange = hpm_memory_new(1, sizeof *exchange);
    bool is_over = true;

    *ret_is_own_gone = false;
    if (exchange == NULL) {
        hpm_message_say("out of memory at the end of the job; each task's own "
                        "file is kept");
        return true;
    }
    if (begin(exchange, mine)) {
        is_over = duplicate_world(exchange);
        if (!is_over)
            say_missing(exchange);
        is_over = is_over && gather(exchange);
        if (is_over)
            PMPI_Comm_free(&exchange->comm);
    }
    *ret_is_own_gone = exchange->is_own_gone;
    hpm_memory_free(exchange->path);
    if (is_over)
        hpm_memory_free(exchange);
    return is_over;
}
