/* SPDX-License-Identifier: BSD-3-Clause
 * A signal handler on a stack of its own leaves by longjmp from within a hook, which
 * asks the program's allocator for memory; then the same function is called again.
 * Linked with the C++ run time, whose demangler the hook calls. */
#include <csetjmp>
#include <csignal>
#include <cstdlib>

#include "counted.h"

extern "C" void *__libc_realloc(void *bytes, size_t size);

static sigjmp_buf before;
static volatile bool is_armed;

extern "C" UNSEEN void *
realloc(void *bytes, size_t size)
{
    if (is_armed) {
        is_armed = false;
        raise(SIGUSR1);
    }
    return __libc_realloc(bytes, size);
}

static UNSEEN void
leave(int)
{
    siglongjmp(before, 1);
}

APART static void
first()
{
    called("first()");
}

APART static void
work()
{
    called("work()");
}

UNSEEN int
main()
{
    static char bytes[1 << 16];
    struct sigaction action = {};
    stack_t stack = {};

    stack.ss_sp = bytes;
    stack.ss_size = sizeof bytes;
    sigaltstack(&stack, nullptr);
    action.sa_handler = leave;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, nullptr);
    first();
    if (sigsetjmp(before, 1) == 0)
        is_armed = true;
    for (int i = 0; i < 100; i++)
        work();
    print_counted();
    return 3;
}
