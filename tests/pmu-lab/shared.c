/* SPDX-License-Identifier: BSD-3-Clause
 * Sections of known length, for counters that take turns:
 *
 *     shared       sections of 1.6, 50 and 500 ms (an instruction takes a
 *                  nanosecond here), each of several calls; then one loop of
 *                  2e8 instructions, sections inside another one, and process
 *                  sections
 *
 * Their true counts are known from a run in which no counter takes turns. */
#include <libhpm.h>

enum { STEADY = 900, OUTER = 901, INNER = 902, PROCESS = 1000 };

void burn(long rounds); /* loop.S: 4 instructions a round */

static void
measure(int id, const char *label, int n_calls, long rounds)
{
    for (int i = 0; i < n_calls; i++) {
        hpmTstart(id, label);
        burn(rounds);
        hpmTstop(id);
        burn(rounds / 7);
    }
}

static void
measure_process(int id, const char *label, int n_calls, long rounds)
{
    for (int i = 0; i < n_calls; i++) {
        hpmStart(id, label);
        burn(rounds);
        hpmStop(id);
        burn(rounds / 7);
    }
}

int
main(void)
{
    hpmInit(-1, "shared");
    for (int i = 0; i < 17; i++)
        measure(100 + i, "1.6 ms", 8, 50000);
    for (int i = 0; i < 17; i++)
        measure(200 + i, "50 ms", 100, 125000);
    for (int i = 0; i < 2; i++)
        measure(300 + i, "500 ms", 100, 1250000);
    measure(STEADY, "steady", 40, 1250000);
    hpmTstart(OUTER, "outer");
    for (int i = 0; i < 200; i++) {
        hpmTstart(INNER, "inner");
        burn(100000);
        hpmTstop(INNER);
        burn(150000);
    }
    hpmTstop(OUTER);
    measure_process(PROCESS, "process", 100, 1250000);
    return 0;
}
