/* SPDX-License-Identifier: BSD-3-Clause
 * What an experiment says of the run besides its sections: program, task,
 * machine, events, resources. */
#ifndef HPM_RECORD_RUN_H
#define HPM_RECORD_RUN_H

#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>

#include "model/experiment.h"
#include "record/filter.h"
#include "source/eventset.h"

/* All of these return false when there is no memory. */

/* Name the run: this process as `task` of its launcher's job, started at
 * `start` (CLOCK_REALTIME). */
bool hpm_run_describe(struct hpm_run *run, const char *program, int task,
                      const struct timespec *start);

/* Another start than the one the run was described with. */
bool hpm_run_set_start(struct hpm_run *run, const struct timespec *start);

/* Which sections it leaves out. */
bool hpm_run_set_filter(struct hpm_run *run, const struct hpm_filter *filter);

/* Where the place in a grid of tasks is put; before there are other threads. */
void hpm_run_look_for_place(const hpm_known_place *known);

/* Put it into the run, where it is known. */
bool hpm_run_set_place(struct hpm_run *run);

/* This machine, on which the events of `set` were chosen; facts that are there
 * already stay, with the PMU.  `ns_per_tick` is the measured length of a clock
 * tick, from which the nominal clock of an x86 processor follows. */
bool hpm_run_describe_machine(struct hpm_machine *machine,
                              const struct hpm_eventset *set,
                              double ns_per_tick);

/* Of this machine only what definitions of metrics ask: PMU and facts.  What
 * hpm_run_describe_machine says of them is the same. */
bool hpm_run_describe_pmu(struct hpm_machine *machine);

/* One counter per event. */
bool hpm_run_add_counters(struct hpm_experiment *experiment,
                          const struct hpm_eventset *set);

/* After the last record: a counter without a value in any record has the state
 * of those records. */
void hpm_run_settle_counters(struct hpm_experiment *experiment);

/* One resource per line of getrusage. */
bool hpm_run_add_resources(struct hpm_experiment *experiment,
                           const struct rusage *usage);

#endif
