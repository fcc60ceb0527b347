/* SPDX-License-Identifier: BSD-3-Clause
 * A pair compiled away. */
#define HPM_OFF
#include <libhpm.h>

#include "job.h"
#include "timing.h"

void
bench_run_off(long n)
{
    for (long i = 0; i < n; i++) {
        KEEP(i);
        hpmTstart(1, "pair");
        hpmTstop(1);
    }
}

void
bench_run_loop(long n)
{
    for (long i = 0; i < n; i++)
        KEEP(i);
}
