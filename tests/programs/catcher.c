/* SPDX-License-Identifier: BSD-3-Clause
 * Prints the signals that reach it.
 *
 *     catcher all      every signal, with the value sent along; ends at SIGTERM
 *                      and at SIGQUIT with status 7
 *     catcher none     waits with the actions it was started with
 *     catcher actions  the signals that were ignored and blocked at its
 * start */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int
catch_all(void)
{
    sigset_t all;
    siginfo_t info;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    puts("ready");
    do {
        if (sigwaitinfo(&all, &info) < 0)
            continue;
        printf("%d", info.si_signo);
        if (info.si_code == SI_QUEUE)
            printf(" with %d", info.si_value.sival_int);
        putchar('\n');
        fflush(stdout);
    } while (info.si_signo != SIGTERM && info.si_signo != SIGQUIT);
    return 7;
}

static int
print_actions(void)
{
    sigset_t mask;

    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int i = 1; i <= SIGRTMAX; i++) {
        struct sigaction action;

        if (sigaction(i, NULL, &action) != 0)
            continue;
        if (action.sa_handler == SIG_IGN)
            printf("%d ignored\n", i);
        if (sigismember(&mask, i))
            printf("%d blocked\n", i);
    }
    return 0;
}

/* A sanitizer has handlers of its own. */
static void
forget_handlers(void)
{
    for (int i = 1; i <= SIGRTMAX; i++) {
        struct sigaction action;

        if (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(i, SIG_DFL);
    }
}

int
main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(what, "all") == 0)
        return catch_all();
    if (strcmp(what, "actions") == 0)
        return print_actions();
    forget_handlers();
    puts("ready");
    for (;;)
        pause();
}
