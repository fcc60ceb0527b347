/* SPDX-License-Identifier: BSD-3-Clause
 * Environments that a program makes for itself, or gets, while it measures; the
 * first argument names a case.  Ends with 0 when the program behaves as it
 * would without the library, with 77 where the case is not possible. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libhpm.h>

enum { CANNOT = 77 };

static const char *argument;

/* Touch eight new pages. */
static void
work(int id, const char *label)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *pages;

    hpmTstart(id, label);
    pages = mmap(NULL, 8 * size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(pages, 8 * size, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < 8; i++)
        pages[i * size] = 1;
    munmap(pages, 8 * size);
    hpmTstop(id);
}

static void *
work_in_thread(void *nothing)
{
    work(2, "thread");
    return nothing;
}

static void
work_beside(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, work_in_thread, NULL) != 0)
        abort();
    pthread_join(thread, NULL);
}

/* Threads exist before the first process section. */
static pthread_barrier_t together;

static void *
wait_and_work(void *nothing)
{
    work(2, "thread");
    pthread_barrier_wait(&together);
    pthread_barrier_wait(&together);
    return nothing;
}

static int
way_crowded(void)
{
    pthread_t thread;

    pthread_barrier_init(&together, NULL, 2);
    pthread_create(&thread, NULL, wait_and_work, NULL);
    pthread_barrier_wait(&together);
    hpmStart(3, "process");
    work(1, "main");
    hpmStop(3);
    pthread_barrier_wait(&together);
    pthread_join(thread, NULL);
    return 0;
}

/* ---- other roots ------------------------------------------------------ */

static bool
is_root_changed(const char *folder)
{
    if (geteuid() != 0 && unshare(CLONE_NEWUSER) != 0)
        return false;
    return chroot(folder) == 0 && chdir("/") == 0;
}

/* Change to an empty root folder, after the library has chosen the place of its
 * file. */
static int
way_chroot(void)
{
    work(1, "before");
    if (!is_root_changed(argument))
        return CANNOT;
    work(1, "before");
    work_beside();
    hpmStart(3, "process");
    hpmTstop(99); /* causes a message */
    hpmStop(3);
    return 0;
}

/* The same before the very first call of the library. */
static int
way_chroot_first(void)
{
    if (!is_root_changed(argument))
        return CANNOT;
    work(1, "work");
    work_beside();
    hpmStart(3, "process");
    hpmStop(3);
    return 0;
}

/* ---- a filter of system calls ----------------------------------------- */

static bool
is_filtered(unsigned what)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, what),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int
work_everywhere(void)
{
    hpmStart(3, "process");
    work(1, "main");
    work_beside();
    hpmStop(3);
    return 0;
}

static int
way_seccomp(void)
{
    unsigned error = (unsigned)atoi(argument);

    return is_filtered(SECCOMP_RET_ERRNO | error) ? work_everywhere() : CANNOT;
}

static int
way_seccomp_kill(void)
{
    return is_filtered(SECCOMP_RET_KILL_PROCESS) ? work_everywhere() : CANNOT;
}

/* ---- descriptors ------------------------------------------------------ */

static void
limit_descriptors(rlim_t n)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = n;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void
close_all(void)
{
    for (int fd = 3; fd < 65536; fd++)
        close(fd);
}

/* Close all unknown descriptors, and open pipes, full and empty ones, in every
 * place: a read from one of them steals a byte or waits. */
static int
way_pipes(void)
{
    enum { N = 8 };
    int pipes[N][2];

    alarm(300);
    limit_descriptors((rlim_t)atoi(argument));
    work(1, "before");
    hpmStart(3, "process");
    hpmTstart(4, "around");
    close_all();
    for (int i = 0; i < N; i++) {
        if (pipe(pipes[i]) != 0 ||
            (i % 2 == 0 && write(pipes[i][1], "mine", 4) != 4))
            return 1;
    }
    for (int i = 0; i < 10; i++)
        work(5, "after");
    work_beside();
    hpmTstop(4);
    hpmStop(3);
    hpmTerminate(-1);
    for (int i = 0; i < N; i++) {
        struct pollfd state = {.fd = pipes[i][0], .events = POLLIN};
        char text[8] = "";
        bool is_full = poll(&state, 1, 0) == 1;

        if (is_full != (i % 2 == 0) || fcntl(pipes[i][1], F_GETFD) < 0)
            return 2;
        if (is_full && (read(pipes[i][0], text, sizeof text) != 4 ||
                        strcmp(text, "mine") != 0))
            return 3;
    }
    return 0;
}

/* All descriptors of the library are closed, and their numbers are free: a
 * thread that comes later must not get its counters under numbers that another
 * thread still uses for its own. */
static int
way_closed(void)
{
    work(1, "before");
    close_all();
    for (int i = 0; i < 3; i++)
        work_beside();
    work(5, "after");
    return 0;
}

/* Few descriptors, many threads: half of the descriptors are the program's. */
static int
way_few_descriptors(void)
{
    enum { N_THREADS = 20, N_FILES = 12 };
    pthread_t threads[N_THREADS];
    int status = 0;

    limit_descriptors(32);
    work(1, "main");
    pthread_barrier_init(&together, NULL, N_THREADS + 1);
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, wait_and_work, NULL);
    pthread_barrier_wait(&together);
    for (int i = 0; i < N_FILES; i++) {
        if (open("/dev/null", O_RDONLY) < 0)
            status = 1;
    }
    pthread_barrier_wait(&together);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    return status;
}

/* The program's own files get the same numbers as without the library. */
static int
way_numbers(void)
{
    int before = open("/dev/null", O_RDONLY), after;

    work(1, "main");
    hpmStart(3, "process");
    after = open("/dev/null", O_RDONLY);
    hpmStop(3);
    return after != before + 1;
}

/* A process section around a child in which a shell runs the argument. */
static int
way_child(void)
{
    int status;

    hpmStart(3, "process");
    status = system(argument);
    hpmStop(3);
    return status == 0 ? 0 : CANNOT;
}

static const struct {
    const char *name;
    int (*run)(void);
} ways[] = {
    {"everywhere", work_everywhere},
    {"crowded", way_crowded},
    {"child", way_child},
    {"chroot", way_chroot},
    {"chroot-first", way_chroot_first},
    {"seccomp", way_seccomp},
    {"seccomp-kill", way_seccomp_kill},
    {"pipes", way_pipes},
    {"closed", way_closed},
    {"few-descriptors", way_few_descriptors},
    {"numbers", way_numbers},
};

int
main(int argc, char **argv)
{
    argument = argc > 2 ? argv[2] : "";
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0)
            return ways[i].run();
    }
    fprintf(stderr, "surroundings: '%s' is no way\n", argc > 1 ? argv[1] : "");
    return 100;
}
