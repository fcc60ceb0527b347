/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that begin, end or misbehave in many ways; the first argument names
 * a case, the second is a number for it.  Ends with 0 when the program behaves
 * as it would without the library, except in cases that end otherwise. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libhpm.h>

static int order_length = 2;

static void
section(int id, const char *label)
{
    volatile unsigned long sink = 0;

    hpmTstart(id, label);
    for (unsigned long i = 0; i < 100000; i++)
        sink = sink + i;
    hpmTstop(id);
}

static int
way_return(void)
{
    section(1, "work");
    return 0;
}

static int
way_exit(void)
{
    section(1, "work");
    exit(5);
}

static int
way_underscore_exit(void)
{
    section(1, "work");
    _exit(6);
}

static int
way_signal(void)
{
    section(1, "work");
    kill(getpid(), SIGTERM);
    return 1;
}

static void *
exit_in_thread(void *argument)
{
    section(2, "thread");
    exit(7);
    return argument;
}

static int
way_exit_in_thread(void)
{
    pthread_t thread;

    hpmTstart(1, "main");
    pthread_create(&thread, NULL, exit_in_thread, NULL);
    for (;;)
        section(3, "busy");
    return 1;
}

/* Is the performance file being written, or complete? */
static bool
is_in_end(void)
{
    bool is_found = false;
    DIR *folder = opendir(".");

    if (folder == NULL)
        return true;
    for (struct dirent *entry = readdir(folder); entry != NULL && !is_found;
         entry = readdir(folder))
        is_found = strstr(entry->d_name, ".hpm") != NULL;
    closedir(folder);
    return is_found;
}

/* Call exit while the first thread in exit is in the end of the measurement.  A
 * thread that comes earlier ends the process: no code of the library runs there
 * yet. */
static void *
exit_as_well(void *argument)
{
    while (!is_in_end())
        continue;
    exit(7);
    return argument;
}

/* The threads of a pool all end the program. */
static int
way_two_exits(void)
{
    pthread_t thread;

    section(1, "main");
    for (int i = 0; i < 2; i++)
        pthread_create(&thread, NULL, exit_as_well, NULL);
    exit(7);
}

static void *
outlive(void *argument)
{
    usleep(20000);
    section(2, "last");
    return argument;
}

static int
way_main_leaves(void)
{
    pthread_t thread;

    section(1, "main");
    pthread_create(&thread, NULL, outlive, NULL);
    pthread_exit(NULL);
}

static void
measure_at_exit(void)
{
    section(2, "atexit");
}

static int
way_atexit(void)
{
    atexit(measure_at_exit);
    section(1, "work");
    return 0;
}

/* Make the calls that the digits of a number in base 6 stand for. */
static void
call_in_order(int n_calls, int word)
{
    for (int i = 0; i < n_calls; i++, word /= 6) {
        switch (word % 6) {
        case 0:
            hpmInit(-1, "orders");
            break;
        case 1:
            hpmTstart(1, "t");
            break;
        case 2:
            hpmTstop(1);
            break;
        case 3:
            hpmStart(1, "p");
            break;
        case 4:
            hpmStop(1);
            break;
        case 5:
            hpmTerminate(-1);
            break;
        }
    }
}

/* All orders of so many calls; none may crash. */
static int
way_orders(void)
{
    int n_words = 1;

    for (int i = 0; i < order_length; i++)
        n_words *= 6;
    for (int word = 0; word < n_words; word++) {
        pid_t child = fork();
        int status;

        if (child == 0) {
            call_in_order(order_length, word);
            exit(9);
        }
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 9) {
            printf("word %d: status %x\n", word, status);
            return 1;
        }
    }
    return 0;
}

static int
way_fork(void)
{
    int status;
    pid_t child;

    hpmTstart(1, "parent");
    hpmStart(2, "parent and child");
    section(3, "before");
    child = fork();
    if (child == 0) {
        section(4, "child");
        exit(3);
    }
    waitpid(child, &status, 0);
    section(5, "after");
    hpmStop(2);
    hpmTstop(1);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 3;
}

static int
end_of(pid_t child)
{
    int status;

    return waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

/* Each process ends before the one that has made it, and in another way, after
 * a change of the working directory. */
static int
way_family(void)
{
    pid_t child, grandchild;
    int status;

    section(1, "parent");
    child = fork();
    if (child != 0)
        return end_of(child) != 3;
    if (chdir("/") != 0)
        return 4;
    section(2, "child");
    grandchild = fork();
    if (grandchild == 0) {
        section(3, "grandchild");
        hpmTerminate(-1);
        _exit(5);
    }
    status = end_of(grandchild) == 5 ? 3 : 6;
    exit(status);
}

/* Processes made without fork's handlers: they cannot be measured separately,
 * and must not write data of their parent. */
static int
way_unseen_children(void)
{
    pid_t child;

    section(1, "parent");
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        section(2, "child");
        exit(3);
    }
    if (end_of(child) != 3)
        return 1;
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        hpmTerminate(-1);
        _exit(3);
    }
    if (end_of(child) != 3)
        return 1;
    section(5, "after");
    return 0;
}

/* A child that never calls the library writes nothing and does no harm. */
static int
way_fork_silent(void)
{
    int status;
    pid_t child;

    hpmTstart(1, "parent");
    child = fork();
    if (child == 0)
        exit(3);
    waitpid(child, &status, 0);
    section(5, "after");
    hpmTstop(1);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 3;
}

static volatile sig_atomic_t n_spoiled;

/* Ask for SIGALRM in a moment, once: each handler asks for the next signal when
 * its work is done, so that slow machines come to an end, too. */
static void
ask_for_signal(suseconds_t after_us)
{
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, after_us}}, NULL);
}

static void
measure_in_handler(int number)
{
    int errno_before = errno;

    (void)number;
    errno = 4711;
    hpmTstart(8, "handler");
    hpmTstop(8);
    hpmStart(9, "handler process");
    hpmStop(9);
    n_spoiled += errno != 4711;
    ask_for_signal(50);
    errno = errno_before;
}

static int
way_handler(void)
{
    time_t end = time(NULL) + 2;

    /* as hpm(7) requires: the first process section is not started by a
     * handler */
    hpmStart(4, "first");
    hpmStop(4);
    signal(SIGALRM, measure_in_handler);
    ask_for_signal(50);
    do { /* once at least: other programs may use the processor all the time */
        hpmTstart(1, "a");
        hpmTstart(2, "b");
        hpmTstop(2);
        hpmTstop(1);
        hpmStart(3, "c");
        hpmStop(3);
    } while (time(NULL) < end);
    signal(SIGALRM, SIG_IGN);
    return n_spoiled != 0;
}

/* With 0, 1 and 2 closed, no file of the library may get these numbers. */
static int
way_closed_descriptors(void)
{
    int fd;

    close(0);
    close(1);
    close(2);
    section(1, "work");
    hpmTstop(77); /* causes a message */
    fd = open("output", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    open("output", O_WRONLY);
    open("output", O_WRONLY);
    printf("text of the program\n");
    fflush(stdout);
    hpmTstop(78);
    hpmTerminate(-1);
    return fd != 0;
}

/* All descriptors are closed without the library's knowledge, and reused. */
static int
way_closefrom(void)
{
    char text[8] = "";
    int fds[200];

    section(1, "before");
    for (int fd = 3; fd < 1000; fd++)
        close(fd);
    for (int i = 0; i < 200; i++)
        fds[i] = open("own", O_RDWR | O_CREAT, 0600);
    if (write(fds[0], "mine", 4) != 4)
        return 1;
    hpmTerminate(-1);
    for (int i = 0; i < 200; i++) {
        if (pread(fds[i], text, 4, 0) != 4 || strcmp(text, "mine") != 0)
            return 2;
    }
    return 0;
}

static int
way_chdir(void)
{
    hpmInit(-1, NULL);
    section(1, "work");
    return chdir("/") != 0;
}

static int
way_longjmp(void)
{
    static jmp_buf back;

    hpmTstart(1, "outer");
    if (setjmp(back) == 0) {
        hpmTstart(2, "left");
        longjmp(back, 1);
    }
    hpmTstop(1);
    section(3, "after");
    return 0;
}

static int
way_errno(void)
{
    errno = 4711;
    hpmInit(-1, NULL);
    hpmTstart(1, "a");
    hpmStart(2, "b");
    hpmStop(2);
    hpmStop(3);
    hpmTstop(1);
    hpmTerminate(-1);
    return errno != 4711;
}

static volatile int n_handled;

static void
measure_something_new(int number)
{
    (void)number;
    for (int i = 0; i < 4; i++) {
        hpmTstart(n_handled % 5000, "new");
        hpmTstop(n_handled % 5000);
        n_handled++;
    }
    ask_for_signal(50);
}

/* A handler that interrupts malloc starts sections for the first time. */
static int
way_handler_in_malloc(void)
{
    time_t end = time(NULL) + 2;
    void *memory[256] = {NULL};
    unsigned random = 1;

    section(1, "first");
    signal(SIGALRM, measure_something_new);
    ask_for_signal(50);
    while (time(NULL) < end) {
        for (int i = 0; i < 256; i++) {
            random = random * 1103515245 + 12345;
            free(memory[i]);
            memory[i] = malloc((random >> 16) % 5000);
        }
    }
    signal(SIGALRM, SIG_IGN);
    for (int i = 0; i < 256; i++)
        free(memory[i]);
    return n_handled == 0;
}

static void *
start_again(void *argument)
{
    hpmStart(1, "both");
    return argument;
}

static int
way_open_elsewhere(void)
{
    pthread_t thread;

    for (int i = 0; i < 2; i++)
        hpmStart(1, "both"); /* the same thread may start it again: recursion */
    pthread_create(&thread, NULL, start_again, NULL);
    pthread_join(thread, NULL);
    hpmStop(1);
    hpmStop(1);
    return hpm_error_count != 1;
}

static void *
in_thread(void *argument)
{
    for (int i = 0; i < 100; i++)
        section(1, "thread");
    return argument;
}

static int
count_descriptors(void)
{
    int n = 0;

    for (int fd = 0; fd < 1000; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* Threads that end give their descriptors back. */
static int
way_churn(void)
{
    int before;

    section(2, "main");
    before = count_descriptors();
    for (int i = 0; i < 300; i++) {
        pthread_t thread;

        pthread_create(&thread, NULL, in_thread, NULL);
        pthread_join(thread, NULL);
    }
    return count_descriptors() != before;
}

static const struct {
    const char *name;
    int (*run)(void);
} ways[] = {
    {"return", way_return},
    {"exit", way_exit},
    {"_exit", way_underscore_exit},
    {"signal", way_signal},
    {"exit-in-thread", way_exit_in_thread},
    {"two-exits", way_two_exits},
    {"main-leaves", way_main_leaves},
    {"atexit", way_atexit},
    {"orders", way_orders},
    {"fork", way_fork},
    {"family", way_family},
    {"unseen-children", way_unseen_children},
    {"fork-silent", way_fork_silent},
    {"handler", way_handler},
    {"handler-in-malloc", way_handler_in_malloc},
    {"closed-descriptors", way_closed_descriptors},
    {"closefrom", way_closefrom},
    {"open-elsewhere", way_open_elsewhere},
    {"chdir", way_chdir},
    {"longjmp", way_longjmp},
    {"errno", way_errno},
    {"churn", way_churn},
};

int
main(int argc, char **argv)
{
    if (argc > 2)
        order_length = atoi(argv[2]);
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0)
            return ways[i].run();
    }
    fprintf(stderr, "ways: '%s' is no way\n", argc > 1 ? argv[1] : "");
    return 100;
}
