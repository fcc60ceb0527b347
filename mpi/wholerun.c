/* SPDX-License-Identifier: BSD-3-Clause
 * The whole run of a program that has no sections of its own.
 *
 * Who preloads this library measures a program that was not linked with it.  The
 * section begins at MPI_Init and not when the library is loaded, since LD_PRELOAD
 * holds for all programs that a task starts: shells make no file. */
#include "mpi/wholerun.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/path.h"
#include "libhpm.h"
#include "mpi/calltime.h"

/* No program is likely to use this id; if one does, its section is another one,
 * because it has another label. */
enum { ID = -2147483647 };

static atomic_flag is_asked = ATOMIC_FLAG_INIT;
static bool is_open;
static pthread_t beginner; /* the thread that began the section */

/* Does the object need libhpm, or this library? */
static bool
needs_libhpm(const struct link_map *object)
{
    const char *texts = NULL;

    for (const ElfW(Dyn) *each = object->l_ld; each->d_tag != DT_NULL; each++) {
        if (each->d_tag == DT_STRTAB)
            texts = (const char *)each->d_un.d_ptr;
    }
    for (const ElfW(Dyn) *each = object->l_ld;
         texts != NULL && each->d_tag != DT_NULL; each++) {
        if (each->d_tag == DT_NEEDED &&
            (strncmp(texts + each->d_un.d_val, "libhpm.", 7) == 0 ||
             strncmp(texts + each->d_un.d_val, "libhpm_mpi.", 11) == 0))
            return true;
    }
    return false;
}

/* libhpm_openmp, which is loaded beside this library, is no part of the program. */
static bool
is_other_library(const struct link_map *object)
{
    return strncmp(hpm_path_base_name(object->l_name), "libhpm_openmp.", 14) ==
           0;
}

/* A program that was linked with libhpm has sections of its own, and may call hpmInit
 * with its task and name, which a section that has begun before would have settled. */
static bool
measures_itself(void)
{
    const struct link_map *own = NULL;
    Dl_info info;

    if (dladdr1((void *)hpm_wholerun_begin, &info, (void **)&own,
                RTLD_DL_LINKMAP) == 0)
        return false;
    while (own != NULL && own->l_prev != NULL)
        own = own->l_prev;
    for (const struct link_map *each = own; each != NULL; each = each->l_next) {
        if ((void *)each->l_addr != info.dli_fbase && needs_libhpm(each) &&
            !is_other_library(each))
            return true;
    }
    return false;
}

/* The threads of OpenMP have one section each, of which this thread's begins here. */
static bool
has_run_of_openmp(void)
{
    const struct hpm_handover_listener *listener =
        atomic_load(hpm_calltime_listener);

    return listener != NULL && listener->begin_run();
}

bool
hpm_wholerun_is_wanted(void)
{
    const char *preloaded = getenv("LD_PRELOAD");

    return preloaded != NULL && strstr(preloaded, "libhpm_mpi") != NULL &&
           !measures_itself();
}

void
hpm_wholerun_begin(void)
{
    if (atomic_flag_test_and_set(&is_asked) || !hpm_wholerun_is_wanted())
        return;
    hpmInit(-1, NULL);
    if (has_run_of_openmp())
        return;
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
