/* SPDX-License-Identifier: BSD-3-Clause
 * The processor's counter registers, read in user space.  Reading one that is
 * not allowed ends the process: read only if a counter's page allows it. */
#ifndef HPM_SOURCE_REGISTERS_H
#define HPM_SOURCE_REGISTERS_H

#include "source/clock.h"
#include "source/page.h"

#if defined(__x86_64__)
static inline __attribute__((always_inline)) bool
hpm_registers_read(uint32_t index, uint64_t *ret_value)
{
    const uint32_t metrics = (uint32_t)1 << 29;
    uint32_t low, high;

    /* Intel's percentages of slots are no counts: the kernel calculates
     * these */
    if (((index - 1) & metrics) != 0)
        return false;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1));
    *ret_value = (uint64_t)high << 32 | low;
    return true;
}
#elif defined(__aarch64__)
/* Each PMEVCNTR<n>_EL0 has a register name of its own: S3_3_C14_C8_0 and on. */
#define HPM_REGISTERS_SEVEN(DO, high)                                          \
    DO(high, 0)                                                                \
    DO(high, 1) DO(high, 2) DO(high, 3) DO(high, 4) DO(high, 5) DO(high, 6)
#define HPM_REGISTERS_EIGHT(DO, high) HPM_REGISTERS_SEVEN(DO, high) DO(high, 7)
#define HPM_REGISTERS_CASE(high, low)                                          \
    case (high - 8) * 8 + low:                                                 \
        __asm__ volatile("mrs %0, S3_3_C14_C" #high "_" #low                   \
                         : "=r"(*ret_value));                                  \
        return true;

#define HPM_REGISTERS_CYCLES                                                   \
    case 31:                                                                   \
        __asm__ volatile("mrs %0, S3_3_C9_C13_0" : "=r"(*ret_value));          \
        return true;

/* Every register takes the same number of instructions: the counter of cycles
 * may be in its own register in one thread, and in another register in the
 * next. */
static inline bool
hpm_registers_read(uint32_t index, uint64_t *ret_value)
{
    switch (index - 1) {
        HPM_REGISTERS_EIGHT(HPM_REGISTERS_CASE, 8)
        HPM_REGISTERS_EIGHT(HPM_REGISTERS_CASE, 9)
        HPM_REGISTERS_EIGHT(HPM_REGISTERS_CASE, 10)
        HPM_REGISTERS_SEVEN(HPM_REGISTERS_CASE, 11)
        HPM_REGISTERS_CYCLES
    default:
        return false;
    }
}
#else
static inline bool
hpm_registers_read(uint32_t index, uint64_t *ret_value)
{
    (void)index;
    (void)ret_value;
    return false;
}
#endif

static inline bool
hpm_registers_read_page(const struct perf_event_mmap_page *page, bool has_times,
                        struct hpm_page_reading *ret_reading)
{
    static const struct hpm_page_registers registers = {hpm_registers_read,
                                                        hpm_clock_read_tick};

    return hpm_page_read_by(&registers, page, has_times, ret_reading);
}

#endif
