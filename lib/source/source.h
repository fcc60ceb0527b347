/* SPDX-License-Identifier: BSD-3-Clause
 * A source gives samples: the counts at one instant.
 *
 * Each source has one file, a word in HPM_SOURCES below, and a place in
 * sources.c, which says when the source is asked.  `find` and `list` tell which
 * events a source knows.  `open` makes a *counting*: it counts such events for
 * a thread, a process, or a program to be started. */
#ifndef HPM_SOURCE_SOURCE_H
#define HPM_SOURCE_SOURCE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/string.h"
#include "source/event.h"

struct hpm_eventset;
struct hpm_meter;

/* The target of a counting. */
enum hpm_target {
    HPM_TARGET_THREAD,  /* the calling thread */
    HPM_TARGET_PROCESS, /* all present threads, and what they start */
    HPM_TARGET_PROGRAM, /* a child, from its next exec, and what it starts */
    /* from now on, and by the kernel source only: */
    HPM_TARGET_RUNNING, /* a thread of any process, and what it starts */
    HPM_TARGET_CPU,     /* all that runs on one processor */
    HPM_TARGET_CGROUP,  /* one control group on one processor */
};

enum hpm_finding {
    HPM_FINDING_FOUND,
    HPM_FINDING_UNKNOWN, /* not a name of this source */
    HPM_FINDING_FAILED,  /* this source's name, but it cannot be counted: see
                          * err */
    HPM_FINDING_ZERO     /* as FAILED, and no other source would count it
                          * correctly: the hardware accepts it and reads 0, or
                          * it is the code of one of several PMUs */
};

struct hpm_source {
    const char *name;

    /* Only the thread itself can read its counting correctly. */
    bool is_own_thread_only;

    /* Samples have their own time, in slot 0. */
    bool brings_time;

    /* A thread's counting is opened and closed without a lock, and without
     * memory that other threads use. */
    bool opens_alone;

    /* Look an event up and try to count it.  FOUND fills source, encoding,
     * domain, description and unit of *ret_event (hpm_event_clear frees the
     * strings); after other answers *ret_event is unchanged. */
    enum hpm_finding (*find)(const char *name, enum hpm_domain domain,
                             struct hpm_event *ret_event,
                             struct hpm_error *err);

    /* Call `visit` with each name that this source offers on this machine. */
    void (*list)(void (*visit)(const char *name, void *context), void *context);

    /* Append, as a list, the events to count if the user names none; false if
     * that is not known.  NULL: no such offer. */
    bool (*offer)(struct hpm_string *list, struct hpm_error *err);

    /* Find which of the source's events fit together, once all are chosen, and
     * give the others a state and a reason, and no source.  May be NULL. */
    void (*settle)(struct hpm_eventset *set);

    /* For a source that cannot count another program: the name under which the
     * kernel source counts the same event.  False, with err, if it does not.
     * NULL: this source can count programs. */
    bool (*translate)(const struct hpm_event *event, char *ret_name,
                      size_t size, struct hpm_error *err);

    /* Start to count the meter's events that are this source's.  Reports an
     * event that cannot be counted (hpm_meter_fail), and asks for more slots if
     * needed (hpm_meter_add_slots).  NULL if there is nothing to count. */
    void *(*open)(struct hpm_meter *meter);

    /* Write the present counts into the slots.  Thread-safe only for a thread's
     * own counting.  Never allocates, never waits. */
    void (*read)(void *counting, uint64_t *slots);

    /* Like `read`, for a thread that is sampled: takes first the samples that have
     * come.  Such a counting begins with a pointer to its hpm_cursor, which the
     * meter sets.  NULL: the meter asks, which takes three instructions more. */
    void (*read_sampled)(void *counting, uint64_t *slots);

    /* For counters that take turns in slices: move slots of an earlier instant
     * on to the end of the next slice, of some between the readings `from` and
     * `to`; false if there is none.  NULL: nothing is known about slices. */
    bool (*step)(void *counting, uint64_t *slots, const uint64_t *from,
                 const uint64_t *to);

    /* End the counting.  Safe after a fork: a child that closes what it
     * inherited does not change its parent's counters. */
    void (*close)(void *counting);
};

/* How many sources libraries bring beside these, at most (hpm_sources_bring). */
enum { HPM_MAX_BROUGHT = 2 };

/* All sources, in the order in which a meter reads them. */
#define HPM_SOURCES(DO) DO(kernel) DO(replay) DO(usage) DO(papi)

#define HPM_SOURCE_DECLARE(name)                                               \
    extern const struct hpm_source hpm_source_##name;
HPM_SOURCES(HPM_SOURCE_DECLARE)

/* Is the event a clock of the kernel: a thread's time on a processor? */
bool hpm_source_is_clock(const struct hpm_event *event);

#endif
