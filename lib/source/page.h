/* SPDX-License-Identifier: BSD-3-Clause
 * A counter's page: the kernel shows in which register of the processor a
 * thread's counter is now, so that the thread reads it without a system call.
 *
 * Only the thread whose counter it is may read it so, and only in the process
 * that opened it: the page is not there in a forked child.  Where the counter is
 * not in a register (it waits for its turn, it is of software), and where the
 * kernel says no, it is to be read by read(2), which gives the same value. */
#ifndef HPM_SOURCE_PAGE_H
#define HPM_SOURCE_PAGE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The pages of one thread. */
struct hpm_page_owner {
    const void *thread; /* what only it sees there */
    pid_t process;
};

/* A word for each thread, by its address: no thread has another's. */
extern __thread char hpm_page_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The process that opened pages; 0 in a child it forks, by whatever call.  NULL
 * before the first page. */
extern const volatile pid_t *hpm_page_process
    __attribute__((visibility("hidden")));

/* A page of memory of our own that the kernel zeroes in each child, by whatever
 * call it was forked.  NULL where it cannot: errno says why. */
void *hpm_page_new_wiped(void);

/* NULL is fine. */
void hpm_page_free_wiped(void *page);

/* Of the calling thread; false where pages are not to be used. */
bool hpm_page_own(struct hpm_page_owner *ret_owner);

/* Is this the process that opened the pages?  Others of its threads may say so
 * anew meanwhile. */
static inline bool
hpm_page_owner_is_here(const struct hpm_page_owner *owner)
{
    const volatile pid_t *process =
        __atomic_load_n(&hpm_page_process, __ATOMIC_RELAXED);

    return __atomic_load_n(process, __ATOMIC_RELAXED) == owner->process;
}

/* Is this the thread, and the process, that opened the pages? */
static inline bool
hpm_page_is_owned(const struct hpm_page_owner *owner)
{
    return owner->thread == &hpm_page_thread && hpm_page_owner_is_here(owner);
}

/* Map the page of a counter of the calling thread; NULL where it cannot be
 * read so. */
const struct perf_event_mmap_page *hpm_page_map(int fd);

/* Nothing in a forked child.  NULL is fine. */
void hpm_page_unmap(const struct perf_event_mmap_page *page,
                    const struct hpm_page_owner *owner);

/* May counters be opened so that the thread reads them itself?  It is a setting
 * of the kernel where they have to be. */
bool hpm_page_is_wanted(void);

/* One reading. */
struct hpm_page_reading {
    uint64_t count, enabled, running;
};

/* How a processor's registers are read, for tests another way. */
struct hpm_page_registers {
    bool (*read_counter)(uint32_t index, uint64_t *ret_value);
    uint64_t (*read_clock)(void);
};

#if defined(__x86_64__) || defined(__aarch64__)
#define HPM_PAGE_IS_POSSIBLE 1
#else
#define HPM_PAGE_IS_POSSIBLE 0
#endif

#define HPM_PAGE_LOAD(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)

/* Nanoseconds since the page was written, as perf_event.h says; short clocks
 * (cap_user_time_short) go on from what they were then. */
static inline __attribute__((always_inline)) uint64_t
hpm_page_passed(const struct perf_event_mmap_page *page, uint64_t clock)
{
    uint64_t mult = HPM_PAGE_LOAD(page->time_mult);
    unsigned shift = HPM_PAGE_LOAD(page->time_shift);
    uint64_t quotient, rest;

    if (page->cap_user_time_short) {
        uint64_t then = HPM_PAGE_LOAD(page->time_cycles);

        clock = then + ((clock - then) & HPM_PAGE_LOAD(page->time_mask));
    }
    quotient = clock >> shift;
    rest = clock & (((uint64_t)1 << shift) - 1);
    return HPM_PAGE_LOAD(page->time_offset) + quotient * mult +
           (rest * mult >> shift);
}

/* False when it is to be read by read(2): the counter is in no register, or the
 * kernel writes just now, for the second time.  Of a group, one page gives the
 * times. */
static inline __attribute__((always_inline)) bool
hpm_page_read_by(const struct hpm_page_registers *registers,
                 const struct perf_event_mmap_page *page, bool has_times,
                 struct hpm_page_reading *ret_reading)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        uint32_t lock = HPM_PAGE_LOAD(page->lock), index;
        uint64_t value, passed = 0;
        unsigned unused;

        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        index = HPM_PAGE_LOAD(page->index);
        /* 0, too, where user space may not read registers any more */
        if (index == 0 || !registers->read_counter(index, &value) ||
            (has_times && !page->cap_user_time))
            return false;
        if (has_times)
            passed = hpm_page_passed(page, registers->read_clock());
        unused = 64 - HPM_PAGE_LOAD(page->pmc_width);
        /* it counts from any value, below 0 as well */
        ret_reading->count = (uint64_t)HPM_PAGE_LOAD(page->offset) +
                             (uint64_t)((int64_t)(value << unused) >> unused);
        if (has_times) {
            ret_reading->enabled = HPM_PAGE_LOAD(page->time_enabled) + passed;
            ret_reading->running = HPM_PAGE_LOAD(page->time_running) + passed;
        }
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (HPM_PAGE_LOAD(page->lock) == lock)
            return true;
    }
    return false;
}

#endif
