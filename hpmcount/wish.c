/* SPDX-License-Identifier: BSD-3-Clause
 * What the user wants to know, as events to count. */
#include "hpmcount/wish.h"

#include <string.h>

#include "base/env.h"
#include "base/memory.h"
#include "metric/binding.h"
#include "record/run.h"
#include "source/usage.h"

/* getrusage is read for every run. */
static enum hpm_countable
ask_sources(const char *event, void *context)
{
    const struct wish *wish = context;

    if (hpm_binding_is_free(event))
        return HPM_COUNTABLE_FREE;
    for (size_t i = 0; i < HPM_USAGE_FIELDS; i++) {
        if (hpm_string_same_word(event, hpm_usage_fields[i].name))
            return hpm_usage_fields[i].is_known ? HPM_COUNTABLE_FREE
                                                : HPM_COUNTABLE_NO;
    }
    return hpm_eventset_can_count(event, wish->domain, wish->sources)
               ? HPM_COUNTABLE_YES
               : HPM_COUNTABLE_NO;
}

bool
wish_open(struct wish *wish, const struct hpm_source *const *sources,
          enum hpm_domain domain, struct hpm_string *lines,
          struct hpm_error *err)
{
    struct hpm_machine machine = {0};
    struct hpm_platform platform;
    bool is_good = hpm_run_describe_pmu(&machine) || hpm_error_no_memory(err);

    *wish = (struct wish){.sources = sources, .domain = domain};
    platform = hpm_platform_of(&machine);
    is_good = is_good && hpm_library_open(&wish->library, NULL, &platform, err);
    hpm_memory_free(machine.pmu);
    hpm_memory_free(machine.facts);
    if (!is_good)
        return false;
    hpm_string_add(lines, hpm_string_text(&wish->library.spec->complaints));
    return hpm_request_init(&wish->request, wish->library.metrics, ask_sources,
                            wish, err);
}

void
wish_close(struct wish *wish)
{
    hpm_request_clear(&wish->request);
    hpm_library_close(&wish->library);
}

/* Metrics named by the user that cannot be measured; "all" names none. */
static void
tell_missing(struct wish *wish, struct hpm_string *lines)
{
    const struct hpm_metrics *metrics = wish->library.metrics;

    for (size_t i = 0; i < metrics->n_metrics; i++) {
        enum hpm_feasible feasible;

        if (!wish->request.is_chosen[i])
            continue;
        feasible = hpm_request_ask_metric(&wish->request, i);
        if (feasible == HPM_FEASIBLE_ALL)
            continue;
        hpm_string_add_format(lines, "%s: '%s' needs ",
                              feasible == HPM_FEASIBLE_NO ? "not measured"
                                                          : "measured in part",
                              metrics->metrics[i].name);
        hpm_request_explain(&wish->request, i, lines);
        hpm_string_add(lines, ", which cannot be counted here\n");
    }
}

/* Is anything asked for by options?  Then the environment is not. */
static bool
has_options(const struct options *options)
{
    return options->events != NULL || options->set_name != NULL ||
           options->metrics != NULL;
}

static bool
add_wishes(struct wish *wish, const char *metrics,
           const struct hpm_metric_set *set, struct hpm_string *lines,
           struct hpm_error *err)
{
    if (set != NULL)
        hpm_request_add_set(&wish->request, set);
    if (metrics != NULL &&
        !hpm_request_add_list(&wish->request, metrics, HPM_MAX_EVENTS, err))
        return false;
    wish->has_metrics = metrics != NULL;
    tell_missing(wish, lines);
    return true;
}

bool
wish_choose_events(struct wish *wish, const struct options *options,
                   struct hpm_eventset *set, struct hpm_string *lines,
                   struct hpm_error *err)
{
    bool is_env = !has_options(options);
    const char *events =
        is_env ? hpm_env_get(HPM_VARIABLE_EVENTS) : options->events;
    const char *metrics =
        is_env ? hpm_env_get(HPM_VARIABLE_METRICS) : options->metrics;
    const char *set_name =
        is_env ? hpm_env_get(HPM_VARIABLE_SET) : options->set_name;
    const struct hpm_metric_set *found;
    struct hpm_string list = {0};
    bool is_good;

    if (is_env && set_name == NULL)
        set_name = hpm_env_get(HPM_VARIABLE_EVENT_SET);
    if (is_env && events != NULL)
        set_name = NULL;
    found = set_name != NULL
                ? hpm_metrics_find_set(wish->library.metrics, set_name)
                : NULL;
    if (!add_wishes(wish, metrics, found, lines, err))
        return false;
    if (events != NULL)
        hpm_string_add(&list, events);
    hpm_request_add_events(&wish->request, &list);
    is_good = !list.failed || hpm_error_no_memory(err);
    is_good =
        is_good && hpm_eventset_choose(set, list.length > 0 ? list.text : NULL,
                                       found != NULL ? NULL : set_name,
                                       wish->domain, wish->sources, err);
    hpm_string_free(&list);
    return is_good;
}
