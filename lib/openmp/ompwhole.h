/* SPDX-License-Identifier: BSD-3-Clause
 * The whole run of a program that has no sections of its own: one section in each
 * thread of OpenMP. */
#ifndef HPM_OPENMP_OMPWHOLE_H
#define HPM_OPENMP_OMPWHOLE_H

#include <stdatomic.h>
#include <stdbool.h>

/* Was hpm_ompwhole_begin called?  Has the whole run begun?  Is the calling thread in
 * its section? */
extern atomic_bool hpm_ompwhole_is_asked __attribute__((visibility("hidden")));
extern atomic_bool hpm_ompwhole_is_open __attribute__((visibility("hidden")));
extern __thread bool hpm_ompwhole_is_inside
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Does the whole run begin when this library is loaded?  It does where the library was
 * loaded before the program's own ones (LD_PRELOAD).  With libhpm_mpi, which may have to
 * bring its source yet, it begins in MPI_Init, or with the first region. */
bool hpm_ompwhole_begins_at_load(void);

/* If this library was preloaded (LD_PRELOAD), or named as a tool (OMP_TOOL_LIBRARIES),
 * for a program that is not linked with libhpm, begin the section of the calling
 * thread, which lasts until the program exits.  The first call alone does.  Not while
 * the runtime prepares itself. */
void hpm_ompwhole_begin_once(void) __attribute__((cold));

static inline void
hpm_ompwhole_begin(void)
{
    if (!atomic_load_explicit(&hpm_ompwhole_is_asked, memory_order_relaxed))
        hpm_ompwhole_begin_once();
}

/* A thread has begun to work, and has no such section yet. */
void hpm_ompwhole_add_thread(void) __attribute__((cold));

/* A thread works in a region. */
static inline void
hpm_ompwhole_begin_thread(void)
{
    if (!hpm_ompwhole_is_inside &&
        atomic_load_explicit(&hpm_ompwhole_is_open, memory_order_relaxed))
        hpm_ompwhole_add_thread();
}

/* A thread ends. */
void hpm_ompwhole_end_thread(void);

/* The program exits: the calling thread's section ends, and no thread begins another. */
void hpm_ompwhole_end(void);

#endif
