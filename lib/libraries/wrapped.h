/* SPDX-License-Identifier: BSD-3-Clause
 * What functions that lib/libraries/wrap.awk makes want of libhpm_libraries.
 *
 * Such a function has the name of a library's function, is loaded before that
 * library (LD_PRELOAD), and calls the library's own between a begin and an end.
 * hpmwrap(1) compiles users' lists with this header, so that it includes nothing of
 * ours but libhpm.h.  All but what the lists give is libhpm_libraries' own: it stands
 * here because the quick way of a call is part of each function.  libhpm_libraries
 * takes no list of another version. */
#ifndef HPM_LIBRARIES_WRAPPED_H
#define HPM_LIBRARIES_WRAPPED_H

#include <libhpm.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { HPM_WRAPPED_VERSION = 2 };

struct hpm_wrapped_list;

enum hpm_wrapped_when {
    HPM_MEASURED_NEVER,
    HPM_MEASURED_ALWAYS,
    HPM_MEASURED_OUTERMOST /* where no other function of its list is open */
};

/* A function of a library.  Lives for ever, and so does the library. */
struct hpm_real {
    void *address;
    bool is_quick; /* measured always, and of all callers */
    enum hpm_wrapped_when measured;
    /* the callers whose function this is: those within these addresses; size 0:
     * their object may have been unloaded */
    uintptr_t from, whole;
    _Atomic uintptr_t size;    /* 0 or `whole` */
    struct hpm_call_site site; /* label, and the library's name as the file */
    int id;
    struct hpm_real *next;       /* of the same name, for other callers */
    struct hpm_real *next_known; /* of all */
};

/* A function of the list.  The last two members are libhpm_libraries' own. */
struct hpm_wrapped {
    const char *name;  /* the function's name for the linker */
    const char *label; /* of its section */
    const struct hpm_wrapped_list *list;

    bool is_wanted;
    struct hpm_real *_Atomic found; /* the library's function */
};

struct hpm_wrapped_list {
    int version; /* HPM_WRAPPED_VERSION */
    const char *name;
    /* calls of these functions that another one of them makes belong to it */
    bool is_outermost;
    struct hpm_wrapped *const *functions; /* ended by NULL */
    /* dlsym(RTLD_NEXT, name), called by the library that has the functions */
    void *(*find_next)(const char *name);
};

/* One call, on the stack of the function.  Stacks grow down, so its address tells
 * which calls are inside of which. */
struct hpm_wrapped_call {
    bool is_open; /* its section was started */
    int id;       /* of that section */
};

enum { HPM_MOST_UNITS = 4 }; /* of work of a call */

/* What a call has done of one unit, with the calls inside it. */
struct hpm_workdone {
    const char *unit;
    long long amount;
};

struct hpm_opencalls {
    uintptr_t at; /* of the innermost call; UINTPTR_MAX: none is open */
    unsigned n, room;
    uintptr_t lowest, size; /* the thread's own stack */
    struct hpm_opencall {
        uintptr_t at; /* the call's hpm_wrapped_call */
        const struct hpm_real *real;
        const struct hpm_wrapped_list *list;
        unsigned n_units;
        struct hpm_workdone work[HPM_MOST_UNITS];
    } * calls; /* room for `room` */
};

#pragma GCC visibility push(default)

/* Before the program's own code: take the list. */
void hpm_private_wrapped_add(const struct hpm_wrapped_list *list);

/* The function is called from the address `caller`: start its section.  Returns
 * the library's function, which must be called next.  Ends the program as the
 * dynamic linker does where there is no such function. */
void *hpm_private_wrapped_begin(struct hpm_wrapped *function,
                                struct hpm_wrapped_call *call,
                                const void *caller);

/* The library's function has returned, and has done so much, with the calls inside
 * it.  Units live for ever. */
void hpm_private_wrapped_work(const struct hpm_wrapped_call *call,
                              long long amount, const char *unit);

/* The call ends, by a return or by an exception. */
void hpm_private_wrapped_end(const struct hpm_wrapped_call *call);

/* Has the library of this call integers of 64 bits (ILP64)? */
bool hpm_private_wrapped_has_long(const struct hpm_wrapped_call *call);

/* After a dlclose. */
void hpm_private_wrapped_forget_callers(void);

/* What the call behind the innermost one did, which has ended, is part of what that
 * does. */
void hpm_private_wrapped_hand_up(struct hpm_opencalls *open);

/* Of the calling thread.  busy_at is the stack's address in a begin or end that is at
 * work, 0 for none: libhpm and a signal handler may call a function of the lists,
 * too. */
struct hpm_wrapped_self {
    struct hpm_opencalls *open;
    volatile uintptr_t busy_at;
};
extern __thread struct hpm_wrapped_self hpm_private_wrapped_self
    __attribute__((tls_model("initial-exec")));

#pragma GCC visibility pop

/* What an argument is, or what is at an address, where only the library tells how long
 * its integers are. */
static inline long long
hpm_wrapped_integer(long value, bool is_long)
{
    return is_long ? (long long)value : (int)value;
}

static inline long long
hpm_wrapped_integer_at(const void *address, bool is_long)
{
    int64_t both;
    int32_t one;

    if (is_long)
        memcpy(&both, address, sizeof both);
    else
        memcpy(&one, address, sizeof one);
    return is_long ? both : one;
}

/* A call begins, and its section is to be started; there is room. */
static inline void
hpm_opencalls_push(struct hpm_opencalls *open, uintptr_t at,
                   const struct hpm_real *real,
                   const struct hpm_wrapped_list *list)
{
    struct hpm_opencall *top = &open->calls[open->n++];

    top->at = open->at = at;
    top->real = real;
    top->list = list;
    top->n_units = 0;
}

/* The innermost call ends, and its section was stopped. */
static inline void
hpm_opencalls_pop(struct hpm_opencalls *open)
{
    unsigned n = --open->n;

    if (__builtin_expect(open->calls[n].n_units > 0, 0))
        hpm_private_wrapped_hand_up(open);
    open->at = n > 0 ? open->calls[n - 1].at : UINTPTR_MAX;
}

/* The same as hpm_private_wrapped_begin, the quick way. */
static inline __attribute__((always_inline)) void *
hpm_wrapped_begin(struct hpm_wrapped *function, struct hpm_wrapped_call *call,
                  const void *caller)
{
    struct hpm_wrapped_self *self = &hpm_private_wrapped_self;
    struct hpm_opencalls *open = self->open;
    struct hpm_real *real =
        atomic_load_explicit(&function->found, memory_order_acquire);
    uintptr_t at = (uintptr_t)call;

    if (__builtin_expect(real == NULL || !real->is_quick || open == NULL ||
                             open->at <= at || open->n == open->room ||
                             self->busy_at != 0,
                         0))
        return hpm_private_wrapped_begin(function, call, caller);
    self->busy_at = at;
    hpm_opencalls_push(open, at, real, function->list);
    call->is_open = true;
    call->id = real->id;
    hpmTstartSite(call->id, &real->site);
    self->busy_at = 0;
    return real->address;
}

/* The same as hpm_private_wrapped_end, the quick way. */
static inline __attribute__((always_inline)) void
hpm_wrapped_end(const struct hpm_wrapped_call *call)
{
    struct hpm_wrapped_self *self = &hpm_private_wrapped_self;
    struct hpm_opencalls *open = self->open;
    uintptr_t at = (uintptr_t)call;

    if (!call->is_open)
        return;
    if (__builtin_expect(open == NULL || open->at != at || self->busy_at != 0,
                         0)) {
        hpm_private_wrapped_end(call);
        return;
    }
    self->busy_at = at;
    hpmTstopAt(call->id, NULL, 0);
    hpm_opencalls_pop(open);
    self->busy_at = 0;
}

#endif
