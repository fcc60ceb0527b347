/* SPDX-License-Identifier: BSD-3-Clause
 * A signal handler interrupts a function at each of its instructions, those of its hooks
 * or wrapper among them, and calls another one: of the program itself, or with -DLIBM
 * of libm.  Prints "NAME COUNT" of both. */
#include <math.h>
#include <signal.h>
#include <stdio.h>

#define UNSEEN __attribute__((no_instrument_function))

static volatile double sink = 2.0;
static volatile long n_outer, n_inner;

#ifdef LIBM
#define OUTER "exp"
#define INNER "cbrt"

static UNSEEN void
outer(void)
{
    n_outer++;
    sink = exp(0.5);
}

static UNSEEN void
inner(void)
{
    n_inner++;
    sink = cbrt(sink);
}
#else
#define OUTER "outer"
#define INNER "inner"

static __attribute__((noinline)) void
outer(void)
{
    n_outer++;
    sink = sink + 1.0;
}

static __attribute__((noinline)) void
inner(void)
{
    n_inner++;
    sink = sink + 0.5;
}
#endif

/* Handlers run without the trap flag. */
UNSEEN static void
handle(int number)
{
    (void)number;
    inner();
}

UNSEEN static void
set_steps(unsigned long flag)
{
    __asm__ volatile("subq $128, %%rsp\n\t" /* the red zone */
                     "pushfq\n\t"
                     "andq $~0x100, (%%rsp)\n\t"
                     "orq %0, (%%rsp)\n\t"
                     "popfq\n\t"
                     "addq $128, %%rsp"
                     :
                     : "r"(flag)
                     : "memory", "cc");
}

UNSEEN int
main(void)
{
    struct sigaction action = {.sa_handler = handle};

    outer(); /* the first calls of all take the long ways */
    inner();
    sigaction(SIGTRAP, &action, NULL);
    for (int i = 0; i < 3; i++) {
        set_steps(0x100);
        outer();
        set_steps(0);
        outer();
    }
    printf(OUTER " %ld\n" INNER " %ld\n", n_outer, n_inner);
    return 3;
}
