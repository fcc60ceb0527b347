/* SPDX-License-Identifier: BSD-3-Clause
 * Do the processor's counters count what every program does? */
#ifndef HPM_SELFTEST_H
#define HPM_SELFTEST_H

struct hpm_selftest {
    const char *event; /* name used here; a constant */
    enum {
        HPM_SELFTEST_COUNTS,
        HPM_SELFTEST_ZERO,    /* is accepted and reads 0 */
        HPM_SELFTEST_REFUSED, /* cannot be opened: see `error` */
    } result;
    int error; /* errno of perf_event_open */
};

enum { HPM_N_SELFTESTS = 4 };

/* Count cycles, instructions, branches and memory accesses of a busy loop; none
 * of them can be 0. */
void hpm_selftest_run(struct hpm_selftest ret_tests[HPM_N_SELFTESTS]);

#endif
