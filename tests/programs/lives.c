/* SPDX-License-Identifier: BSD-3-Clause
 * Lives and deaths of threads and processes that measure; the first argument
 * names a case, the second is a number for it.  Ends with 0 when the program
 * behaves as it would without the library. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libhpm.h>

extern char **environ;

static const char *self; /* this program's path */
static long how_many;

static void
section(int id, const char *label)
{
    hpmTstart(id, label);
    hpmTstop(id);
}

static pthread_t
begin(void *(*run)(void *), void *argument)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, argument) != 0)
        abort();
    return thread;
}

/* The number of descriptors that this process has open. */
static int
count_descriptors(void)
{
    int n = 0;

    for (int fd = 0; fd < 65536; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* Kilobytes of this process in memory. */
static long
resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;

    if (file == NULL || fscanf(file, "%*s %ld", &pages) != 1)
        abort();
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) >> 10);
}

/* Touch new pages, each of which is a fault. */
static void
touch_pages(size_t n)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, n * size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    madvise(pages, n * size, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < n; i++)
        pages[i * size] = 1;
    munmap(pages, n * size);
}

/* A sanitizer's memory may grow by any amount. */
static bool
has_grown(long kilobytes, long allowed)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    allowed = 1L << 30;
#endif
    if (kilobytes > allowed)
        printf("%ld kB more\n", kilobytes);
    return kilobytes > allowed;
}

/* ---- threads ---------------------------------------------------------- */

static void *
live_shortly(void *nothing)
{
    section(1, "short");
    return nothing;
}

/* Many threads, one after the other: neither descriptors nor memory grow after
 * 1,024 threads have got records of their own. */
static int
way_churn(void)
{
    int n_descriptors;
    long kilobytes = 0;

    section(2, "main");
    n_descriptors = count_descriptors();
    for (long i = 0; i < how_many; i++) {
        if (i == how_many / 2)
            kilobytes = resident();
        pthread_join(begin(live_shortly, NULL), NULL);
    }
    return has_grown(resident() - kilobytes, 1024) ||
           count_descriptors() != n_descriptors;
}

static pthread_barrier_t all_there;

static void *
live_together(void *nothing)
{
    section(1, "before");
    pthread_barrier_wait(&all_there);
    section(2, "together");
    pthread_barrier_wait(&all_there);
    return nothing;
}

static int
way_crowd(void)
{
    pthread_t *threads = calloc((size_t)how_many, sizeof *threads);
    pthread_attr_t attributes;
    int n_descriptors;

    section(3, "main");
    n_descriptors = count_descriptors();
    pthread_barrier_init(&all_there, NULL, (unsigned)how_many);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 18);
    for (long i = 0; i < how_many; i++) {
        if (pthread_create(&threads[i], &attributes, live_together, NULL) != 0)
            abort();
    }
    for (long i = 0; i < how_many; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return count_descriptors() != n_descriptors;
}

/* Many pairs: memory does not grow. */
static int
way_pairs(void)
{
    long kilobytes;

    section(1, "pair");
    section(1, "pair");
    kilobytes = resident();
    for (long i = 0; i < how_many; i++)
        section(1, "pair");
    /* the kernel counts in batches of pages */
    return has_grown(resident() - kilobytes, 256);
}

static void *
exit_inside(void *nothing)
{
    hpmTstart(1, "left");
    hpmTstart(2, "inside");
    pthread_exit(nothing);
}

static int
way_exit_inside(void)
{
    int n_descriptors;

    section(3, "main");
    n_descriptors = count_descriptors();
    for (int i = 0; i < 10; i++)
        pthread_join(begin(exit_inside, NULL), NULL);
    return count_descriptors() != n_descriptors;
}

static atomic_bool has_begun;

static void *
measure_for_ever(void *argument)
{
    int ignored;

    if (argument != NULL)
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &ignored);
    for (long i = 0;; i++) {
        hpmTstart(1, "outer");
        hpmTstart(2, "inner");
        atomic_store(&has_begun, true);
        hpmTstop(2);
        hpmTstop(1);
        if (i % 64 == 0) {
            hpmStart(3, "process");
            hpmStop(3);
        }
        if (argument == NULL)
            pthread_testcancel();
    }
    return argument;
}

/* Cancelled anywhere, also in calls of the library; `kind` NULL: only where the
 * program allows it. */
static int
cancel(void *kind)
{
    int n_descriptors;

    hpmStart(4, "main");
    hpmStop(4);
    n_descriptors = count_descriptors();
    for (long i = 0; i < how_many; i++) {
        void *result = NULL;
        pthread_t thread;

        atomic_store(&has_begun, false);
        thread = begin(measure_for_ever, kind);
        while (!atomic_load(&has_begun))
            sched_yield();
        for (long j = 0; j < i % 7; j++)
            sched_yield();
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            return 2;
    }
    section(5, "after");
    return count_descriptors() != n_descriptors;
}

static int
way_cancel(void)
{
    return cancel(NULL);
}

static int
way_cancel_at_once(void)
{
    return cancel(&how_many);
}

static void *
be_small(void *nothing)
{
    char room[512];

    memset(room, 7, sizeof room);
    section(1, "small");
    hpmStart(2, "process");
    hpmStop(2);
    return room[100] == 7 ? nothing : &how_many;
}

/* The very first call is made on the smallest possible stack. */
static int
way_small_stack(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    void *result = NULL;

    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, 16384) != 0)
        return 3;
    if (pthread_create(&thread, &attributes, be_small, NULL) != 0)
        return 4;
    pthread_join(thread, &result);
    section(3, "main");
    return result != NULL;
}

static void
measure_on_small_stack(int number)
{
    (void)number;
    section(1, "handler");
}

/* The very first call is made on a signal stack of about MINSIGSTKSZ. */
static int
way_handler_stack(void)
{
    static char room[16384];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = measure_on_small_stack,
                               .sa_flags = SA_ONSTACK};

    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    section(2, "main");
    return 0;
}

static void *
wander(void *nothing)
{
    hpmTstart(2, "wander");
    for (int cpu = 0; cpu < 64; cpu++) {
        cpu_set_t cpus;

        CPU_ZERO(&cpus);
        CPU_SET(cpu, &cpus);
        if (sched_setaffinity(0, sizeof cpus, &cpus) == 0)
            touch_pages(10);
    }
    hpmTstop(2);
    return nothing;
}

/* Move from processor to processor in a section: prints the number of pages. */
static int
way_wander(void)
{
    cpu_set_t cpus;

    sched_getaffinity(0, sizeof cpus, &cpus);
    pthread_join(begin(wander, NULL), NULL);
    printf("%d\n", 10 * CPU_COUNT(&cpus));
    return 0;
}

/* ---- forks ------------------------------------------------------------ */

struct worker {
    atomic_bool *stop;
    int id;
    pthread_t thread;
};

static void *
measure_until(void *argument)
{
    struct worker *worker = argument;

    while (!atomic_load(worker->stop)) {
        hpmTstart(1, "outer");
        section(2, "inner");
        hpmTstop(1);
        hpmStart(worker->id, "process");
        hpmStop(worker->id);
    }
    return NULL;
}

/* Children of a process whose two other threads measure: every tenth child
 * measures, too, and ends regularly. */
static int
way_forks(void)
{
    atomic_bool stop = false;
    struct worker workers[2] = {{.stop = &stop, .id = 10},
                                {.stop = &stop, .id = 11}};
    long n_wrong = 0;

    for (int i = 0; i < 2; i++)
        workers[i].thread = begin(measure_until, &workers[i]);
    for (long i = 0; i < how_many; i++) {
        int status = -1;
        pid_t child = fork();

        if (child == 0) {
            alarm(300); /* ends a child that waits for a lock for ever */
            if (i % 10 == 0) {
                section(4, "child");
                hpmStart(5, "child's process");
                hpmStop(5);
            }
            _exit(3);
        }
        waitpid(child, &status, 0);
        n_wrong += !WIFEXITED(status) || WEXITSTATUS(status) != 3;
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i].thread, NULL);
    if (n_wrong > 0)
        printf("%ld children did not end as they should\n", n_wrong);
    return n_wrong != 0;
}

static void *
init_in_thread(void *begin_together)
{
    pthread_barrier_wait(begin_together);
    section(1, "first");
    return NULL;
}

/* The process forks while another thread is in init: the child can measure. */
static int
way_fork_in_init(void)
{
    pthread_barrier_t together;
    pthread_t thread;
    int status = -1;
    pid_t child;

    pthread_barrier_init(&together, NULL, 2);
    thread = begin(init_in_thread, &together);
    pthread_barrier_wait(&together);
    for (long i = 0; i < how_many; i++)
        sched_yield();
    child = fork();
    if (child == 0) {
        alarm(300);
        section(2, "child");
        exit(3);
    }
    waitpid(child, &status, 0);
    pthread_join(thread, NULL);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 3;
}

/* Work of the child must not count in the parent's thread sections: 100 pages
 * are touched in each of these, 1000 in the child's. */
static int
way_fork_counts(void)
{
    int status = -1;
    pid_t child;

    hpmTstart(1, "around");
    touch_pages(50);
    child = fork();
    if (child == 0) {
        section(9, "child before");
        hpmTstart(2, "child");
        touch_pages(1000);
        hpmTstop(2);
        hpmTerminate(-1);
        exit(3);
    }
    waitpid(child, &status, 0);
    hpmTstart(3, "after");
    touch_pages(100);
    hpmTstop(3);
    touch_pages(50);
    hpmTstop(1);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 3;
}

/* A child of a child, each with its sections. */
static int
way_generations(void)
{
    section(0, "generation 0");
    for (int i = 1; i < 4; i++) {
        static const char *const labels[] = {"", "generation 1", "generation 2",
                                             "generation 3"};
        int status = -1;
        pid_t child = fork();

        if (child != 0) {
            waitpid(child, &status, 0);
            return status != 0;
        }
        section(i, labels[i]);
    }
    return 0;
}

/* In the child this thread is the only one, on its present stack. */
static void *
fork_and_measure(void *good)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        section(1, "child");
        exit(0);
    }
    waitpid(child, &status, 0);
    return status == 0 ? good : NULL;
}

/* The very first call is made in a child forked by another thread than the main
 * one. */
static int
way_fork_in_thread(void)
{
    pthread_t thread;
    void *good = NULL;

    pthread_create(&thread, NULL, fork_and_measure, &how_many);
    pthread_join(thread, &good);
    return good == NULL;
}

/* ---- other programs --------------------------------------------------- */

/* This program, started by another one: only 0, 1 and 2 may be open. */
static int
way_descriptors(void)
{
    printf("%d descriptors\n", count_descriptors());
    return 0;
}

static int
status_of(pid_t child)
{
    int status = -1;

    return waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

/* Start a program in each possible way, with sections open in both scopes. */
static int
way_spawn(void)
{
    char program[4096], *arguments[] = {program, (char[]){"descriptors"}, NULL};
    char command[5000], line[64] = "";
    pid_t child = -1;
    FILE *pipe;

    snprintf(program, sizeof program, "%s", self);
    snprintf(command, sizeof command, "'%s' descriptors", self);
    hpmTstart(1, "thread");
    hpmStart(2, "process");
    if (posix_spawn(&child, program, NULL, NULL, arguments, environ) != 0 ||
        status_of(child) != 0)
        return 1;
    child = vfork();
    if (child == 0) {
        execv(program, arguments);
        _exit(127);
    }
    if (status_of(child) != 0)
        return 2;
    child = vfork(); /* this child ends at once */
    if (child == 0)
        _exit(5);
    if (status_of(child) != 5)
        return 3;
    if (system(command) != 0)
        return 4;
    pipe = popen(command, "r");
    if (pipe == NULL || fgets(line, sizeof line, pipe) == NULL ||
        pclose(pipe) != 0)
        return 5;
    fputs(line, stdout);
    hpmStop(2);
    hpmTstop(1);
    return 0;
}

static int
way_exec(void)
{
    hpmTstart(1, "thread");
    hpmStart(2, "process");
    execl(self, self, "descriptors", (char *)NULL);
    return 1;
}

/* ---- ends ------------------------------------------------------------- */

static int
way_abort(void)
{
    section(1, "work");
    abort();
}

static int
way_quick_exit(void)
{
    section(1, "work");
    quick_exit(6);
}

static int
way_segv(void)
{
    section(1, "work");
    raise(SIGSEGV);
    return 1;
}

static int
way_int(void)
{
    hpmTstart(1, "work");
    hpmStart(2, "process");
    raise(SIGINT);
    return 1;
}

static void
exit_in_handler(int number)
{
    (void)number;
    exit(4);
}

static int
way_exit_in_handler(void)
{
    struct sigaction action = {.sa_handler = exit_in_handler};
    struct itimerspec soon = {.it_value = {0, 20000000}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGALRM};
    timer_t timer;

    section(1, "work");
    sigaction(SIGALRM, &action, NULL);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, NULL);
    for (;;)
        section(1, "work");
    return 1;
}

static sigjmp_buf outside;

static void
leave_call(int number)
{
    siglongjmp(outside, number);
}

static void *
measure_and_end(void *argument)
{
    section(2, "other");
    return argument;
}

/* A handler that interrupted a call leaves by longjmp, time and again. */
static int
way_jump_out(void)
{
    struct sigaction action = {.sa_handler = leave_call};
    struct itimerval soon = {.it_value = {0, 1000}}, never = {{0, 0}, {0, 0}};
    volatile int n = 0;

    section(1, "work");
    pthread_join(begin(measure_and_end, NULL), NULL);
    sigaction(SIGALRM, &action, NULL);
    sigsetjmp(outside, 1);
    if (n++ < 100) {
        setitimer(ITIMER_REAL, &soon, NULL);
        for (;;)
            section(1, "work");
    }
    setitimer(ITIMER_REAL, &never, NULL);
    return 3;
}

/* Stops itself in a section; another process lets it go on. */
static int
way_stopped(void)
{
    section(1, "first");
    hpmTstart(2, "stopped");
    raise(SIGSTOP);
    hpmTstop(2);
    return 0;
}

/* ---- a plug-in that measures ------------------------------------------ */

static void *
call_plugin(void *function)
{
    void (*run)(void);

    memcpy(&run, &function, sizeof run);
    run();
    return NULL;
}

static void *plugin;
static pthread_barrier_t closed;

static void *
outlive_plugin(void *function)
{
    call_plugin(function);
    pthread_barrier_wait(&closed);
    pthread_barrier_wait(&closed);
    return NULL;
}

/* The plug-in's thread ends after the plug-in was closed. */
static int
way_plugin(void)
{
    const char *path = getenv("PLUGIN");
    pthread_t thread;
    void *function;

    plugin = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    function = plugin != NULL ? dlsym(plugin, "plugin_run") : NULL;
    if (function == NULL)
        return 2;
    call_plugin(function);
    pthread_barrier_init(&closed, NULL, 2);
    thread = begin(outlive_plugin, function);
    pthread_barrier_wait(&closed);
    dlclose(plugin);
    pthread_barrier_wait(&closed);
    pthread_join(thread, NULL);
    return 0;
}

/* Load a plug-in, let it measure, close it.  Returns the address of its label,
 * NULL when it could not be loaded. */
static const void *
take_turn(const char *path)
{
    void *twin = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *function = twin != NULL ? dlsym(twin, "turn_run") : NULL;
    const void *label;
    const char *(*run)(void);

    if (function == NULL)
        return NULL;
    memcpy(&run, &function, sizeof run);
    label = run();
    dlclose(twin);
    return label;
}

/* Two plug-ins like twins, one loaded at the address where the other was.  The
 * first call comes from a plug-in. */
static int
way_turns(void)
{
    const void *first = NULL;

    for (int i = 0; i < 3; i++) {
        const void *alpha = take_turn(getenv("ALPHA"));
        const void *bravo = take_turn(getenv("BRAVO"));

        if (alpha == NULL || bravo == NULL)
            return 2;
        first = i == 0 ? alpha : first;
        if (alpha != first || bravo != first)
            return 77;
    }
    return 0;
}

/* Labels in memory that is written again and again. */
static int
way_buffer(void)
{
    char *label = malloc(100);

    for (int i = 0; label != NULL && i < 3000; i++) {
        snprintf(label, 100, "phase %d", i % 3);
        hpmTstart(1, label);
        hpmTstop(1);
        snprintf(label, 100, "part %d", i / 1000);
        hpmTstart(2, label);
        hpmTstop(2);
        memset(label, 'x', 99);
    }
    free(label);
    return label == NULL;
}

static const struct {
    const char *name;
    int (*run)(void);
} ways[] = {
    {"churn", way_churn},
    {"crowd", way_crowd},
    {"pairs", way_pairs},
    {"exit-inside", way_exit_inside},
    {"cancel", way_cancel},
    {"cancel-at-once", way_cancel_at_once},
    {"small-stack", way_small_stack},
    {"handler-stack", way_handler_stack},
    {"wander", way_wander},
    {"forks", way_forks},
    {"fork-in-init", way_fork_in_init},
    {"fork-counts", way_fork_counts},
    {"generations", way_generations},
    {"fork-in-thread", way_fork_in_thread},
    {"descriptors", way_descriptors},
    {"spawn", way_spawn},
    {"exec", way_exec},
    {"abort", way_abort},
    {"quick_exit", way_quick_exit},
    {"segv", way_segv},
    {"int", way_int},
    {"exit-in-handler", way_exit_in_handler},
    {"jump-out", way_jump_out},
    {"stopped", way_stopped},
    {"plugin", way_plugin},
    {"turns", way_turns},
    {"buffer", way_buffer},
};

int
main(int argc, char **argv)
{
    self = argv[0];
    how_many = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0)
            return ways[i].run();
    }
    fprintf(stderr, "lives: '%s' is no way\n", argc > 1 ? argv[1] : "");
    return 100;
}
