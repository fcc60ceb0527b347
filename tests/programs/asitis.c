/* SPDX-License-Identifier: BSD-3-Clause
 * A program that knows nothing of being measured: functions with known numbers of
 * calls and page faults, in threads, recursion, jumps and a forked process.  Its
 * arguments choose; it prints its work and exits with 3. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 16, PAGE = 4096, THREADS = 4, CALLS = 50 };

static volatile long sink;
static jmp_buf place;
static cpu_set_t allowed;

/* Not static, so that no compiler makes a copy with another name. */
void work(int n);
void touch(void);
void solve(int n);
int deep(int n);
void jump(int n);
void empty(void);
void many(int n);
void turn(long n);
void leave(int n);
int last(int n);
int first(int n);
void *body(void *argument);

__attribute__((noinline)) void
work(int n)
{
    for (int i = 0; i < n; i++)
        sink = sink + 1;
}

__attribute__((noinline)) void
touch(void)
{
    char *memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    madvise(memory, PAGES * PAGE, MADV_NOHUGEPAGE);
    for (int i = 0; i < PAGES; i++)
        memory[i * PAGE] = 1;
    munmap(memory, PAGES * PAGE);
}

__attribute__((noinline)) void
solve(int n)
{
    work(n);
    touch();
    work(n);
    sink = sink + 1;
}

__attribute__((noinline)) int
deep(int n)
{
    int below = n > 1 ? deep(n - 1) : 0;

    sink = sink + 1;
    return below + 1;
}

__attribute__((noinline)) void
jump(int n)
{
    if (n > 1)
        jump(n - 1);
    else if (sink >= 0)
        longjmp(place, 1);
    sink = sink + 1;
}

__attribute__((noinline)) void
empty(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void
many(int n)
{
    for (int i = 0; i < n; i++)
        empty();
}

/* Its first instruction is that of a loop. */
#if defined(__x86_64__)
#define LOOP "dec %rdi\njne turn\n"
#else
#define LOOP "subs x0, x0, #1\nb.ne turn\n"
#endif
__asm__(".text\n.balign 16\n.globl turn\n.type turn, %function\n"
        "turn:\n" LOOP "ret\n.size turn, .-turn\n");

/* A function that does not return: it counts, and the program ends. */
__attribute__((noinline)) void
leave(int n)
{
    for (int i = 0; i < 100; i++)
        touch();
    if (n == 0)
        _exit(3);
    if (n == 2)
        execl("/proc/self/exe", "asitis", "solve", (char *)NULL);
    execl("/bin/true", "true", (char *)NULL);
}

static void *
leave_thread(void *argument)
{
    leave(2);
    return argument;
}

/* A thread that is not the main one begins another program. */
static void
leave_by_thread(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, leave_thread, NULL) == 0)
        pthread_join(thread, NULL);
}

__attribute__((noinline)) int
last(int n)
{
    sink = sink + n;
    return n;
}

/* A tail call with optimization. */
__attribute__((noinline)) int
first(int n)
{
    sink = sink + 1;
    return last(n + 1);
}

/* Go on at the n-th of the allowed processors, counted round. */
static void
move(int n)
{
    cpu_set_t one;
    int cpu = -1;

    for (n = n % CPU_COUNT(&allowed); n >= 0; n--) {
        do
            cpu++;
        while (!CPU_ISSET(cpu, &allowed));
    }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

void *
body(void *argument)
{
    for (int i = 0; i < CALLS; i++) {
        solve(500);
        if (i % 10 == 0)
            move(i / 10);
    }
    return argument;
}

static void
run_threads(void)
{
    pthread_t threads[THREADS];

    sched_getaffinity(0, sizeof allowed, &allowed);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, body, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void
run_child(void)
{
    if (fork() == 0) {
        solve(10);
        _exit(0);
    }
    wait(NULL);
}

static void
run(const char *word)
{
    if (strcmp(word, "threads") == 0)
        run_threads();
    else if (strcmp(word, "deep") == 0)
        work(deep(200));
    else if (strcmp(word, "jump") == 0 && setjmp(place) == 0)
        jump(5);
    else if (strcmp(word, "many") == 0)
        many(1000);
    else if (strcmp(word, "tail") == 0)
        work(first(7));
    else if (strcmp(word, "child") == 0)
        run_child();
    else if (strcmp(word, "killed") == 0)
        raise(SIGTERM);
    else if (strcmp(word, "loop") == 0)
        turn(100);
    else if (strcmp(word, "exit") == 0 || strcmp(word, "exec") == 0)
        leave(strcmp(word, "exec") == 0);
    else if (strcmp(word, "threadexec") == 0)
        leave_by_thread();
    else if (strcmp(word, "wait") == 0)
        pause();
    else if (strcmp(word, "solve") == 0)
        solve(1000);
}

int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        run(argv[i]);
    printf("%ld\n", sink);
    return 3;
}
