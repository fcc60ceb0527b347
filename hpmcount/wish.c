/* SPDX-License-Identifier: BSD-3-Clause
 * What the user wants to know, as events to count. */
#include "hpmcount/wish.h"

#include "base/env.h"

struct wish {
    const char *events;
    const char *set;
    const char *metrics;
};

/* Options stand over the environment, HPM_EVENTS over HPM_SET. */
static struct wish
find_wish(const struct options *options)
{
    struct wish wish = {options->events, options->set_name, options->metrics};

    if (wish.events != NULL || wish.set != NULL || wish.metrics != NULL)
        return wish;
    wish.events = hpm_env_get(HPM_VARIABLE_EVENTS);
    wish.metrics = hpm_env_get(HPM_VARIABLE_METRICS);
    if (wish.events == NULL)
        wish.set = hpm_env_get(HPM_VARIABLE_SET);
    if (wish.events == NULL && wish.set == NULL)
        wish.set = hpm_env_get(HPM_VARIABLE_EVENT_SET);
    return wish;
}

bool
wish_choose_events(struct hpm_inquiry *inquiry, const struct options *options,
                   struct hpm_eventset *set, bool *ret_has_metrics,
                   struct hpm_string *lines, struct hpm_error *err)
{
    struct wish wish = find_wish(options);
    struct hpm_string list = {0};
    bool is_good, is_set;

    if (wish.events != NULL && wish.events[0] == '\0')
        return hpm_error_set(err, "empty list of events; expected names with "
                                  "commas between them");
    if (wish.set != NULL && !hpm_inquiry_check_set(inquiry, wish.set, err))
        return false;
    if (!hpm_inquiry_want(inquiry, wish.metrics, wish.set, &is_set, err))
        return false;
    hpm_inquiry_explain(inquiry, lines);
    if (wish.events != NULL)
        hpm_string_add(&list, wish.events);
    hpm_request_add_events(&inquiry->request, &list);
    /* of a set of which nothing can be counted, its metrics tell why */
    *ret_has_metrics = wish.metrics != NULL || (is_set && list.length == 0);
    is_good = !list.failed || hpm_error_no_memory(err);
    is_good =
        is_good && hpm_eventset_choose(set, list.length > 0 ? list.text : NULL,
                                       is_set ? NULL : wish.set,
                                       inquiry->domain, inquiry->sources, err);
    hpm_string_free(&list);
    return is_good;
}
