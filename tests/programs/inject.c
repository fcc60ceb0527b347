/* SPDX-License-Identifier: BSD-3-Clause
 * Make a system call of a program fail.
 *
 *     inject FROM LIST 0 PROGRAM...             which calls are there?
 *     inject FROM LIST N ERROR[+] PROGRAM...    the N-th fails with errno ERROR
 *
 * Calls are counted from the first one that gets the path FROM, so that loading
 * the program does not count.  LIST is a file for their names, a line each.
 * ERROR 0 is no failure but a result of 0: the end of a file.  With "+" the
 * same call fails each time from then on.  Ends as the program does; 77 where
 * this is not possible, or a sanitizer's own calls would fail. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__aarch64__)
#include <elf.h>
#endif

#if defined(__has_feature)
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||           \
    HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer)
static const bool is_sanitized = true;
#else
static const bool is_sanitized = false;
#endif

static const struct {
    long number;
    const char *name;
} names[] = {
    {SYS_openat, "open"},         {SYS_read, "read"},
    {SYS_pread64, "pread"},       {SYS_write, "write"},
    {SYS_pwrite64, "pwrite"},     {SYS_close, "close"},
    {SYS_fstat, "fstat"},         {SYS_newfstatat, "stat"},
    {SYS_getdents64, "getdents"}, {SYS_mmap, "mmap"},
    {SYS_munmap, "munmap"},       {SYS_brk, "brk"},
    {SYS_fsync, "fsync"},         {SYS_renameat2, "rename"},
    {SYS_linkat, "link"},         {SYS_unlinkat, "unlink"},
    {SYS_mkdirat, "mkdir"},       {SYS_fcntl, "fcntl"},
    {SYS_faccessat, "access"},    {SYS_uname, "uname"},
    {SYS_lseek, "lseek"},         {SYS_ftruncate, "truncate"},
    {SYS_futex, "futex"},
#ifdef SYS_open
    {SYS_open, "open"},
#endif
#ifdef SYS_stat
    {SYS_stat, "stat"},           {SYS_lstat, "stat"},
#endif
#ifdef SYS_unlink
    {SYS_unlink, "unlink"},       {SYS_rmdir, "rmdir"},
    {SYS_mkdir, "mkdir"},         {SYS_link, "link"},
    {SYS_access, "access"},
#endif
#ifdef SYS_faccessat2
    {SYS_faccessat2, "access"},
#endif
};

struct call {
    long number;
    unsigned long arguments[2];
};

struct injection {
    pid_t pid;
    const char *from;
    FILE *list;
    long at; /* 0: none */
    int error;
    bool goes_on;
    long n; /* calls counted */
    bool has_begun;
    long failing;        /* the call that fails each time; -1: none */
    bool is_changed;     /* in the present call */
    bool is_lowered;     /* the argument of the call was replaced */
    unsigned long asked; /* the program's own argument */
};

static const char *
name_of(long number)
{
    static char room[32];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].number == number)
            return names[i].name;
    }
    snprintf(room, sizeof room, "%ld", number);
    return room;
}

/* ---- registers ------------------------------------------------------- */

#if defined(__x86_64__)
static bool
read_call(pid_t pid, struct call *call)
{
    struct user_regs_struct registers;

    if (ptrace(PTRACE_GETREGS, pid, NULL, &registers) != 0)
        return false;
    call->number = (long)registers.orig_rax;
    call->arguments[0] = registers.rdi;
    call->arguments[1] = registers.rsi;
    return true;
}

static void
drop_call(pid_t pid)
{
    struct user_regs_struct registers;

    ptrace(PTRACE_GETREGS, pid, NULL, &registers);
    registers.orig_rax = (unsigned long long)-1;
    ptrace(PTRACE_SETREGS, pid, NULL, &registers);
}

static void
set_argument(pid_t pid, unsigned long first)
{
    struct user_regs_struct registers;

    ptrace(PTRACE_GETREGS, pid, NULL, &registers);
    registers.rdi = first;
    ptrace(PTRACE_SETREGS, pid, NULL, &registers);
}

/* A call does not change the register of its argument, and compilers rely on
 * that: the brk of glibc compares the result with the address that it had asked
 * for. */
static void
restore_argument(pid_t pid, unsigned long first)
{
    set_argument(pid, first);
}

static void
set_result(pid_t pid, long result)
{
    struct user_regs_struct registers;

    ptrace(PTRACE_GETREGS, pid, NULL, &registers);
    registers.rax = (unsigned long long)result;
    ptrace(PTRACE_SETREGS, pid, NULL, &registers);
}
#elif defined(__aarch64__)
static bool
get(pid_t pid, struct user_regs_struct *registers)
{
    struct iovec piece = {registers, sizeof *registers};

    return ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &piece) == 0;
}

static bool
read_call(pid_t pid, struct call *call)
{
    struct user_regs_struct registers;

    if (!get(pid, &registers))
        return false;
    call->number = (long)registers.regs[8];
    call->arguments[0] = registers.regs[0];
    call->arguments[1] = registers.regs[1];
    return true;
}

static void
drop_call(pid_t pid)
{
    int none = -1;
    struct iovec piece = {&none, sizeof none};

    ptrace(PTRACE_SETREGSET, pid, (void *)0x404 /* NT_ARM_SYSTEM_CALL */,
           &piece);
}

static void
set_register(pid_t pid, unsigned long value)
{
    struct user_regs_struct registers;
    struct iovec piece = {&registers, sizeof registers};

    get(pid, &registers);
    registers.regs[0] = value;
    ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &piece);
}

static void
set_argument(pid_t pid, unsigned long first)
{
    set_register(pid, first);
}

/* The register of the first argument also has the result. */
static void
restore_argument(pid_t pid, unsigned long first)
{
    (void)pid;
    (void)first;
}

static void
set_result(pid_t pid, long result)
{
    set_register(pid, (unsigned long)result);
}
#else
static bool
read_call(pid_t pid, struct call *call)
{
    (void)pid;
    (void)call;
    fprintf(stderr, "inject: not on this kind of processor\n");
    exit(77);
}

static void
drop_call(pid_t pid)
{
    (void)pid;
}

static void
set_argument(pid_t pid, unsigned long first)
{
    (void)pid;
    (void)first;
}

static void
restore_argument(pid_t pid, unsigned long first)
{
    (void)pid;
    (void)first;
}

static void
set_result(pid_t pid, long result)
{
    (void)pid;
    (void)result;
}
#endif

/* ---- calls ----------------------------------------------------------- */

static bool
is_path(pid_t pid, unsigned long address, const char *wanted)
{
    char text[512] = "";
    size_t length = strlen(wanted) + 1;
    struct iovec here = {text, length}, there = {(void *)address, length};

    return length <= sizeof text && address > 4096 &&
           process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)length &&
           memcmp(text, wanted, length) == 0;
}

static bool
is_readable(long number)
{
    return number == SYS_read || number == SYS_pread64 ||
           number == SYS_getdents64;
}

static bool
has_to_fail(struct injection *injection, const struct call *call)
{
    if (injection->n == injection->at && injection->goes_on)
        injection->failing = call->number;
    if (injection->error == 0 && !is_readable(call->number))
        return false;
    return injection->n == injection->at || call->number == injection->failing;
}

/* Linux's brk returns no error but the present end of the heap; a C library
 * would take -ENOMEM for an address. */
static bool
fail_without_error(struct injection *injection, const struct call *call)
{
    if (call->number != SYS_brk)
        return false;
    injection->is_lowered = true;
    injection->asked = call->arguments[0];
    set_argument(injection->pid, 0);
    return true;
}

static void
enter(struct injection *injection)
{
    struct call call;

    if (!read_call(injection->pid, &call))
        return;
    injection->has_begun |=
        is_path(injection->pid, call.arguments[0], injection->from) ||
        is_path(injection->pid, call.arguments[1], injection->from);
    if (!injection->has_begun || call.number == SYS_exit_group ||
        call.number == SYS_rt_sigreturn)
        return;
    injection->n++;
    fprintf(injection->list, "%s\n", name_of(call.number));
    injection->is_changed = injection->at > 0 && has_to_fail(injection, &call);
    if (injection->is_changed && fail_without_error(injection, &call))
        injection->is_changed = false;
    if (injection->is_changed)
        drop_call(injection->pid);
}

static void
leave(struct injection *injection)
{
    if (injection->is_changed)
        set_result(injection->pid, -(long)injection->error);
    if (injection->is_lowered)
        restore_argument(injection->pid, injection->asked);
    injection->is_changed = injection->is_lowered = false;
}

static int
follow(struct injection *injection)
{
    bool is_inside = false;
    int status, number = 0;

    while (ptrace(PTRACE_SYSCALL, injection->pid, NULL, (void *)(long)number) ==
               0 &&
           waitpid(injection->pid, &status, 0) == injection->pid) {
        number = 0;
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        if (WIFSIGNALED(status))
            return 128 + WTERMSIG(status);
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            is_inside = !is_inside;
            if (is_inside)
                enter(injection);
            else
                leave(injection);
        } else if (WSTOPSIG(status) != SIGTRAP) {
            number = WSTOPSIG(status);
        }
    }
    return 77;
}

int
main(int argc, char **argv)
{
    struct injection injection = {.failing = -1};
    int status;

    if (is_sanitized) /* its run time makes calls of its own, and waits */
        return 77;
    if (argc < 5)
        return 2;
    injection.from = argv[1];
    injection.list = fopen(argv[2], "we");
    injection.at = atol(argv[3]);
    if (injection.at > 0) {
        injection.error = atoi(argv[4]);
        injection.goes_on = strchr(argv[4], '+') != NULL;
        argv++;
    }
    if (injection.list == NULL)
        return 2;
    injection.pid = fork();
    if (injection.pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(77);
        raise(SIGSTOP);
        execv(argv[4], argv + 4);
        _exit(127);
    }
    waitpid(injection.pid, &status, 0);
    if (!WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, injection.pid, NULL,
               (void *)(long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) != 0)
        return 77;
    status = follow(&injection);
    fclose(injection.list);
    return status;
}
