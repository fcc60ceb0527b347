/* SPDX-License-Identifier: BSD-3-Clause
 * A finished run as an experiment of one record. */
#include "hpmcount/assemble.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/launcher.h"
#include "base/mark.h"
#include "base/string.h"
#include "host/path.h"
#include "hpmcount/attach.h"
#include "hpmcount/privilege.h"
#include "record/run.h"
#include "source/source.h"
#include "source/usage.h"
#include "study/node/nodesource.h"

bool
assemble_run(struct hpm_experiment *experiment, const char *program,
             struct hpm_error *err)
{
    int rank = hpm_launcher_rank();
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return hpm_run_describe(&experiment->run, hpm_path_base_name(program),
                            rank >= 0 ? rank : 0, &now) ||
           hpm_error_no_memory(err);
}

static bool
describe_end(struct hpm_run *run, const struct launch *launch)
{
    char exit_status[32];

    run->ns = launch->end.ns - launch->start.ns;
    if (launch->attachment != NULL) {
        run->is_complete = true;
        return !launch->attachment->has_ended ||
               hpm_experiment_set_text(&run->exit_status, "not known");
    }
    if (launch->is_left)
        return hpm_experiment_set_text(&run->reason,
                                       N_("the program ignores SIGTERM and "
                                          "still runs; hpmcount has left it"));
    if (WIFSIGNALED(launch->status))
        snprintf(exit_status, sizeof exit_status, "signal %d",
                 WTERMSIG(launch->status));
    else
        snprintf(exit_status, sizeof exit_status, "%d",
                 WEXITSTATUS(launch->status));
    run->is_complete = true;
    return hpm_experiment_set_text(&run->exit_status, exit_status);
}

/* ---- values ---------------------------------------------------------- */

/* Does a lost counter make this value unusable?  If the loss is only possible,
 * the value stays, with a note. */
static bool
is_taken(const struct launch *launch, size_t event)
{
    return launch->finding.loss > LOSS_POSSIBLE &&
           launch->meter->set->events[event].source == &hpm_source_kernel;
}

/* A clock that missed a tenth of the processor time does not measure it: then
 * metrics use getrusage's time, as the report's first lines do.  After a delay
 * the time is not known. */
static bool
is_short(const struct launch *launch, size_t event)
{
    return launch->finding.is_clock_short &&
           launch->counted_from.ns == launch->start.ns &&
           hpm_source_is_clock(&launch->meter->set->events[event]);
}

/* Why an event has no value. */
static const char *
explain(const struct launch *launch, size_t event)
{
    if (launch->ends_early)
        return N_("the program ended before the delay was over");
    if (is_taken(launch, event))
        return launch->finding.loss == LOSS_PART
                   ? N_("the program started one that gains privileges "
                        "(set-user-ID, or not readable), and the kernel took "
                        "the counter away")
                   : N_("the program gains privileges (set-user-ID, or not "
                        "readable), and the kernel took the counter away");
    if (is_short(launch, event))
        return hpm_usage_short_clock;
    if (launch->meter->events[event].reason != NULL)
        return launch->meter->events[event].reason;
    return N_("the hardware never had a free counter for it");
}

static enum hpm_state
state_of(const struct launch *launch, size_t event, enum hpm_state counted)
{
    if (!hpm_state_has_value(counted))
        return counted;
    if (launch->ends_early)
        return HPM_STATE_UNSCHEDULED;
    return is_taken(launch, event) || is_short(launch, event) ? HPM_STATE_LOST
                                                              : counted;
}

static void
fill_turns(struct hpm_value *value, const struct hpm_estimate *estimate)
{
    value->share = estimate->share;
    value->n_windows = estimate->n_windows;
    value->freedom = estimate->freedom;
    value->error = value->error_exclusive = estimate->error;
}

/* `counts` are this record's counts. */
static bool
fill_value(struct hpm_experiment *experiment, size_t record, size_t event,
           const struct launch *launch, const uint64_t *counts)
{
    struct hpm_value *value = hpm_experiment_value(experiment, record, event);
    struct hpm_counter *counter = &experiment->counters[event];
    struct hpm_estimate estimate;

    hpm_meter_estimate(launch->meter, event, counts,
                       steps_blocks(&launch->steps, event), &estimate);
    estimate.state = state_of(launch, event, estimate.state);
    *value = (struct hpm_value){.is_present = true,
                                .state = estimate.state,
                                .mean = NAN,
                                .deviation = NAN,
                                .share = NAN};
    if (estimate.state == HPM_STATE_SHARED || estimate.state == HPM_STATE_BRIEF)
        fill_turns(value, &estimate);
    if (hpm_state_has_value(estimate.state)) {
        value->has_exclusive = true;
        value->total = value->exclusive = estimate.value;
        return true;
    }
    return estimate.state == HPM_STATE_BRIEF || counter->reason != NULL ||
           hpm_experiment_set_text(&counter->reason, explain(launch, event));
}

static bool
fill_values(struct hpm_experiment *experiment, size_t record,
            const struct launch *launch, const uint64_t *counts)
{
    for (size_t i = 0; i < experiment->n_counters; i++) {
        if (!fill_value(experiment, record, i, launch, counts))
            return false;
    }
    return true;
}

static bool
fill_resources(struct hpm_experiment *experiment, const struct launch *launch)
{
    if (!hpm_run_add_resources(experiment, &launch->usage))
        return false;
    for (size_t i = 0; i < experiment->n_resources; i++) {
        struct hpm_resource *resource = &experiment->resources[i];

        if (launch->attachment != NULL)
            resource->is_known =
                procusage_knows(launch->attachment->targets,
                                &launch->attachment->last, resource->name);
        else if (launch->is_left || (launch->hides_peak &&
                                     strcmp(resource->name, "ru::maxrss") == 0))
            resource->is_known = false;
    }
    return true;
}

/* ---- problems to report ---------------------------------------------- */

static bool
add_delay_problem(struct hpm_experiment *experiment,
                  const struct launch *launch)
{
    struct hpm_string text = {0}, delay = {0};

    hpm_string_add_fixed(
        &delay, (double)(launch->counted_from.ns - launch->start.ns) / 1e9, 3);
    hpm_string_add_format(
        &text,
        N_("counters and wall clock time begin %s s after the "
           "start (--delay); resource usage is that of the "
           "whole run, and in no metric"),
        hpm_string_text(&delay));
    hpm_string_finish(&delay, &text.failed);
    return hpm_experiment_tell(experiment, &text);
}

/* Append "of 1.234 s of processor time they saw 0.123 s (10.0 %)".  The
 * catalogue has each variant as a whole sentence, because finished sentences
 * are translated by their formats. */
static void
add_finding(struct hpm_string *text, const struct witness_finding *finding)
{
    struct hpm_string used = {0}, seen = {0}, share = {0};

    hpm_string_add_fixed(&used, (double)finding->used_ns / 1e9, 6);
    hpm_string_add_fixed(&seen, (double)finding->seen_ns / 1e9, 6);
    if (finding->used_ns > 0) {
        hpm_string_add_fixed(
            &share, 100.0 * (double)finding->seen_ns / (double)finding->used_ns,
            1);
        hpm_string_add_format(
            text, N_("of %s s of processor time they saw %s s (%s %%)"),
            hpm_string_text(&used), hpm_string_text(&seen),
            hpm_string_text(&share));
    } else {
        hpm_string_add_format(text,
                              N_("of %s s of processor time they saw %s s"),
                              hpm_string_text(&used), hpm_string_text(&seen));
    }
    hpm_string_finish(&used, &text->failed);
    hpm_string_finish(&seen, &text->failed);
    hpm_string_finish(&share, &text->failed);
}

static void
explain_loss(struct hpm_string *text, const struct launch *launch)
{
    struct hpm_string finding = {0};
    const char *what = NULL;

    add_finding(&finding, &launch->finding);
    if (launch->finding.loss == LOSS_POSSIBLE) {
        hpm_string_add_format(
            text,
            N_("counters may have missed a part of the run: %s; the kernel "
               "counts neither its switches between threads nor the end of a "
               "process, nor one that gains privileges (set-user-ID)"),
            hpm_string_text(&finding));
        hpm_string_finish(&finding, &text->failed);
        return;
    }
    if (launch->finding.loss == LOSS_ALL)
        what = privilege_of(launch->word);
    if (what != NULL)
        hpm_string_add_format(
            text,
            N_("counters were taken away while the program ran: %s; '%.200s' "
               "%s; run hpmcount as the user whose privileges the program "
               "gains"),
            hpm_string_text(&finding), launch->word, what);
    else
        hpm_string_add_format(
            text,
            N_("counters were taken away while the program ran: %s; run "
               "hpmcount as the user whose privileges the program gains"),
            hpm_string_text(&finding));
    hpm_string_finish(&finding, &text->failed);
}

/* Readers of the file must not take counts of the node for the program's
 * own. */
static bool
add_node_problem(struct hpm_experiment *experiment,
                 const struct hpm_eventset *set)
{
    struct hpm_string names = {0}, text = {0};

    if (hpm_nodesource_name(set, &names) == 0)
        return true;
    hpm_string_add_format(
        &text,
        N_("%s: of the whole node; whatever else ran there meanwhile is in it"),
        hpm_string_text(&names));
    hpm_string_finish(&names, &text.failed);
    return hpm_experiment_tell(experiment, &text);
}

static bool
add_problems(struct hpm_experiment *experiment, const struct launch *launch)
{
    bool is_good = launch->counted_from.ns == launch->start.ns ||
                   add_delay_problem(experiment, launch);
    struct hpm_string text = {0};

    if (is_good && launch->finding.loss != LOSS_NONE) {
        explain_loss(&text, launch);
        is_good = hpm_experiment_tell(experiment, &text);
    }
    if (is_good && launch->attachment != NULL &&
        launch->attachment->watch.n_unsettled > 0) {
        hpm_string_add_format(
            &text,
            N_("threads were started while counters were opened, in each of "
               "the attempts of 2 s: up to %zu of them, and what they started, "
               "may be missing"),
            launch->attachment->watch.n_unsettled);
        is_good = hpm_experiment_tell(experiment, &text);
    }
    if (is_good && launch->leaves_others) {
        hpm_string_add(&text,
                       N_("processes the program started still run; they are "
                          "counted up to its end, and not further"));
        is_good = hpm_experiment_tell(experiment, &text);
    }
    return is_good && add_node_problem(experiment, launch->meter->set);
}

/* ---- records ---------------------------------------------------------- */

static bool
add_record(struct hpm_experiment *experiment, const char *label,
           const struct launch *launch, const uint64_t *counts)
{
    uint64_t ns = launch->end.ns - launch->counted_from.ns;
    struct hpm_record *record = hpm_experiment_add_record(experiment);
    size_t at = experiment->n_records - 1;

    if (record == NULL || !hpm_experiment_set_text(&record->label, label) ||
        !hpm_experiment_set_text(&record->file, ""))
        return false;
    record->parent = record->within = HPM_NO_RECORD;
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
    return fill_values(experiment, at, launch, counts);
}

/* Add a record for each thread or core. */
static bool
add_parts(struct hpm_experiment *experiment, const struct launch *launch)
{
    const struct attachment *attachment = launch->attachment;
    size_t n_slots = launch->meter->n_slots;

    if (attachment == NULL || !attachment->watch.has_parts)
        return true;
    for (size_t i = 0; i < attachment->watch.n_parts; i++) {
        const struct watch_part *part = &attachment->watch.parts[i];
        struct hpm_record *record;

        if (!add_record(experiment, part->name, launch,
                        attachment->rows + i * n_slots))
            return false;
        record = &experiment->records[experiment->n_records - 1];
        record->scope = HPM_SCOPE_THREAD;
        record->tid = part->number;
    }
    return true;
}

/* ---- public functions ------------------------------------------------ */

bool
assemble_record(struct hpm_experiment *experiment, struct launch *launch,
                const struct hpm_eventset *set, struct hpm_error *err)
{
    bool is_good = hpm_run_set_start(&experiment->run, &launch->date) &&
                   describe_end(&experiment->run, launch) &&
                   hpm_run_describe_machine(
                       &experiment->machine, set,
                       hpm_clock_ns_per_tick(launch->start, launch->end)) &&
                   hpm_run_add_counters(experiment, set) &&
                   fill_resources(experiment, launch) &&
                   add_problems(experiment, launch) &&
                   add_record(experiment, experiment->run.program, launch,
                              launch->counts) &&
                   add_parts(experiment, launch) &&
                   profiler_give(&launch->profiler, experiment) &&
                   prober_give(&launch->prober, experiment);

    if (!is_good)
        return hpm_error_no_memory(err);
    if (launch->attachment != NULL)
        experiment->machine.n_allowed = launch->attachment->targets->n_cpus;
    else if (launch->n_allowed > 0 && experiment->machine.n_allowed > 0)
        experiment->machine.n_allowed = launch->n_allowed;
    hpm_run_settle_counters(experiment);
    return true;
}
