/* SPDX-License-Identifier: BSD-3-Clause
 * What this library itself makes the process use. */
#include "host/ownusage.h"

#include <stdatomic.h>
#include <stdint.h>

/* Of struct rusage what is a sum; times in microseconds. */
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

/* Of the calling thread, and of the process when it began. */
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

/* How long a thread ran the kernel knows exactly, how much of it was its own it
 * finds by looking at each tick of its clock, and for a thread finds something
 * else than for the process: so of the process the time is divided as that of
 * the process was.  In integers: calls of the program may end with this, whose
 * floating-point flags are not to show it. */
static void
divide_as(struct hpm_ownusage *used, const struct hpm_ownusage *process)
{
    long user = process->amounts[USER_TIME];
    long all = user + process->amounts[SYSTEM_TIME];
    long own = used->amounts[USER_TIME] + used->amounts[SYSTEM_TIME];

    own = own < all ? own : all;
    all +=
        all == 0; /* no branch: threads leave by one number of instructions */
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
    here.begin = here.sums; /* it began with nothing */
    here.process = *process;
    here.has_begun = true;
    hpm_ownusage_settle();
    here.has_begun = false;
}

/* What the process has used, and nobody has said that it was the library. */
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

/* Where other threads have run for so long meanwhile: of the time the rest is ours,
 * of all else nobody knows. */
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
