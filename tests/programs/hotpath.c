/* SPDX-License-Identifier: BSD-3-Clause
 * Starts and stops in all the ways that must cost the same, for
 * tests/record/hotpath, which steps through them: the program asks to be
 * traced, prints the addresses of functions and variables, and stops itself for
 * its tracer.
 *
 *     hotpath PASSES EVERY    so many hot passes of the short cases; of the
 *                             long ones only every EVERY-th call is counted;
 *                             0: all calls of all passes are
 *
 * With -DFORTRAN_DOOR (tests/programs/hotpath-fortran) all calls go through the
 * entries of Fortran, with -DHPM_NO_SITES (tests/programs/hotpath-plain)
 * through the plain ones.
 *
 * Ends without its handlers, so that no performance file is written; with 1
 * when a call could not be measured correctly, with 77 and a reason when it may
 * not be traced. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <libhpm.h>

#ifdef FORTRAN_DOOR
void f_hpmtstartat_(const int *id, const char *label, const char *file,
                    const int *line, size_t label_length, size_t file_length);
void f_hpmtstopat_(const int *id, const char *file, const int *line,
                   size_t file_length);
#define START_NAME f_hpmtstartat_
#define STOP_NAME f_hpmtstopat_
#undef hpmTstart
#undef hpmTstop
#define hpmTstart(id, label)                                                   \
    f_hpmtstartat_(&(const int){id}, (label), __FILE__,                        \
                   &(const int){__LINE__}, length_of(label),                   \
                   sizeof __FILE__ - 1)
#define hpmTstop(id)                                                           \
    f_hpmtstopat_(&(const int){id}, __FILE__, &(const int){__LINE__},          \
                  sizeof __FILE__ - 1)

static size_t
length_of(const char *label)
{
    return label != NULL ? strlen(label) : 0;
}
#elif defined(HPM_NO_SITES)
#define START_NAME hpmTstartAt
#define STOP_NAME hpmTstopAt
#else
#define START_NAME hpmTstartSite
#define STOP_NAME hpmTstopAt
#endif

/* NULL is not a literal: it has no call site. */
#if defined(FORTRAN_DOOR) || defined(HPM_NO_SITES)
#define NO_LABEL NULL
#else
#define NO_LABEL ""
#endif

#define TEXT_OF(name) TEXT_OF_NAME(name)
#define TEXT_OF_NAME(name) #name

enum { N_IDS = 200, N_PARENTS = 40, N_LEVELS = 5 };

/* COLD: in the first pass of a case, when its sections are not known yet. */
enum kind { UNCOUNTED, COLD, HOT };

/* The running case.  The tracer reads it at every start and stop. */
static struct {
    const char *volatile name;
    volatile intptr_t kind;
} now;

static int n_passes;
static int every;

/* ---- cases: one pass each --------------------------------------------- */

static void
pass_one(void)
{
    hpmTstart(1, "one");
    hpmTstop(1);
}

static void
pass_two_in_turn(void)
{
    hpmTstart(2, "two");
    hpmTstop(2);
    hpmTstart(3, "three");
    hpmTstop(3);
}

static void
pass_one_id_in_two_places(void)
{
    hpmTstart(4, "here");
    hpmTstop(4);
    hpmTstart(4, "there");
    hpmTstop(4);
}

static void
pass_no_label(void)
{
    hpmTstart(5, NO_LABEL);
    hpmTstop(5);
}

static void
pass_label_of_1(void)
{
    hpmTstart(6, "x");
    hpmTstop(6);
}

static void
pass_label_of_16(void)
{
    hpmTstart(7, "0123456789abcdef");
    hpmTstop(7);
}

static void
pass_label_of_60(void)
{
    hpmTstart(8,
              "a label of 60 characters, as long as some programs have them");
    hpmTstop(8);
}

/* Is call `i` of this pass of a long case counted?  Of the first pass only
 * enough calls to show that it is cold. */
static enum kind
choose(enum kind kind, int i)
{
    if (every == 0)
        return kind;
    return i % (kind == HOT ? every : 40) == 0 ? kind : UNCOUNTED;
}

static void
pass_many_ids(void)
{
    const enum kind kind = (enum kind)now.kind;

    for (int id = 1000; id < 1000 + N_IDS; id++) {
        now.kind = choose(kind, id - 1000);
        hpmTstart(id, "many ids");
        hpmTstop(id);
    }
}

static void
pass_many_parents(void)
{
    const enum kind kind = (enum kind)now.kind;

    for (int id = 2000; id < 2000 + N_PARENTS; id++) {
        now.kind = choose(kind, id - 2000);
        hpmTstart(id, "parent");
        hpmTstart(9, "child");
        hpmTstop(9);
        hpmTstop(id);
    }
}

/* Each level of nesting is a case of its own. */
static void
nest(int level)
{
    static const char *const names[N_LEVELS] = {"depth 1", "depth 2", "depth 3",
                                                "depth 4", "depth 5"};

    now.name = names[level];
    hpmTstart(10 + level, "nested");
    if (level + 1 < N_LEVELS)
        nest(level + 1);
    now.name = names[level];
    hpmTstop(10 + level);
}

static void
pass_nested(void)
{
    nest(0);
}

static void
pass_in_process_section(void)
{
    hpmStart(20, "process");
    hpmTstart(21, "inside");
    hpmTstop(21);
    hpmStop(20);
}

/* In an object loaded after the first call; between passes it is closed and
 * loaded again. */
static void
pass_in_plugin(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
    const enum kind kind = (enum kind)now.kind;
    void *plugin;
    void (*run)(void);

    if (length < 0)
        return;
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, "plugin.so");
    plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL)
        return; /* the plugin was not built as a module */
    *(void **)&run = dlsym(plugin, "plugin_run");
    now.kind = UNCOUNTED;
    run();
    now.kind = kind;
    run();
    dlclose(plugin);
}

struct run {
    const char *name;
    void (*pass)(void);
    bool is_long;
};

/* All in one thread, one after the other. */
static const struct run runs[] = {
    {"one section again and again", pass_one, false},
    {"two sections in turn", pass_two_in_turn, false},
    {"one id in two places", pass_one_id_in_two_places, false},
    {"no label", pass_no_label, false},
    {"label of 1 character", pass_label_of_1, false},
    {"label of 16 characters", pass_label_of_16, false},
    {"label of 60 characters", pass_label_of_60, false},
    {NULL, pass_nested, false},
    {"200 ids", pass_many_ids, true},
    {"one section below 40 parents", pass_many_parents, true},
    {"one section among 200 others", pass_one, false},
    {"inside a process section", pass_in_process_section, false},
    {"in a plug-in loaded just now", pass_in_plugin, false},
};

static void
repeat(const struct run *run)
{
    const int n_hot = run->is_long && every > 0 ? 1 : n_passes;

    for (int i = 0; i <= n_hot; i++) {
        now.name = run->name;
        now.kind = i > 0 ? HOT : every == 0 || run->is_long ? COLD : UNCOUNTED;
        run->pass();
    }
}

/* ---- threads: only one of them measures at a time ---------------------- */

static pthread_barrier_t barrier;

static void *
second_thread(void *unused)
{
    static const struct run one = {"in a second thread", pass_one, false},
                            two = {"two in turn in a second thread",
                                   pass_two_in_turn, false};

    (void)unused;
    repeat(&one);
    repeat(&two);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void
run_with_threads(void)
{
    static const struct run beside = {"beside a second thread", pass_one,
                                      false},
                            after = {"after a second thread", pass_one, false};
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, second_thread, NULL);
    pthread_barrier_wait(&barrier);
    repeat(&beside);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    repeat(&after);
}

/* ---- the tracer ------------------------------------------------------- */

/* The address in the library: the address of a function may be that of the
 * program's own jump to it. */
static uintptr_t
address_of(const char *name, void (*own)(void))
{
    void *found = dlsym(RTLD_NEXT, name);

    return found != NULL ? (uintptr_t)found : (uintptr_t)own;
}

static bool
ask_for_tracer(void)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
        printf("%s\n", strerror(errno));
        return false;
    }
    printf(
        "%#jx %#jx %#jx\n",
        (uintmax_t)address_of(TEXT_OF(START_NAME), (void (*)(void))START_NAME),
        (uintmax_t)address_of(TEXT_OF(STOP_NAME), (void (*)(void))STOP_NAME),
        (uintmax_t)(uintptr_t)&now);
    fflush(stdout);
    raise(SIGSTOP);
    return true;
}

int
main(int argc, char **argv)
{
    n_passes = argc > 1 ? atoi(argv[1]) : 1;
    every = argc > 2 ? atoi(argv[2]) : 1;
    hpmInit(0, "hotpath");
    if (!ask_for_tracer()) {
        fflush(stdout);
        _exit(77);
    }
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        repeat(&runs[i]);
    run_with_threads();
    _exit(hpm_error_count != 0);
}
