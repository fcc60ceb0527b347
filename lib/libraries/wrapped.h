/* SPDX-License-Identifier: BSD-3-Clause
 * What functions that lib/libraries/wrap.awk makes want of libhpm_libraries.
 *
 * Such a function has the name of a library's function, is loaded before that
 * library (LD_PRELOAD), and calls the library's own between a begin and an end.
 * hpmwrap(1) compiles users' lists with this header, so that it includes nothing
 * of ours.  libhpm_libraries takes no list of another version. */
#ifndef HPM_LIBRARIES_WRAPPED_H
#define HPM_LIBRARIES_WRAPPED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { HPM_WRAPPED_VERSION = 1 };

struct hpm_real;
struct hpm_wrapped_list;

/* A function of the list.  The last two members are libhpm_libraries' own. */
struct hpm_wrapped {
    const char *name;  /* the function's name for the linker */
    const char *label; /* of its section */
    bool has_work;     /* its arguments tell what it does */
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
    unsigned
        depth;     /* the number of calls open with this one; 0: not measured */
    bool has_work; /* its work is wanted */
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
 * it; only of a call that has_work.  Units live for ever. */
void hpm_private_wrapped_work(const struct hpm_wrapped_call *call,
                              long long amount, const char *unit);

/* The call ends, by a return or by an exception. */
void hpm_private_wrapped_end(const struct hpm_wrapped_call *call);

/* After a dlclose. */
void hpm_private_wrapped_forget_callers(void);

#pragma GCC visibility pop

#endif
