/* SPDX-License-Identifier: BSD-3-Clause
 * Wrong calls of the library, and calls from unusual places; the first argument
 * names a case.  Ends with 0 when the program behaves as it would without the
 * library. */
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <libhpm.h>

static void *
in_thread(void *(*run)(void *))
{
    pthread_t thread;
    void *result = NULL;

    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, &result);
    return result;
}

static void
good(void)
{
    hpmTstart(1, "good");
    hpmTstop(1);
}

/* Each wrong call is made twice, between correct ones. */
static int
way_mismatch(void)
{
    for (int i = 0; i < 2; i++) {
        good();
        hpmTstop(7); /* never started */
        good();
        hpmTstartAt(2, "twice", "mismatch", 20);
        hpmTstopAt(2, "mismatch", 21);
        hpmTstopAt(2, "mismatch", 22); /* one too many */
        good();
    }
    for (int i = 0; i < 2; i++) {
        hpmTstartAt(3, "first", "mismatch", 30);
        hpmTstartAt(3, "second", "mismatch", 31); /* the id is in use */
        hpmTstopAt(3, "mismatch", 32);
        hpmTstopAt(3, "mismatch", 33);
        good();
    }
    return hpm_error_count != 5;
}

static void *
stop_that_of_another(void *nothing)
{
    hpmTstopAt(1, "elsewhere", 20);
    hpmStopAt(2, "elsewhere", 21);
    return nothing;
}

static int
way_stop_elsewhere(void)
{
    hpmTstartAt(1, "thread's", "elsewhere", 10);
    hpmStartAt(2, "process's", "elsewhere", 11);
    in_thread(stop_that_of_another);
    return hpm_error_count != 1;
}

static void *
start_what_is_open(void *nothing)
{
    hpmStartAt(1, "both", "elsewhere", 20);
    return nothing;
}

static int
way_open_elsewhere(void)
{
    for (int i = 0; i < 2; i++) /* the same thread may start it again:
                                 * recursion */
        hpmStartAt(1, "both", "elsewhere", 10);
    in_thread(start_what_is_open);
    hpmStopAt(1, "elsewhere", 11);
    hpmStopAt(1, "elsewhere", 12);
    return hpm_error_count != 1;
}

/* All kinds of labels of a C program; one ends right before memory that may not
 * be read. */
static int
way_labels(void)
{
    enum { PAGE = 1 << 16, MEGABYTE = 1 << 20 };
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *huge = malloc(MEGABYTE);

    if (pages == MAP_FAILED || huge == NULL)
        return 2;
    mprotect(pages + PAGE, PAGE, PROT_NONE);
    memcpy(pages + PAGE - 5, "edge", 5);
    memset(huge, 'x', MEGABYTE);
    huge[MEGABYTE - 1] = '\0';
    for (int i = 0; i < 2; i++) {
        hpmTstart(1, NULL);
        hpmTstop(1);
        hpmTstart(2, "");
        hpmTstop(2);
        hpmTstart(3, huge);
        hpmTstop(3);
        hpmTstart(4, pages + PAGE - 5);
        hpmTstop(4);
        hpmTstartAt(5, "no file", NULL, -1);
        hpmTstopAt(5, NULL, -1);
    }
    memset(huge, 'y', 16); /* the library must have kept a copy */
    free(huge);
    return hpm_error_count != 0;
}

static int
way_same_id(void)
{
    for (int i = 0; i < 3; i++) {
        hpmTstartAt(1, "one", "a.h", 5);
        hpmTstop(1);
        hpmTstartAt(1, "other", "a.h", 5);
        hpmTstop(1);
        hpmTstartAt(1, "one", "b.h", 5);
        hpmTstop(1);
    }
    return hpm_error_count != 0;
}

static int n_labels = 100000;

static int
way_many_labels(void)
{
    char label[32];

    for (int i = 0; i < n_labels; i++) {
        snprintf(label, sizeof label, "step %d", i);
        hpmTstartAt(1, label, "many", 1);
        hpmTstop(1);
    }
    return 0;
}

static void
descend(int depth)
{
    hpmTstart(1, "recursion");
    if (depth > 1)
        descend(depth - 1);
    hpmTstop(1);
}

/* 300 starts of one open section are recursion; 300 different sections are too
 * deep. */
static int
way_deep(void)
{
    descend(10000);
    for (int i = 0; i < 300; i++)
        hpmTstartAt(1000 + i, NULL, "deep", 1);
    for (int i = 300; i-- > 0;)
        hpmTstopAt(1000 + i, "deep", 2);
    good();
    return hpm_error_count != 44;
}

static void
leave_by_longjmp(jmp_buf back)
{
    hpmTstartAt(2, "left", "jump", 20);
    longjmp(back, 1);
}

static int
way_longjmp(void)
{
    jmp_buf back;

    hpmTstartAt(1, "outer", "jump", 10);
    if (setjmp(back) == 0)
        leave_by_longjmp(back);
    hpmTstopAt(1, "jump", 11);
    good();
    return 0;
}

/* ---- unusual places ------------------------------------------------- */

static int is_early_wanted(void);

static void __attribute__((constructor)) measure_before_main(void)
{
    if (is_early_wanted()) {
        hpmTstart(1, "before main");
        hpmTstop(1);
    }
}

static void __attribute__((destructor)) measure_after_main(void)
{
    if (is_early_wanted()) {
        hpmTstart(2, "after main");
        hpmTstop(2);
    }
}

static int
is_early_wanted(void)
{
    return getenv("EARLY") != NULL;
}

static int
way_around_main(void)
{
    good();
    return 0;
}

static pthread_key_t key;

static void
measure_in_destructor(void *value)
{
    (void)value;
    hpmTstart(2, "destructor");
    hpmTstop(2);
}

static void *
keep_something(void *nothing)
{
    hpmTstart(1, "thread");
    hpmTstop(1);
    pthread_setspecific(key, &key);
    return nothing;
}

/* Destructors run in the order of their keys: once the program's comes first,
 * once the library's. */
static int
way_thread_destructor(void)
{
    pthread_key_create(&key, measure_in_destructor);
    hpmInit(-1, NULL);
    in_thread(keep_something);
    pthread_key_delete(key);
    for (int i = 0; i < 8; i++)
        pthread_key_create(&key, measure_in_destructor);
    in_thread(keep_something);
    return 0;
}

/* ---- the floating-point environment ----------------------------------- */

static int
way_rounding(void)
{
    int is_changed = 0;

    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_UNDERFLOW);
    for (int i = 0; i < 100; i++) {
        hpmTstart(1, "thread");
        hpmStart(2, "process");
        hpmStop(2);
        hpmTstop(1);
        is_changed |= fegetround() != FE_UPWARD;
        is_changed |= fetestexcept(FE_ALL_EXCEPT) != FE_UNDERFLOW;
    }
    hpmTerminate(-1);
    return is_changed || fegetround() != FE_UPWARD ||
           fetestexcept(FE_ALL_EXCEPT) != FE_UNDERFLOW;
}

/* All but "inexact": a program that lets this trap would not come far. */
static int
way_traps(void)
{
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW);
    for (int i = 0; i < 100; i++) {
        hpmTstart(1, "thread");
        hpmStart(2, "process");
        hpmStop(2);
        hpmTstop(1);
    }
    hpmTstart(3, NULL);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(void);
} ways[] = {
    {"mismatch", way_mismatch},
    {"stop-elsewhere", way_stop_elsewhere},
    {"open-elsewhere", way_open_elsewhere},
    {"labels", way_labels},
    {"same-id", way_same_id},
    {"many-labels", way_many_labels},
    {"deep", way_deep},
    {"longjmp", way_longjmp},
    {"around-main", way_around_main},
    {"thread-destructor", way_thread_destructor},
    {"rounding", way_rounding},
    {"traps", way_traps},
};

int
main(int argc, char **argv)
{
    if (argc > 2)
        n_labels = atoi(argv[2]);
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(argv[1], ways[i].name) == 0)
            return ways[i].run();
    }
    fprintf(stderr, "misuse: '%s' is no way\n", argc > 1 ? argv[1] : "");
    return 100;
}
