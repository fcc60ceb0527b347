/* SPDX-License-Identifier: BSD-3-Clause
 * Programs with one problem, or none: the subject of a report's first hint
 * (tests/hints.table).
 *
 *     situations NAME [SECONDS] */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds = 0.7;
static double began;

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool
goes_on(void)
{
    return now() - began < seconds;
}

static volatile double sum;

/* About 100 microseconds of work on the processor. */
static void
work(void)
{
    double value = 1.0;

    for (int i = 0; i < 20000; i++)
        value = value * 1.0000001 + 1e-9;
    sum = value;
}

static void
nap(long nanoseconds)
{
    const struct timespec time = {0, nanoseconds};

    nanosleep(&time, NULL);
}

/* ---- no problem ----------------------------------------------------- */

static void
compute(void)
{
    while (goes_on())
        work();
}

enum { N = 192 };
static double a[N][N], b[N][N], c[N][N];

static void
matmul(void)
{
    while (goes_on()) {
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < N; k++) {
                for (int j = 0; j < N; j++)
                    c[i][j] += a[i][k] * b[k][j];
            }
        }
        sum = c[N - 1][N - 1];
    }
}

/* ---- memory of the kernel -------------------------------------------- */

enum { MEBIBYTE = 1024 * 1024 };

static void
touch(char *memory, size_t size)
{
    for (size_t i = 0; i < size; i += 4096)
        memory[i] = 1;
}

static char *
map(size_t size)
{
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        exit(3);
    madvise(memory, size, MADV_NOHUGEPAGE);
    return memory;
}

/* Touch much memory, each page once. */
static void
first_touch(void)
{
    for (size_t i = 0; i < 400 && goes_on(); i++)
        touch(map(MEBIBYTE), MEBIBYTE);
}

/* Map memory and unmap it for each use. */
static void
remap(void)
{
    while (goes_on()) {
        char *memory = map(MEBIBYTE);

        touch(memory, MEBIBYTE);
        munmap(memory, MEBIBYTE);
    }
}

static void
give_back(void)
{
    char *memory = map(4 * MEBIBYTE);

    while (goes_on()) {
        touch(memory, 4 * MEBIBYTE);
        madvise(memory, 4 * MEBIBYTE, MADV_DONTNEED);
    }
}

/* The C library always maps blocks of this size (over 32 MiB). */
static void
allocate(void)
{
    while (goes_on()) {
        char *memory = malloc(40 * MEBIBYTE);

        if (memory == NULL)
            exit(3);
        touch(memory, 40 * MEBIBYTE);
        free(memory);
    }
}

/* ---- calls of the kernel --------------------------------------------- */

static int
open_file(const char *name, int flags)
{
    int file = open(name, flags, 0600);

    if (file < 0)
        exit(3);
    return file;
}

static void
read_bytes(void)
{
    int file = open_file("/dev/zero", O_RDONLY);
    char byte;

    while (goes_on()) {
        for (int i = 0; i < 1000; i++) {
            if (read(file, &byte, 1) != 1)
                exit(3);
        }
    }
}

static void
write_bytes(void)
{
    int file = open_file("/dev/null", O_WRONLY);

    while (goes_on()) {
        for (int i = 0; i < 1000; i++) {
            if (write(file, "x", 1) != 1)
                exit(3);
        }
    }
}

/* Many calls that neither read nor write. */
static void
ask(void)
{
    while (goes_on()) {
        for (int i = 0; i < 1000; i++)
            sum += (double)getppid();
    }
}

static void
yield(void)
{
    while (goes_on()) {
        for (int i = 0; i < 1000; i++)
            sched_yield();
    }
}

static volatile sig_atomic_t n_signals;

static void
on_signal(int number)
{
    (void)number;
    n_signals++;
}

static void
signals(void)
{
    signal(SIGUSR1, on_signal);
    while (goes_on()) {
        for (int i = 0; i < 1000; i++)
            raise(SIGUSR1);
    }
}

/* ---- waiting --------------------------------------------------------- */

/* A little work, and much sleep. */
static void
sleeps(void)
{
    while (goes_on()) {
        work();
        nap(2000000);
    }
}

static void
syncs(void)
{
    char name[] = "situations-XXXXXX";
    int file = mkstemp(name);
    char block[4096] = {0};

    if (file < 0)
        exit(3);
    unlink(name);
    while (goes_on()) {
        if (pwrite(file, block, sizeof block, 0) != sizeof block)
            exit(3);
        fsync(file);
    }
}

/* A child works and sleeps, while the parent only waits. */
static void
child_sleeps(void)
{
    pid_t child = fork();

    if (child == 0) {
        nap((long)(seconds * 0.9e9));
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* ---- several threads or processes ----------------------------------- */

enum { MAX_THREADS = 64 };

static void
run_threads(int n, void *function(void *))
{
    pthread_t threads[MAX_THREADS];

    for (int i = 0; i < n; i++) {
        if (pthread_create(&threads[i], NULL, function, (void *)(long)i) != 0)
            exit(3);
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

static void *
busy(void *number)
{
    (void)number;
    compute();
    return NULL;
}

/* As many threads as processors, which all work. */
static void
balanced(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    run_threads(n < MAX_THREADS ? (int)n : MAX_THREADS, busy);
}

/* One thread has three times the work of the others. */
static void *
uneven(void *number)
{
    double part = (long)number == 0 ? 1.0 : 0.35;

    while (now() - began < seconds * part)
        work();
    return NULL;
}

static void
imbalanced(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    run_threads(n < MAX_THREADS ? (int)n : MAX_THREADS, uneven);
}

/* Many more threads than the one processor they are bound to. */
static void
oversubscribed(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    for (int i = 0, n = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &set) && n++ > 0)
            CPU_CLR(i, &set);
    }
    sched_setaffinity(0, sizeof set, &set);
    run_threads(8, busy);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A thread holds the lock while it sleeps: no thread works. */
static void *
hold(void *number)
{
    (void)number;
    while (goes_on()) {
        pthread_mutex_lock(&lock);
        work();
        nap(1000000);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void
lock_held(void)
{
    run_threads(4, hold);
}

/* Two take turns with hardly any work. */
static void
ping(int in, int out)
{
    char byte = 0;

    while (read(in, &byte, 1) == 1 && byte == 0) {
        if (!goes_on())
            byte = 1;
        if (write(out, &byte, 1) != 1 || byte != 0)
            break;
    }
}

static void
pipes(void)
{
    int there[2], back[2];
    pid_t child;

    if (pipe(there) != 0 || pipe(back) != 0)
        exit(3);
    child = fork();
    if (child == 0) {
        ping(there[0], back[1]);
        _exit(0);
    }
    if (write(there[1], "\0", 1) == 1)
        ping(back[0], there[1]);
    close(there[1]);
    waitpid(child, NULL, 0);
}

static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static long turn;

static void *
take_turns(void *number)
{
    pthread_mutex_lock(&lock);
    while (goes_on()) {
        while (turn % 2 != (long)number && goes_on())
            pthread_cond_wait(&turned, &lock);
        turn++;
        pthread_cond_broadcast(&turned);
    }
    turn = (long)number + 1;
    pthread_cond_broadcast(&turned);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void
turns(void)
{
    run_threads(2, take_turns);
}

static void *
nothing(void *number)
{
    return number;
}

static void
threads(void)
{
    while (goes_on())
        run_threads(4, nothing);
}

static void
forks(void)
{
    while (goes_on()) {
        pid_t child = fork();

        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} situations[] = {
    {"compute", compute},
    {"matmul", matmul},
    {"first_touch", first_touch},
    {"remap", remap},
    {"give_back", give_back},
    {"allocate", allocate},
    {"read_bytes", read_bytes},
    {"write_bytes", write_bytes},
    {"ask", ask},
    {"yield", yield},
    {"signals", signals},
    {"sleeps", sleeps},
    {"syncs", syncs},
    {"child_sleeps", child_sleeps},
    {"balanced", balanced},
    {"imbalanced", imbalanced},
    {"oversubscribed", oversubscribed},
    {"lock_held", lock_held},
    {"pipes", pipes},
    {"turns", turns},
    {"threads", threads},
    {"forks", forks},
};

int
main(int argc, char **argv)
{
    if (argc > 2)
        seconds = strtod(argv[2], NULL);
    began = now();
    for (size_t i = 0; argc > 1 && i < sizeof situations / sizeof *situations;
         i++) {
        if (strcmp(argv[1], situations[i].name) == 0) {
            situations[i].run();
            return 0;
        }
    }
    fprintf(stderr, "usage: situations NAME [SECONDS]\n");
    return 2;
}
