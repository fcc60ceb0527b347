/* SPDX-License-Identifier: BSD-3-Clause
 * The begin of libhpm_openmp, when it is loaded. */
#include "libhpm.h"
#include "openmp/ompbring.h"
#include "openmp/ompruntime.h"
#include "openmp/ompwhole.h"

static void begin(void) __attribute__((constructor));

/* A program with a runtime is measured from here on: its serial beginning counts.  A
 * runtime that loads this library as a tool is about to begin: it may not be asked
 * anything yet, and the whole run begins with the first region. */
static void
begin(void)
{
    hpm_ompbring_source();
    if ((hpmVersion)() == LIBHPM_VERSION && hpm_ompruntime_is_there() &&
        hpm_ompwhole_begins_at_load())
        hpm_ompwhole_begin();
}
