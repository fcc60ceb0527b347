/* SPDX-License-Identifier: BSD-3-Clause
 * One call of hpmcount: choose, run, report. */
#include "hpmcount/session.h"

#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/mark.h"
#include "file/pattern.h"
#include "hpmcount/assemble.h"
#include "hpmcount/attach.h"
#include "hpmcount/callers.h"
#include "hpmcount/guard.h"
#include "hpmcount/intervals.h"
#include "hpmcount/job.h"
#include "hpmcount/launch.h"
#include "hpmcount/listing.h"
#include "hpmcount/outputs.h"
#include "hpmcount/parts.h"
#include "hpmcount/hooked.h"
#include "hpmcount/preload.h"
#include "hpmcount/request.h"
#include "hpmcount/say.h"
#include "hpmcount/series.h"
#include "hpmcount/webpage.h"
#include "hpmcount/written.h"
#include "inquiry/definer.h"
#include "metric/language/definitions.h"
#include "source/clock.h"
#include "source/eventset.h"
#include "source/sampling.h"
#include "source/sources.h"
#include "study/node/nodesource.h"
#include "study/report/paragraph.h"
#include "study/report/terminal.h"

struct session {
    const struct options *options;
    const struct sources *sources;
    struct hpm_inquiry inquiry;
    struct hpm_derived *derived; /* of the last run */
    struct targets targets;      /* running targets; else the program */
    struct choice choice;
    struct hpm_eventset set;
    struct hpm_sampling sampling;
    struct probeplan probes; /* with --section */
    struct outputs outputs;
    struct job job;         /* with -a */
    struct webpage webpage; /* with --html; with -a the job makes it */
    struct relay relay;
    struct intervals intervals;
    struct series series;
    int status; /* hpmcount's exit status */
};

/* ---- before the run -------------------------------------------------- */

bool
session_choose_sources(struct sources *ret_sources, struct hpm_error *err)
{
    const char *source = hpm_env_get(HPM_VARIABLE_SOURCE);
    const char *domain = hpm_env_get(HPM_VARIABLE_DOMAIN);
    static const struct hpm_source *with_node[HPM_MAX_SOURCES];
    struct sources sources = {.domain = HPM_DOMAIN_USER};
    struct hpm_string lines = {0};

    hpm_env_check(&lines);
    say_lines(&lines);
    hpm_definer_serve();
    sources.list = hpm_sources_choose(source, err);
    if (sources.list == NULL)
        return false;
    hpm_nodesource_add(sources.list, with_node);
    sources.list = with_node;
    if (domain != NULL && !hpm_domain_from_name(domain, &sources.domain))
        return hpm_error_set(err,
                             "HPM_DOMAIN='%.40s' is unknown; expected "
                             "user, kernel or all",
                             domain);
    *ret_sources = sources;
    return true;
}

/* Report problems of definitions; the other definitions remain valid. */
static bool
open_inquiry(struct hpm_inquiry *inquiry, const struct sources *sources,
             struct hpm_string *lines, struct hpm_error *err)
{
    if (!hpm_inquiry_open(inquiry, sources->list, sources->domain, true, err))
        return false;
    hpm_string_add(lines, hpm_string_text(&inquiry->library.spec->complaints));
    return true;
}

static bool
choose_events(struct session *session, struct hpm_error *err)
{
    struct hpm_string lines = {0};
    bool is_good =
        open_inquiry(&session->inquiry, session->sources, &lines, err);

    session->inquiry.begins_late = session->options->delay_ms > 0;
    session->set.takes_turns = session->options->takes_turns ||
                               hpm_env_is_on(HPM_VARIABLE_SHARE, false);
    is_good = is_good && request_choose_events(&session->inquiry,
                                               session->options, &session->set,
                                               &session->choice, &lines, err);
    if (is_good) {
        if (session->options->is_aggregated)
            hpm_nodesource_refuse(
                &session->set,
                N_("it is of the whole node, and each task of the job would "
                   "have it again; count it beside the job: hpmcount -A -e "
                   "..."));
        hpm_eventset_settle_for_program(&session->set);
        hpm_eventset_explain(&session->set, &lines);
    }
    say_lines(&lines);
    return is_good;
}

/* HPM_SOURCE may forbid perf_event_open altogether. */
static bool
uses_kernel(const struct hpm_source *const *sources)
{
    while (*sources != NULL && *sources != &hpm_source_kernel)
        sources++;
    return *sources != NULL;
}

/* If an event cannot be sampled, do not start: the user wants all samples of a
 * long run. */
static bool
choose_sampling(struct session *session, struct hpm_error *err)
{
    struct hpm_string lines = {0};
    unsigned n_callers = 0;
    size_t length;

    if (session->options->sampled == NULL)
        return true;
    if (session->options->chains == OPTIONS_CHAINS_FP &&
        !callers_most(&n_callers, err))
        return false;
    if (!uses_kernel(session->sources->list))
        return hpm_error_set(err, "--sample: the kernel is not to be asked "
                                  "(HPM_SOURCE); unset that to sample");
    hpm_sampling_choose(&session->sampling, session->options->sampled,
                        session->sources->domain, &lines);
    session->sampling.n_callers = n_callers;
    if (lines.failed)
        return hpm_error_no_memory(err);
    length = strcspn(hpm_string_text(&lines), "\n");
    if (length > 0)
        hpm_error_set(err, "--sample: %.*s", (int)length, lines.text);
    hpm_string_free(&lines);
    return length == 0;
}

static bool
choose_probes(struct session *session, struct hpm_error *err)
{
    const struct options *options = session->options;

    if (options->probed == NULL)
        return true;
    if (!uses_kernel(session->sources->list))
        return hpm_error_set(err, "--section: the kernel is not to be asked "
                                  "(HPM_SOURCE); unset that");
    session->probes.is_entry_only = options->is_entry_only;
    return probeplan_make(&session->probes, options->probed,
                          options->command[0], err);
}

/* Fix the outputs first: nothing is run that could not be reported. */
static bool
fix_outputs(struct session *session, struct hpm_error *err)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    bool is_good;

    if (experiment == NULL)
        return hpm_error_no_memory(err);
    is_good = assemble_run(experiment, session->targets.name, err);
    if (session->options->is_aggregated)
        experiment->run.task = HPM_ALL_TASKS;
    is_good = is_good && outputs_fix(&session->outputs, session->options,
                                     &experiment->run, err);
    hpm_experiment_free(experiment);
    return is_good;
}

static bool
prepare(struct session *session, struct hpm_error *err)
{
    const struct options *options = session->options;

    hpm_clock_init();
    return targets_find(&session->targets, options, err) &&
           (options->allows_launcher || options_attach(options) ||
            guard_check(options->own, options->command, err)) &&
           choose_events(session, err) && choose_sampling(session, err) &&
           choose_probes(session, err) && fix_outputs(session, err) &&
           (options->is_aggregated
                ? job_begin(&session->job, &session->outputs, err)
                : webpage_begin(&session->webpage, &session->outputs, err));
}

/* ---- one run --------------------------------------------------------- */

/* Write down what the metrics were chosen by, so that a reader can choose the
 * same. */
static bool
name_machine(const struct session *session, struct hpm_machine *machine,
             struct hpm_error *err)
{
    const struct hpm_machine *known = &session->inquiry.machine;

    return (hpm_experiment_set_text(&machine->pmu, known->pmu) &&
            hpm_experiment_set_text(&machine->facts, known->facts)) ||
           hpm_error_no_memory(err);
}

static struct hpm_experiment *
assemble(struct session *session, struct launch *launch, struct hpm_error *err)
{
    struct hpm_experiment *experiment = hpm_experiment_new();

    if (experiment == NULL)
        hpm_error_no_memory(err);
    else if (assemble_run(experiment, session->targets.name, err) &&
             name_machine(session, &experiment->machine, err) &&
             assemble_record(experiment, launch, &session->set, err))
        return experiment;
    hpm_experiment_free(experiment);
    return NULL;
}

/* Without counts from the begin on, resource usage is not used in metrics. */
static struct hpm_derived *
derive(const struct session *session, const struct hpm_experiment *experiment,
       struct hpm_error *err)
{
    struct hpm_derived *derived = hpm_derived_new(
        session->inquiry.library.metrics, experiment, true, err);

    if (derived == NULL)
        return NULL;
    derived->is_chosen = session->inquiry.request.is_chosen;
    if (experiment->run.ns != experiment->records[0].time.total)
        hpm_binding_begin_late(&derived->binding);
    return derived;
}

/* Keep the result of a run, in a file unless it has one already.  A failed run decides
 * the exit status. */
static bool
keep(struct session *session, struct launch *launch, bool has_file,
     struct hpm_error *err)
{
    struct hpm_experiment *experiment = assemble(session, launch, err);

    if (experiment == NULL)
        return false;
    hpm_derived_free(session->derived);
    session->derived = derive(session, experiment, err);
    if (session->derived == NULL) {
        hpm_experiment_free(experiment);
        return false;
    }
    if (!has_file)
        outputs_write_file(&session->outputs, experiment, session->derived,
                           session->series.n_runs + 1);
    webpage_add_run(&session->webpage, experiment, session->derived,
                    session->series.n_runs + 1);
    return series_add_run(&session->series, experiment, session->derived) ||
           hpm_error_no_memory(err);
}

/* For running targets there is only one run. */
static int
attach(struct session *session, struct hpm_error *err)
{
    struct attachment attachment;
    struct launch launch;
    int failure =
        attach_run(&attachment, &launch, session->options, &session->targets,
                   &session->set, &session->intervals, &session->relay, err);

    if (failure == 0) {
        session->status = launch.status;
        if (!keep(session, &launch, false, err))
            say("%s", err->text);
    }
    launch_clear(&launch);
    attach_clear(&attachment);
    return failure;
}

/* Is the file of -o that which a library writes in the program?  Samples and probes are
 * in hpmcount's own, and HPM_OUTPUT_NAME is the program's own name. */
static bool
hands_over(const struct session *session)
{
    const struct options *options = session->options;

    return (options->functions != NULL || options->libraries != NULL) &&
           !options->takes_mpi && !options->is_aggregated &&
           options->sampled == NULL && options->probed == NULL &&
           session->outputs.has_file &&
           hpm_env_get(HPM_VARIABLE_OUTPUT_NAME) == NULL &&
           hpm_env_get(HPM_VARIABLE_WRITTEN) == NULL;
}

/* The name of that file for the run that comes next. */
static bool
name_file(const struct session *session, struct hpm_string *name,
          struct hpm_error *err)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    bool is_good = (experiment != NULL || hpm_error_no_memory(err)) &&
                   assemble_run(experiment, session->targets.name, err) &&
                   outputs_add_path(&session->outputs, &experiment->run,
                                    session->series.n_runs + 1, name, err);

    hpm_experiment_free(experiment);
    return is_good;
}

/* `name` is of the file that the program is to write, NULL for its own.  Returns
 * hpmcount's exit status when the program could not be started. */
static int
run_with(struct session *session, const char *name, bool is_kept,
         struct hpm_error *err)
{
    const struct launch_request request = {
        .argv = session->options->command,
        .set = &session->set,
        .has_witness = uses_kernel(session->sources->list),
        .delay_ns = session->options->delay_ms * 1000000u,
        .intervals = &session->intervals,
        .sampling = &session->sampling,
        .probes = &session->probes};
    const struct preload uncounted = {.has_libomp =
                                          session->options->has_libomp};
    const struct preload preload = {
        .takes_mpi = session->options->takes_mpi,
        .takes_openmp = session->options->takes_openmp,
        .has_libomp = session->options->has_libomp,
        .has_regions = session->options->has_regions,
        .functions = session->options->functions,
        .libraries = session->options->libraries,
        .output = name};
    struct launch launch;
    size_t n_written = written_length();
    int failure;

    if (!preload_begin(is_kept ? &preload : &uncounted, err)) {
        preload_end();
        return OWN_FAILURE;
    }
    failure = launch_run(&launch, &request, &session->relay, err);
    preload_end();
    if (failure == 0) {
        if (session->status == 0)
            session->status = launch.status;
        if (is_kept && !keep(session, &launch,
                             name != NULL && written_length() > n_written, err))
            say("%s", err->text);
    }
    launch_clear(&launch);
    return failure;
}

static int
run_once(struct session *session, bool is_kept, struct hpm_error *err)
{
    struct hpm_string name = {0};
    int failure = OWN_FAILURE;

    if (!is_kept || !hands_over(session))
        return run_with(session, NULL, is_kept, err);
    if (name_file(session, &name, err))
        failure = run_with(session, hpm_string_text(&name), is_kept, err);
    hpm_string_free(&name);
    return failure;
}

/* ---- all runs -------------------------------------------------------- */

/* Print a line after each run, for people who wait. */
static void
show_progress(const struct session *session, uint64_t run)
{
    const struct options *options = session->options;
    struct hpm_string line = {0};

    if (options->n_runs + options->n_warmups < 2 || !isatty(STDERR_FILENO) ||
        options->format->add_messages != NULL)
        return;
    if (run < options->n_warmups)
        hpm_string_add_format(&line, N_("warm-up %llu of %llu"),
                              (unsigned long long)run + 1,
                              (unsigned long long)options->n_warmups);
    else
        hpm_string_add_format(&line, N_("run %llu of %llu"),
                              (unsigned long long)(run - options->n_warmups) +
                                  1,
                              (unsigned long long)options->n_runs);
    if (run >= options->n_warmups && session->series.n_runs > 0) {
        const struct hpm_experiment *last =
            session->series.runs[session->series.n_runs - 1];

        hpm_string_add(&line, ": ");
        hpm_string_add_fixed(&line, (double)last->run.ns / 1e9, 6);
        hpm_string_add(&line, series_has_failed(last) ? " s, failed" : " s");
    }
    say_lines(&line);
}

/* A signal from the user ends all runs, whatever the program does with it. */
static int
run_all(struct session *session, struct hpm_error *err)
{
    const struct options *options = session->options;
    uint64_t n = options->n_warmups + options->n_runs;
    int failure = 0;

    if (options->functions != NULL && !hooked_check(options->command[0], err))
        return OWN_FAILURE;
    if (options->libraries != NULL &&
        !hooked_can_load("--library", options->command[0], err))
        return OWN_FAILURE;
    for (uint64_t run = 0; run < n && failure == 0; run++) {
        bool is_kept = run >= options->n_warmups;

        failure = run_once(session, is_kept, err);
        if (failure == 0)
            show_progress(session, run);
        if (n > 1 && relay_interrupt(&session->relay) != 0) {
            if (run + 1 < n && session->status == 0)
                session->status = relay_interrupt(&session->relay);
            break;
        }
    }
    return failure;
}

/* A table only has rows of values, so print remarks; but not where no table is
 * wanted. */
static void
say_remarks(const struct session *session)
{
    const struct options *options = session->options;
    struct hpm_string lines = {0};

    if (options->format->add_messages == NULL || options->format->is_json ||
        (options->is_quiet && options->log == NULL && options->log_fd < 0))
        return;
    series_add_remarks(&lines, &session->series);
    say_lines(&lines);
}

static enum extent
choose_extent(const struct session *session)
{
    const struct options *options = session->options;

    if (options->is_verbose)
        return EXTENT_ALL;
    return session->choice.is_default && !options->has_formulas ? EXTENT_SCREEN
                                                                : EXTENT_CHOSEN;
}

static struct look
choose_look(const struct session *session)
{
    const struct options *options = session->options;
    bool is_on_screen = options->log == NULL && options->log_fd < 0;

    return (struct look){
        .tree = {.is_chosen = session->choice.has_metrics
                                  ? session->inquiry.request.is_chosen
                                  : NULL,
                 .has_formulas = options->has_formulas,
                 .is_coloured =
                     is_on_screen && hpm_terminal_has_colours(STDERR_FILENO),
                 .precision = options->precision},
        .extent = choose_extent(session),
        .width = is_on_screen ? hpm_terminal_width(STDERR_FILENO)
                              : HPM_PARAGRAPH_WIDTH,
        .is_attached = options_attach(session->options),
        .is_on_terminal = is_on_screen && isatty(STDERR_FILENO)};
}

/* Else the user would look for a file. */
static void
say_no_call(const struct options *options)
{
    if (options->libraries != NULL && written_is_empty())
        say("--library: no call of '%s' was measured: the program makes none, "
            "or "
            "none that a shared library serves (hpm-libraries(7))",
            options->libraries);
}

static void
report(struct session *session)
{
    const struct options *options = session->options;
    const struct look look = choose_look(session);
    struct hpm_string text = {0};

    if (session->series.n_runs == 0)
        return;
    session->series.extent = look.extent;
    say_remarks(session);
    if (options->interval_ms > 0 && options->format->add_messages != NULL &&
        !options->format->is_json) {
        outputs_stream_messages(&session->outputs);
        return; /* the rows of intervals are the report */
    }
    if (options->n_runs > 1)
        options->format->add_series(&text, &session->series);
    else
        options->format->add(&text, session->series.runs[0], session->derived,
                             &look);
    if (options->format->add_messages == NULL && options_attach(options))
        parts_add_text(&text, session->series.runs[0]);
    if (options->format->add_messages == NULL)
        written_add_text(&text);
    outputs_write_report(&session->outputs, &text);
    hpm_string_free(&text);
}

/* Sources of the node are read only if the user asks for events. */
static bool
may_want_node(const struct options *options)
{
    return options->events != NULL || options->set_name != NULL ||
           options->metrics != NULL ||
           hpm_env_get(HPM_VARIABLE_EVENTS) != NULL ||
           hpm_env_get(HPM_VARIABLE_SET) != NULL ||
           hpm_env_get(HPM_VARIABLE_EVENT_SET) != NULL;
}

int
session_run(const struct options *options, const struct sources *sources,
            int *ret_status)
{
    struct session session = {
        .options = options, .sources = sources, .targets.cgroup = -1};
    struct hpm_error err;
    int failure = OWN_FAILURE;

    if (may_want_node(options))
        hpm_definitions_read_also("node");
    if (options->format->add_messages != NULL && !options->is_aggregated)
        say_wait();
    if (!prepare(&session, &err)) {
        say("%s", err.text);
    } else {
        session.series.n_wanted = (size_t)options->n_runs;
        session.series.n_warmups = (size_t)options->n_warmups;
        session.series.precision = options->precision;
        if (session.choice.has_metrics)
            session.series.is_chosen = session.inquiry.request.is_chosen;
        intervals_prepare(&session.intervals, options, &session.outputs);
        relay_begin(&session.relay);
        failure = options_attach(options) ? attach(&session, &err)
                                          : run_all(&session, &err);
        if (failure != 0)
            say("%s", err.text);
        else
            say_no_call(options);
        if (options->is_aggregated)
            job_end(&session.job, &session.outputs);
        else
            report(&session);
        webpage_end(&session.webpage);
        *ret_status = session.status;
    }
    say_waited();
    intervals_clear(&session.intervals);
    job_clear(&session.job);
    webpage_clear(&session.webpage);
    written_end();
    outputs_clear(&session.outputs);
    targets_clear(&session.targets);
    hpm_derived_free(session.derived);
    series_clear(&session.series);
    hpm_eventset_clear(&session.set);
    hpm_sampling_clear(&session.sampling);
    probeplan_clear(&session.probes);
    hpm_inquiry_close(&session.inquiry);
    return failure;
}

int
session_list(const struct sources *sources)
{
    struct hpm_inquiry inquiry = {0};
    struct hpm_string lines = {0};
    struct hpm_error err;
    int status = OWN_FAILURE;

    hpm_definitions_read_also("node");
    if (open_inquiry(&inquiry, sources, &lines, &err))
        status = listing_print(&inquiry);
    else
        say("%s", err.text);
    say_lines(&lines);
    hpm_inquiry_close(&inquiry);
    return status;
}
