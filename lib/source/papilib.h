/* SPDX-License-Identifier: BSD-3-Clause
 * libpapi, loaded when the first event needs it and never linked: a program
 * that counts nothing through PAPI does not load it, and a library that is
 * missing or another version costs nothing but the events. */
#ifndef HPM_SOURCE_PAPILIB_H
#define HPM_SOURCE_PAPILIB_H

#include <papi.h>
#include <stdbool.h>

#include "base/error.h"

/* Each becomes a member of struct hpm_papilib. */
#define HPM_PAPILIB_CALLS(CALL)                                                \
    CALL(add_named_event)                                                      \
    CALL(assign_eventset_component)                                            \
    CALL(attach)                                                               \
    CALL(cleanup_eventset)                                                     \
    CALL(create_eventset)                                                      \
    CALL(destroy_eventset)                                                     \
    CALL(enum_cmp_event)                                                       \
    CALL(enum_event)                                                           \
    CALL(event_code_to_name)                                                   \
    CALL(event_name_to_code)                                                   \
    CALL(get_component_info)                                                   \
    CALL(get_event_component)                                                  \
    CALL(get_event_info)                                                       \
    CALL(get_opt)                                                              \
    CALL(is_initialized)                                                       \
    CALL(library_init)                                                         \
    CALL(num_components)                                                       \
    CALL(query_event)                                                          \
    CALL(read)                                                                 \
    CALL(set_opt)                                                              \
    CALL(start)                                                                \
    CALL(stop)                                                                 \
    CALL(strerror)                                                             \
    CALL(thread_init)                                                          \
    CALL(unregister_thread)

#define HPM_PAPILIB_MEMBER(name) __typeof__(PAPI_##name) *name;

struct hpm_papilib {
    HPM_PAPILIB_CALLS(HPM_PAPILIB_MEMBER)
};

/* The library, ready for this process; NULL with the reason, which is the same
 * every time, when it cannot be had.  In a forked child the first call makes
 * it ready anew.  Keeps descriptors 0 to 2 free, and wants 64 KB of stack when
 * there is something to be done.  With the lock below held. */
const struct hpm_papilib *hpm_papilib_get(struct hpm_error *err)
    __attribute__((cold));

/* The same where hpm_papilib_get has succeeded in this process; any thread. */
extern struct hpm_papilib hpm_papilib __attribute__((visibility("hidden")));

/* Has the program not shut PAPI down?  Its calls would crash then. */
static inline bool
hpm_papilib_is_up(void)
{
    return hpm_papilib.is_initialized() != PAPI_NOT_INITED;
}

/* In a forked child, by the thread that forked, before it does anything else
 * with PAPI: have PAPI forget what it knew of this thread in the parent.  Where
 * another thread of the child makes the library ready, PAPI would go on taking
 * this thread for the parent's, whose sets are running.  Nobody must have
 * changed PAPI's tables during the fork. */
void hpm_papilib_leave_parent(void);

/* PAPI's calls that open, list and close are made one at a time: its tables
 * are shared, and the descriptors it opens are found by comparison. */
void hpm_papilib_lock(void);
void hpm_papilib_unlock(void);

#endif
