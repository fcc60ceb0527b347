/* SPDX-License-Identifier: BSD-3-Clause
 * libpapi, loaded when the first event needs it and never linked: a program
 * that counts nothing by PAPI does not load it, and if the library is missing
 * or has another version, only PAPI's events cannot be counted. */
#ifndef HPM_SOURCE_PAPILIB_H
#define HPM_SOURCE_PAPILIB_H

#include <papi.h>
#include <stdbool.h>

#include "base/error.h"

/* Each call becomes a member of struct hpm_papilib. */
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

/* The library, initialized for this process; NULL if that fails, with the same
 * reason each time.  In a forked child the first call initializes it anew.
 * Keeps descriptors 0 to 2 free, and needs 64 KB of stack when there is
 * something to do.  Call it with the lock below held. */
const struct hpm_papilib *hpm_papilib_get(struct hpm_error *err)
    __attribute__((cold));

/* The same library, once hpm_papilib_get has succeeded in this process; any
 * thread. */
extern struct hpm_papilib hpm_papilib __attribute__((visibility("hidden")));

/* Is PAPI still initialized?  If the program has shut it down, PAPI's calls
 * would crash. */
static inline bool
hpm_papilib_is_up(void)
{
    return hpm_papilib.is_initialized() != PAPI_NOT_INITED;
}

/* In a forked child, call this in the thread that forked, before anything else
 * with PAPI: PAPI then forgets what it knew of this thread in the parent.
 * Otherwise, if another thread of the child initializes the library, PAPI would
 * take this thread for the parent's, with running sets.  No thread may have
 * changed PAPI's tables during the fork. */
void hpm_papilib_leave_parent(void);

/* Take the lock for PAPI's calls that open, list and close: PAPI's tables are
 * shared, and we find the descriptors it opens by comparing before and
 * after. */
void hpm_papilib_lock(void);
void hpm_papilib_unlock(void);

#endif
