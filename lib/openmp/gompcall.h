/* SPDX-License-Identifier: BSD-3-Clause
 * The calls by which code from gcc uses its runtime, libgomp, which tells no tool: this
 * library takes them first, and passes them on. */
#ifndef HPM_OPENMP_GOMPCALL_H
#define HPM_OPENMP_GOMPCALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "openmp/ompthread.h"

/* Any function; the caller casts it to the function's type. */
typedef void hpm_gompcall(void);

/* The runtime's own function, for callers in one part of the memory: all, or a plug-in's
 * that brings a runtime for itself alone, as another plug-in may bring another one. */
struct hpm_gompfound {
    uintptr_t begin, size; /* where the callers are */
    hpm_gompcall *function;
    struct hpm_gompfound *next;
};

/* The function of the program's that this thread executes in a region or task: where the
 * caller returns to this library (a tail call), it was this function. */
extern __thread const void *hpm_gompcall_inside
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* The function, found among the libraries that the program has loaded, or among those that
 * the object with the address `caller` needs, and kept in the list.  Ends the program with
 * a message where there is none: then nobody could have called this library. */
hpm_gompcall *hpm_gompcall_search(struct hpm_gompfound *_Atomic *list,
                                  const char *name, const void *caller)
    __attribute__((cold));

static inline hpm_gompcall *
hpm_gompcall_find(struct hpm_gompfound *_Atomic *list, const char *name,
                  const void *caller)
{
    for (const struct hpm_gompfound *each =
             atomic_load_explicit(list, memory_order_acquire);
         each != NULL; each = each->next) {
        if ((uintptr_t)caller - each->begin < each->size)
            return each->function;
    }
    return hpm_gompcall_search(list, name, caller);
}

/* Do these calls tell what threads do?  No if the runtime tells by itself: LLVM's has
 * them, too. */
bool hpm_gompcall_tells(void);

/* The calling thread; NULL: this call tells nothing. */
static inline struct hpm_ompthread *
hpm_gompcall_thread(void)
{
    return hpm_gompcall_tells() ? hpm_ompthread_get() : NULL;
}

/* The calling thread's number in its team, by the runtime of this function of the
 * program's. */
unsigned hpm_gompcall_number(const void *work);

/* How many threads its team has. */
unsigned hpm_gompcall_size(const void *work);

/* The runtime's function `name`, as a pointer of its type, for a caller. */
#define HPM_GOMPCALL_OF(name, caller)                                          \
    ({                                                                         \
        static struct hpm_gompfound *_Atomic list_;                            \
                                                                               \
        (__typeof__(&name))hpm_gompcall_find(&list_, #name, caller);           \
    })
#define HPM_GOMPCALL_REAL(name)                                                \
    HPM_GOMPCALL_OF(name, __builtin_return_address(0))

#endif
