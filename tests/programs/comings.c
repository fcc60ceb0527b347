/* SPDX-License-Identifier: BSD-3-Clause
 * The threads of tests/pmu-lab/lives.c where they are not written by hand: they
 * differ only by a section. */
#include <libhpm.h>
#include <stddef.h>

void *plain_thread(void *rounds);
void *measuring_thread(void *rounds);
void *thread_with_site(void *rounds);
void *thread_of_fortran(void *rounds);

void f_hpmtstart_(const int *id, const char *label, size_t length);
void f_hpmtstop_(const int *id);

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
    hpmTstartAt(1, "life", __FILE__, __LINE__);
    burn((long)rounds);
    hpmTstop(1);
    return NULL;
}

void *
thread_with_site(void *rounds)
{
    hpmTstart(1, "life");
    burn((long)rounds);
    hpmTstop(1);
    return NULL;
}

void *
thread_of_fortran(void *rounds)
{
    const int id = 1;

    f_hpmtstart_(&id, "life", 4);
    burn((long)rounds);
    f_hpmtstop_(&id);
    return NULL;
}
