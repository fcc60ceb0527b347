/* SPDX-License-Identifier: BSD-3-Clause
 * Ways in which functions begin and end, of which the argument names one. */
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "counted.h"

static volatile int sink;
static jmp_buf back;
static sigjmp_buf signal_back;

APART void
leaf(void)
{
    called("leaf");
    sink++;
}

static inline void
inlined(int n)
{
    called("inlined");
    if (n > 0)
        leaf();
    sink++;
}

APART void
outer(int n)
{
    called("outer");
    inlined(n);
    leaf();
    inlined(n);
}

/* ---- recursion --------------------------------------------------------- */

APART int
deep(int n)
{
    called("deep");
    if (n == 0)
        return 0;
    leaf();
    return deep(n - 1) + sink;
}

APART int odd(int n);

APART int
even(int n)
{
    called("even");
    return n == 0 ? 1 : odd(n - 1) + sink;
}

APART int
odd(int n)
{
    called("odd");
    return n == 0 ? 0 : even(n - 1) + sink;
}

/* ---- leaving ----------------------------------------------------------- */

APART void
jump(int n)
{
    called("jump");
    if (n == 0)
        longjmp(back, 1);
    if (sink >= 0)
        jump(n - 1);
    sink++;
}

APART void
middle(void)
{
    called("middle");
    jump(3);
    sink++;
}

/* What follows the jump is called by this function, and by none of those that were
 * left. */
APART void
catcher(void)
{
    called("catcher");
    for (volatile int i = 0; i < 5; i++) {
        if (setjmp(back) == 0)
            middle();
        leaf();
    }
}

/* The innermost of three calls jumps into the outermost one, which then ends. */
APART void
again(volatile int n)
{
    called("again");
    if (n == 0)
        longjmp(back, 1);
    if (n < 2 || setjmp(back) == 0)
        again(n - 1);
    sink++;
}

APART int
last(int n)
{
    called("last");
    return n + sink;
}

APART int
tail(int n)
{
    called("tail");
    sink++;
    return last(n);
}

APART void
leaver(void)
{
    called("leaver");
    print_counted();
    exit(7);
}

/* ---- stacks ------------------------------------------------------------ */

APART void
handled(int number)
{
    called("handled");
    leaf();
    if (number == SIGUSR2)
        siglongjmp(signal_back, 1);
}

APART void
raiser(int number)
{
    called("raiser");
    if (sigsetjmp(signal_back, 1) == 0)
        raise(number);
    leaf();
}

UNSEEN static void
handle(int is_apart, void *stack)
{
    struct sigaction action = {.sa_handler = handled,
                               .sa_flags = is_apart ? SA_ONSTACK : 0};
    stack_t other = {.ss_sp = stack, .ss_size = 1 << 16};

    if (is_apart)
        sigaltstack(&other, NULL);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
}

UNSEEN static void
signals(int is_apart, void *stack)
{
    handle(is_apart, stack);
    for (int i = 0; i < 3; i++) {
        raiser(SIGUSR1);
        raiser(SIGUSR2);
    }
}

static ucontext_t main_context, own_contexts[2];

APART void
step(int i)
{
    called("step");
    leaf();
    swapcontext(&own_contexts[i], &main_context);
    leaf();
}

APART void
routine(int i)
{
    called("routine");
    step(i);
    step(i);
}

/* Two coroutines take turns, so that neither's functions end in order. */
APART void
coroutines(void)
{
    called("coroutines");
    for (int i = 0; i < 2; i++) {
        getcontext(&own_contexts[i]);
        own_contexts[i].uc_stack.ss_sp = malloc(1 << 16);
        own_contexts[i].uc_stack.ss_size = 1 << 16;
        own_contexts[i].uc_link = &main_context;
        makecontext(&own_contexts[i], (void (*)(void))routine, 1, i);
    }
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < 2; i++) {
            swapcontext(&main_context, &own_contexts[i]);
            leaf();
        }
    }
}

APART void
grows(int n)
{
    called("grows");
    for (int i = 0; i < n; i++) {
        char *room = alloca((size_t)64 * (i + 1));

        memset(room, i, 64);
        sink += room[0];
        leaf();
    }
}

/* ---- threads and processes --------------------------------------------- */

APART void *
work(void *unused)
{
    called("work");
    leaf();
    return unused;
}

APART void *
quits(void *unused)
{
    called("quits");
    leaf();
    pthread_exit(unused);
}

static UNSEEN void
threads(int n, void *(*function)(void *))
{
    for (int i = 0; i < n; i += 4) {
        pthread_t ids[4];

        for (int k = 0; k < 4; k++)
            pthread_create(&ids[k], NULL, function, NULL);
        for (int k = 0; k < 4; k++)
            pthread_join(ids[k], NULL);
    }
}

APART void
forker(void)
{
    int status;
    pid_t child;

    called("forker");
    leaf();
    child = fork();
    if (child == 0) {
        leaf();
        return;
    }
    waitpid(child, &status, 0);
}

/* ---- plug-ins ---------------------------------------------------------- */

static UNSEEN void
plugin(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    void (*run)(void) =
        library != NULL ? (void (*)(void))dlsym(library, "run") : NULL;

    if (run == NULL) {
        printf("%s\n", dlerror());
        exit(1);
    }
    run();
    run();
    dlclose(library);
}

int
main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    static char handlers[1 << 16];
    char inside[1 << 16];

    if (strcmp(way, "plain") == 0) {
        for (int i = 0; i < 10; i++)
            outer(i % 2);
    } else if (strcmp(way, "recursion") == 0) {
        deep(200);
        even(100);
    } else if (strcmp(way, "jumps") == 0) {
        catcher();
    } else if (strcmp(way, "again") == 0) {
        handle(1, handlers); /* whose stack says nothing about this one */
        for (volatile int i = 0; i < 5; i++) {
            again(2);
            raise(SIGUSR1);
        }
    } else if (strcmp(way, "tail") == 0) {
        for (int i = 0; i < 10; i++)
            tail(i);
    } else if (strcmp(way, "exit") == 0) {
        leaver();
    } else if (strcmp(way, "signals") == 0) {
        signals(0, NULL);
    } else if (strcmp(way, "signals-apart") == 0) {
        signals(1, handlers);
    } else if (strcmp(way, "signals-inside") == 0) {
        signals(1, inside);
    } else if (strcmp(way, "coroutines") == 0) {
        coroutines();
    } else if (strcmp(way, "grows") == 0) {
        grows(5);
    } else if (strcmp(way, "threads") == 0) {
        threads(1000, work);
    } else if (strcmp(way, "quits") == 0) {
        threads(20, quits);
    } else if (strcmp(way, "fork") == 0) {
        forker();
    } else if (strcmp(way, "exec") == 0) {
        leaf();
        execl("/proc/self/exe", argv[0], "plain", (char *)NULL);
    } else if (strcmp(way, "plugins") == 0) {
        for (int i = 2; i < argc; i++)
            plugin(argv[i]);
    } else if (strcmp(way, "many") == 0) {
        for (int i = 0; i < 30000; i++)
            leaf();
    }
    print_counted();
    return 3;
}
