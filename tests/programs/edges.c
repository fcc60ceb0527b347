/* SPDX-License-Identifier: BSD-3-Clause
 * A program whose sections are its arguments, one step each, done one after
 * the other:
 *
 *     2+1=solve     thread 2 starts the thread section 1, labelled "solve"
 *     2-1           thread 2 stops it
 *     2p+5=all      thread 2 starts the process section 5
 *     2p-5          thread 2 stops it
 *     2x+4=part     thread 2 starts 4 with HPM_ONLY_EXCLUSIVE
 *     2*1           thread 2 adds work to it, 7 cells
 *     2*1=9         9 cells
 *     2?            thread 2 prints its time and counters
 *     2~100         thread 2 writes to 100 new pages: as many page faults
 *     2r100         thread 2 reads 100 times, 10 bytes each
 *     2z50          thread 2 sleeps for 50 milliseconds
 *     fork          what follows is done by a child, and waited for
 *     fill          the disk is filled up with a file "filler"
 *     clear         the file "filler" is removed
 *     room=K        from here on the process gets K KiB more memory at most;
 *                   ends with 77 where a sanitizer needs more
 *     leave         _exit(5)
 *     door=C-at     from here on through this one of doors.c, with labels at
 *                   addresses that do not change (outer, inner)
 *
 * Thread 0 is the first one; another one begins at its first step, and ends at
 * the end of the program, the lowest first. */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <libhpm.h>

#include "doors.h"

#if defined(__has_feature)
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||           \
    HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer)
static const bool is_sanitized = true;
#else
static const bool is_sanitized = false;
#endif

enum { MAX_THREADS = 16 };

static struct worker {
    pthread_t thread;
    bool is_there;
    const char *step; /* the step to do next; NULL when it is done */
    bool is_leaving;
} workers[MAX_THREADS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void
print_readings(void)
{
    long long values[64];
    double seconds;
    int n = 0;

    memset(values, 0, sizeof values);
    hpmGetTimeAndCounters(64, &seconds, values);
    while (n < 64 && (values[n] != -1 || (n < 63 && values[n + 1] != -1)))
        n++;
    printf("%.9f", seconds);
    for (int i = 0; i < n; i++)
        printf(" %lld", values[i]);
    printf("\n");
    fflush(stdout);
}

/* Touch small pages, each of which is a fault of its own; without faults for
 * the address sanitizer's shadow memory. */
__attribute__((no_sanitize_address)) static void
touch(size_t n)
{
    char *pages = mmap(NULL, n * 4096, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        exit(1);
    madvise(pages, n * 4096, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < n; i++)
        pages[i * 4096] = 1;
    munmap(pages, n * 4096);
}

static void
read_often(int n)
{
    int fd = open("/proc/self/exe", O_RDONLY);
    char bytes[10];

    for (int i = 0; i < n; i++) {
        if (pread(fd, bytes, sizeof bytes, 0) != sizeof bytes)
            exit(1);
    }
    close(fd);
}

static const struct door *door;

/* The same label in read-only memory. */
static const char *
constant(const char *label)
{
    static const char *const labels[] = {"outer", "inner"};
    size_t i = label != NULL && strcmp(label, labels[0]) != 0;

    if (label == NULL || strcmp(label, labels[i]) != 0)
        exit(3);
    return labels[i];
}

static void
start(char scope, int id, const char *label)
{
    if (door != NULL && scope == 'p')
        door->process_start(id, constant(label));
    else if (door != NULL)
        door->thread_start(id, constant(label));
    else if (scope == 'p')
        hpmStartAt(id, label, "edges", id);
    else if (scope == 'x')
        hpmTstartxAt(id, HPM_ONLY_EXCLUSIVE, label, "edges", id);
    else
        hpmTstartAt(id, label, "edges", id);
}

/* Do the step after the thread's number. */
static void
do_step(const char *step)
{
    char scope = *step == 'p' || *step == 'x' ? *step++ : 't';
    const char *label = strchr(step, '=');
    int id = atoi(step + 1);

    if (*step == '?')
        print_readings();
    else if (*step == '~')
        touch((size_t)id);
    else if (*step == 'r')
        read_often(id);
    else if (*step == 'z')
        nanosleep(&(struct timespec){id / 1000, id % 1000 * 1000000L}, NULL);
    else if (*step == '*')
        hpmWork(id, label != NULL ? atoll(label + 1) : 7, "cells");
    else if (*step == '+')
        start(scope, id, label != NULL ? label + 1 : NULL);
    else if (door != NULL && scope == 'p')
        door->process_stop(id);
    else if (door != NULL)
        door->thread_stop(id);
    else if (scope == 'p')
        hpmStopAt(id, "edges", id + 1);
    else
        hpmTstopAt(id, "edges", id + 1);
}

static void *
work(void *argument)
{
    struct worker *self = argument;

    pthread_mutex_lock(&lock);
    while (!self->is_leaving || self->step != NULL) {
        if (self->step != NULL) {
            do_step(self->step);
            self->step = NULL;
            pthread_cond_broadcast(&changed);
        } else {
            pthread_cond_wait(&changed, &lock);
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void
let_do(struct worker *worker, const char *step)
{
    pthread_mutex_lock(&lock);
    worker->step = step;
    if (!worker->is_there)
        pthread_create(&worker->thread, NULL, work, worker);
    worker->is_there = true;
    pthread_cond_broadcast(&changed);
    while (worker->step != NULL)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void
end_workers(void)
{
    for (int i = 0; i < MAX_THREADS; i++) {
        if (!workers[i].is_there)
            continue;
        pthread_mutex_lock(&lock);
        workers[i].is_leaving = true;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        pthread_join(workers[i].thread, NULL);
    }
}

/* Write until not even one byte fits. */
static void
fill_disk(void)
{
    static const char bytes[4096];
    int fd = open("filler", O_WRONLY | O_CREAT | O_TRUNC, 0600);

    for (size_t n = sizeof bytes; n > 0;) {
        if (write(fd, bytes, n) <= 0)
            n /= 2;
    }
    close(fd);
}

static void
leave_room(const char *kilobytes)
{
    long page = sysconf(_SC_PAGESIZE), used = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    rlim_t most;

    if (is_sanitized || file == NULL || fscanf(file, "%ld", &used) != 1)
        _exit(77);
    fclose(file);
    most = (rlim_t)(used * page + 1024 * strtol(kilobytes, NULL, 10));
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
}

int
main(int argc, char **argv)
{
    hpmInit(-1, "edges");
    for (int i = 1; i < argc; i++) {
        char *step;
        int status;
        long tid;

        if (strcmp(argv[i], "fork") == 0) {
            if (fork() == 0)
                continue;
            wait(&status);
            break;
        }
        if (strcmp(argv[i], "leave") == 0)
            _exit(5);
        if (strcmp(argv[i], "fill") == 0) {
            fill_disk();
            continue;
        }
        if (strncmp(argv[i], "room=", 5) == 0) {
            leave_room(argv[i] + 5);
            continue;
        }
        if (strcmp(argv[i], "clear") == 0) {
            unlink("filler");
            continue;
        }
        if (strncmp(argv[i], "door=", 5) == 0) {
            door = door_named(argv[i] + 5);
            if (door == NULL)
                return 4;
            continue;
        }
        tid = strtol(argv[i], &step, 10);
        if (tid > 0 && tid < MAX_THREADS)
            let_do(&workers[tid], step);
        else
            do_step(step);
    }
    end_workers();
    return 0;
}
