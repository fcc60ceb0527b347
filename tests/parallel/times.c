/* SPDX-License-Identifier: BSD-3-Clause
 * A program of MPI whose tasks wait for one another: each section plants one wait
 * of 0.1 s.  Each task prints lines "TASK LABEL CLASS SECONDS" with what its own
 * clock said of a call; the argument says what else is done:
 *
 *     nested      a callback of MPI measures, and calls MPI
 *     threads     eight threads of each task send at the same time
 *     persistent  a persistent request, which does not say what it moves
 *     bytes       calls whose bytes are easily missed; three tasks
 *     collective  a persistent collective, where the MPI has it
 *     abort       task 0 calls MPI_Abort
 *     killed      each task kills itself within a section
 *     unended     nobody calls MPI_Finalize */
#include <libhpm.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_THREADS = 8, N_MESSAGES = 50 };

static int task, n_tasks;
static char lines[4096];
static size_t length;

static double
seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void
tell(const char *label, const char *class, double begin)
{
    double end = seconds();

    length +=
        (size_t)snprintf(lines + length, sizeof lines - length,
                         "%d %s %s %.9f\n", task, label, class, end - begin);
}

#define TIMED(label, class, call)                                              \
    do {                                                                       \
        double begin = seconds();                                              \
        call;                                                                  \
        tell(label, class, begin);                                             \
    } while (false)

static void
sleep_a_tenth(void)
{
    const struct timespec tenth = {0, 100000000};

    nanosleep(&tenth, NULL);
}

/* The first message to a task takes as long as making the connection, during which an
 * MPI does not say that it is there. */
static void
connect_tasks(void)
{
    int word = 0;

    for (int sender = 0; sender < 2; sender++) {
        if (task == sender && n_tasks > 1)
            MPI_Ssend(&word, 1, MPI_INT, 1 - sender, 4, MPI_COMM_WORLD);
        else if (task < 2 && n_tasks > 1)
            MPI_Recv(&word, 1, MPI_INT, sender, 4, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

static void
late_sender(void)
{
    int word = 0;

    hpmTstart(1, "late-sender");
    if (task == 1) {
        sleep_a_tenth();
        MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    } else if (task == 0) {
        TIMED("late-sender", "recv",
              MPI_Recv(&word, 1, MPI_INT, 1, 5, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
    }
    hpmTstop(1);
}

static void
late_receiver(void)
{
    int word = 0;

    hpmTstart(2, "late-receiver");
    if (task == 1) {
        sleep_a_tenth();
        TIMED("late-receiver", "recv",
              MPI_Recv(&word, 1, MPI_INT, 0, 6, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
    } else if (task == 0) {
        TIMED("late-receiver", "send",
              MPI_Ssend(&word, 1, MPI_INT, 1, 6, MPI_COMM_WORLD));
    }
    hpmTstop(2);
}

static void
late_request(void)
{
    double words[16] = {0};
    MPI_Request request;

    hpmTstart(3, "late-request");
    if (task == 1) {
        sleep_a_tenth();
        MPI_Send(words, 16, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
    } else if (task == 0) {
        MPI_Irecv(words, 16, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, &request);
        TIMED("late-request", "wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    hpmTstop(3);
}

static void
late_message(void)
{
    MPI_Status status;
    int word = 0;

    hpmTstart(4, "late-message");
    if (task == 1) {
        sleep_a_tenth();
        MPI_Send(&word, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    } else if (task == 0) {
        TIMED("late-message", "probe",
              MPI_Probe(1, 8, MPI_COMM_WORLD, &status));
        MPI_Recv(&word, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &status);
    }
    hpmTstop(4);
}

static void
late_collectives(void)
{
    int word = task, sum = 0, words[64] = {0};
    bool is_last = task == n_tasks - 1;

    hpmTstart(5, "barrier");
    if (is_last)
        sleep_a_tenth();
    TIMED("barrier", "barrier", MPI_Barrier(MPI_COMM_WORLD));
    hpmTstop(5);
    hpmTstart(6, "allreduce");
    if (is_last)
        sleep_a_tenth();
    TIMED("allreduce", "all_to_all",
          MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    hpmTstop(6);
    hpmTstart(7, "broadcast");
    if (task == 0)
        sleep_a_tenth();
    TIMED("broadcast", "one_to_all",
          MPI_Bcast(words, 64, MPI_INT, 0, MPI_COMM_WORLD));
    hpmTstop(7);
    hpmTstart(8, "gather");
    if (is_last)
        sleep_a_tenth();
    TIMED("gather", "all_to_one",
          MPI_Gather(&word, 1, MPI_INT, words, 1, MPI_INT, 0, MPI_COMM_WORLD));
    hpmTstop(8);
}

static void
late_fence(void)
{
    static int target[4];
    MPI_Win win;
    int word = task;

    hpmTstart(9, "one-sided");
    MPI_Win_create(target, sizeof target, sizeof *target, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&word, 1, MPI_INT, (task + 1) % n_tasks, 0, 1, MPI_INT, win);
    hpmTstart(10, "fence");
    if (task == n_tasks - 1)
        sleep_a_tenth();
    TIMED("fence", "sync", MPI_Win_fence(0, win));
    hpmTstop(10);
    MPI_Win_free(&win);
    hpmTstop(9);
}

/* MPI copies an attribute within a call; the copy measures. */
static int
copy_attribute(MPI_Comm comm, int key, void *state, void *in, void *out,
               int *ret_is_copied)
{
    int size;

    (void)comm, (void)key, (void)state, (void)in, (void)out;
    hpmTstart(12, "within");
    sleep_a_tenth();
    MPI_Comm_size(MPI_COMM_SELF, &size);
    MPI_Barrier(MPI_COMM_SELF);
    hpmTstop(12);
    *ret_is_copied = 0;
    return MPI_SUCCESS;
}

static void
call_back(void)
{
    MPI_Comm copy;
    int key;

    MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    hpmTstart(11, "outer");
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    hpmTstop(11);
    MPI_Comm_free(&copy);
    MPI_Comm_free_keyval(&key);
}

static void *
send_messages(void *context)
{
    int id = (int)(size_t)context, word = 0;
    int other = task ^ 1;

    hpmTstart(13, "threads");
    for (int i = 0; other < n_tasks && i < N_MESSAGES; i++) {
        if (task < other)
            MPI_Send(&word, 1, MPI_INT, other, id, MPI_COMM_WORLD);
        else
            MPI_Recv(&word, 1, MPI_INT, other, id, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    hpmTstop(13);
    return NULL;
}

static void
send_by_threads(void)
{
    pthread_t threads[N_THREADS];

    hpmStart(14, "all threads");
    for (size_t i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, send_messages, (void *)i);
    for (size_t i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    hpmStop(14);
}

static void
send_persistently(void)
{
    int word = 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];

    hpmTstart(15, "persistent");
    MPI_Send_init(&word, 1, MPI_INT, task, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&word, 1, MPI_INT, task, 9, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
    hpmTstop(15);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

/* MPI_Sendrecv sends, and a type may be larger than an int can say. */
static void
exchange(void)
{
    int words[8] = {0}, got[8];
    int next = (task + 1) % n_tasks, before = (task + n_tasks - 1) % n_tasks;
    MPI_Datatype huge;

    hpmTstart(17, "exchange");
    MPI_Sendrecv(words, 3, MPI_INT, next, 1, got, 8, MPI_INT, before, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(words, 5, MPI_INT, next, 1, before, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    hpmTstop(17);
    MPI_Type_contiguous(1 << 30, MPI_INT, &huge);
    MPI_Type_commit(&huge);
    hpmTstart(18, "huge");
    MPI_Bcast(words, 1, huge, 0, MPI_COMM_SELF);
    hpmTstop(18);
    hpmTstart(21, "nobody");
    MPI_Send(words, 8, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Sendrecv(words, 8, MPI_INT, MPI_PROC_NULL, 1, got, 8, MPI_INT,
                 MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hpmTstop(21);
    MPI_Type_free(&huge);
}

/* Task 0 is one group, tasks 1 and 2 are the other one.  Task 0 has a count that is
 * of no task. */
static void
move_between_groups(void)
{
    int words[8] = {0}, sums[8];
    int counts[2] = {task == 0 ? 4 : 2, task == 0 ? 1000 : 2};
    MPI_Comm own, both;

    MPI_Comm_split(MPI_COMM_WORLD, task > 0, task, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, task == 0, 1, &both);
    hpmTstart(19, "groups");
    MPI_Reduce_scatter(words, sums, counts, MPI_INT, MPI_SUM, both);
    MPI_Bcast(words, 8, MPI_INT, task == 0 ? MPI_ROOT : 0, both);
    MPI_Reduce(words, sums, 8, MPI_INT, MPI_SUM,
               task == 0   ? 0
               : task == 1 ? MPI_ROOT
                           : MPI_PROC_NULL,
               both);
    hpmTstop(19);
    MPI_Comm_free(&both);
    MPI_Comm_free(&own);
}

/* The request is made before its section begins. */
static void
broadcast_persistently(void)
{
#if MPI_VERSION >= 4
    int word = 0;
    MPI_Request request;

    MPI_Bcast_init(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &request);
    hpmTstart(20, "collective");
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hpmTstop(20);
    MPI_Request_free(&request);
#endif
}

int
main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int level =
        strcmp(way, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;

    hpmInit(-1, "times");
    MPI_Init_thread(&argc, &argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &task);
    MPI_Comm_size(MPI_COMM_WORLD, &n_tasks);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "nested") == 0) {
        call_back();
    } else if (strcmp(way, "threads") == 0) {
        if (level == MPI_THREAD_MULTIPLE)
            send_by_threads();
    } else if (strcmp(way, "persistent") == 0) {
        send_persistently();
    } else if (strcmp(way, "bytes") == 0) {
        exchange();
        move_between_groups();
    } else if (strcmp(way, "collective") == 0) {
        broadcast_persistently();
    } else {
        connect_tasks();
        late_sender();
        late_receiver();
        late_request();
        late_message();
        late_collectives();
        late_fence();
    }
    if (strcmp(way, "abort") == 0 && task == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(way, "abort") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "killed") == 0) {
        hpmTstart(16, "killed");
        raise(SIGKILL);
    }
    fputs(lines, stdout);
    fflush(stdout);
    if (strcmp(way, "unended") != 0)
        MPI_Finalize();
    return 0;
}
