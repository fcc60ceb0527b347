/* SPDX-License-Identifier: BSD-3-Clause
 * Signals while a program runs in hpmcount's place: what others send to
 * hpmcount reaches the program, and hpmcount stops when the program does. */
#ifndef HPMCOUNT_RELAY_H
#define HPMCOUNT_RELAY_H

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct relay {
    sigset_t mask;            /* as hpmcount was started */
    struct sigaction sigchld; /* likewise */
    pid_t program;  /* the last one, though it has ended; 0 before the first */
    int stop_asked; /* a signal of job control hpmcount has got, or 0 */
    int stopped_by; /* the program is stopped by this signal, or 0 */
    int interrupt;  /* SIGINT, SIGQUIT, SIGTERM or SIGHUP has come, or 0 */
    uint64_t told_ns; /* when SIGTERM came first, or 0 */
};

/* From now on signals wait until relay_wait takes them. */
void relay_begin(struct relay *relay);

/* In the child, just before exec: signals as hpmcount was started with. */
void relay_restore(const struct relay *relay);

enum relay_event {
    RELAY_ENDED,   /* the program has; it is still to be waited for */
    RELAY_TIMEOUT, /* the time is over */
    RELAY_LEAVE,   /* SIGTERM again, a second after the first, and the program
                      ignores it: hpmcount is to end without it */
};

/* Follow the program to its end, or for at most `ns` nanoseconds (UINT64_MAX:
 * for ever).  Signals from a terminal reach the program by themselves; all
 * others are passed on, but for those it has sent itself (to its group).  When
 * the program stops, by whatever signal, hpmcount stops, too, and goes on when
 * the program does. */
enum relay_event relay_wait(struct relay *relay, uint64_t ns);

/* Without a program: rest until SIGINT, SIGQUIT, SIGTERM or SIGHUP comes (then
 * relay->interrupt says which), a file of `fds` can be read, or `ns` nanoseconds
 * (UINT64_MAX: for ever) are over; `fds` has room for one more.  Stops as a signal of job control wants. */
void relay_rest(struct relay *relay, struct pollfd *fds, size_t n, uint64_t ns);

/* Take what has come while no program ran; the last of SIGINT, SIGQUIT,
 * SIGTERM and SIGHUP that came since relay_begin, from others than the program,
 * or 0. */
int relay_interrupt(struct relay *relay);

#endif
