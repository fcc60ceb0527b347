/* SPDX-License-Identifier: BSD-3-Clause
 * A program of OpenMP that exits with status 7 while threads of its own are in parallel
 * regions, where they wait for nothing that a runtime has.  Its destructor, which runs
 * before the runtime's, says whether there is a whole performance file: "whole" or
 * "none".  The argument says what else happens:
 *
 *     alone   no other thread is in a region
 *     inside  a thread exits within a region
 *     on      an exit handler, registered before all others, lets the threads go on with
 *             regions, tasks and a lock, and begins a region itself
 *     fork    a forked child exits, too, with status 3
 *
 * With -DSECTIONS it is linked with libhpm, and begins a section in that handler, too. */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef SECTIONS
#include <libhpm.h>
#else
#define hpmTstart(id, label) (void)(id)
#define hpmTstop(id) (void)(id)
#endif

enum { N_THREADS = 2, N_REGIONS = 20, N_ALL = N_THREADS * N_REGIONS * 2 };

static sem_t is_inside, may_go, never;
static const char *mode = "";
static pid_t process;
static int n_worked;

static bool
is_mode(const char *word)
{
    return strcmp(mode, word) == 0;
}

static void
work(void)
{
    int number = 0;

#pragma omp task shared(number)
    number++;
#pragma omp taskwait
#pragma omp critical
    n_worked += number;
}

static void *
use(void *unused)
{
    (void)unused;
#pragma omp parallel num_threads(2)
    {
        sem_post(&is_inside);
        sem_wait(&may_go);
    }
    for (int i = 0; i < N_REGIONS; i++) {
#pragma omp parallel num_threads(2)
        work();
    }
#pragma omp parallel num_threads(2)
    {
        sem_post(&is_inside);
        sem_wait(&never);
    }
    return NULL;
}

static void
wait_for_all(void)
{
    for (int i = 0; i < 2 * N_THREADS; i++)
        sem_wait(&is_inside);
}

static void
go_on(void)
{
    if (getpid() != process || !is_mode("on"))
        return;
    for (int i = 0; i < 2 * N_THREADS; i++)
        sem_post(&may_go);
    wait_for_all();
    hpmTstart(1, "late");
#pragma omp parallel num_threads(2)
    work();
    hpmTstop(1);
    printf("worked %d\n", n_worked);
}

/* In main it would come after the runtime's begin, which is main's first step. */
static void begin(void) __attribute__((constructor));

static void
begin(void)
{
    atexit(go_on);
}

static bool
has_whole_file(void)
{
    DIR *folder = opendir(".");
    bool is_whole = false;
    static char text[1 << 20];

    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        FILE *file = strstr(entry->d_name, ".hpm.xml") != NULL
                         ? fopen(entry->d_name, "r")
                         : NULL;

        if (file == NULL)
            continue;
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        is_whole |= strstr(text, "complete=\"yes\"") != NULL &&
                    strstr(text, "</HPMPerformanceFile>") != NULL;
        fclose(file);
    }
    closedir(folder);
    return is_whole;
}

static void tell(void) __attribute__((destructor));

static void
tell(void)
{
    if (getpid() == process)
        printf("%s\n", has_whole_file() ? "whole" : "none");
    fflush(stdout);
}

static void
fork_child(void)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0)
        exit(3);
    waitpid(child, &status, 0);
    printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int
main(int argc, char **argv)
{
    pthread_t threads[N_THREADS];

    if (argc > 1)
        mode = argv[1];
    process = getpid();
    sem_init(&is_inside, 0, 0);
    sem_init(&may_go, 0, 0);
    sem_init(&never, 0, 0);
    hpmTstart(2, "first");
#pragma omp parallel num_threads(2)
    work();
    hpmTstop(2);
    for (int i = 0; i < N_THREADS && !is_mode("alone") && !is_mode("inside");
         i++)
        pthread_create(&threads[i], NULL, use, NULL);
    if (!is_mode("alone") && !is_mode("inside"))
        wait_for_all();
    if (is_mode("fork"))
        fork_child();
    if (is_mode("inside")) {
#pragma omp parallel num_threads(3)
        {
            sem_post(&is_inside);
            if (omp_get_thread_num() == 1) {
                for (int i = 0; i < 3; i++)
                    sem_wait(&is_inside);
                exit(7);
            }
            sem_wait(&never);
        }
    }
    return 7;
}
