/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of an experiment about the run: program, task, machine, events,
 * resources. */
#ifndef HPM_RECORD_RUN_H
#define HPM_RECORD_RUN_H

#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>

#include "model/experiment.h"
#include "record/filter.h"
#include "source/eventset.h"

/* Each of these returns false when there is no memory. */

/* Describe the run: this process as `task` of its launcher's job, started at
 * `start` (CLOCK_REALTIME). */
bool hpm_run_describe(struct hpm_run *run, const char *program, int task,
                      const struct timespec *start);

/* Replace the time of the start. */
bool hpm_run_set_start(struct hpm_run *run, const struct timespec *start);

/* Say which sections the run leaves out. */
bool hpm_run_set_filter(struct hpm_run *run, const struct hpm_filter *filter);

/* Say where the task's place in a grid of tasks will be found.  Call this before
 * there are other threads. */
void hpm_run_look_for_place(const hpm_known_place *known);

/* Put the task's place into the run, if the place is known.  False when memory runs
 * out. */
bool hpm_run_set_place(struct hpm_run *run);

/* Describe this machine, on which the events of `set` were chosen.  Facts and
 * PMU are kept if they are there already.  `ns_per_tick` is the measured length
 * of a clock tick, which gives the nominal clock of an x86 processor. */
bool hpm_run_describe_machine(struct hpm_machine *machine,
                              const struct hpm_eventset *set,
                              double ns_per_tick);

/* Describe of this machine only what definitions of metrics need: PMU and
 * facts, as hpm_run_describe_machine does. */
bool hpm_run_describe_pmu(struct hpm_machine *machine);

/* Add one counter per event. */
bool hpm_run_add_counters(struct hpm_experiment *experiment,
                          const struct hpm_eventset *set);

/* Call this after the last record: a counter without a value in any record gets
 * the state of its values there. */
void hpm_run_settle_counters(struct hpm_experiment *experiment);

/* Add one resource per line of getrusage. */
bool hpm_run_add_resources(struct hpm_experiment *experiment,
                           const struct rusage *usage);

#endif
