/* SPDX-License-Identifier: BSD-3-Clause
 * Calls libdemo.so in the way that its argument says, and prints how often, as
 * "LABEL NUMBER"; ends with 3. */
#include <complex.h>
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct pair {
    long first;
    double second;
};

int demo_add(int a, int b);
int demo_visit(int n, int (*visit)(int, void *), void *context);
double _Complex demo_turn(double _Complex z);
float _Complex demo_turnf(float _Complex z);
long double demo_long(long double x, int power);
struct pair demo_pair(struct pair p, double by);
int demo_fail(void);
double demo_mix(int a, float b, const char *c, double d, long e, int f, int g,
                int h, double i, short j);
int demo_outer(int n);
int demo_text_(const char *name, const int *n, const char *other,
               size_t name_length, size_t other_length);
#ifdef WITH_MISSING
int demo_missing(int n);
#endif

static jmp_buf back;

static void
check(int is_good, const char *what)
{
    if (is_good)
        return;
    printf("%s is wrong\n", what);
    exit(1);
}

/* ---- what is handed on ------------------------------------------------- */

static void
plain(void)
{
    const struct pair pair = {41, 1.5};
    int seven = 7;

    errno = 5;
    feclearexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < 10; i++)
        check(demo_add(i, 2) == i + 2, "demo_add");
    check(demo_turn(1 + 2 * I) == -2 + 1 * I, "demo_turn");
    check(demo_turnf(3) == 3 * I, "demo_turnf");
    check(demo_long(3, 40) == 12157665459056928801.0L, "demo_long");
    check(demo_pair(pair, 2).first == 42 && demo_pair(pair, 2).second == 3,
          "demo_pair");
    check(demo_mix(1, 2.5f, "a", 3.25, 4, 5, 6, 7, 8.125, 9) == 142.875,
          "demo_mix");
    check(demo_text_("ab", &seven, "cde", 2, 3) == 'b' + 7 + 'e', "demo_text");
    check(errno == 5, "errno");
    check(fetestexcept(FE_ALL_EXCEPT) == 0, "floating-point flags");
    check(demo_fail() == -1 && errno == ENOSPC, "errno of demo_fail");
    printf("demo_add 10\ndemo_turn 1\ndemo::turn(float) 1\ndemo_long 1\n"
           "demo_pair 2\ndemo_mix 1\ndemo_text 1\ndemo_fail 1\n");
}

static void
nested(void)
{
    check(demo_outer(5) == 10, "demo_outer");
    printf("demo_outer 1\ndemo_add 5\n");
}

/* ---- ways to leave ------------------------------------------------------ */

static int
jump(int i, void *context)
{
    (void)context;
    if (i == 2)
        longjmp(back, 1);
    return demo_add(i, 0);
}

static void
jumps(void)
{
    for (volatile int n = 0; n < 100; n++) {
        if (setjmp(back) == 0)
            demo_visit(5, jump, NULL);
        demo_add(n, 0);
    }
    printf("demo_visit 100\ndemo_add 300\n");
}

static int
deeper(int i, void *context)
{
    int *depth = context;

    (void)i;
    if (--*depth > 0)
        demo_visit(1, deeper, depth);
    return 1;
}

static void
recursion(void)
{
    int depth = 1000;

    demo_visit(1, deeper, &depth);
    printf("demo_visit 1000\n");
}

static int
leave(int i, void *context)
{
    (void)i;
    (void)context;
    printf("demo_visit 1\n");
    exit(3);
}

static int
leave_thread(int i, void *context)
{
    (void)i;
    (void)context;
    pthread_exit(NULL);
}

static void
interrupt(int signal)
{
    (void)signal;
    demo_add(1, 1);
}

static void
signals(void)
{
    signal(SIGUSR1, interrupt);
    for (int i = 0; i < 50; i++)
        raise(SIGUSR1);
    printf("demo_add 50\n");
}

/* ---- threads and processes ----------------------------------------------- */

static void *
work(void *context)
{
    for (int i = 0; i < 1000; i++)
        demo_add(i, 1);
    if (context != NULL)
        demo_visit(1, leave_thread, NULL);
    return NULL;
}

static void
threads(void)
{
    pthread_t all[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&all[i], NULL, work, i % 2 != 0 ? &all : NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(all[i], NULL);
    printf("demo_add 4000\ndemo_visit 2\n");
}

static int
forked(int i, void *context)
{
    pid_t child = fork();

    (void)context;
    if (child == 0) {
        demo_add(i, 1);
        exit(0);
    }
    waitpid(child, NULL, 0);
    return demo_add(i, 2);
}

static void
forks(void)
{
    fflush(stdout);
    demo_visit(2, forked, NULL);
    printf("demo_visit 1\ndemo_add 4\n");
}

/* ---- other ways to the function ------------------------------------------- */

typedef int add(int a, int b);

/* From the library itself nobody takes the function; among all loaded ones the
 * wrapper is the first. */
static void
searched(void)
{
    void *library = dlopen("libdemo.so", RTLD_LAZY);
    add *own = (add *)dlsym(library, "demo_add");
    add *any = (add *)dlsym(RTLD_DEFAULT, "demo_add");

    check(own(1, 2) == 3 && any(3, 4) == 7, "what dlsym found");
    printf("demo_add 1\n");
}

int
main(int n, char **words)
{
    static const struct {
        const char *word;
        void (*run)(void);
    } ways[] = {{"plain", plain},     {"nested", nested},
                {"jumps", jumps},     {"recursion", recursion},
                {"signals", signals}, {"threads", threads},
                {"forks", forks},     {"searched", searched}};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (n > 1 && strcmp(words[1], ways[i].word) == 0)
            ways[i].run();
    }
    if (n > 1 && strcmp(words[1], "exit") == 0)
        demo_visit(1, leave, NULL);
#ifdef WITH_MISSING
    if (n > 1 && strcmp(words[1], "missing") == 0)
        demo_missing(1);
#endif
    return 3;
}
