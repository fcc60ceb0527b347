/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of the measured program that were called, by address: which of them
 * are measured, and as which section.
 *
 * Finding a known function takes no lock.  An entry lives for ever: threads may hold
 * it while its plug-in is unloaded. */
#ifndef HPM_FUNCTIONS_FUNCTION_H
#define HPM_FUNCTIONS_FUNCTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functions/trial.h"
#include "libhpm.h"
#include "session/handover.h"

struct hpm_function {
    struct hpm_call_site
        site; /* the section: its label is the function's name */
    int id;   /* the section's; of this function alone */
    /* it is measured, and long enough for that, or nobody asks */
    atomic_bool is_trusted;
    size_t size; /* of its code, in bytes; 0: not known */
    struct hpm_trial trial;
    uintptr_t address;
    unsigned number;           /* that its id is made of */
    bool is_short;             /* measured no further */
    bool is_gone;              /* its plug-in was unloaded */
    struct hpm_function *next; /* with ids alike */
};

/* Stand for all functions that are not measured, and for those that must be looked at
 * first. */
extern struct hpm_function hpm_function_off,
    hpm_function_unknown __attribute__((visibility("hidden")));

static inline bool
hpm_function_is_trusted(const struct hpm_function *function)
{
    return atomic_load_explicit(&function->is_trusted, memory_order_relaxed);
}

struct hpm_function_slot {
    _Atomic uintptr_t address; /* 0: free */
    _Atomic(struct hpm_function *) function;
};

/* The slots' address, and in its lowest 6 bits how far a hash is shifted: 64 less the
 * bits of a slot's number.  One word for both saves a hook the time of a load. */
extern _Atomic uintptr_t hpm_function_known
    __attribute__((visibility("hidden")));

enum { HPM_FUNCTION_SHIFTS = 64 };

static inline struct hpm_function_slot *
hpm_function_slots(uintptr_t table)
{
    return (struct hpm_function_slot *)(table &
                                        -(uintptr_t)HPM_FUNCTION_SHIFTS);
}

static inline unsigned
hpm_function_shift(uintptr_t table)
{
    return table % HPM_FUNCTION_SHIFTS;
}

static inline size_t
hpm_function_hash(uintptr_t table, uintptr_t address)
{
    return (size_t)((uint64_t)address * 0x9e3779b97f4a7c15u >>
                    hpm_function_shift(table));
}

/* The function at this address, which is not in the slot where it would be first. */
struct hpm_function *hpm_function_search(uintptr_t address);

/* The function at this address.  Any thread. */
static inline struct hpm_function *
hpm_function_find(uintptr_t address)
{
    uintptr_t table =
        atomic_load_explicit(&hpm_function_known, memory_order_acquire);
    struct hpm_function_slot *slot =
        &hpm_function_slots(table)[hpm_function_hash(table, address)];

    if (__builtin_expect(atomic_load_explicit(&slot->address,
                                              memory_order_acquire) == address,
                         1))
        return atomic_load_explicit(&slot->function, memory_order_acquire);
    return hpm_function_search(address);
}

/* Begin with what HPM_FUNCTIONS says; false when memory runs out.  `loan` is of libhpm.
 * One thread, before all else. */
bool hpm_function_begin(const char *choice, const struct hpm_loan *loan);

/* Look at the function at this address, which has hooks of this kind: find its name,
 * whether it is measured, and remember that.  Never NULL.  Any thread, which may wait;
 * it must be calm. */
struct hpm_function *hpm_function_look(uintptr_t address, enum hpm_via via);

/* The trial of a function has ended so; it must be calm. */
void hpm_function_judge(struct hpm_function *function, uintptr_t address,
                        enum hpm_trial_verdict verdict);

/* After a dlclose: forget the functions of what is gone. */
void hpm_function_forget_gone(void);

/* Say at the end of the program what the user would not see otherwise: that no
 * function was chosen, and which ones were too short. */
void hpm_function_say_end(void);

#endif
