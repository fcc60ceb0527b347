/* SPDX-License-Identifier: BSD-3-Clause
 * A source gives samples: the counts of one instant.
 *
 * Each source has one file, a word in HPM_SOURCES below, and a place in
 * sources.c, which says when the source is asked.  Which events a source knows,
 * `find` and `list` say; counting them for a thread, a process or a program to be
 * started is a *counting*, which `open` makes.
 */
#ifndef HPM_SOURCE_SOURCE_H
#define HPM_SOURCE_SOURCE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/string.h"
#include "source/event.h"

struct hpm_eventset;
struct hpm_meter;

/* Whom to count. */
enum hpm_target {
    HPM_TARGET_THREAD,  /* the calling thread */
    HPM_TARGET_PROCESS, /* all threads there are, and what they start */
    HPM_TARGET_PROGRAM, /* a child, from its next exec, and what it starts */
    /* from now on, by the kernel source alone: */
    HPM_TARGET_RUNNING, /* a thread of any process, and what it starts */
    HPM_TARGET_CPU,     /* all that runs on one processor */
    HPM_TARGET_CGROUP,  /* what is of one control group, on one processor */
};

enum hpm_finding {
    HPM_FINDING_FOUND,
    HPM_FINDING_UNKNOWN, /* not a name of this source */
    HPM_FINDING_FAILED,  /* its name, but it cannot be counted: see err */
    HPM_FINDING_ZERO     /* the same, and no other source would count it
                            rightly: the hardware takes it and reads 0, or it is
                            the code of one of several PMUs */
};

struct hpm_source {
    const char *name;

    /* A thread's counting gives right values only to that thread. */
    bool is_own_thread_only;

    /* Its samples have a time of their own, in slot 0. */
    bool brings_time;

    /* A thread's counting is opened and closed without a lock, and without
     * memory that others take, too. */
    bool opens_alone;

    /* Look an event up and try it.  FOUND fills source, encoding, domain,
     * description and unit of *ret_event (strings to be freed by
     * hpm_event_clear); the other answers leave it untouched. */
    enum hpm_finding (*find)(const char *name, enum hpm_domain domain,
                             struct hpm_event *ret_event,
                             struct hpm_error *err);

    /* Call `visit` with each name this source offers on this machine. */
    void (*list)(void (*visit)(const char *name, void *context), void *context);

    /* Append the events that are counted where nobody names any, as a list;
     * false when that cannot be known.  NULL: it offers none. */
    bool (*offer)(struct hpm_string *list, struct hpm_error *err);

    /* See which of its events go together, once all are chosen, and give those
     * that do not a state and a reason, and no source.  May be NULL. */
    void (*settle)(struct hpm_eventset *set);

    /* It cannot count another program: the name under which the kernel source
     * counts the same.  False, where it does not; err says why.  NULL: it can
     * count programs. */
    bool (*translate)(const struct hpm_event *event, char *ret_name,
                      size_t size, struct hpm_error *err);

    /* Start counting those events of the meter that belong to this source.
     * Says where one cannot be counted (hpm_meter_fail), and
     * asks for more slots where it needs them (hpm_meter_add_slots).  NULL
     * when there is nothing to count. */
    void *(*open)(struct hpm_meter *meter);

    /* Put the counts of this instant into the slots.  Thread-safe only for a
     * thread's own counting.  Never allocates, never waits. */
    void (*read)(void *counting, uint64_t *slots);

    /* The same of a thread that is sampled, and what has come is taken first: such a
     * counting begins with a pointer to its hpm_watch, which the meter sets.  NULL:
     * the meter asks, which takes three instructions more. */
    void (*read_watched)(void *counting, uint64_t *slots);

    /* Its counters took turns in slices: put slots of an earlier instant to the
     * end of the next slice, of some between `from` and `to`, both readings;
     * false when there is none.  NULL: nothing is known of its slices. */
    bool (*step)(void *counting, uint64_t *slots, const uint64_t *from,
                 const uint64_t *to);

    /* End it.  Safe after a fork, too: a child that closes what it inherited
     * does not touch its parent's counters. */
    void (*close)(void *counting);
};

/* All of them, in the order in which a meter reads them. */
#define HPM_SOURCES(DO) DO(kernel) DO(replay) DO(usage) DO(papi)

#define HPM_SOURCE_DECLARE(name)                                               \
    extern const struct hpm_source hpm_source_##name;
HPM_SOURCES(HPM_SOURCE_DECLARE)

/* Is it the kernel's time of a thread on a processor? */
bool hpm_source_is_clock(const struct hpm_event *event);

#endif
