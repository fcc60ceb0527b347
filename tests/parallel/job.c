/* SPDX-License-Identifier: BSD-3-Clause
 * An MPI job linked with libhpm_mpi; the argument says what it does:
 *
 *     plain      sections, then MPI_Finalize; later calls are not measured
 *     thread     the same with MPI_Init_thread, and errors of MPI counted
 *     terminate  hpmTerminate long before MPI_Finalize
 *     some       only task 1 measures anything
 *     without    all but task 2 measure
 *     same       all tasks say that they are task 0
 *     large      so many sections that a file has some megabytes
 *     middle     a seventh of that
 *     child      task 1 forks a child that measures, too
 *     gone       the folder for the files is removed meanwhile
 *     late       task 2 comes to MPI_Finalize when the file "said" is not empty
 *     leave      task 1 exits while the others are in MPI_Finalize
 *     die        a signal kills task 1 before the others come to MPI_Finalize
 *     abort      task 1 calls MPI_Abort while the others are there
 *
 * With -DWITHOUT_US it is a program of the job that is not linked with
 * libhpm_mpi.  With -DFLOATING it reports if its floating-point environment has
 * changed when MPI's own end begins.  With -DFAIL=1 the first step of gathering
 * fails in all tasks, with -DFAIL=2 one of the last steps; with -DFAIL=3 the task
 * JOB_FAILS gets half of what it has recorded. */
#define _GNU_SOURCE
#include <libhpm.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int n_errors; /* errors that reached the program's handler */

#ifdef WITHOUT_US
#define measure(id, label, n) ((void)(id), (void)(label), (void)(n))
#else
static void
measure(int id, const char *label, int n)
{
    for (int i = 0; i < n; i++) {
        hpmTstart(id, label);
        hpmTstart(id + 1, "inner");
        hpmTstop(id + 1);
        hpmTstop(id);
    }
}
#endif

#ifndef WITHOUT_US
static void
measure_a_lot(int n)
{
    char label[1000];

    memset(label, 'x', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    for (int i = 0; i < n; i++) {
        label[0] = (char)('a' + i % 26);
        label[1] = (char)('a' + i / 26);
        measure(2 * i + 10, label, 1);
    }
}
#endif

/* Calls of libhpm_mpi find this function of the program first. */
#if FAIL == 1
int
PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *ret_comm, MPI_Request *ret_request)
{
    (void)comm, (void)ret_comm, (void)ret_request;
    return MPI_ERR_COMM;
}
#elif FAIL == 2
int
PMPI_Isend(const void *bytes, int n, MPI_Datatype type, int to, int tag,
           MPI_Comm comm, MPI_Request *ret_request)
{
    (void)bytes, (void)n, (void)type, (void)to, (void)tag, (void)comm;
    (void)ret_request;
    return MPI_ERR_RANK;
}
#elif FAIL == 3
/* How what libhpm hands over begins (lib/session/handover.h). */
struct handover {
    const char *text;
    size_t length;
};
typedef void take(struct handover *handover);
typedef const void *hand_over_to(take *take, const void *known,
                                 const void *source);

const void *hpm_private_hand_over_to(take *take, const void *known,
                                     const void *source);

static take *real_take;

static void
take_half(struct handover *handover)
{
    const char *fails = getenv("JOB_FAILS");
    int task;

    PMPI_Comm_rank(MPI_COMM_WORLD, &task);
    if (fails != NULL && atoi(fails) == task)
        handover->length /= 2;
    real_take(handover);
}

const void *
hpm_private_hand_over_to(take *take, const void *known, const void *source)
{
    hand_over_to *next =
        (hand_over_to *)dlsym(RTLD_NEXT, "hpm_private_hand_over_to");

    real_take = take;
    return next(take != NULL ? take_half : NULL, known, source);
}
#elif defined FLOATING
int
PMPI_Finalize(void)
{
    int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "PMPI_Finalize");

    if (fegetround() != FE_UPWARD || fetestexcept(FE_ALL_EXCEPT) != 0)
        fprintf(stderr, "rounding %d, flags %d\n", fegetround(),
                fetestexcept(FE_ALL_EXCEPT));
    fesetround(FE_TONEAREST);
    return next();
}
#endif

static void
count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    n_errors++;
}

static int
count_files(void)
{
    DIR *folder = opendir(".");
    struct dirent *entry;
    int n = 0;

    while (folder != NULL && (entry = readdir(folder)) != NULL)
        n += strstr(entry->d_name, ".hpm.xml") != NULL &&
             strstr(entry->d_name, ".journal") == NULL &&
             entry->d_name[0] != '.';
    if (folder != NULL)
        closedir(folder);
    return n;
}

/* Wait until the other tasks have written their files; not for ever. */
static void
wait_for_files(int n)
{
    const struct timespec step = {0, 5000000};

    for (int i = 0; i < 40000 && count_files() < n; i++)
        nanosleep(&step, NULL);
}

static void
measure_in_child(void)
{
    pid_t child = fork();

    if (child == 0) {
        measure(7, "child", 1);
        exit(0);
    }
    waitpid(child, NULL, 0);
}

static void
remove_folder(int task)
{
    const char *folder = getenv("JOB_FOLDER");

    if (task == 0 && (folder == NULL || rmdir(folder) != 0))
        MPI_Abort(MPI_COMM_WORLD, 9);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void
initialize(const char *way, int *argc, char ***argv)
{
    MPI_Errhandler handler;
    int provided;

    if (strcmp(way, "thread") != 0) {
        MPI_Init(argc, argv);
        return;
    }
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
}

/* Wait until there is something in the file "said"; not for ever. */
static void
come_late(int task)
{
    const struct timespec step = {0, 5000000};
    struct stat said;

    for (int i = 0; task == 2 && i < 40000; i++) {
        if (stat("said", &said) == 0 && said.st_size > 0)
            return;
        nanosleep(&step, NULL);
    }
}

static void
end_otherwise(const char *way, int task, int n_tasks)
{
    if (task != 1)
        return;
    if (strcmp(way, "leave") == 0) {
        wait_for_files(n_tasks - 1);
        exit(3);
    }
    if (strcmp(way, "abort") == 0) {
        wait_for_files(n_tasks - 1);
        MPI_Abort(MPI_COMM_WORLD, 7);
    }
}

int
main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "plain";
    int task, n_tasks, status;

    initialize(way, &argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &task);
    MPI_Comm_size(MPI_COMM_WORLD, &n_tasks);
#ifndef WITHOUT_US
    if (strcmp(way, "same") == 0)
        hpmInit(0, NULL);
#endif
    if (strcmp(way, "some") == 0      ? task == 1
        : strcmp(way, "without") == 0 ? task != 2
                                      : true)
        measure(1, "before", 10 * (task + 1));
    MPI_Barrier(MPI_COMM_WORLD); /* all tasks have started */
    if (strcmp(way, "child") == 0 && task == 1)
        measure_in_child();
    if (strcmp(way, "gone") == 0)
        remove_folder(task);
#ifndef WITHOUT_US
    if (strcmp(way, "large") == 0)
        measure_a_lot(1000);
    if (strcmp(way, "middle") == 0)
        measure_a_lot(150);
    if (strcmp(way, "terminate") == 0)
        hpmTerminate(task);
#endif
    if (strcmp(way, "late") == 0)
        come_late(task);
    if (strcmp(way, "die") == 0) {
        if (task == 1)
            raise(SIGKILL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    end_otherwise(way, task, n_tasks);
#ifdef FLOATING
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
#endif
    status = MPI_Finalize();
    measure(3, "after", 1);
    return status != MPI_SUCCESS || n_errors > 0 ? 8 : 0;
}
