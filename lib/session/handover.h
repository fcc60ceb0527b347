/* SPDX-License-Identifier: BSD-3-Clause
 * How libhpm_mpi gets what was recorded, and says what MPI alone knows.  Both are built together; nobody else
 * is to call this: it may change with every version. */
#ifndef HPM_SESSION_HANDOVER_H
#define HPM_SESSION_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>

#include "model/experiment.h"

/* What one process has recorded.  All of it is gone when the taker returns. */
struct hpm_handover {
    const char *text; /* the performance file */
    size_t length;
    const char *path;     /* where it was written; NULL: nowhere */
    const char *own_name; /* what it should have been called */
    /* where the file of the whole job should go */
    const char *folder;
    const char *name;
    bool is_synced; /* bring that to the disk */
};

typedef void hpm_handover_take(const struct hpm_handover *handover);

/* At the end of the recording, after the process's own file was written, call
 * `take`, in whichever process or thread that is.  That an own file is not
 * called as it should be, because the name was taken, is for the taker to say:
 * it may go again. `known` is where the task's place in a grid of tasks will stand.  Before any
 * other call of the library. */
void hpm_private_hand_over_to(hpm_handover_take *take,
                              const hpm_known_place *known);

/* The taker, or NULL. */
hpm_handover_take *hpm_handover_taker(void);

#endif
