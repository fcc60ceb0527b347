/* SPDX-License-Identifier: BSD-3-Clause
 * What the user asks for, as events to count. */
#include "hpmcount/request.h"

#include <string.h>

#include "base/env.h"

struct request {
    const char *events;
    const char *set;
    const char *metrics;
    bool is_for_program; /* the program loads libraries that know more names */
    bool is_left;        /* only they know these */
};

/* Options override the environment, HPM_EVENTS overrides HPM_SET. */
static struct request
find_request(const struct options *options)
{
    struct request request = {options->events, options->set_name,
                              options->metrics, false, false};

    if (request.events != NULL || request.set != NULL ||
        request.metrics != NULL)
        return request;
    request.is_for_program = options->takes_mpi || options->takes_openmp;
    request.events = hpm_env_get(HPM_VARIABLE_EVENTS);
    request.metrics = hpm_env_get(HPM_VARIABLE_METRICS);
    if (request.events == NULL)
        request.set = hpm_env_get(HPM_VARIABLE_SET);
    if (request.events == NULL && request.set == NULL)
        request.set = hpm_env_get(HPM_VARIABLE_EVENT_SET);
    return request;
}

static bool
want(struct hpm_inquiry *inquiry, const struct request *request,
     bool *ret_is_set, struct hpm_error *err)
{
    return (request->set == NULL ||
            hpm_inquiry_check_set(inquiry, request->set, err)) &&
           hpm_inquiry_want(inquiry, request->metrics, request->set, ret_is_set,
                            err);
}

/* Sets of libraries that hpmcount loads into the program. */
static const struct {
    const char *name;
    const char *options;
} sets_of_programs[] = {
    {"MPI", "--mpi"},         {"MPI_TIME", "--mpi"},
    {"MPI_WAITING", "--mpi"}, {"MPI_WAITING_OPENMP", "--mpi --openmp"},
    {"OPENMP", "--openmp"},   {"MPI_OPENMP", "--mpi --openmp"}};

/* Say what to do where hpmcount does not know the set, and the program would. */
static void
explain_set(const char *set, struct hpm_error *err)
{
    for (size_t i = 0; i < sizeof sets_of_programs / sizeof *sets_of_programs;
         i++) {
        if (set != NULL && strcmp(sets_of_programs[i].name, set) == 0)
            hpm_error_set(err,
                          "the set '%.40s' is counted in the program, by a "
                          "library that hpmcount loads into it: HPM_SET=%.40s "
                          "hpmcount %s ...",
                          set, set, sets_of_programs[i].options);
    }
}

/* The program, which libhpm_mpi or libhpm_openmp measures, knows these names, or says
 * that nobody does: hpmcount counts what it counts where nothing is asked. */
static void
leave_to_program(struct hpm_inquiry *inquiry, struct request *request,
                 bool *ret_is_set)
{
    hpm_request_forget(&inquiry->request);
    request->set = request->metrics = NULL;
    request->is_left = true;
    *ret_is_set = false;
}

static bool
choose(const struct hpm_inquiry *inquiry, const struct request *request,
       const struct hpm_string *list, struct hpm_eventset *set,
       struct hpm_error *err)
{
    if (list->failed)
        return hpm_error_no_memory(err);
    if (list->length == 0 && request->is_left)
        return hpm_eventset_choose_default(set, inquiry->domain,
                                           inquiry->sources, err);
    return hpm_eventset_choose(set, list->length > 0 ? list->text : NULL,
                               request->set, inquiry->domain, inquiry->sources,
                               err);
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
    if (!want(inquiry, &request, &is_set, err)) {
        if (!request.is_for_program) {
            explain_set(request.set, err);
            return false;
        }
        leave_to_program(inquiry, &request, &is_set);
    }
    hpm_inquiry_explain(inquiry, lines);
    if (request.events != NULL)
        hpm_string_add(&list, request.events);
    hpm_request_add_events(&inquiry->request, &list);
    /* where no event of a set can be counted, its metrics tell why */
    ret_choice->has_metrics =
        request.metrics != NULL || (is_set && list.length == 0);
    ret_choice->is_default = request.events == NULL && request.set == NULL &&
                             request.metrics == NULL;
    if (is_set)
        request.set = NULL;
    is_good = choose(inquiry, &request, &list, set, err);
    hpm_string_free(&list);
    return is_good;
}
