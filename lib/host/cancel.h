/* SPDX-License-Identifier: BSD-3-Clause
 * Not to be cancelled (pthread_cancel) where something is half done or a lock
 * is held. */
#ifndef HPM_HOST_CANCEL_H
#define HPM_HOST_CANCEL_H

#include <pthread.h>

struct hpm_cancel {
    int type;
    int state;
};

/* The type as well as the state: a cancellation that is on its way while it is
 * disabled is held up only by the type (glibc 2.36), and the result is that of
 * a cancelled thread only when it is the type that lets it through. */
static inline struct hpm_cancel
hpm_cancel_hold(void)
{
    struct hpm_cancel program;

    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &program.type);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &program.state);
    return program;
}

/* As the program had it; may not return. */
static inline void
hpm_cancel_release(struct hpm_cancel program)
{
    pthread_setcancelstate(program.state, &program.state);
    pthread_setcanceltype(program.type, &program.type);
}

#endif
