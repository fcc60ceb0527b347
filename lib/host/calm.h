/* SPDX-License-Identifier: BSD-3-Clause
 * Slow paths keep the program's errno and floating-point environment, and delay
 * a cancellation of their thread until they have ended. */
#ifndef HPM_HOST_CALM_H
#define HPM_HOST_CALM_H

#include <errno.h>

#include "host/cancel.h"
#include "host/floating.h"

struct hpm_calm {
    struct hpm_floating floating;
    struct hpm_cancel cancel;
    int saved_errno;
};

static inline struct hpm_calm
hpm_calm_begin(void)
{
    struct hpm_calm calm = {.saved_errno = errno};

    calm.cancel = hpm_cancel_hold();
    calm.floating = hpm_floating_hold();
    return calm;
}

/* Must be the last statement of a call: if the thread was cancelled meanwhile,
 * this does not return. */
static inline void
hpm_calm_end(struct hpm_calm calm)
{
    hpm_floating_release(calm.floating);
    errno = calm.saved_errno;
    hpm_cancel_release(calm.cancel);
}

#endif
