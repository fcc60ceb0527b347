/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that disturb counters opened by PAPI; the first argument names a
 * case.  Ends with 0 when the program behaves as it would without the
 * library. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libhpm.h>

static void
burn(void)
{
    volatile unsigned long sink = 0;

    for (unsigned long i = 0; i < 300000; i++)
        sink = sink + i;
}

static void
section(int id, const char *label)
{
    hpmTstart(id, label);
    burn();
    hpmTstop(id);
}

static int
count_counters(bool only_leaking)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    int n = 0;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char path[300], target[64] = "";

        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        if (readlink(path, target, sizeof target - 1) > 0 &&
            strcmp(target, "anon_inode:[perf_event]") == 0 &&
            (!only_leaking ||
             (fcntl(atoi(entry->d_name), F_GETFD) & FD_CLOEXEC) == 0))
            n++;
    }
    if (folder != NULL)
        closedir(folder);
    return n;
}

/* Close all descriptors, as daemons do; a descriptor of the library may then be
 * the end of a pipe that no process writes to. */
static int
way_closefrom(void)
{
    int ends[2];
    char c;

    section(1, "before");
    hpmStart(3, "process");
    for (int fd = 3; fd < 256; fd++)
        close(fd);
    for (int i = 0; i < 8; i++) {
        if (pipe(ends) != 0)
            return 1;
    }
    hpmStop(3);
    section(1, "before");
    section(2, "after");
    hpmTerminate(-1);
    /* both ends still belong to the program */
    return write(ends[1], "x", 1) == 1 && read(ends[0], &c, 1) == 1 ? 0 : 1;
}

static int
way_exec(void)
{
    section(1, "work");
    hpmStart(2, "process");
    burn();
    hpmStop(2);
    printf("%d counters, %d of them would leak\n", count_counters(false),
           count_counters(true));
    return 0;
}

static void *
work(void *argument)
{
    section(2, "thread");
    return argument;
}

static int
way_exits(void)
{
    int before = 0;

    section(1, "main");
    for (int i = 0; i < 100; i++) {
        pthread_t thread;

        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
        if (i == 0)
            before = count_counters(false);
    }
    printf("%d more\n", count_counters(false) - before);
    return 0;
}

static int
way_small_stack(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    section(1, "main");
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, 24 << 10) != 0 ||
        pthread_create(&thread, &attributes, work, NULL) != 0)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}

static void *
init_here(void *argument)
{
    hpmInit(-1, "papi");
    section(1, "thread");
    return argument;
}

/* The first call comes from a thread with a small stack. */
static int
way_small_init(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, 48 << 10) != 0 ||
        pthread_create(&thread, &attributes, init_here, NULL) != 0)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}

static pthread_barrier_t barrier;

static void *
work_between_barriers(void *argument)
{
    pthread_barrier_wait(&barrier); /* the process section is open */
    for (int i = 0; i < 20; i++)
        burn();
    pthread_barrier_wait(&barrier);
    return argument;
}

/* One thread starts before the process's counters are opened, one starts later,
 * and a child is forked; none of them measures itself. */
static int
way_process(void)
{
    pthread_t threads[2];
    int status = -1;
    pid_t child;

    hpmInit(-1, "papi");
    pthread_barrier_init(&barrier, NULL, 2);
    hpmStart(1, "idle");
    hpmStop(1);
    pthread_create(&threads[0], NULL, work_between_barriers, NULL);
    hpmStart(2, "new thread");
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    pthread_join(threads[0], NULL);
    hpmStop(2);
    hpmStart(3, "child");
    child = fork();
    if (child == 0) {
        for (int i = 0; i < 20; i++)
            burn();
        _exit(0);
    }
    waitpid(child, &status, 0);
    hpmStop(3);
    return status;
}

static int
way_old_thread(void)
{
    pthread_t thread;

    hpmInit(-1, "papi");
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work_between_barriers, NULL);
    hpmStart(1, "old thread");
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    hpmStop(1);
    return 0;
}

static int
way_fork(void)
{
    int status = -1;
    pid_t child;

    section(1, "before");
    hpmTstart(2, "parent");
    child = fork();
    if (child == 0) {
        section(3, "child");
        exit(0);
    }
    waitpid(child, &status, 0);
    for (int i = 0; i < 20; i++)
        burn();
    hpmTstop(2);
    return status;
}

static int
way_few_descriptors(void)
{
    pthread_t thread;
    int fd, last = -1;

    hpmInit(-1, "papi");
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){40, 40});
    while ((fd = open("/dev/null", O_RDONLY)) >= 0)
        last = fd;
    close(last);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    fd = open("/dev/null", O_RDONLY);
    for (int i = 20; i < 40; i++)
        close(i);
    return fd == last ? 0 : 1; /* the number was left to the program */
}

/* No descriptor is left when PAPI would start; PAPI would end the program
 * then. */
static int
way_no_descriptors(void)
{
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){40, 40});
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
    close(10);
    close(11);
    section(1, "work");
    return 0;
}

static int
way_no_standard(void)
{
    int fd;

    close(0);
    close(1);
    close(2);
    section(1, "work");
    fd = open("own", O_RDWR | O_CREAT, 0666);
    return fd == 0 && write(fd, "text", 4) == 4 ? 0 : 1;
}

static void *
be_cancelled(void *argument)
{
    pthread_barrier_wait(&barrier);
    for (;;) /* the only cancellation point could be in the library */
        section(2, "cancelled");
    return argument;
}

/* A start or stop is no cancellation point. */
static int
way_cancel(void)
{
    pthread_t thread;

    section(1, "main");
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, be_cancelled, NULL);
    pthread_barrier_wait(&barrier);
    usleep(20000);
    pthread_cancel(thread);
    usleep(50000);
    return pthread_kill(thread, 0) == 0 ? 0 : 1; /* the thread is still alive */
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } ways[] = {{"closefrom", way_closefrom},
                {"exec", way_exec},
                {"exits", way_exits},
                {"small-stack", way_small_stack},
                {"small-init", way_small_init},
                {"process", way_process},
                {"old-thread", way_old_thread},
                {"fork", way_fork},
                {"few-descriptors", way_few_descriptors},
                {"no-descriptors", way_no_descriptors},
                {"no-standard", way_no_standard},
                {"cancel", way_cancel}};

    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0)
            return ways[i].run();
    }
    fprintf(stderr, "papi: no such way\n");
    return 2;
}
