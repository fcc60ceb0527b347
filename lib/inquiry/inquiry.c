/* SPDX-License-Identifier: BSD-3-Clause
 * Asks whether this machine can measure what the user wants. */
#include "inquiry/inquiry.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "inquiry/definer.h"
#include "metric/binding.h"
#include "metric/roof.h"
#include "record/run.h"
#include "source/pfm.h"
#include "source/usage.h"

/* Is the event a resource that getrusage gives for every run?  UNASKED if it is
 * none. */
static enum hpm_countable
ask_usage(const struct hpm_inquiry *inquiry, const char *event)
{
    for (size_t i = 0; i < HPM_USAGE_FIELDS; i++) {
        if (strcmp(event, hpm_usage_fields[i].name) == 0)
            return hpm_usage_fields[i].is_known && !inquiry->begins_late
                       ? HPM_COUNTABLE_FREE
                       : HPM_COUNTABLE_NO;
    }
    return HPM_COUNTABLE_UNASKED;
}

static enum hpm_countable
ask_sources(const char *event, void *context)
{
    const struct hpm_inquiry *inquiry = context;
    enum hpm_countable answer = HPM_COUNTABLE_UNASKED;

    if (hpm_roof_is_name(event))
        return isnan(hpm_roof_value(event, inquiry->machine.facts))
                   ? HPM_COUNTABLE_NO
                   : HPM_COUNTABLE_FREE;
    if (hpm_binding_is_free(event))
        return HPM_COUNTABLE_FREE;
    if (inquiry->is_whole_run)
        answer = ask_usage(inquiry, event);
    if (answer != HPM_COUNTABLE_UNASKED)
        return answer;
    return hpm_eventset_can_count(event, inquiry->domain, inquiry->sources)
               ? HPM_COUNTABLE_YES
               : HPM_COUNTABLE_NO;
}

/* The event's code is known to be wrong, or only one source could count it and
 * says why it cannot. */
static void
tell_reason(struct hpm_string *string, const char *event, void *context)
{
    const struct hpm_inquiry *inquiry = context;
    struct hpm_error why;
    bool is_told = hpm_pfm_is_refused(NULL, event, &why);

    for (size_t i = 0; inquiry->sources[i] != NULL && !is_told; i++) {
        struct hpm_event found = {0};

        is_told = inquiry->sources[i]->find(event, inquiry->domain, &found,
                                            &why) == HPM_FINDING_ZERO;
        hpm_event_clear(&found);
    }
    if (is_told)
        hpm_string_add_format(string, ": %s", why.text);
}

bool
hpm_inquiry_open(struct hpm_inquiry *inquiry,
                 const struct hpm_source *const *sources,
                 enum hpm_domain domain, bool is_whole_run,
                 struct hpm_error *err)
{
    struct hpm_platform platform;
    bool is_good;

    *inquiry = (struct hpm_inquiry){
        .sources = sources, .domain = domain, .is_whole_run = is_whole_run};
    is_good =
        hpm_run_describe_pmu(&inquiry->machine) || hpm_error_no_memory(err);
    platform = hpm_platform_of(&inquiry->machine);
    is_good = is_good &&
              hpm_library_open(&inquiry->library, NULL, &platform, err) &&
              hpm_request_init(&inquiry->request, inquiry->library.metrics,
                               ask_sources, inquiry, err);
    inquiry->request.tell = tell_reason;
    if (is_good)
        hpm_definer_lend(inquiry->library.spec, inquiry->machine.pmu);
    if (!is_good)
        hpm_inquiry_close(inquiry);
    return is_good;
}

void
hpm_inquiry_close(struct hpm_inquiry *inquiry)
{
    hpm_definer_lend(NULL, NULL);
    hpm_request_clear(&inquiry->request);
    hpm_library_close(&inquiry->library);
    hpm_memory_free(inquiry->machine.pmu);
    hpm_memory_free(inquiry->machine.facts);
    inquiry->machine = (struct hpm_machine){0};
}

bool
hpm_inquiry_is_open(const struct hpm_inquiry *inquiry)
{
    return inquiry->library.metrics != NULL;
}

bool
hpm_inquiry_lists_set(const struct hpm_inquiry *inquiry,
                      const struct hpm_named_set *named)
{
    return hpm_metrics_find_set(inquiry->library.metrics, named->name) == NULL;
}

bool
hpm_inquiry_check_set(const struct hpm_inquiry *inquiry, const char *name,
                      struct hpm_error *err)
{
    const struct hpm_metrics *metrics = inquiry->library.metrics;
    struct hpm_string names = {0};

    if (hpm_metrics_find_set(metrics, name) != NULL ||
        hpm_named_set_find(name) != NULL)
        return true;
    for (size_t i = 0; i < metrics->n_sets; i++)
        hpm_string_add_format(&names, " %s", metrics->sets[i].name);
    for (size_t i = 0; hpm_named_sets[i].name != NULL; i++) {
        if (hpm_inquiry_lists_set(inquiry, &hpm_named_sets[i]))
            hpm_string_add_format(&names, " %s", hpm_named_sets[i].name);
    }
    hpm_error_set(err, "there is no set '%.40s'; expected one of:%.400s", name,
                  hpm_string_text(&names));
    hpm_string_free(&names);
    return false;
}

bool
hpm_inquiry_want(struct hpm_inquiry *inquiry, const char *metrics,
                 const char *set, bool *ret_is_set, struct hpm_error *err)
{
    const struct hpm_metric_set *found =
        set != NULL ? hpm_metrics_find_set(inquiry->library.metrics, set)
                    : NULL;

    *ret_is_set = found != NULL;
    if (found != NULL)
        hpm_request_add_set(&inquiry->request, found);
    return metrics == NULL || hpm_request_add_list(&inquiry->request, metrics,
                                                   HPM_MAX_EVENTS, err);
}

void
hpm_inquiry_explain(struct hpm_inquiry *inquiry, struct hpm_string *lines)
{
    const struct hpm_metrics *metrics = inquiry->library.metrics;

    for (size_t i = 0; i < metrics->n_metrics; i++) {
        enum hpm_feasible feasible;

        if (!inquiry->request.is_chosen[i])
            continue;
        feasible = hpm_request_ask_metric(&inquiry->request, i);
        if (feasible == HPM_FEASIBLE_ALL)
            continue;
        hpm_string_add_format(lines, "%s: '%s' needs ",
                              feasible == HPM_FEASIBLE_NO ? "not measured"
                                                          : "measured in part",
                              metrics->metrics[i].name);
        hpm_request_explain(&inquiry->request, i, lines);
        hpm_string_add_char(lines, '\n');
    }
}
