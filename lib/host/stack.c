/* SPDX-License-Identifier: BSD-3-Clause
 * How much stack the calling thread has left. */
#include "host/stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

/* Stacks grow downwards on every machine we build for. */
static size_t
free_below(uintptr_t here, uintptr_t lowest, size_t size)
{
    return here >= lowest && here - lowest < size ? here - lowest : 0;
}

/* The main thread's stack grows up to a limit.  Its top: the C library would
 * read /proc for it, and use malloc; but the kernel has put some random bytes
 * there, whose address we know. */
static size_t
free_in_main_thread(uintptr_t here)
{
    uintptr_t top = (uintptr_t)getauxval(AT_RANDOM);
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 ||
        limit.rlim_cur == RLIM_INFINITY || here > top)
        return SIZE_MAX;
    return top - here < limit.rlim_cur ? limit.rlim_cur - (top - here) : 0;
}

/* True in a child forked by a thread other than the main one: there that thread
 * is the main thread, but keeps its own stack. */
static __thread bool is_on_own_stack;

static bool
is_on_main_stack(void)
{
    return getpid() == gettid() && !is_on_own_stack;
}

void
hpm_stack_note_fork(void)
{
    is_on_own_stack = !is_on_main_stack();
}

static bool
find_of_main_thread(uintptr_t *ret_lowest, size_t *ret_size)
{
    uintptr_t top = (uintptr_t)getauxval(AT_RANDOM);
    struct rlimit limit;

    if (top == 0 || getrlimit(RLIMIT_STACK, &limit) != 0)
        return false;
    *ret_size = limit.rlim_cur < top ? (size_t)limit.rlim_cur : (size_t)top / 2;
    *ret_lowest = top - *ret_size;
    return true;
}

bool
hpm_stack_find(uintptr_t *ret_lowest, size_t *ret_size)
{
    pthread_attr_t attributes;
    void *lowest = NULL;

    if (is_on_main_stack())
        return find_of_main_thread(ret_lowest, ret_size);
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    pthread_attr_getstack(&attributes, &lowest, ret_size);
    pthread_attr_destroy(&attributes);
    *ret_lowest = (uintptr_t)lowest;
    return true;
}

size_t
hpm_stack_free(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    pthread_attr_t attributes;
    stack_t handlers;
    void *lowest = NULL;
    size_t size = 0, guard = 0;

    if (sigaltstack(NULL, &handlers) == 0 && (handlers.ss_flags & SS_ONSTACK))
        return free_below(here, (uintptr_t)handlers.ss_sp, handlers.ss_size);
    if (is_on_main_stack())
        return free_in_main_thread(here);
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_getguardsize(&attributes, &guard);
    pthread_attr_destroy(&attributes);
    size = free_below(here, (uintptr_t)lowest, size);
    return size > guard ? size - guard : 0;
}
