/* SPDX-License-Identifier: BSD-3-Clause
 * The user's wishes as events to count. */
#include "hpmcount/request.h"

#include <string.h>

#include "base/env.h"

struct request {
    const char *events;
    const char *set;
    const char *metrics;
};

/* Options override the environment, HPM_EVENTS overrides HPM_SET. */
static struct request
find_request(const struct options *options)
{
    struct request request = {options->events, options->set_name,
                              options->metrics};

    if (request.events != NULL || request.set != NULL ||
        request.metrics != NULL)
        return request;
    request.events = hpm_env_get(HPM_VARIABLE_EVENTS);
    request.metrics = hpm_env_get(HPM_VARIABLE_METRICS);
    if (request.events == NULL)
        request.set = hpm_env_get(HPM_VARIABLE_SET);
    if (request.events == NULL && request.set == NULL)
        request.set = hpm_env_get(HPM_VARIABLE_EVENT_SET);
    return request;
}

/* Sets of times that libraries of ours take in the program, which hpmcount loads into it. */
static const struct {
    const char *name;
    bool is_of_mpi, is_of_openmp;
    const char *options;
} sets_of_programs[] = {{"MPI", true, false, "--mpi"},
                        {"MPI_TIME", true, false, "--mpi"},
                        {"MPI_WAITING", true, false, "--mpi"},
                        {"OPENMP", false, true, "--openmp"},
                        {"MPI_OPENMP", true, true, "--mpi --openmp"}};

/* Does the program count this set?  Then hpmcount counts what it does without a set.  False
 * for a set that hpmcount counts itself, too. */
static bool
is_of_program(const struct hpm_inquiry *inquiry, const char *set,
              const struct options *options, const char **ret_missing)
{
    if (set == NULL ||
        hpm_metrics_find_set(inquiry->library.metrics, set) != NULL)
        return false;
    for (size_t i = 0; i < sizeof sets_of_programs / sizeof *sets_of_programs;
         i++) {
        if (strcmp(sets_of_programs[i].name, set) != 0)
            continue;
        if ((sets_of_programs[i].is_of_mpi && !options->takes_mpi) ||
            (sets_of_programs[i].is_of_openmp && !options->takes_openmp))
            *ret_missing = sets_of_programs[i].options;
        return true;
    }
    return false;
}

static bool
leave_to_program(const struct hpm_inquiry *inquiry, struct request *request,
                 const struct options *options, struct hpm_error *err)
{
    const char *missing = NULL;

    if (!is_of_program(inquiry, request->set, options, &missing))
        return true;
    if (missing != NULL)
        return hpm_error_set(err,
                             "the set '%.40s' is counted in the program, by a "
                             "library that hpmcount loads into it; add %s",
                             request->set, missing);
    request->set = NULL;
    return true;
}

bool
request_choose_events(struct hpm_inquiry *inquiry,
                      const struct options *options, struct hpm_eventset *set,
                      struct choice *ret_choice, struct hpm_string *lines,
                      struct hpm_error *err)
{
    struct request request = find_request(options);
    struct hpm_string list = {0};
    bool is_good, is_set;

    if (request.events != NULL && request.events[0] == '\0')
        return hpm_error_set(err, "empty list of events; expected names with "
                                  "commas between them");
    if (!leave_to_program(inquiry, &request, options, err))
        return false;
    if (request.set != NULL &&
        !hpm_inquiry_check_set(inquiry, request.set, err))
        return false;
    if (!hpm_inquiry_want(inquiry, request.metrics, request.set, &is_set, err))
        return false;
    hpm_inquiry_explain(inquiry, lines);
    if (request.events != NULL)
        hpm_string_add(&list, request.events);
    hpm_request_add_events(&inquiry->request, &list);
    /* where no event of a set can be counted, its metrics tell why */
    ret_choice->has_metrics =
        request.metrics != NULL || (is_set && list.length == 0);
    ret_choice->is_default = request.events == NULL && request.set == NULL &&
                             request.metrics == NULL;
    set->is_told = true;
    is_good = !list.failed || hpm_error_no_memory(err);
    is_good =
        is_good && hpm_eventset_choose(set, list.length > 0 ? list.text : NULL,
                                       is_set ? NULL : request.set,
                                       inquiry->domain, inquiry->sources, err);
    hpm_string_free(&list);
    return is_good;
}
