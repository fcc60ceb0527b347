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
#include "session/handover.h"

/* Does the dynamic linker have it for this caller? */
static inline bool
hpm_real_is_of(const struct hpm_real *real, const void *caller)
{
    return (uintptr_t)caller - real->from <
           atomic_load_explicit(&real->size, memory_order_relaxed);
}

/* Before all else; `loan` is of libhpm. */
void hpm_real_begin(const struct hpm_loan *loan);

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

/* Says the file name of a library that it has integers of 64 bits (ILP64)? */
bool hpm_real_has_long(const char *library);

/* Is this address libhpm's? */
bool hpm_real_is_ours(const void *caller);

/* After a dlclose: other callers may be where some were. */
void hpm_real_forget_callers(void);

#endif
