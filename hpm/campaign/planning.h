/* SPDX-License-Identifier: BSD-3-Clause
 * From the options of a command line to runs: for this machine, by trying its
 * counters, or for a machine described by definitions. */
#ifndef HPM_PLANNING_H
#define HPM_PLANNING_H

#include "hpm/frame/machine.h"
#include "study/plan/processor.h"
#include "study/plan/schedule.h"

/* The values of the options. */
struct planning_options {
    const char *command;  /* the subcommand, for messages */
    const char *events;   /* -e, or NULL */
    const char *metrics;  /* -m, or NULL: all, unless there are events */
    bool has_parts;       /* --parts */
    const char *pmu;      /* --on; NULL: this machine */
    uint64_t n_counters;  /* --counters; 0: from the definitions */
    bool is_for_sections; /* the program counts itself: events that only exist
                           * there (sde:::) are accepted without a trial */
};

struct planning {
    struct planning_options options;
    struct hpm_inquiry inquiry; /* this machine, by trial */
    struct hpm_spec *spec;      /* another machine, by its definitions */
    struct hpm_processor processor;
    struct hpm_request *request; /* for one of the two */
    struct hpm_eventset named;   /* the events of -e */
    const char **events;         /* the events that can be counted */
    size_t n_events;
    struct hpm_schedule schedule;
};

/* Make the schedule, and report what cannot be counted.  False when an option
 * is wrong or memory runs out; err is "" where this was reported already.
 * Close it in any case; the struct must not move. */
bool planning_make(struct planning *planning,
                   const struct planning_options *options,
                   struct hpm_error *err);
void planning_close(struct planning *planning);

/* Is there anything to count?  False after reporting that there is not. */
bool planning_has_runs(const struct planning *planning);

/* Are there events of -e that cannot be counted? */
bool planning_lacks_events(const struct planning *planning);

#endif
