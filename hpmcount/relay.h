/* SPDX-License-Identifier: BSD-3-Clause
 * Handling signals while a program runs in place of hpmcount: signals sent to
 * hpmcount reach the program, and hpmcount stops when the program stops. */
#ifndef HPMCOUNT_RELAY_H
#define HPMCOUNT_RELAY_H

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct relay {
    sigset_t mask;            /* hpmcount's at its start */
    struct sigaction sigchld; /* the same */
    pid_t program;    /* the last one, even after its end; 0 before the first */
    int stop_asked;   /* a job control signal that hpmcount got, or 0 */
    int stopped_by;   /* the signal that stopped the program, or 0 */
    int interrupt;    /* SIGINT, SIGQUIT, SIGTERM or SIGHUP if it came, or 0 */
    uint64_t told_ns; /* when the first SIGTERM came, or 0 */
};

/* From now on signals stay pending until relay_wait takes them. */
void relay_begin(struct relay *relay);

/* In the child, just before exec: restore the signals of hpmcount's start. */
void relay_restore(const struct relay *relay);

enum relay_event {
    RELAY_ENDED,   /* the program ended, but was not waited for */
    RELAY_TIMEOUT, /* the time is over */
    RELAY_LEAVE,   /* SIGTERM again, a second after the first, and the program
                    * ignores it: hpmcount must end without it */
};

/* Follow the program to its end, or for at most `ns` nanoseconds (UINT64_MAX:
 * no limit).  Signals from a terminal reach the program directly; all others
 * are passed on, except those that the program itself sent (to its group).
 * When any signal stops the program, hpmcount stops, too, and continues when
 * the program does. */
enum relay_event relay_wait(struct relay *relay, uint64_t ns);

/* Without a program: wait until SIGINT, SIGQUIT, SIGTERM or SIGHUP comes
 * (relay->interrupt tells which), a file of `fds` is readable, or `ns`
 * nanoseconds (UINT64_MAX: no limit) are over.  `fds` has room for one more.
 * Job control signals stop hpmcount. */
void relay_rest(struct relay *relay, struct pollfd *fds, size_t n, uint64_t ns);

/* Take the signals that came while no program ran.  Returns the last of SIGINT,
 * SIGQUIT, SIGTERM and SIGHUP since relay_begin that the program did not send,
 * or 0. */
int relay_interrupt(struct relay *relay);

#endif
