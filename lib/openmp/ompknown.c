/* SPDX-License-Identifier: BSD-3-Clause
 * Which states of its threads the program's OpenMP runtime tells tools of. */
#include "openmp/ompknown.h"

#include <stdatomic.h>

static atomic_bool has_begun;
static atomic_uint lacking; /* a bit for each state */

void
hpm_ompknown_begin(unsigned missing)
{
    atomic_store(&lacking, missing);
    atomic_store(&has_begun, true);
}

bool
hpm_ompknown_has_begun(void)
{
    return atomic_load(&has_begun);
}

bool
hpm_ompknown_lacks(enum hpm_ompstate state)
{
    return (atomic_load(&lacking) >> state & 1) != 0;
}
