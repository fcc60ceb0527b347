/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured where. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

/* Keep where the clocks stand, for the length of a tick. */
void bench_machine_begin(void);

/* Ticks per nanosecond since then, where the tick register keeps the nominal
 * rate of the processor's cycles; NAN elsewhere. */
double bench_machine_cycles_per_ns(void);

/* Two lines: processor, system, compiler, clock, PAPI, load.  `anchor` is the
 * program that knows PAPI's version, NULL for none. */
void bench_machine_print(const char *anchor);

#endif
