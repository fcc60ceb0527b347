/* SPDX-License-Identifier: BSD-3-Clause
 * Hands what was recorded to libhpm_mpi, and takes from libhpm_mpi what MPI alone
 * knows.  libhpm_openmp brings a source, too; libhpm_functions and libhpm_libraries
 * only take the loan.
 * These libraries are built together; nobody else may call this: it may change with
 * every version. */
#ifndef HPM_SESSION_HANDOVER_H
#define HPM_SESSION_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/experiment.h"
#include "source/meter.h"

/* What one process has recorded; valid until the taker returns. */
struct hpm_handover {
    const char *text; /* the performance file */
    size_t length;
    const char *path;     /* the path of the process's own file; NULL: not
                           * written */
    const char *own_name; /* the name it should have had */
    /* folder and name of the whole job's file */
    const char *folder;
    const char *name;
    bool is_synced; /* bring the job's file to the disk */
};

typedef void hpm_handover_take(const struct hpm_handover *handover);

typedef void hpm_handover_end(const char *what);

/* What libhpm_mpi tells libhpm_openmp, where both are loaded. */
struct hpm_handover_listener {
    /* The calling thread begins a call of MPI, or ends it, `now` by libhpm's clock: the
     * time between is MPI's. */
    void (*tell)(bool begins, uint64_t now);
    /* MPI begins: so does the run of a program that has no sections of its own.  False
     * where libhpm_openmp does not measure it as a whole. */
    bool (*begin_run)(void);
};

/* What libhpm lends to the source that a library brings, since libhpm frees what
 * the source gives and chooses the clock (at its own init). */
struct hpm_loan {
    const bool *has_tick;        /* hpm_clock_is_tick */
    uint64_t (*kernel_ns)(void); /* hpm_clock_kernel_ns */
    char *(*copy_text)(const char *text);
    void (*free)(void *text);
    void (*fail)(struct hpm_meter *meter, size_t event, enum hpm_state state,
                 const char *reason);
    void (*ask_number)(int (*number)(void));               /* hpm_threads_ask */
    void (*let_last)(int first, int last);                 /* hpm_lasting_let */
    const struct hpm_handover_listener *_Atomic *listener; /* to NULL: none */
    void (*note)(int instance, unsigned bits);             /* hpm_noted_add */
    hpm_handover_end *_Atomic const *end_before; /* hpm_handover_end_before */
};

/* At the end of the recording, after the process's own file was written, call
 * `take`, in whichever process or thread that is.  The library does not say
 * that an own file has another name because its name was taken: the taker must,
 * unless it removes that file.  `known` is where the task's place in a grid of
 * tasks will stand.  NULL for either leaves what an earlier call said.  `source`
 * serves like the library's own sources, beside that of an earlier call (two at
 * most); NULL for none.  Call this before any other call of the library. */
const struct hpm_loan *
hpm_private_hand_over_to(hpm_handover_take *take, const hpm_known_place *known,
                         const struct hpm_source *source);

/* In a handler of exit: end the recording before `what` ends, in words that stay.  NULL
 * until there is a recording. */
extern hpm_handover_end *_Atomic hpm_handover_end_before;

/* The taker, or NULL. */
hpm_handover_take *hpm_handover_taker(void);

#endif
