/* SPDX-License-Identifier: BSD-3-Clause
 * What a hit of a probe costs.
 *
 * A child calls a function that calls an empty one many times: once an empty
 * function with probes, once its twin without.  What the two differ by is what the
 * probes add to a function around; what the empty function itself has counted is
 * what they add inside.  What a first instruction costs that the kernel steps is
 * inside, too. */
#include "hpmcount/probecosts.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sort.h"
#include "host/memory.h"
#include "study/probe/costplaces.h"
#include "study/probe/instruction.h"

enum { CALLS = 100, ROUNDS = 9, WINDOWS = CALLS * ROUNDS };

#define FUNCTION(name, code)                                                   \
    ".balign 16\n.globl " name "\n.hidden " name "\n.type " name               \
    ", %function\n" name ":\n" code "\nret\n.size " name ", .-" name "\n"

#if defined(__x86_64__)
#define FRAME "sub $8, %rsp\nadd $8, %rsp"
#define MOVE "mov %rdi, %rax"
#define OTHER "lea 1(%rdi), %rax"
#else
#define FRAME "nop"
#define MOVE "nop"
#define OTHER "nop"
#endif

/* How far it is from here to the function. */
#define DISTANCE(name) ".long " name " - .\n"

/* One for each kind of first instruction, and the twin of the first one; their caller
 * is below. */
void probecosts_imitated(void);
void probecosts_frame(void);
void probecosts_move(void);
void probecosts_other(void);
void probecosts_twin(void);
void probecosts_call(void (*function)(void), int n);
__asm__(".text\n" FUNCTION("probecosts_imitated", "nop")
            FUNCTION("probecosts_frame", FRAME)
                FUNCTION("probecosts_move", MOVE)
                    FUNCTION("probecosts_other", OTHER)
                        FUNCTION("probecosts_twin", "nop"));

/* Root defines probes there for other users (hpm probes), and hpmcount for itself. */
__asm__(".section " HPM_COST_PLACES
        ",\"a\"\n.balign 4\n" DISTANCE("probecosts_imitated")
            DISTANCE("probecosts_frame") DISTANCE("probecosts_move")
                DISTANCE("probecosts_other")
                    DISTANCE("probecosts_call") ".text\n");

/* Of probecosts_imitated. */
enum { INNER_INSTRUCTIONS = 2 };

static void (*const functions[])(void) = {
    [HPM_INSTRUCTION_IMITATED] = probecosts_imitated,
    [HPM_INSTRUCTION_FRAME] = probecosts_frame,
    [HPM_INSTRUCTION_MOVE] = probecosts_move,
    [HPM_INSTRUCTION_OTHER] = probecosts_other,
    probecosts_twin};

enum { CALLER = HPM_N_INSTRUCTION_KINDS, N_FUNCTIONS = CALLER + 1 };

__attribute__((visibility("hidden"), noinline)) void
probecosts_call(void (*function)(void), int n)
{
    while (n-- > 0)
        function();
}

/* Called through this, so that no compiler makes copies of it for its callers. */
static void (*volatile caller)(void (*)(void), int) = probecosts_call;

/* ---- places ------------------------------------------------------------ */

static const unsigned char *
code_of(int function)
{
    uintptr_t code =
        function == CALLER ? (uintptr_t)caller : (uintptr_t)functions[function];

    return (const unsigned char *)code;
}

/* The address of the probe. */
static uint64_t
address_of(int function)
{
    const unsigned char *code = code_of(function);

    return (uintptr_t)code +
           hpm_instruction_landing(code, HPM_INSTRUCTION_MOST);
}

bool
probecosts_places(char *path, struct tracefs_place *ret_places,
                  struct hpm_error *err)
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    uint64_t offsets[HPM_N_COST_PLACES];

    if (n <= 0)
        return hpm_error_set(err, "--section: /proc is not here");
    path[n] = '\0';
    if (!hpm_costplaces_read("/proc/self/exe", offsets, err))
        return false;
    for (int k = 0; k < PROBECOSTS_PLACES; k++)
        ret_places[k] =
            (struct tracefs_place){.path = path, .offset = offsets[k]};
    return true;
}

/* ---- windows ----------------------------------------------------------- */

struct windows {
    const struct proberings *rings;
    uint64_t entry[PROBECOSTS_PLACES][1 + HPM_MAX_ALL_EVENTS];
    uint64_t *of[PROBECOSTS_PLACES]; /* for each slot WINDOWS */
    size_t n[PROBECOSTS_PLACES];
    bool has_moved; /* counts of two processors */
};

static void
take(void *context, const struct proberings_record *record)
{
    struct windows *windows = context;
    int k = 0;

    if (record->kind > PROBERINGS_BACK)
        return;
    while (k < PROBECOSTS_PLACES && address_of(k) != record->address)
        k++;
    if (k == PROBECOSTS_PLACES || windows->n[k] == WINDOWS)
        return;
    for (size_t slot = 0; slot < 1 + windows->rings->n_counted; slot++) {
        uint64_t now = slot == 0 ? record->ns : record->counts[slot - 1];

        if (record->kind == PROBERINGS_ENTRY)
            windows->entry[k][slot] = now;
        else
            windows->of[k][slot * WINDOWS + windows->n[k]] =
                now - windows->entry[k][slot];
    }
    windows->n[k] += record->kind == PROBERINGS_BACK;
}

static int
compare(const void *first, const void *second)
{
    int64_t a = *(const int64_t *)first, b = *(const int64_t *)second;

    return (a > b) - (a < b);
}

static struct hpm_spread
spread_of(uint64_t *values, size_t n)
{
    hpm_sort(values, n, sizeof *values, compare);
    return (struct hpm_spread){values[0], values[n / 2], values[n - 1]};
}

/* ---- costs ------------------------------------------------------------- */

static struct hpm_timecost
timecost_of(const struct hpm_spread *spread, double each)
{
    double middle = (double)(int64_t)spread->median / each;

    return (struct hpm_timecost){.middle = middle,
                                 .least = (double)(int64_t)spread->min / each,
                                 .most = (double)(int64_t)spread->max / each,
                                 .low = middle * 7 / 8,
                                 .high = middle * 9 / 8};
}

/* Of the windows of calls of one function, without what those of the twin have. */
static struct hpm_spread
spread_of_caller(const uint64_t *windows, int function)
{
    uint64_t values[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t *round = windows + (size_t)i * N_FUNCTIONS;

        values[i] = round[function] - round[CALLER];
    }
    return spread_of(values, ROUNDS);
}

/* A call's part of a round.  It is below 0 where the twin's round has counted more:
 * of a cache's misses or switches between threads, which come by chance. */
static int64_t
of_call(uint64_t round)
{
    int64_t all = (int64_t)round;

    return (all + (all < 0 ? -CALLS / 2 : CALLS / 2)) / CALLS;
}

/* The costs in one slot of the file; `k` is the slot of the windows. */
static void
fill_slot(struct windows *windows, size_t k, size_t slot, bool is_instructions,
          struct probecosts *costs)
{
    struct hpm_calibration *base = &costs->calibration;
    uint64_t *inner = windows->of[HPM_INSTRUCTION_IMITATED] + k * WINDOWS;
    const uint64_t *outer = windows->of[CALLER] + k * WINDOWS;
    uint64_t own = is_instructions ? INNER_INSTRUCTIONS : 0;
    int64_t pair;

    for (size_t i = 0; i < WINDOWS; i++)
        inner[i] -= own;
    base->self[slot] = spread_of(inner, WINDOWS);
    base->pair[slot] = spread_of_caller(outer, HPM_INSTRUCTION_IMITATED);
    pair = of_call(base->pair[slot].median);
    for (int i = 1; i < HPM_N_INSTRUCTION_KINDS; i++) {
        int64_t all = of_call(spread_of_caller(outer, i).median);

        costs->more[i][slot] = all > pair ? (uint64_t)(all - pair) : 0;
        if (is_instructions && i == HPM_INSTRUCTION_FRAME &&
            costs->more[i][slot] > 0)
            costs->more[i][slot]--; /* its function has one more */
    }
    base->pair[slot].min = (uint64_t)of_call(base->pair[slot].min);
    base->pair[slot].median = (uint64_t)pair;
    base->pair[slot].max = (uint64_t)of_call(base->pair[slot].max);
    base->costs.amounts[HPM_COST_SELF][slot] = base->self[slot].median;
    base->costs.amounts[HPM_COST_START][slot] = (uint64_t)(pair / 2);
    base->costs.amounts[HPM_COST_STOP][slot] = (uint64_t)(pair - pair / 2);
}

static void
fill(struct windows *windows, const struct hpm_eventset *set,
     struct probecosts *costs)
{
    struct hpm_calibration *base = &costs->calibration;
    size_t k = 1;

    *costs = (struct probecosts){
        .calibration = {
            .is_done = true, .n_overheads = 1 + set->n_events, .n_calls = 1}};
    fill_slot(windows, 0, 0, false, costs);
    base->timed[HPM_TIMED_SELF] = timecost_of(&base->self[0], 1);
    base->timed[HPM_TIMED_PAIR] = base->timed[HPM_TIMED_AGAIN] =
        timecost_of(&base->pair[0], 1);
    for (size_t i = 0; i < set->n_events; i++) {
        if (windows->rings->is_counted[i])
            fill_slot(windows, k++, 1 + i,
                      strcmp(set->events[i].name, "instructions") == 0, costs);
    }
}

/* ---- the child --------------------------------------------------------- */

/* Stay on one processor, whose counts are in one ring. */
static void
stay(void)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

static pid_t
start(int *ret_go)
{
    int go[2];
    char byte;
    pid_t pid;

    if (pipe(go) != 0)
        return -1;
    pid = fork();
    if (pid != 0) {
        close(go[0]);
        *ret_go = go[1];
        return pid;
    }
    close(go[1]);
    stay();
    if (read(go[0], &byte, 1) != 1)
        _exit(1);
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < N_FUNCTIONS; k++)
            caller(functions[k], CALLS);
    }
    _exit(0);
}

static bool
is_whole(const struct windows *windows)
{
    bool is_good = windows->n[CALLER] == ROUNDS * N_FUNCTIONS;

    for (int k = 0; k < HPM_N_INSTRUCTION_KINDS; k++)
        is_good = is_good && windows->n[k] == WINDOWS;
    return is_good;
}

static bool
run(struct windows *windows, const struct hpm_eventset *set,
    const struct tracefs *tracefs, enum proberings_extent extent,
    struct proberings *rings, struct hpm_error *err)
{
    int go = -1, status = 0;
    pid_t pid = start(&go);
    bool is_good;

    if (pid < 0)
        return hpm_error_set(err, "--section: cannot start a process");
    is_good = proberings_open(rings, set, tracefs, pid, true, extent, err);
    if (is_good && write(go, "", 1) != 1)
        is_good = hpm_error_set(err, "--section: cannot start a process");
    close(go);
    waitpid(pid, &status, 0);
    if (is_good)
        proberings_read(rings, take, windows);
    if (is_good && (status != 0 || !is_whole(windows)))
        is_good =
            hpm_error_set(err, "--section: the kernel did not report the calls "
                               "of a function that was called for a trial");
    return is_good;
}

bool
probecosts_find(const struct hpm_eventset *set, const struct tracefs *tracefs,
                enum proberings_extent extent, struct probecosts *ret_costs,
                struct hpm_error *err)
{
    struct proberings rings = {.n_rings = 0};
    struct windows windows = {.rings = &rings};
    bool is_good = true;

    for (int k = 0; k < PROBECOSTS_PLACES; k++) {
        windows.of[k] = hpm_memory_new((1 + set->n_events) * WINDOWS,
                                       sizeof *windows.of[k]);
        is_good = is_good && windows.of[k] != NULL;
    }
    if (!is_good)
        hpm_error_no_memory(err);
    is_good = is_good && run(&windows, set, tracefs, extent, &rings, err);
    if (is_good)
        fill(&windows, set, ret_costs);
    for (int k = 0; k < PROBECOSTS_PLACES; k++)
        hpm_memory_free(windows.of[k]);
    proberings_close(&rings);
    return is_good;
}
