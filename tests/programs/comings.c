/* SPDX-License-Identifier: BSD-3-Clause
 * The threads of tests/pmu-lab/lives.c, where they are not written by hand:
 * they differ by a section alone. */
#include <libhpm.h>
#include <stddef.h>

void *plain_thread(void *rounds);
void *measuring_thread(void *rounds);

static void
burn(long rounds)
{
    for (long i = 0; i < rounds; i++)
        __asm__ volatile("");
}

void *
plain_thread(void *rounds)
{
    burn((long)rounds);
    return NULL;
}

void *
measuring_thread(void *rounds)
{
    hpmTstart(1, "life");
    burn((long)rounds);
    hpmTstop(1);
    return NULL;
}
