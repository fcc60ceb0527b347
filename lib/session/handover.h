/* SPDX-License-Identifier: BSD-3-Clause
 * How libhpm_mpi gets what was recorded.  Both are built together; nobody else
 * is to call this: it may change with every version. */
#ifndef HPM_SESSION_HANDOVER_H
#define HPM_SESSION_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>

/* What one process has recorded.  All of it is gone when the taker returns. */
struct hpm_handover {
    const char *text; /* the performance file */
    size_t length;
    const char *path; /* where it was written; NULL: nowhere */
    /* where the file of the whole job should go */
    const char *folder;
    const char *name;
    bool is_synced; /* bring that to the disk */
};

typedef void hpm_handover_take(const struct hpm_handover *handover);

/* At the end of the recording, after the process's own file was written, call
 * `take`, in whichever process or thread that is.  The names that own files get
 * where theirs are taken are not said then: they go when the job's is there.
 * Before any other call of the library. */
void hpm_private_hand_over_to(hpm_handover_take *take);

/* The taker, or NULL. */
hpm_handover_take *hpm_handover_taker(void);

#endif
