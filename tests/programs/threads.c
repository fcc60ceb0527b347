/* SPDX-License-Identifier: BSD-3-Clause
 * N threads, each with nested, re-entered sections, entered 20 times or M,
 * inside a process section that has another inside: "threads [N [M]]". */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <libhpm.h>

static void
work(unsigned long n)
{
    volatile unsigned long sink = 0;

    for (unsigned long i = 0; i < n; i++)
        sink = sink + i;
}

/* Touch eight new pages, whatever the allocator does. */
static void
touch(void)
{
    enum { N_PAGES = 8, PAGE = 65536 };
    volatile char *memory = mmap(NULL, N_PAGES * PAGE, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    madvise((void *)memory, N_PAGES * PAGE, MADV_NOHUGEPAGE);
    for (int i = 0; i < N_PAGES; i++)
        memory[i * PAGE] = 1;
    munmap((void *)memory, N_PAGES * PAGE);
}

static int n_rounds = 20;

static void *
run(void *argument)
{
    hpmTstart(1, "outer");
    for (int i = 0; i < n_rounds; i++) {
        work(10000);
        hpmTstart(2, "middle");
        work(10000);
        hpmTstart(3, "inner");
        work(10000);
        hpmTstop(3);
        hpmTstart(4, "touch");
        touch();
        hpmTstop(4);
        hpmTstop(2);
    }
    hpmTstop(1);
    return argument;
}

int
main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t threads[64];

    if (argc > 2)
        n_rounds = atoi(argv[2]);
    hpmInit(-1, "threads");
    hpmStart(10, "all");
    hpmStart(11, "parallel");
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    hpmStop(11);
    work(100000);
    hpmStop(10);
    hpmTerminate(-1);
    return 0;
}
