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

/* Stands for all functions that are not measured. */
extern struct hpm_function hpm_function_off
    __attribute__((visibility("hidden")));

static inline bool
hpm_function_is_trusted(const struct hpm_function *function)
{
    return atomic_load_explicit(&function->is_trusted, memory_order_relaxed);
}

struct hpm_function_slot {
    _Atomic uintptr_t address; /* 0: free */
    _Atomic(struct hpm_function *) function;
};

struct hpm_function_table {
    size_t n;
    unsigned shift; /* 64 less the bits of a slot's number */
    size_t mask;    /* number of slots - 1 */
    struct hpm_function_slot slots[];
};

extern _Atomic(struct hpm_function_table *) hpm_function_known
    __attribute__((visibility("hidden")));

static inline size_t
hpm_function_hash(const struct hpm_function_table *table, uintptr_t address)
{
    return (size_t)((uint64_t)address * 0x9e3779b97f4a7c15u >> table->shift);
}

/* The function at this address; NULL when it must be looked at first.  Any
 * thread. */
static inline struct hpm_function *
hpm_function_find(uintptr_t address)
{
    struct hpm_function_table *table =
        atomic_load_explicit(&hpm_function_known, memory_order_acquire);
    size_t i = hpm_function_hash(table, address);

    for (;; i = (i + 1) & table->mask) {
        struct hpm_function_slot *slot = &table->slots[i];
        uintptr_t here =
            atomic_load_explicit(&slot->address, memory_order_acquire);

        if (here == address)
            return atomic_load_explicit(&slot->function, memory_order_acquire);
        if (here == 0)
            return NULL;
    }
}

/* Begin with what HPM_FUNCTIONS says; false when memory runs out.  One thread, before
 * all else. */
bool hpm_function_begin(const char *choice);

/* Look at the function at this address: find its name, whether it is measured, and
 * remember that.  Never NULL.  Any thread, which may wait; it must be calm. */
struct hpm_function *hpm_function_look(uintptr_t address);

/* The trial of a function has ended so; it must be calm. */
void hpm_function_judge(struct hpm_function *function, uintptr_t address,
                        enum hpm_trial_verdict verdict);

/* After a dlclose: forget the functions of what is gone. */
void hpm_function_forget_gone(void);

/* Say at the end of the program what the user would not see otherwise: that no
 * function was chosen, and which ones were too short. */
void hpm_function_say_end(void);

#endif
