/* SPDX-License-Identifier: BSD-3-Clause
 * Run a program and count it, itself undisturbed. */
#include "hpmcount/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- signals --------------------------------------------------------- */

static const int forwarded[] = {SIGINT,  SIGQUIT, SIGTERM,
                                SIGHUP,  SIGUSR1, SIGUSR2};

enum { N_FORWARDED = sizeof forwarded / sizeof forwarded[0] };

static volatile sig_atomic_t program_pid;

/* The terminal's signals (si_code SI_KERNEL) reach the whole foreground group,
 * the program among it: only what a process sent to us is passed on. */
static void
forward_signal(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;

    (void)context;
    if (info->si_code <= 0 && program_pid > 0)
        kill((pid_t)program_pid, number);
    errno = saved_errno;
}

/* A signal that was ignored when we were started stays ignored, as it does for
 * the program. */
static void
forward_signals(void)
{
    struct sigaction action = {.sa_sigaction = forward_signal,
                               .sa_flags = SA_SIGINFO | SA_RESTART};

    for (int i = 0; i < N_FORWARDED; i++) {
        struct sigaction before;

        sigaction(forwarded[i], NULL, &before);
        if ((before.sa_flags & SA_SIGINFO) != 0 ||
            before.sa_handler != SIG_IGN)
            sigaction(forwarded[i], &action, NULL);
    }
}

static void
get_forwarded(sigset_t *ret_set)
{
    sigemptyset(ret_set);
    for (int i = 0; i < N_FORWARDED; i++)
        sigaddset(ret_set, forwarded[i]);
}

/* ---- the child ------------------------------------------------------- */

/* The child waits until its counters are open, then becomes the program.  If
 * that fails it sends errno; exec closes the pipe and so says all is well. */
static void
become_program(char **argv, int go_fd, int error_fd,
               const struct sigaction *sigchld, const sigset_t *mask)
{
    char go;
    int error;
    ssize_t n;

    do
        n = read(go_fd, &go, 1);
    while (n < 0 && errno == EINTR);
    if (n != 1)
        _exit(125); /* hpmcount has died */
    sigaction(SIGCHLD, sigchld, NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(argv[0], argv);
    error = errno;
    while (write(error_fd, &error, sizeof error) < 0 && errno == EINTR)
        continue;
    _exit(127);
}

struct pipes {
    int go[2];    /* parent to child: go on */
    int error[2]; /* child to parent: errno of exec */
};

static void
close_pair(int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

/* Both ends above 2: with standard descriptors closed, a pipe must not become
 * the program's standard input. */
static bool
open_pair(int ret_pair[2])
{
    int pair[2], moved[2];

    if (pipe2(pair, O_CLOEXEC) != 0)
        return false;
    moved[0] = fcntl(pair[0], F_DUPFD_CLOEXEC, 3);
    moved[1] = fcntl(pair[1], F_DUPFD_CLOEXEC, 3);
    close_pair(pair);
    if (moved[0] < 0 || moved[1] < 0)
        return false;
    memcpy(ret_pair, moved, sizeof moved);
    return true;
}

static bool
open_pipes(struct pipes *ret_pipes)
{
    if (!open_pair(ret_pipes->go))
        return false;
    if (open_pair(ret_pipes->error))
        return true;
    close_pair(ret_pipes->go);
    return false;
}

/* 0 when the program was started, else errno of its exec. */
static int
read_exec_error(int fd)
{
    int error = 0;
    ssize_t n;

    do
        n = read(fd, &error, sizeof error);
    while (n < 0 && errno == EINTR);
    return n == sizeof error ? error : 0;
}

/* ---- the run --------------------------------------------------------- */

/* The end of the program, but not yet of what /proc says of it. */
static void
wait_for_end(pid_t pid)
{
    siginfo_t info;

    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR)
        continue;
}

static void
wait_for(struct launch *launch, pid_t pid)
{
    while (wait4(pid, &launch->status, 0, &launch->usage) < 0 &&
           errno == EINTR)
        continue;
}

/* Release the child and follow it to its end.  Returns errno of its exec. */
static int
follow(struct launch *launch, pid_t pid, const struct pipes *pipes)
{
    uint64_t before[HPM_MAX_SLOTS] = {0}, after[HPM_MAX_SLOTS] = {0};
    int error;

    hpm_meter_read(launch->meter, before);
    clock_gettime(CLOCK_REALTIME, &launch->date);
    launch->start = hpm_clock_instant();
    while (write(pipes->go[1], "", 1) < 0 && errno == EINTR)
        continue;
    error = read_exec_error(pipes->error[0]);
    wait_for_end(pid);
    launch->end = hpm_clock_instant();
    /* /proc/PID/io is there until the program is waited for, its resource
     * usage after that */
    hpm_meter_read(launch->meter, after);
    wait_for(launch, pid);
    hpm_meter_read(launch->meter, after);
    if (hpm_meter_is_replayed(launch->meter))
        launch->end = hpm_clock_instant();
    for (size_t i = 0; i < launch->meter->n_slots; i++)
        launch->counts[i] = after[i] - before[i];
    return error;
}

/* A meter for the child, which still waits; or the child is sent away. */
static bool
open_meter(struct launch *launch, pid_t pid, const struct hpm_eventset *set,
           struct hpm_error *err)
{
    launch->meter = hpm_meter_open(set, HPM_TARGET_PROGRAM, pid, err);
    if (launch->meter != NULL)
        return true;
    kill(pid, SIGKILL);
    wait_for(launch, pid);
    return false;
}

int
launch_run(struct launch *ret_launch, char **argv,
           const struct hpm_eventset *set, struct hpm_error *err)
{
    struct sigaction default_action = {.sa_handler = SIG_DFL}, sigchld;
    sigset_t signals, mask;
    struct pipes pipes;
    pid_t pid;
    int error;

    *ret_launch = (struct launch){0};
    if (!open_pipes(&pipes)) {
        hpm_error_set(err, "cannot make a pipe: %s", strerror(errno));
        return 125;
    }
    /* Started with SIGCHLD ignored, we could not wait: the program gets it
     * back as it was. */
    sigaction(SIGCHLD, &default_action, &sigchld);
    get_forwarded(&signals);
    sigprocmask(SIG_BLOCK, &signals, &mask);
    pid = fork();
    if (pid == 0) {
        close(pipes.go[1]);
        become_program(argv, pipes.go[0], pipes.error[1], &sigchld, &mask);
    }
    error = errno;
    close(pipes.go[0]);
    close(pipes.error[1]);
    if (pid > 0) {
        program_pid = pid;
        forward_signals();
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (pid < 0) {
        hpm_error_set(err, "cannot start a process: %s", strerror(error));
        error = 125;
    } else if (!open_meter(ret_launch, pid, set, err)) {
        error = 125;
    } else if ((error = follow(ret_launch, pid, &pipes)) != 0) {
        hpm_error_set(err, "cannot run '%s': %s", argv[0], strerror(error));
        error = error == ENOENT || error == ENOTDIR ? 127 : 126;
    }
    program_pid = 0;
    close(pipes.go[1]);
    close(pipes.error[0]);
    return error;
}

void
launch_clear(struct launch *launch)
{
    hpm_meter_close(launch->meter);
    launch->meter = NULL;
}

void
launch_end_like(int status)
{
    sigset_t only;
    int number;

    if (!WIFSIGNALED(status))
        exit(WEXITSTATUS(status));
    /* Dying by the same signal is what tells a shell's loop to stop; the core
     * is the program's, not ours. */
    number = WTERMSIG(status);
    fflush(NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    _exit(128 + number);
}
