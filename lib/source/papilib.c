/* SPDX-License-Identifier: BSD-3-Clause
 * libpapi, loaded when the first event needs it. */
#include "config.h"

#include "source/papilib.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "host/descriptor.h"
#include "host/forklock.h"
#include "host/stack.h"
#include "host/standard.h"
#include "source/obstacle.h"
#include "source/perf.h"

enum {
    /* PAPI_library_init takes 27.5 KB in PAPI 7.0, measured */
    STACK_FOR_INIT = 64 << 10,
    DESCRIPTORS_FOR_INIT = 8,
    /* PAPI keeps numbers of threads in an int, and an attached set's with the
     * kernel's ids (below 2^22) in the same list */
    FIRST_THREAD_NUMBER = 1 << 30
};

struct hpm_papilib hpm_papilib;

static struct {
    struct hpm_forklock lock;
    bool is_loaded;
    bool is_refused; /* for good: see why */
    pid_t pid;       /* for which it is ready; 0: for none yet */
    struct hpm_error why;
} library;

void
hpm_papilib_lock(void)
{
    hpm_forklock_take(&library.lock, getpid());
}

void
hpm_papilib_unlock(void)
{
    hpm_forklock_give(&library.lock);
}

/* A number that is never given twice: PAPI would take a thread with the number
 * of one that has ended for that one, and pthread_self() is used again. */
static unsigned long
thread_number(void)
{
    static atomic_int next = FIRST_THREAD_NUMBER;
    static _Thread_local int number;

    if (number == 0)
        number = atomic_fetch_add(&next, 1);
    return (unsigned long)number;
}

/* ISO C has no conversion from object to function pointer. */
static bool
find_call(void *handle, const char *name, void *ret_function)
{
    void *symbol = dlsym(handle, name);

    if (symbol == NULL)
        return hpm_error_set(&library.why,
                             "'%s' has no %s: it is another "
                             "version or no PAPI",
                             PAPI_SONAME, name);
    memcpy(ret_function, &symbol, sizeof symbol);
    return true;
}

#define FIND_CALL(name)                                                        \
    if (!find_call(handle, "PAPI_" #name, &hpm_papilib.name))                  \
        return false;

static bool
find_calls(void *handle)
{
    HPM_PAPILIB_CALLS(FIND_CALL)
    return true;
}

/* nodelete: threads still hold its tables when a plug-in that brought us is
 * closed. */
static bool
load(void)
{
    void *handle = dlopen(PAPI_SONAME, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    bool is_program_s = handle != NULL;

    if (handle == NULL)
        handle = dlopen(PAPI_FILE, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL)
        return hpm_error_set(&library.why,
                             "'%s' cannot be loaded; install "
                             "PAPI (on Debian and Ubuntu "
                             "libpapi-dev brings it), or name "
                             "its folder in LD_LIBRARY_PATH",
                             PAPI_FILE);
    if (!find_calls(handle))
        return false;
    if (is_program_s && hpm_papilib.is_initialized() != PAPI_NOT_INITED)
        return hpm_error_set(&library.why, "this program uses PAPI itself; "
                                           "leave its counters to it, and name "
                                           "events of the kernel here");
    return true;
}

/* PAPI compares process ids: in a forked child this starts it anew. */
static bool
initialize(void)
{
    struct hpm_standard_hold hold;
    int version;

    hpm_standard_hold(&hold);
    version = hpm_papilib.library_init(PAPI_VER_CURRENT);
    if (version == PAPI_VER_CURRENT)
        hpm_papilib.thread_init(thread_number);
    hpm_standard_release(&hold);
    if (version == PAPI_VER_CURRENT)
        return true;
    if (version > 0)
        return hpm_error_set(&library.why,
                             "'%s' is PAPI %d.%d, but %d.%d was "
                             "expected",
                             PAPI_SONAME, PAPI_VERSION_MAJOR(version),
                             PAPI_VERSION_MINOR(version),
                             PAPI_VERSION_MAJOR(PAPI_VERSION),
                             PAPI_VERSION_MINOR(PAPI_VERSION));
    return hpm_error_set(&library.why, "PAPI does not start (error %d)",
                         version);
}

/* PAPI ends the program by err(3) where it has no descriptor for a file of
 * /sys. */
static bool
has_room(struct hpm_error *err)
{
    if (hpm_stack_free() < STACK_FOR_INIT)
        return hpm_error_set(err,
                             "this thread has less than %d KB of stack "
                             "left, which PAPI needs to start; call "
                             "hpmInit in the main thread",
                             STACK_FOR_INIT >> 10);
    if (!hpm_descriptor_has_room(DESCRIPTORS_FOR_INIT)) {
        hpm_obstacle_explain(EMFILE, err);
        return false;
    }
    return true;
}

void
hpm_papilib_leave_parent(void)
{
    if (library.pid != 0 && library.pid != getpid())
        hpm_papilib.unregister_thread();
}

const struct hpm_papilib *
hpm_papilib_get(struct hpm_error *err)
{
    int saved_errno = errno;

    if (library.pid == getpid() && hpm_papilib_is_up())
        return &hpm_papilib;
    if (library.pid == getpid()) {
        hpm_error_set(&library.why, "the program has shut PAPI down");
        library.is_refused = true;
    }
    if (!library.is_refused && !has_room(err))
        return NULL;
    if (!library.is_refused) {
        library.is_loaded = library.is_loaded || load();
        library.is_refused = !library.is_loaded || !initialize();
        library.pid = library.is_refused ? 0 : getpid();
    }
    errno = saved_errno;
    if (!library.is_refused)
        return &hpm_papilib;
    *err = library.why;
    return NULL;
}
