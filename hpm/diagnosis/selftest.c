/* SPDX-License-Identifier: BSD-3-Clause
 * Do the processor's counters count what every program does? */
#include "hpm/diagnosis/selftest.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "source/perf.h"

enum {
    DATA_READS = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8 |
                 PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16
};

/* On Arm by number: every PMUv3 must have these events, and where it lacks one
 * the kernel does not offer its own name either, so only the number shows
 * it. */
static const struct {
    const char *name;
    struct hpm_encoding encoding;
} events[HPM_N_SELFTESTS] = {
    {"cycles",
     {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES}},
    {"instructions",
     {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS}},
#if defined(__aarch64__)
    {"BR_PRED", {.type = PERF_TYPE_RAW, .config = 0x12}},
    {"L1D_CACHE", {.type = PERF_TYPE_RAW, .config = 0x04}},
#else
    {"branches",
     {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS}},
    {"L1-dcache-loads", {.type = PERF_TYPE_HW_CACHE, .config = DATA_READS}},
#endif
};

static void
test(struct hpm_selftest *ret_test, const char *name,
     const struct hpm_encoding *encoding)
{
    const struct hpm_event event = {.domain = HPM_DOMAIN_USER,
                                    .encoding = *encoding};
    int fd = hpm_perf_open(&event, 0, -1, 0);

    *ret_test = (struct hpm_selftest){.event = name};
    if (fd < 0) {
        ret_test->result = HPM_SELFTEST_REFUSED;
        ret_test->error = errno;
        return;
    }
    if (!hpm_perf_counts(fd))
        ret_test->result = HPM_SELFTEST_ZERO;
    close(fd);
}

void
hpm_selftest_run(struct hpm_selftest ret_tests[HPM_N_SELFTESTS])
{
    int saved_errno = errno;

    for (size_t i = 0; i < HPM_N_SELFTESTS; i++)
        test(&ret_tests[i], events[i].name, &events[i].encoding);
    errno = saved_errno;
}
