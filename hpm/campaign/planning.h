/* SPDX-License-Identifier: BSD-3-Clause
 * From the options of a command line to runs: for this machine, where the
 * counters are tried out, or for one that the definitions describe. */
#ifndef HPM_PLANNING_H
#define HPM_PLANNING_H

#include "hpm/frame/machine.h"
#include "study/plan/processor.h"
#include "study/plan/schedule.h"

/* What the options say. */
struct planning_options {
    const char *command;  /* the subcommand, for messages */
    const char *events;   /* -e, or NULL */
    const char *metrics;  /* -m, or NULL: all, unless there are events */
    bool has_parts;       /* --parts */
    const char *pmu;      /* --on; NULL: this machine */
    uint64_t n_counters;  /* --counters; 0: as the definitions say */
    bool is_for_sections; /* the program itself counts: events that only exist
                             there (sde:::) are taken untried */
};

struct planning {
    struct planning_options options;
    struct hpm_inquiry inquiry; /* this machine, by trial */
    struct hpm_spec *spec;      /* another one, by its definitions */
    struct hpm_processor processor;
    struct hpm_request *request; /* of one of the two */
    struct hpm_eventset named;   /* the events of -e */
    const char **events;         /* those that can be counted */
    size_t n_events;
    struct hpm_schedule schedule;
};

/* Make the schedule; what cannot be counted is said.  False when an option is
 * wrong or memory runs out, with "" in err where that is said already.  Close it
 * in any case; it must stay where it is. */
bool planning_make(struct planning *planning,
                   const struct planning_options *options,
                   struct hpm_error *err);
void planning_close(struct planning *planning);

/* Is there anything to count?  False after saying that there is not. */
bool planning_has_runs(const struct planning *planning);

/* Can some events of -e not be counted? */
bool planning_lacks_events(const struct planning *planning);

#endif
