/* SPDX-License-Identifier: BSD-3-Clause
 * The end of the recording where the program exits while other threads are in parallel
 * regions.
 *
 * LLVM's runtime frees in its destructor what its threads use.  Where these are in
 * parallel regions, they crash soon after that, unless the process ends before.  So
 * nothing of libhpm's may take time between the two: the end comes in a handler of exit,
 * which runs before all destructors. */
#include "openmp/ompend.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "openmp/ompbring.h"
#include "openmp/ompplace.h"
#include "openmp/ompthread.h"
#include "openmp/ompwhole.h"

static atomic_bool is_watching;

/* Elsewhere libhpm ends in its own destructor, so that what the program does in its last
 * handlers and destructors is measured. */
static void
end(void)
{
    const struct hpm_loan *loan = hpm_ompbring_source();
    hpm_handover_end *end_before = loan != NULL ? *loan->end_before : NULL;

    if (end_before == NULL || !hpm_ompthread_others_go_on())
        return;
    hpm_ompwhole_end();
    hpm_ompplace_end();
    end_before("the OpenMP runtime, which other threads use,");
}

void
hpm_ompend_watch(void)
{
    if (!atomic_exchange(&is_watching, true))
        atexit(end);
}
