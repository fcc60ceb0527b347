/* SPDX-License-Identifier: BSD-3-Clause
 * The calls by which code from gcc uses its runtime, libgomp, which tells no tool: this
 * library takes them first, and passes them on. */
#ifndef HPM_OPENMP_GOMPCALL_H
#define HPM_OPENMP_GOMPCALL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "openmp/ompthread.h"

/* Any function; the caller casts it to the function's type. */
typedef void hpm_gompcall(void);

/* The runtime's own function, found once among the libraries that the program has loaded,
 * among those that the object with the address `caller` needs, and in the runtime that an
 * earlier call found so (for calls of this library's own).  Ends the program with
 * a message where there is none: then nobody could have called this library. */
hpm_gompcall *hpm_gompcall_search(hpm_gompcall *_Atomic *found,
                                  const char *name, const void *caller)
    __attribute__((cold));

/* Do these calls tell what threads do?  No if the runtime tells by itself: LLVM's has
 * them, too. */
bool hpm_gompcall_tells(void);

/* The calling thread; NULL: this call tells nothing. */
static inline struct hpm_ompthread *
hpm_gompcall_thread(void)
{
    return hpm_gompcall_tells() ? hpm_ompthread_get() : NULL;
}

/* The calling thread's number in its team, by the runtime. */
unsigned hpm_gompcall_number(void);

/* The runtime's function `name`, as a pointer of its type. */
#define HPM_GOMPCALL_REAL(name)                                                \
    ({                                                                         \
        static hpm_gompcall *_Atomic found_;                                   \
        hpm_gompcall *call_ =                                                  \
            atomic_load_explicit(&found_, memory_order_acquire);               \
                                                                               \
        if (call_ == NULL)                                                     \
            call_ = hpm_gompcall_search(&found_, #name,                        \
                                        __builtin_return_address(0));          \
        (__typeof__(&name))call_;                                              \
    })

#endif
