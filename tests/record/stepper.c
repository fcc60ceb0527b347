/* SPDX-License-Identifier: BSD-3-Clause
 * Counts instructions of starts and stops by stepping through them. */
#include "stepper.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbol.h"

#if defined(__x86_64__) && defined(__LP64__)

enum { CANNOT_TRACE = 77 };

struct breakpoint {
    uintptr_t address;
    long original; /* the word there */
};

/* The traced program. */
struct tracee {
    const struct stepper_job *job;
    pid_t pid;
    FILE *said; /* its standard output */
    struct breakpoint edges[N_EDGES];
    uintptr_t now; /* address at which it keeps the running case */
    enum stepper_end end;
    const char *trouble; /* why the end is not good; NULL if it is */
};

static bool
fail(struct tracee *tracee, const char *reason)
{
    tracee->end = STEPPER_BROKEN;
    tracee->trouble = reason;
    return false;
}

static bool
give_up(struct tracee *tracee, const char *reason)
{
    tracee->end = STEPPER_IMPOSSIBLE;
    tracee->trouble = reason;
    return false;
}

/* ---- breakpoints ------------------------------------------------------ */

static long
peek(pid_t tid, uintptr_t address)
{
    return ptrace(PTRACE_PEEKDATA, tid, (void *)address, NULL);
}

static void
poke(pid_t tid, uintptr_t address, long word)
{
    ptrace(PTRACE_POKEDATA, tid, (void *)address, (void *)word);
}

static void
set_breakpoint(pid_t tid, struct breakpoint *breakpoint)
{
    enum { INT3 = 0xcc };

    breakpoint->original = peek(tid, breakpoint->address);
    poke(tid, breakpoint->address, (breakpoint->original & ~0xffL) | INT3);
}

static void
clear_breakpoint(pid_t tid, const struct breakpoint *breakpoint)
{
    poke(tid, breakpoint->address, breakpoint->original);
}

/* ---- one call --------------------------------------------------------- */

/* Wait for this thread to stop; *ret_signal must be delivered to it.  False
 * when it ended. */
static bool
wait_for(struct tracee *tracee, pid_t tid, int *ret_signal)
{
    int status;

    if (waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
        return fail(tracee, "the program ended in a call");
    *ret_signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    return true;
}

/* Step until the call returns, or there were max_steps steps. */
static bool
step_to_return(struct tracee *tracee, pid_t tid,
               struct user_regs_struct *registers, uintptr_t return_address,
               unsigned max_steps, unsigned *ret_n_steps)
{
    const uintptr_t stack = registers->rsp;
    unsigned n_repeated = 0;
    int signal = 0;

    for (unsigned i = 0; i < max_steps; i++) {
        uintptr_t before = registers->rip;

        if (ptrace(PTRACE_SINGLESTEP, tid, NULL, (void *)(intptr_t)signal) != 0)
            return give_up(tracee, "ptrace does not step here");
        if (!wait_for(tracee, tid, &signal))
            return false;
        if (ptrace(PTRACE_GETREGS, tid, NULL, registers) != 0)
            return fail(tracee, "its registers cannot be read");
        /* at the same address: a repeated string instruction, or a signal */
        n_repeated += registers->rip == before;
        *ret_n_steps = i + 1 - n_repeated;
        if (registers->rip == return_address && registers->rsp > stack)
            return true;
    }
    *ret_n_steps = max_steps;
    return true;
}

static bool
run_to_return(struct tracee *tracee, pid_t tid,
              struct user_regs_struct *registers, uintptr_t return_address)
{
    struct breakpoint end = {.address = return_address};
    int signal = 0;

    set_breakpoint(tid, &end);
    do {
        ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)signal);
        if (!wait_for(tracee, tid, &signal))
            return false;
    } while (signal != 0);
    clear_breakpoint(tid, &end);
    if (ptrace(PTRACE_GETREGS, tid, NULL, registers) != 0 ||
        registers->rip != return_address + 1)
        return fail(tracee, "a call did not return");
    registers->rip = return_address;
    ptrace(PTRACE_SETREGS, tid, NULL, registers);
    return true;
}

/* The thread is at a breakpoint: find which one, and set it back to that
 * instruction. */
static bool
find_edge(const struct tracee *tracee, pid_t tid,
          struct user_regs_struct *ret_registers, enum stepper_edge *ret_edge)
{
    if (ptrace(PTRACE_GETREGS, tid, NULL, ret_registers) != 0)
        return false;
    ret_registers->rip--;
    for (*ret_edge = START; *ret_edge < N_EDGES; (*ret_edge)++) {
        if (tracee->edges[*ret_edge].address == ret_registers->rip) {
            ptrace(PTRACE_SETREGS, tid, NULL, ret_registers);
            return true;
        }
    }
    return false;
}

/* The name of the program's present case. */
static void
read_name(const struct tracee *tracee, pid_t tid, char *ret_name, size_t size)
{
    uintptr_t text = (uintptr_t)peek(tid, tracee->now);

    memset(ret_name, 0, size);
    for (size_t i = 0; i + sizeof(long) < size; i += sizeof(long)) {
        long word = peek(tid, text + i);

        memcpy(ret_name + i, &word, sizeof word);
        if (memchr(&word, '\0', sizeof word) != NULL)
            return;
    }
}

/* Step to the end of the call and count its instructions. */
static bool
count_steps(struct tracee *tracee, pid_t tid,
            struct user_regs_struct *registers, enum stepper_edge edge)
{
    const uintptr_t return_address = (uintptr_t)peek(tid, registers->rsp);
    const enum stepper_kind kind =
        (enum stepper_kind)peek(tid, tracee->now + sizeof(char *));
    const unsigned max_steps[] = {[UNCOUNTED] = 0,
                                  [COLD] = tracee->job->max_cold_steps,
                                  [HOT] = STEPPER_MAX_STEPS};
    unsigned n_steps = 0;
    char name[64];

    if (!step_to_return(tracee, tid, registers, return_address, max_steps[kind],
                        &n_steps))
        return false;
    if (n_steps == max_steps[kind] &&
        !run_to_return(tracee, tid, registers, return_address))
        return false;
    read_name(tracee, tid, name, sizeof name);
    if (kind != UNCOUNTED)
        tracee->job->counted(tracee->job->context, name, edge, kind, n_steps);
    return true;
}

/* Remove the breakpoints during the call, since it may make calls of the same
 * kind. */
static bool
count_call(struct tracee *tracee, pid_t tid)
{
    struct user_regs_struct registers;
    enum stepper_edge edge;

    if (!find_edge(tracee, tid, &registers, &edge))
        return fail(tracee, "it trapped where there is no breakpoint");
    for (size_t i = 0; i < N_EDGES; i++)
        clear_breakpoint(tid, &tracee->edges[i]);
    if (!count_steps(tracee, tid, &registers, edge))
        return false;
    for (size_t i = 0; i < N_EDGES; i++)
        set_breakpoint(tid, &tracee->edges[i]);
    return true;
}

/* ---- the tick register ------------------------------------------------ */

static uintptr_t
find_in_library(const struct tracee *tracee, const char *name)
{
    return symbol_find(tracee->pid, tracee->edges[START].address, name);
}

static bool
has_symbols(struct tracee *tracee)
{
    return find_in_library(tracee, "hpmTstartAt") != 0 ||
           give_up(tracee, "the library has no symbol table (stripped)");
}

/* clock_gettime tries again if the kernel writes its data meanwhile, and then
 * takes more instructions.  If the library would call it, make the library read
 * the tick register, as on most machines. */
static bool
force_tick(struct tracee *tracee)
{
    uintptr_t is_tick = find_in_library(tracee, "hpm_clock_is_tick");
    long word;

    if (is_tick == 0)
        return fail(tracee, "the library has no hpm_clock_is_tick");
    word = peek(tracee->pid, is_tick);
    if ((word & 0xff) == 0)
        poke(tracee->pid, is_tick, word | true);
    return true;
}

/* ---- the program ------------------------------------------------------ */

static void
remove_variables(void)
{
    extern char **environ;

    for (char **variable = environ; *variable != NULL;) {
        char name[256];

        if (strncmp(*variable, "HPM_", 4) == 0) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(*variable, "="),
                     *variable);
            unsetenv(name);
            variable = environ;
        } else {
            variable++;
        }
    }
}

/* Called in the child. */
static _Noreturn void
run_program(const struct stepper_job *job, int output)
{
    const char *folder = getenv("top_builddir");
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/programs/%s",
             folder != NULL ? folder : ".", job->program);
    remove_variables();
    for (int i = 0; i < 2; i++) {
        if (job->settings[i] != NULL)
            putenv((char *)job->settings[i]);
    }
    dup2(output, STDOUT_FILENO);
    execl(path, path, job->n_passes, job->every, (char *)NULL);
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    _exit(126);
}

static bool
start_program(struct tracee *tracee)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(tracee, "there is no pipe");
    fflush(stdout);
    tracee->pid = fork();
    if (tracee->pid == 0)
        run_program(tracee->job, ends[1]);
    close(ends[1]);
    tracee->said = fdopen(ends[0], "r");
    if (tracee->pid < 0 || tracee->said == NULL)
        return fail(tracee, "there is no process");
    return true;
}

/* The program has stopped itself: read the addresses that it printed. */
static bool
meet(struct tracee *tracee)
{
    static char reason[256];
    int status;

    if (waitpid(tracee->pid, &status, __WALL) != tracee->pid)
        return fail(tracee, "it cannot be waited for");
    if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_TRACE) {
        snprintf(reason, sizeof reason, "%s", "ptrace is not permitted: ");
        if (fgets(reason + strlen(reason), 200, tracee->said) != NULL)
            reason[strcspn(reason, "\n")] = '\0';
        return give_up(tracee, reason);
    }
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP ||
        fscanf(tracee->said, "%lx %lx %lx", &tracee->edges[START].address,
               &tracee->edges[STOP].address, &tracee->now) != 3)
        return fail(tracee, "it does not say where its functions are");
    if (ptrace(PTRACE_SETOPTIONS, tracee->pid, NULL,
               (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE)) != 0)
        return fail(tracee, "ptrace has no options");
    return true;
}

/* Go from one start or stop to the next, until the program ends.  No other
 * thread measures while a call is stepped through. */
static bool
follow(struct tracee *tracee)
{
    int status, signal = 0;
    pid_t tid = tracee->pid;

    for (;;) {
        ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)signal);
        do {
            tid = waitpid(-1, &status, __WALL);
            if (tid < 0)
                return fail(tracee, "it cannot be waited for");
            if (tid == tracee->pid && WIFEXITED(status))
                return WEXITSTATUS(status) == 0 ||
                       fail(tracee, "some of its calls were not measured");
            if (tid == tracee->pid && WIFSIGNALED(status))
                return fail(tracee, "it died");
        } while (!WIFSTOPPED(status));
        signal = WSTOPSIG(status);
        if (signal == SIGSTOP || status >> 16 != 0) { /* a new thread */
            signal = 0;
        } else if (signal == SIGTRAP) {
            signal = 0;
            if (!count_call(tracee, tid))
                return false;
        }
    }
}

/* A step is two switches between processes: on one processor they are twice as
 * fast.  The program inherits this. */
static void
stay_on_one_processor(void)
{
    int processor = sched_getcpu();
    cpu_set_t one;

    if (processor < 0 || processor >= CPU_SETSIZE)
        return;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
}

enum stepper_end
stepper_run(const struct stepper_job *job, const char **ret_reason)
{
    struct tracee tracee = {.job = job};

    stay_on_one_processor();
    if (start_program(&tracee) && meet(&tracee) && has_symbols(&tracee) &&
        force_tick(&tracee)) {
        for (size_t i = 0; i < N_EDGES; i++)
            set_breakpoint(tracee.pid, &tracee.edges[i]);
        follow(&tracee);
    }
    if (tracee.end != STEPPER_COMPLETE && tracee.pid > 0)
        kill(tracee.pid, SIGKILL);
    while (tracee.pid > 0 && waitpid(-1, NULL, __WALL) > 0)
        ;
    if (tracee.said != NULL)
        fclose(tracee.said);
    *ret_reason = tracee.trouble;
    return tracee.end;
}

#else

enum stepper_end
stepper_run(const struct stepper_job *job, const char **ret_reason)
{
    (void)job;
    *ret_reason = "instructions are stepped through on x86-64 only";
    return STEPPER_IMPOSSIBLE;
}

#endif
