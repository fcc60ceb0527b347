/* SPDX-License-Identifier: BSD-3-Clause
 * The libraries' own functions, which those of the lists call, and the sections they
 * are. */
#ifndef HPM_LIBRARIES_REAL_H
#define HPM_LIBRARIES_REAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libhpm.h"
#include "libraries/wrapped.h"

/* A function of a library.  Lives for ever, and so does the library. */
struct hpm_real {
    void *address;
    /* the callers whose function this is: those within these addresses; size 0:
     * their object may have been unloaded */
    uintptr_t from, whole;
    _Atomic uintptr_t size; /* 0 or `whole` */
    struct hpm_call_site
        site; /* label, and the library's name as the file; label
                                * NULL: it is not measured, for lack of memory */
    int id;
    struct hpm_real *next;       /* of the same name, for other callers */
    struct hpm_real *next_known; /* of all */
};

/* Does the dynamic linker have it for this caller? */
static inline bool
hpm_real_is_of(const struct hpm_real *real, const void *caller)
{
    return (uintptr_t)caller - real->from <
           atomic_load_explicit(&real->size, memory_order_relaxed);
}

/* Before its functions are looked for: no function of the list's library is one of
 * another library. */
void hpm_real_add_list(const struct hpm_wrapped_list *list);

/* Look among the libraries that the program loaded at its start; false where none
 * has the function (then a plug-in may bring it). */
bool hpm_real_look_ahead(struct hpm_wrapped *function);

/* Find the function for this caller, now.  Ends the program as the dynamic linker
 * does where there is none.  Any thread; it must be calm. */
struct hpm_real *hpm_real_look(struct hpm_wrapped *function,
                               const void *caller);

/* After a dlclose: other callers may be where some were. */
void hpm_real_forget_callers(void);

#endif
