/* SPDX-License-Identifier: BSD-3-Clause
 * A plug-in for tests/programs/unchanged, also without libhpm. */
void in_plugin(void);

static volatile double sink;

void
in_plugin(void)
{
    double sum = 0.0;

    for (long i = 0; i < 60000000; i++) {
        sum += (double)i;
        __asm__ volatile("# in_plugin" : "+r"(i));
    }
    sink = sum;
}
