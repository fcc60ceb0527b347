/* SPDX-License-Identifier: BSD-3-Clause
 * What to count: the events of one run, in the order the user named them. */
#ifndef HPM_SOURCE_EVENTSET_H
#define HPM_SOURCE_EVENTSET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/string.h"
#include "source/event.h"
#include "source/source.h"

struct hpm_eventset {
    struct hpm_event *events;
    size_t n_events;
    size_t capacity;
    size_t n_thread_events; /* the first ones; the rest only per process */
    bool takes_turns;       /* more events than counters share them; set before
                             * events are chosen */
    char *note;             /* where they come from, if that may surprise */
};

/* A set with a name, for people who do not want to list events. */
struct hpm_named_set {
    const char *name;
    const char *events; /* comma-separated */
    const char *purpose;
};

/* The named sets; the last one has no name (NULL). */
extern const struct hpm_named_set hpm_named_sets[];

/* The set of that name, or NULL. */
const struct hpm_named_set *hpm_named_set_find(const char *name);

void hpm_eventset_clear(struct hpm_eventset *set) __attribute__((cold));

/* Add the events of a comma-separated list; a comma between slashes
 * (cpu/event=1,umask=2/) belongs to the name, and a name that is there already
 * is skipped.  An event that cannot be counted is added all the same, with its
 * state and reason.  False only for an empty name or one over 255 bytes in
 * the list, more than HPM_MAX_EVENTS events, or no memory. */
bool hpm_eventset_add(struct hpm_eventset *set, const char *list,
                      enum hpm_domain domain,
                      const struct hpm_source *const *sources,
                      struct hpm_error *err) __attribute__((cold));

/* Add what the user chose, and leave out what does not go with the events before
 * it (see takes_turns): the list or the named set a program's option gave
 * (either may be NULL), else HPM_EVENTS, else HPM_SET (or HPM_EVENT_SET), else
 * the file libHPM_events in the working directory (which is noted; a bad one
 * is noted, too, and left out), else the default: cycles and instructions where there are hardware counters,
 * task-clock, page-faults and context-switches elsewhere, and times and page
 * faults by getrusage where only that may serve, all there are samples of
 * where those are replayed.  False as above, for the name of a set that does
 * not exist, or where there are no samples. */
bool hpm_eventset_choose(struct hpm_eventset *set, const char *list,
                         const char *set_name, enum hpm_domain domain,
                         const struct hpm_source *const *sources,
                         struct hpm_error *err) __attribute__((cold));

/* The events are to be counted in another program.  Give those whose source
 * cannot to the kernel source, under the name given; those it does not count
 * either have a state and a reason afterwards, and no source. */
void hpm_eventset_settle_for_program(struct hpm_eventset *set)
    __attribute__((cold));

/* Is what measuring does taken off what this event counts?  Not where counts
 * come in large steps, nor where one counter serves the whole process: there
 * the others' part could not be told from ours.  Nor where PAPI's sets take
 * turns: while measuring was calibrated it did not count all the time. */
bool hpm_eventset_is_charged(const struct hpm_eventset *set, size_t event);

/* Is one of them counted by the processor itself? */
bool hpm_eventset_has_hardware(const struct hpm_eventset *set);

/* Add to `lines` the note, and one line for each reason why events of the set cannot be
 * counted: "not counted: 'x', 'y': reason". */
void hpm_eventset_explain(const struct hpm_eventset *set,
                          struct hpm_string *lines) __attribute__((cold));

/* The same, for events that count per process only and are hidden at first.
 * Nothing may be added by the calls above afterwards. */
bool hpm_eventset_add_process(struct hpm_eventset *set, const char *list,
                              enum hpm_domain domain,
                              const struct hpm_source *const *sources,
                              struct hpm_error *err) __attribute__((cold));

/* Can this one event be counted by these sources? */
bool hpm_eventset_can_count(const char *name, enum hpm_domain domain,
                            const struct hpm_source *const *sources)
    __attribute__((cold));

#endif
