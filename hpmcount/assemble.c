/* SPDX-License-Identifier: BSD-3-Clause
 * A finished run as an experiment of one record. */
#include "hpmcount/assemble.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/launcher.h"
#include "base/string.h"
#include "record/run.h"

bool
assemble_run(struct hpm_experiment *experiment, const char *program,
             struct hpm_error *err)
{
    int rank = hpm_launcher_rank();
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return hpm_run_describe(&experiment->run, hpm_string_base_name(program),
                            rank >= 0 ? rank : 0, &now) ||
           hpm_error_no_memory(err);
}

static bool
describe_end(struct hpm_run *run, const struct launch *launch)
{
    char exit_status[32];

    if (WIFSIGNALED(launch->status))
        snprintf(exit_status, sizeof exit_status, "signal %d",
                 WTERMSIG(launch->status));
    else
        snprintf(exit_status, sizeof exit_status, "%d",
                 WEXITSTATUS(launch->status));
    run->is_complete = true;
    run->ns = launch->end.ns - launch->start.ns;
    return hpm_experiment_set_text(&run->exit_status, exit_status);
}

static bool
fill_value(struct hpm_experiment *experiment, size_t event,
           const struct launch *launch)
{
    struct hpm_value *value = hpm_experiment_value(experiment, 0, event);
    struct hpm_count count =
        hpm_meter_count(launch->meter, event, launch->counts);
    struct hpm_counter *counter = &experiment->counters[event];
    const char *reason = launch->meter->events[event].reason;

    *value = (struct hpm_value){.is_present = true,
                                .state = count.state,
                                .mean = NAN,
                                .deviation = NAN,
                                .share = NAN};
    if (hpm_state_has_value(count.state)) {
        value->has_exclusive = true;
        value->total = value->exclusive = count.value;
        if (count.state == HPM_STATE_SHARED)
            value->share = count.share;
        return true;
    }
    if (reason == NULL)
        reason = "the hardware never had a free counter for it";
    return counter->reason != NULL ||
           hpm_experiment_set_text(&counter->reason, reason);
}

bool
assemble_record(struct hpm_experiment *experiment,
                const struct launch *launch, const struct hpm_eventset *set,
                struct hpm_error *err)
{
    uint64_t ns = launch->end.ns - launch->start.ns;
    struct hpm_record *record;
    bool is_good =
        hpm_run_set_start(&experiment->run, &launch->date) &&
        describe_end(&experiment->run, launch) &&
        hpm_run_describe_machine(
            &experiment->machine, set,
            hpm_clock_ns_per_tick(launch->start, launch->end)) &&
        hpm_run_add_counters(experiment, set) &&
        hpm_run_add_resources(experiment, &launch->usage) &&
        (record = hpm_experiment_add_record(experiment)) != NULL &&
        hpm_experiment_set_text(&record->label, experiment->run.program) &&
        hpm_experiment_set_text(&record->file, "");

    for (size_t i = 0; is_good && i < set->n_events; i++)
        is_good = fill_value(experiment, i, launch);
    if (!is_good)
        return hpm_error_no_memory(err);
    hpm_run_settle_counters(experiment);
    record = &experiment->records[0];
    record->scope = HPM_SCOPE_PROCESS;
    record->tid = -1;
    record->calls = record->outer = 1;
    record->time = (struct hpm_value){.is_present = true,
                                      .has_exclusive = true,
                                      .total = ns,
                                      .exclusive = ns,
                                      .mean = NAN,
                                      .deviation = NAN,
                                      .share = NAN};
    return true;
}
