/* SPDX-License-Identifier: BSD-3-Clause
 * A plug-in for tests/programs/unchanged, also without libhpm. */
#include "worked.h"

void in_plugin(void);

static volatile double sink;

void
in_plugin(void)
{
    double sum = 0.0;

    for (struct worked worked = begin_work(); goes_on(&worked);) {
        for (long i = 0; i < WORK_ROUNDS; i++) {
            sum += (double)i;
            __asm__ volatile("# in_plugin" : "+r"(i));
        }
    }
    sink = sum;
}
