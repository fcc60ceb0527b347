/* SPDX-License-Identifier: BSD-3-Clause
 * A plug-in whose constructor waits for a thread. */
#include <pthread.h>
#include <stdio.h>

__attribute__((noinline)) static void *work(void *ignored) __asm__("_Z4workPv");

__attribute__((noinline)) static void *
work(void *ignored)
{
    puts("work");
    return ignored;
}

__attribute__((constructor, no_instrument_function)) static void
begin(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}
