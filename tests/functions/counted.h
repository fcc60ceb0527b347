/* SPDX-License-Identifier: BSD-3-Clause
 * Test programs of libhpm_functions: each function counts its own calls, and the
 * program prints "NAME COUNT" of each at the end. */
#ifndef COUNTED_H
#define COUNTED_H

#include <stdio.h>
#include <string.h>

#define UNSEEN __attribute__((no_instrument_function))
#define APART __attribute__((noinline))

static struct {
    const char *name;
    long n;
} counted[64];

static UNSEEN void
called(const char *name)
{
    int i = 0;

    while (counted[i].name != NULL && strcmp(counted[i].name, name) != 0)
        i++;
    counted[i].name = name;
    __atomic_add_fetch(&counted[i].n, 1, __ATOMIC_RELAXED);
}

static UNSEEN void
print_counted(void)
{
    for (int i = 0; counted[i].name != NULL; i++)
        printf("%s %ld\n", counted[i].name, counted[i].n);
    fflush(stdout);
}

#endif
