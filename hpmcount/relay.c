/* SPDX-License-Identifier: BSD-3-Clause
 * Handling signals while a program runs in place of hpmcount.
 *
 * There are no handlers: all signals are blocked and taken one by one, so that
 * none comes between a look at the program and the wait for the next event. */
#include "hpmcount/relay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hpmcount/waker.h"

/* timeout(1) sends SIGTERM twice at once: this is not a second request. */
#define PATIENCE_NS UINT64_C(1000000000)

static uint64_t
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void
relay_begin(struct relay *relay)
{
    struct sigaction default_action = {.sa_handler = SIG_DFL};
    sigset_t all;

    *relay = (struct relay){0};
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &relay->mask);
    /* if SIGCHLD were ignored, hpmcount could not wait for the program */
    sigaction(SIGCHLD, &default_action, &relay->sigchld);
}

void
relay_restore(const struct relay *relay)
{
    sigaction(SIGCHLD, &relay->sigchld, NULL);
    sigprocmask(SIG_SETMASK, &relay->mask, NULL);
}

/* ---- signals --------------------------------------------------------- */

/* The kernel sends these signals to the terminal's foreground group, which
 * includes the program; but a hangup only to the session's leader. */
static bool
is_of_terminal(int number)
{
    static const int numbers[] = {SIGINT,  SIGQUIT, SIGTSTP, SIGTTIN,
                                  SIGTTOU, SIGCONT, SIGWINCH};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i] == number)
            return true;
    }
    return number == SIGHUP && getsid(0) != getpid();
}

/* si_code is positive for signals from the kernel: from the terminal, a timer
 * set before hpmcount was started, or the end of a child. */
static bool
is_for_program(const struct relay *relay, const siginfo_t *info)
{
    if (info->si_signo == SIGCHLD)
        return info->si_code <= 0;
    if (info->si_code > 0)
        return !is_of_terminal(info->si_signo);
    /* a signal that the program sent to its group has reached the program
     * already */
    return info->si_pid != relay->program && info->si_pid != getpid();
}

static void
pass_on(const struct relay *relay, const siginfo_t *info)
{
    if (relay->program <= 0 || !is_for_program(relay, info))
        return;
    if (info->si_code == SI_QUEUE)
        sigqueue(relay->program, info->si_signo, info->si_value);
    else
        kill(relay->program, info->si_signo);
}

/* A signal from the program may be taken after its end, so its pid is kept. */
static void
note(struct relay *relay, const siginfo_t *info)
{
    switch (info->si_signo) {
    case SIGINT:
    case SIGQUIT:
    case SIGTERM:
    case SIGHUP:
        if (info->si_pid != relay->program)
            relay->interrupt = info->si_signo;
        break;
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
        relay->stop_asked = info->si_signo;
        break;
    case SIGCONT:
        relay->stop_asked = 0;
        break;
    }
}

/* Has a signal come within `timeout` (NULL: no limit)?  False after a stop. */
static bool
take_signal(siginfo_t *ret_info, const struct timespec *timeout)
{
    sigset_t all;

    sigfillset(&all);
    return sigtimedwait(&all, ret_info, timeout) > 0;
}

int
relay_interrupt(struct relay *relay)
{
    const struct timespec now = {0, 0};
    siginfo_t info;

    while (take_signal(&info, &now))
        note(relay, &info);
    return relay->interrupt;
}

/* ---- stopping -------------------------------------------------------- */

static void
stop_by(int number)
{
    sigset_t only;

    sigemptyset(&only);
    sigaddset(&only, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &only, NULL); /* hpmcount stops here */
    sigprocmask(SIG_BLOCK, &only, NULL);
}

/* Only a waker may continue hpmcount: whoever stopped the program by its pid
 * continues only the program.  So without a waker, hpmcount stops only if it
 * got the signal, too. */
static void
stop_like_program(struct relay *relay)
{
    int number = relay->stopped_by;
    bool is_asked = relay->stop_asked == number;
    pid_t waker = -1;

    relay->stop_asked = relay->stopped_by = 0;
    if (waker_sees_stop(relay->program))
        waker = waker_start(relay->program);
    if (waker >= 0 || is_asked)
        stop_by(number);
    waker_end(waker);
}

/* hpmcount stops whenever the program is stopped: its parent waits for it, and
 * a shell gives no prompt while hpmcount runs. */
static void
stop_with_program(struct relay *relay)
{
    siginfo_t info = {0};

    while (waitid(P_PID, (id_t)relay->program, &info,
                  WSTOPPED | WCONTINUED | WNOHANG) == 0 &&
           info.si_pid != 0) {
        relay->stopped_by = info.si_code == CLD_STOPPED ? info.si_status : 0;
        if (info.si_code == CLD_CONTINUED)
            relay->stop_asked = 0;
        info.si_pid = 0;
    }
    if (relay->stopped_by != 0)
        stop_like_program(relay);
}

/* All signals are blocked, so a signalfd tells that one has come. */
void
relay_rest(struct relay *relay, struct pollfd *fds, size_t n, uint64_t ns)
{
    const struct timespec time = {(time_t)(ns / 1000000000u),
                                  (long)(ns % 1000000000u)};
    sigset_t all;

    sigfillset(&all);
    fds[n].fd = signalfd(-1, &all, SFD_CLOEXEC);
    fds[n].events = POLLIN;
    if (relay_interrupt(relay) == 0)
        ppoll(fds, n + 1, ns != UINT64_MAX ? &time : NULL, NULL);
    close(fds[n].fd);
    if (relay_interrupt(relay) == 0 && relay->stop_asked != 0) {
        int number = relay->stop_asked;

        relay->stop_asked = 0;
        stop_by(number);
    }
}

/* ---- the end --------------------------------------------------------- */

static bool
has_ended(const struct relay *relay)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)relay->program, &info,
                  WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

static bool
ignores_term(pid_t pid)
{
    static const char label[] = "SigIgn:";
    char line[256], path[64];
    unsigned long long ignored = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, label, sizeof label - 1) == 0)
            ignored = strtoull(line + sizeof label - 1, NULL, 16);
    }
    if (file != NULL)
        fclose(file);
    return (ignored >> (SIGTERM - 1) & 1) != 0;
}

/* A program that handles SIGTERM may need time to save its work; a program that
 * ignores SIGTERM will not end by a third one either. */
static bool
is_to_leave(struct relay *relay, const siginfo_t *info)
{
    if (info->si_signo != SIGTERM || info->si_pid == relay->program)
        return false;
    if (relay->told_ns != 0)
        return now_ns() - relay->told_ns >= PATIENCE_NS &&
               ignores_term(relay->program);
    relay->told_ns = now_ns();
    return false;
}

enum relay_event
relay_wait(struct relay *relay, uint64_t ns)
{
    bool has_limit = ns != UINT64_MAX;
    uint64_t end_ns = has_limit ? now_ns() + ns : 0;

    while (!has_ended(relay)) {
        uint64_t now = has_limit ? now_ns() : 0;
        const struct timespec left = {(time_t)((end_ns - now) / 1000000000u),
                                      (long)((end_ns - now) % 1000000000u)};
        siginfo_t info;

        stop_with_program(relay);
        if (has_limit && now >= end_ns)
            return RELAY_TIMEOUT;
        if (!take_signal(&info, has_limit ? &left : NULL))
            continue;
        note(relay, &info);
        if (is_to_leave(relay, &info))
            return RELAY_LEAVE;
        pass_on(relay, &info);
    }
    return RELAY_ENDED;
}
