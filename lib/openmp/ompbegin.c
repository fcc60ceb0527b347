/* SPDX-License-Identifier: BSD-3-Clause
 * The begin of libhpm_openmp, when it is loaded. */
#include "openmp/ompbring.h"
#include "openmp/ompruntime.h"
#include "openmp/ompthread.h"
#include "openmp/ompwhole.h"

/* A program of MPI begins its run in MPI_Init, before its first region. */
static bool
begin_run(void)
{
    if (hpm_ompruntime_is_there())
        hpm_ompwhole_begin();
    return atomic_load(&hpm_ompwhole_is_open);
}

static const struct hpm_handover_listener listener = {hpm_ompthread_tell_mpi,
                                                      begin_run};

static void begin(void) __attribute__((constructor));

/* A program with a runtime is measured from here on: its serial beginning counts.  A
 * runtime that loads this library as a tool is about to begin: it may not be asked
 * anything yet, and the whole run begins with the first region. */
static void
begin(void)
{
    const struct hpm_loan *loan = hpm_ompbring_source();

    if (loan == NULL)
        return;
    atomic_store(loan->listener, &listener);
    if (hpm_ompruntime_is_there() && hpm_ompwhole_begins_at_load())
        hpm_ompwhole_begin();
}
