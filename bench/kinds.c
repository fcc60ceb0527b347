/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks of jobs whose threads do work of several kinds, to see what the tools
 * say about them when the kernel's events are counted:
 *
 *     kinds workers TASK    thread 0 of 8 hands out pieces and waits, 7 work
 *     kinds pipeline TASK   of 12 threads 2 fill blocks, 8 calculate, 2 write
 *     kinds grid TASK       one of 6 x 6 tasks; border tasks exchange more
 *     kinds slow TASK       thread 5 of 8 does four times as much
 *     kinds halves TASK     4 threads; only tasks 4 to 7 of 8 take memory
 *     kinds alone TASK      of 16 threads one does four times as much
 *
 * Each thread enters the section once, and gets its number before the next one
 * begins. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libhpm.h>

enum { MOST_THREADS = 16, PAGE = 4096 };

static sem_t is_numbered;
static pthread_barrier_t pieces;
static long task, n_threads;
static const char *way;

/* Calculate for about n milliseconds of processor time. */
static void
calculate(long n)
{
    for (volatile long i = 0; i < n * 400000; i++)
        ;
}

static void
touch(size_t n_pages)
{
    char *pages = mmap(NULL, n_pages * PAGE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (size_t i = 0; pages != MAP_FAILED && i < n_pages; i++)
        pages[i * PAGE] = 1;
    if (pages != MAP_FAILED)
        munmap(pages, n_pages * PAGE);
}

/* Wait while other threads go on. */
static void
wait_for_others(int n)
{
    const struct timespec moment = {.tv_nsec = 200000};

    for (int i = 0; i < n; i++)
        nanosleep(&moment, NULL);
}

static void
write_blocks(int n)
{
    static const char block[PAGE];
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    for (int i = 0; null >= 0 && i < n; i++) {
        if (write(null, block, sizeof block) < 0)
            break;
        wait_for_others(1);
    }
    if (null >= 0)
        close(null);
}

/* ---- ways ---------------------------------------------------------------- */

static void
work_piece(long thread)
{
    if (thread == 0)
        wait_for_others(10);
    else
        calculate(8);
    if (thread != 0)
        touch(200);
    pthread_barrier_wait(&pieces);
}

static void
work_stage(long thread)
{
    if (thread < 2)
        touch(3000);
    else if (thread < 10)
        calculate(30);
    else
        write_blocks(60);
}

static void
work_cell(void)
{
    long row = task / 6, column = task % 6;
    int n_outer = (row == 0 || row == 5) + (column == 0 || column == 5);

    calculate(20);
    touch(400 + 400 * (size_t)n_outer);
    wait_for_others(20 * n_outer);
}

static void
work_unevenly(long thread)
{
    int n_times = thread == 5 ? 4 : 1;

    for (int i = 0; i < n_times; i++) {
        calculate(10);
        touch(300);
    }
}

static void
work_half(void)
{
    if (task >= 4)
        touch(2000);
    calculate(task >= 4 ? 5 : 20);
}

static void
work(long thread)
{
    if (strcmp(way, "workers") == 0) {
        for (int i = 0; i < 5; i++)
            work_piece(thread);
    } else if (strcmp(way, "pipeline") == 0) {
        work_stage(thread);
    } else if (strcmp(way, "grid") == 0) {
        work_cell();
    } else if (strcmp(way, "halves") == 0) {
        work_half();
    } else {
        work_unevenly(thread);
    }
}

/* ---- threads -------------------------------------------------------- */

static void *
run(void *argument)
{
    long thread = *(const long *)argument;

    hpmTstart(1, "work");
    sem_post(&is_numbered);
    work(thread);
    hpmTstop(1);
    return NULL;
}

static long
count_threads(void)
{
    static const struct {
        const char *way;
        long n;
    } ways[] = {{"workers", 8}, {"pipeline", 12}, {"grid", 1},
                {"slow", 8},    {"halves", 4},    {"alone", 16}};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(ways[i].way, way) == 0)
            return ways[i].n;
    }
    fprintf(stderr, "kinds: expected a way and a task\n");
    exit(2);
}

/* The first thread is the program's own. */
static void
run_threads(void)
{
    pthread_t threads[MOST_THREADS];
    long numbers[MOST_THREADS] = {0};

    hpmTstart(2, "first"); /* so that it has number 0 */
    hpmTstop(2);
    for (long i = 1; i < n_threads; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, run, &numbers[i]);
        sem_wait(&is_numbered);
    }
    run(&numbers[0]);
    for (long i = 1; i < n_threads; i++)
        pthread_join(threads[i], NULL);
}

int
main(int argc, char **argv)
{
    way = argc > 2 ? argv[1] : "";
    task = argc > 2 ? atol(argv[2]) : 0;
    n_threads = count_threads();
    sem_init(&is_numbered, 0, 0);
    pthread_barrier_init(&pieces, NULL, (unsigned)n_threads);
    hpmInit((int)task, "kinds");
    run_threads();
    hpmTerminate((int)task);
    return 0;
}
