/* SPDX-License-Identifier: BSD-3-Clause
 * The events of one run, in the order the user named them. */
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
    size_t n_thread_events; /* the first ones; process sections alone count the
                             * rest */
    bool takes_turns;       /* more events than counters are allowed, and share
                             * them; set this before choosing events */
    char *note;             /* where the events come from, if that may
                             * surprise */
};

/* A named set of events, for users who do not want to list events. */
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

/* Add the events of a comma-separated list.  A comma between slashes
 * (cpu/event=1,umask=2/) belongs to the name; a name that is there already is
 * skipped.  An event that cannot be counted is added, too, with its state and
 * reason.  False only for an empty name, a name over 255 bytes, more than
 * HPM_MAX_EVENTS events, or when memory runs out. */
bool hpm_eventset_add(struct hpm_eventset *set, const char *list,
                      enum hpm_domain domain,
                      const struct hpm_source *const *sources,
                      struct hpm_error *err) __attribute__((cold));

/* Add the events the user chose, without those that cannot be counted beside
 * the events before them (see takes_turns).  The first of these counts: the
 * list or named set of a program's option (each may be NULL); HPM_EVENTS;
 * HPM_SET (or HPM_EVENT_SET); the file libHPM_events in the working directory,
 * which is noted (a faulty one is noted, too, and ignored); the default.  The
 * default is cycles and instructions if there are hardware counters, else
 * task-clock, page-faults and context-switches; times and page faults by
 * getrusage if only that may be used; all events of a replay's samples.  False
 * as hpm_eventset_add, for an unknown set, or if a replay has no samples. */
bool hpm_eventset_choose(struct hpm_eventset *set, const char *list,
                         const char *set_name, enum hpm_domain domain,
                         const struct hpm_source *const *sources,
                         struct hpm_error *err) __attribute__((cold));

/* Add the default events, whatever the environment says. */
bool hpm_eventset_choose_default(struct hpm_eventset *set,
                                 enum hpm_domain domain,
                                 const struct hpm_source *const *sources,
                                 struct hpm_error *err) __attribute__((cold));

/* The events will be counted in another program.  Give events whose source
 * cannot do that to the kernel source, under the same name; those that it
 * cannot count either get a state and a reason, and no source. */
void hpm_eventset_settle_for_program(struct hpm_eventset *set)
    __attribute__((cold));

/* Are the costs of measuring subtracted from this event's counts?  Not if
 * counts grow in large steps.  Not if one counter serves the whole process:
 * other threads' part could not be told from ours.  Not if PAPI's sets take
 * turns: the event was not counted all the time while the costs were
 * calibrated. */
bool hpm_eventset_is_charged(const struct hpm_eventset *set, size_t event);

/* Does the processor itself count one of the events? */
bool hpm_eventset_has_hardware(const struct hpm_eventset *set);

/* Add to `lines` the note, and one line for each reason why events of the set
 * are not counted: "not counted: 'x', 'y': reason". */
void hpm_eventset_explain(const struct hpm_eventset *set,
                          struct hpm_string *lines) __attribute__((cold));

/* Add events, as hpm_eventset_add does, that only process sections count and
 * that are hidden at first.  Call it after all other calls that add. */
bool hpm_eventset_add_process(struct hpm_eventset *set, const char *list,
                              enum hpm_domain domain,
                              const struct hpm_source *const *sources,
                              struct hpm_error *err) __attribute__((cold));

/* Can one of these sources count this event? */
bool hpm_eventset_can_count(const char *name, enum hpm_domain domain,
                            const struct hpm_source *const *sources)
    __attribute__((cold));

#endif
