/* SPDX-License-Identifier: BSD-3-Clause
 * From the options of a command line to runs. */
#include "hpm/campaign/planning.h"

#include <string.h>

#include "host/memory.h"
#include "hpm/frame/subcommand.h"

/* ---- which events go together ---------------------------------------- */

/* Is the event provided by a library in the program?  Another process cannot
 * look it up, and it needs no counter. */
static bool
is_of_program(const char *event)
{
    static const char prefix[] = "sde:::";

    return strncmp(event, prefix, strlen(prefix)) == 0;
}

static bool
fits_here(const char *const *events, size_t n_events, void *context)
{
    const struct hpm_inquiry *inquiry = context;
    struct hpm_eventset set = {0};
    struct hpm_string list = {0};
    struct hpm_error err;
    bool is_good;

    for (size_t i = 0; i < n_events; i++) {
        if (!is_of_program(events[i]))
            hpm_string_add_format(&list, "%s%s", list.length > 0 ? "," : "",
                                  events[i]);
    }
    is_good = !list.failed &&
              (list.length == 0 ||
               hpm_eventset_choose(&set, hpm_string_text(&list), NULL,
                                   inquiry->domain, inquiry->sources, &err));
    for (size_t i = 0; i < set.n_events && is_good; i++)
        is_good = set.events[i].source != NULL;
    hpm_eventset_clear(&set);
    hpm_string_free(&list);
    return is_good;
}

static bool
fits_there(const char *const *events, size_t n_events, void *context)
{
    return hpm_processor_fits(context, events, n_events);
}

/* ---- the machine ------------------------------------------------------ */

static bool
open_there(struct planning *planning, struct hpm_error *err)
{
    const struct planning_options *options = &planning->options;
    struct hpm_processor *processor = &planning->processor;

    planning->spec = machine_read_all(options->pmu, err);
    if (planning->spec == NULL)
        return false;
    if (!hpm_processor_open(processor, planning->spec, options->pmu, err))
        return false;
    if (options->n_counters > 0)
        processor->n_counters = options->n_counters;
    if (processor->n_counters == 0)
        return hpm_error_set(err,
                             "the definitions for '%.40s' do not say how "
                             "many counters it has (const COUNTERS); add "
                             "--counters N",
                             options->pmu);
    planning->request = &processor->request;
    return true;
}

static bool
open_planning(struct planning *planning, struct hpm_error *err)
{
    if (planning->options.pmu != NULL)
        return open_there(planning, err);
    err->text[0] = '\0'; /* already reported */
    if (!machine_inquire(planning->options.command, &planning->inquiry))
        return false;
    planning->request = &planning->inquiry.request;
    return true;
}

/* ---- wanted events and metrics ---------------------------------------- */

/* Leave out events that cannot be counted, and report them.  Events of the
 * program itself are not reported with --sections, because only the program can
 * count them. */
static bool
take_events_here(struct planning *planning)
{
    struct hpm_string lines = {0};
    bool lacks_program = false;

    for (size_t i = 0; i < planning->named.n_events; i++) {
        struct hpm_event *event = &planning->named.events[i];

        if (planning->options.is_for_sections && is_of_program(event->name)) {
            hpm_memory_free(event->reason);
            event->reason = NULL;
        } else if (event->source == NULL) {
            lacks_program |= is_of_program(event->name);
            continue;
        }
        planning->events[planning->n_events++] = event->name;
    }
    hpm_eventset_explain(&planning->named, &lines);
    subcommand_say_lines(planning->options.command, hpm_string_text(&lines));
    if (lacks_program)
        subcommand_say(planning->options.command,
                       "sde::: events exist in the program only: one that is "
                       "linked with libhpm counts them (hpm campaign "
                       "--sections)");
    hpm_string_free(&lines);
    return true;
}

static bool
take_events_there(struct planning *planning, struct hpm_error *err)
{
    for (size_t i = 0; i < planning->named.n_events; i++) {
        const char *name = planning->named.events[i].name;

        if (!hpm_processor_has_event(&planning->processor, name))
            return hpm_error_set(err,
                                 "the definitions for '%.40s' do not name the "
                                 "event '%.100s'; a set that lists it tells "
                                 "them",
                                 planning->options.pmu, name);
        planning->events[planning->n_events++] = name;
    }
    return true;
}

static bool
take_events(struct planning *planning, struct hpm_error *err)
{
    static const struct hpm_source *const none[] = {NULL};
    const struct hpm_inquiry *inquiry = &planning->inquiry;
    bool is_here = planning->options.pmu == NULL;

    if (planning->options.events == NULL)
        return true;
    if (!hpm_eventset_add(&planning->named, planning->options.events,
                          is_here ? inquiry->domain : HPM_DOMAIN_USER,
                          is_here ? inquiry->sources : none, err))
        return false;
    planning->events =
        hpm_memory_new(planning->named.n_events, sizeof *planning->events);
    if (planning->events == NULL)
        return hpm_error_no_memory(err);
    return is_here ? take_events_here(planning)
                   : take_events_there(planning, err);
}

/* Without any option, all metrics are wanted. */
static bool
wants_all(const struct planning_options *options)
{
    return options->metrics == NULL ? options->events == NULL
                                    : strcmp(options->metrics, "all") == 0;
}

static bool
make_schedule(struct planning *planning, struct hpm_error *err)
{
    const struct planning_options *options = &planning->options;
    bool is_here = options->pmu == NULL;
    struct hpm_schedule_task task = {
        .request = planning->request,
        .is_all = wants_all(options),
        .has_parts = options->has_parts || wants_all(options),
        .fits = is_here ? fits_here : fits_there,
        .context = is_here ? (void *)&planning->inquiry
                           : (void *)&planning->processor};

    if (!take_events(planning, err))
        return false;
    if (options->metrics != NULL && !task.is_all &&
        !hpm_request_add_list(planning->request, options->metrics, SIZE_MAX,
                              err))
        return false;
    task.events = planning->events;
    task.n_events = planning->n_events;
    return hpm_schedule_make(&planning->schedule, &task, err);
}

/* ---- public functions ------------------------------------------------ */

bool
planning_make(struct planning *planning, const struct planning_options *options,
              struct hpm_error *err)
{
    *planning = (struct planning){.options = *options};
    return open_planning(planning, err) && make_schedule(planning, err);
}

void
planning_close(struct planning *planning)
{
    hpm_schedule_clear(&planning->schedule);
    hpm_eventset_clear(&planning->named);
    hpm_memory_free(planning->events);
    if (planning->options.pmu == NULL) {
        hpm_inquiry_close(&planning->inquiry);
        return;
    }
    hpm_processor_close(&planning->processor);
    hpm_spec_free(planning->spec);
}

bool
planning_has_runs(const struct planning *planning)
{
    if (planning->schedule.packing.n_sets > 0)
        return true;
    subcommand_say(planning->options.command,
                   "none of this can be counted here, or all of it is there "
                   "without being counted; 'hpm doctor' tells what can be "
                   "counted");
    return false;
}

bool
planning_lacks_events(const struct planning *planning)
{
    return planning->n_events < planning->named.n_events;
}
