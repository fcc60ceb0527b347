/* SPDX-License-Identifier: BSD-3-Clause
 * A program to be killed: `killed PROGRESS N [churn]`.
 *
 * N threads go through nested sections without end, one of them new now and
 * then, inside a process section.  Each thread writes to the file PROGRESS how
 * many calls of its innermost section it has made, as a 64-bit number; the file
 * outlives the program.  With "churn" each thread makes 10 and ends, one after
 * the other; then number 0 becomes N and the program waits. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libhpm.h>

enum { MAX_THREADS = 64, SECTIONS = 60, CALLS = 10 };

static _Atomic uint64_t *progress;

static void
call(uint64_t i)
{
    int id = i % 10 == 0 ? 100 + (int)(i / 10 % SECTIONS) : 2;

    hpmTstartAt(id, id == 2 ? "middle" : "now and then", "killed", id);
    hpmTstartAt(3, "inner", "killed", 3);
    hpmTstopAt(3, "killed", 3);
    hpmTstopAt(id, "killed", id);
}

static void *
run(void *argument)
{
    _Atomic uint64_t *mine = argument;

    hpmTstartAt(1, "outer", "killed", 1);
    for (;;) {
        call(*mine);
        ++*mine;
        if (*mine % 7 == 0)
            hpmWork(1, 1, "weeks");
    }
    return NULL;
}

static void *
run_a_little(void *argument)
{
    hpmTstartAt(1, "outer", "killed", 1);
    for (int i = 1; i <= CALLS; i++)
        call(1);
    hpmTstopAt(1, "killed", 1);
    return argument;
}

static void
churn(int n)
{
    pthread_t thread;

    for (int i = 0; i < n; i++) {
        pthread_create(&thread, NULL, run_a_little, NULL);
        pthread_join(thread, NULL);
    }
    progress[0] = (uint64_t)n;
    for (;;)
        pause();
}

int
main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 0;
    int fd = argc > 2 ? open(argv[1], O_RDWR) : -1;
    pthread_t thread;

    progress = mmap(NULL, MAX_THREADS * sizeof *progress,
                    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (progress == MAP_FAILED || n < 1 || n > MAX_THREADS) {
        fprintf(stderr, "usage: killed PROGRESS N [churn]\n");
        return 1;
    }
    close(fd);
    hpmInit(-1, "killed");
    if (argc > 3)
        churn(n);
    hpmStartAt(10, "all", "killed", 10);
    for (int i = 1; i < n; i++)
        pthread_create(&thread, NULL, run, (void *)&progress[i]);
    run((void *)&progress[0]);
    return 0;
}
