/* SPDX-License-Identifier: BSD-3-Clause
 * No cancellation (pthread_cancel) of the thread where work is half done or a
 * lock is held. */
#ifndef HPM_HOST_CANCEL_H
#define HPM_HOST_CANCEL_H

#include <pthread.h>

struct hpm_cancel {
    int type;
    int state;
};

/* Sets the type as well as the state.  With glibc 2.36 a cancellation that is
 * under way when the state is disabled is delayed only by the type, and the
 * thread's result is that of a cancelled thread only if setting the type back
 * lets the cancellation through. */
static inline struct hpm_cancel
hpm_cancel_hold(void)
{
    struct hpm_cancel program;

    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &program.type);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &program.state);
    return program;
}

/* Set both back as the program had them; may not return. */
static inline void
hpm_cancel_release(struct hpm_cancel program)
{
    pthread_setcancelstate(program.state, &program.state);
    pthread_setcanceltype(program.type, &program.type);
}

#endif
