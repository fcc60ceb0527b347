/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI's own Fortran entry of a call.
 *
 * The linker finds none when this library is loaded before the MPI's Fortran
 * library, as where a program in C or Python loads a module in Fortran by dlopen. */
#include "mpi/fortranentry.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/message.h"

/* The handle is kept, so that the entry stays loaded. */
static void *
find_by_object(const char *name, const void *caller)
{
    Dl_info info;
    void *handle;

    if (dladdr(caller, &info) == 0 || info.dli_fname == NULL)
        return NULL;
    handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return handle == NULL ? NULL : dlsym(handle, name);
}

hpm_fortranentry *
hpm_fortranentry_search(const char *name, const void *caller)
{
    void *entry = dlsym(RTLD_DEFAULT, name);

    if (entry == NULL)
        entry = find_by_object(name, caller);
    if (entry == NULL) {
        hpm_message_say_format(
            "no library that is loaded has the MPI's Fortran "
            "entry %s; link the program with the MPI's "
            "Fortran library",
            name);
        abort();
    }
    return (hpm_fortranentry *)entry;
}
