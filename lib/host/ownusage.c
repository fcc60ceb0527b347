/* SPDX-License-Identifier: BSD-3-Clause
 * What the library itself makes the process use. */
#include "host/ownusage.h"

#include <stdatomic.h>
#include <stdint.h>

/* The members of struct rusage that are sums; times in microseconds. */
enum {
    USER_TIME,
    SYSTEM_TIME,
    MINOR_FAULTS,
    MAJOR_FAULTS,
    BLOCKS_IN,
    BLOCKS_OUT,
    WAITS,
    PREEMPTIONS,
    N_AMOUNTS
};

_Static_assert((int)N_AMOUNTS == (int)HPM_OWNUSAGE_AMOUNTS,
               "as the header says");

static atomic_bool is_watched;
static _Atomic long of_all[N_AMOUNTS];

/* `begin` is of the calling thread, `process` of the whole process, both at the
 * outermost hpm_ownusage_begin. */
static __thread struct {
    unsigned depth;
    bool has_begun;
    struct hpm_ownusage begin, process, sums;
} here __attribute__((tls_model("initial-exec")));

static long
microseconds(const struct timeval *time)
{
    return time->tv_sec * 1000000 + time->tv_usec;
}

static struct hpm_ownusage
now(int whose)
{
    struct rusage usage;

    getrusage(whose, &usage);
    return (struct hpm_ownusage){{[USER_TIME] = microseconds(&usage.ru_utime),
                                  [SYSTEM_TIME] = microseconds(&usage.ru_stime),
                                  [MINOR_FAULTS] = usage.ru_minflt,
                                  [MAJOR_FAULTS] = usage.ru_majflt,
                                  [BLOCKS_IN] = usage.ru_inblock,
                                  [BLOCKS_OUT] = usage.ru_oublock,
                                  [WAITS] = usage.ru_nvcsw,
                                  [PREEMPTIONS] = usage.ru_nivcsw}};
}

static void
add_to_all(const struct hpm_ownusage *more)
{
    for (int i = 0; i < N_AMOUNTS; i++)
        atomic_fetch_add_explicit(&of_all[i], more->amounts[i],
                                  memory_order_relaxed);
}

static struct hpm_ownusage
sums_of_all(void)
{
    struct hpm_ownusage sums;

    for (int i = 0; i < N_AMOUNTS; i++)
        sums.amounts[i] =
            atomic_load_explicit(&of_all[i], memory_order_relaxed);
    return sums;
}

static struct hpm_ownusage
difference(const struct hpm_ownusage *end, const struct hpm_ownusage *begin)
{
    struct hpm_ownusage difference;

    for (int i = 0; i < N_AMOUNTS; i++)
        difference.amounts[i] = end->amounts[i] - begin->amounts[i];
    return difference;
}

/* Divide the process's share of `used` into user and system time in the ratio
 * of `process`.  The kernel knows exactly how long a thread ran, but estimates
 * the user part at the ticks of its clock, and differently for the thread than
 * for the process.  In integers: calls of the program may end with this
 * function, and must not change the program's floating-point flags. */
static void
divide_as(struct hpm_ownusage *used, const struct hpm_ownusage *process)
{
    long user = process->amounts[USER_TIME];
    long all = user + process->amounts[SYSTEM_TIME];
    long own = used->amounts[USER_TIME] + used->amounts[SYSTEM_TIME];

    own = own < all ? own : all;
    all += all == 0; /* no branch: the end of a thread must always cost the same
                   * number of instructions */
    used->amounts[USER_TIME] =
        (long)((uint64_t)own * (uint64_t)user / (uint64_t)all);
    used->amounts[SYSTEM_TIME] = own - used->amounts[USER_TIME];
}

void
hpm_ownusage_watch(void)
{
    atomic_store_explicit(&is_watched, true, memory_order_relaxed);
}

void
hpm_ownusage_begin(void)
{
    if (here.depth++ > 0 ||
        !atomic_load_explicit(&is_watched, memory_order_relaxed))
        return;
    here.process = now(RUSAGE_SELF);
    here.begin = now(RUSAGE_THREAD);
    here.has_begun = true;
}

void
hpm_ownusage_settle(void)
{
    struct hpm_ownusage end, process, used, used_by_process;

    if (!here.has_begun)
        return;
    end = now(RUSAGE_THREAD);
    process = now(RUSAGE_SELF);
    used = difference(&end, &here.begin);
    used_by_process = difference(&process, &here.process);
    here.begin = end;
    here.process = process;
    for (int i = 0; i < N_AMOUNTS; i++)
        here.sums.amounts[i] += used.amounts[i];
    divide_as(&used, &used_by_process);
    add_to_all(&used);
}

void
hpm_ownusage_end(void)
{
    if (--here.depth > 0)
        return;
    hpm_ownusage_settle();
    here.has_begun = false;
}

void
hpm_ownusage_mark_thread(struct hpm_ownusage *ret_process)
{
    *ret_process = now(RUSAGE_SELF);
}

void
hpm_ownusage_add_thread(const struct hpm_ownusage *process)
{
    if (!atomic_load_explicit(&is_watched, memory_order_relaxed))
        return;
    here.begin = here.sums; /* a new thread has used nothing yet */
    here.process = *process;
    here.has_begun = true;
    hpm_ownusage_settle();
    here.has_begun = false;
}

/* What the process has used, without what is known to be the library's. */
static struct hpm_ownusage
unknown(void)
{
    struct hpm_ownusage process = now(RUSAGE_SELF), known = sums_of_all();

    return difference(&process, &known);
}

void
hpm_ownusage_begin_alone(struct hpm_ownusage_alone *ret_begin)
{
    hpm_others_look(&ret_begin->others);
    hpm_ownusage_settle();
    ret_begin->unknown = unknown();
}

/* Other threads have run for `others` microseconds meanwhile: the rest of the
 * time is ours; of all other amounts our part is not known. */
static struct hpm_ownusage
time_beyond(const struct hpm_ownusage *used, long others)
{
    long all = used->amounts[USER_TIME] + used->amounts[SYSTEM_TIME];
    struct hpm_ownusage ours = {
        {[USER_TIME] = all > others ? all - others : 0}};

    divide_as(&ours, used);
    return ours;
}

bool
hpm_ownusage_end_alone(const struct hpm_ownusage_alone *begin)
{
    struct hpm_ownusage rest;
    uint64_t ns;
    bool is_known = hpm_others_find_time(&begin->others, &ns);

    if (is_known && here.has_begun) {
        hpm_ownusage_settle();
        rest = unknown();
        rest = difference(&rest, &begin->unknown);
        for (int i = 0; i < N_AMOUNTS; i++)
            rest.amounts[i] = rest.amounts[i] > 0 ? rest.amounts[i] : 0;
        if (ns > 0)
            rest = time_beyond(&rest, (long)(ns / 1000));
        add_to_all(&rest);
    }
    return is_known && ns == 0;
}

void
hpm_ownusage_take_off(struct rusage *usage, bool is_of_thread)
{
    const struct hpm_ownusage own = is_of_thread ? here.sums : sums_of_all();

    usage->ru_utime.tv_usec -= own.amounts[USER_TIME];
    usage->ru_stime.tv_usec -= own.amounts[SYSTEM_TIME];
    usage->ru_minflt -= own.amounts[MINOR_FAULTS];
    usage->ru_majflt -= own.amounts[MAJOR_FAULTS];
    usage->ru_inblock -= own.amounts[BLOCKS_IN];
    usage->ru_oublock -= own.amounts[BLOCKS_OUT];
    usage->ru_nvcsw -= own.amounts[WAITS];
    usage->ru_nivcsw -= own.amounts[PREEMPTIONS];
}
