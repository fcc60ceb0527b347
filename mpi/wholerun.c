/* SPDX-License-Identifier: BSD-3-Clause
 * The whole run of a program that has no sections of its own.
 *
 * Who preloads this library measures a program that was not linked with it.  The
 * section begins at MPI_Init and not when the library is loaded, since LD_PRELOAD
 * holds for all programs that a task starts: shells make no file. */
#include "mpi/wholerun.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libhpm.h"

/* No program is likely to use this id; if one does, its section is another one,
 * because it has another label. */
enum { ID = -2147483647 };

static atomic_flag is_asked = ATOMIC_FLAG_INIT;
static bool is_open;
static pthread_t beginner; /* the thread that began the section */

void
hpm_wholerun_begin(void)
{
    const char *preloaded = getenv("LD_PRELOAD");

    if (atomic_flag_test_and_set(&is_asked) || preloaded == NULL ||
        strstr(preloaded, "libhpm_mpi") == NULL)
        return;
    hpmInit(-1, NULL);
    hpmTstartAt(ID, "MPI_Init to MPI_Finalize", "", 0);
    beginner = pthread_self();
    is_open = true;
}

/* MPI_Abort may come from any thread, and a thread ends its own sections alone: then
 * the section is one that has not ended. */
void
hpm_wholerun_end(void)
{
    if (!is_open || !pthread_equal(beginner, pthread_self()))
        return;
    hpmTstop(ID);
    is_open = false;
}
