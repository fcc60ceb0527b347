/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI's own Fortran entry of a call, as pmpi_send_. */
#ifndef HPM_MPI_FORTRANENTRY_H
#define HPM_MPI_FORTRANENTRY_H

#include <stdatomic.h>
#include <stddef.h>

/* Any function; the caller casts it to the function's type. */
typedef void hpm_fortranentry(void);

/* Find the entry among the libraries that the program loaded first, and among those
 * that the object with the address `caller` needs.  Ends the program with a message
 * where there is none. */
hpm_fortranentry *hpm_fortranentry_search(const char *name, const void *caller)
    __attribute__((cold));

/* The same, once: `linked` is the entry as the linker found it, or NULL, and `found`
 * what an earlier call has found. */
static inline hpm_fortranentry *
hpm_fortranentry_find(hpm_fortranentry *linked,
                      hpm_fortranentry *_Atomic *found, const char *name,
                      const void *caller)
{
    hpm_fortranentry *entry = linked;

    if (entry == NULL)
        entry = atomic_load_explicit(found, memory_order_acquire);
    if (entry == NULL) {
        entry = hpm_fortranentry_search(name, caller);
        atomic_store_explicit(found, entry, memory_order_release);
    }
    return entry;
}

#endif
