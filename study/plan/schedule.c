/* SPDX-License-Identifier: BSD-3-Clause
 * Planning the runs that measure some metrics. */
#include "study/plan/schedule.h"

#include <string.h>

#include "host/memory.h"
#include "metric/alias.h"

struct planner {
    struct hpm_schedule *schedule;
    struct hpm_request *request;
    const struct hpm_schedule_task *task;
    bool *is_seen;    /* by metric */
    size_t *event_of; /* by leaf: number + 1; 0: not known yet */
    struct hpm_error *err;
};

/* ---- events ---------------------------------------------------------- */

/* Two spellings of an event are the same event. */
static size_t
find_event(const struct hpm_schedule *schedule, const char *name)
{
    struct hpm_string here = {0}, there = {0};
    size_t i = 0;

    hpm_alias_add(&here, name);
    for (; i < schedule->n_events; i++) {
        hpm_string_clear(&there);
        hpm_alias_add(&there, schedule->events[i]);
        if (strcmp(hpm_string_text(&here), hpm_string_text(&there)) == 0)
            break;
    }
    hpm_string_free(&here);
    hpm_string_free(&there);
    return i;
}

/* The number of the event of this name; `ret_number` does not change when there
 * is no room for a new event. */
static bool
number_event(struct planner *planner, const char *name, size_t *ret_number)
{
    struct hpm_schedule *schedule = planner->schedule;
    size_t event = find_event(schedule, name);

    if (event == HPM_MAX_PLAN_EVENTS)
        return hpm_error_set(planner->err,
                             "these metrics need more than %d events; name "
                             "fewer metrics",
                             HPM_MAX_PLAN_EVENTS);
    if (event == schedule->n_events) {
        if (!hpm_memory_grow(&schedule->events, &schedule->events_capacity,
                             event + 1, sizeof *schedule->events))
            return hpm_error_no_memory(planner->err);
        schedule->events[schedule->n_events++] = name;
    }
    *ret_number = event;
    return true;
}

static bool
add_event(struct planner *planner, size_t leaf, struct hpm_eventmask *mask)
{
    const char *name = planner->schedule->metrics->leaves[leaf];
    size_t event;

    if (planner->event_of[leaf] == 0) {
        if (!number_event(planner, name, &event))
            return false;
        planner->event_of[leaf] = event + 1;
    }
    hpm_eventmask_add(mask, planner->event_of[leaf] - 1);
    return true;
}

/* ---- wanted metrics and events --------------------------------------- */

static bool
add_planned(struct planner *planner, const struct hpm_planned *planned)
{
    struct hpm_schedule *schedule = planner->schedule;

    if (!hpm_memory_grow(&schedule->planned, &schedule->planned_capacity,
                         schedule->n_planned + 1, sizeof *schedule->planned))
        return hpm_error_no_memory(planner->err);
    schedule->planned[schedule->n_planned++] = *planned;
    return true;
}

/* Add the events that the request needs for this metric alone. */
static bool
add_metric_events(struct planner *planner, size_t metric,
                  struct hpm_eventmask *mask)
{
    struct hpm_request *request = planner->request;

    hpm_request_forget(request);
    hpm_request_add_metric(request, metric);
    for (size_t i = 0; i < request->metrics->n_leaves; i++) {
        if (request->is_wanted[i] && !add_event(planner, i, mask))
            return false;
    }
    return true;
}

static bool plan_metric(struct planner *planner, size_t metric);

static bool
plan_leaf(struct planner *planner, size_t leaf)
{
    struct hpm_planned planned = {.metric = HPM_NO_METRIC};
    struct hpm_input input = {false, leaf};

    if (hpm_request_ask_input(planner->request, input) == HPM_FEASIBLE_NO ||
        planner->request->countable[leaf] != HPM_COUNTABLE_YES)
        return true;
    return add_event(planner, leaf, &planned.events) &&
           add_planned(planner, &planned);
}

static bool
plan_input(struct planner *planner, struct hpm_input input)
{
    return input.is_metric ? plan_metric(planner, input.index)
                           : plan_leaf(planner, input.index);
}

static bool
plan_inputs(struct planner *planner, const struct hpm_rule *rule)
{
    const struct hpm_metrics *metrics = planner->schedule->metrics;
    bool is_good = true;

    for (size_t i = 0; i < rule->inputs.count && is_good; i++)
        is_good = plan_input(planner, metrics->inputs[rule->inputs.first + i]);
    for (size_t i = 0; i < rule->steps.count && is_good; i++) {
        const struct hpm_step *step = &metrics->steps[rule->steps.first + i];

        if (step->kind == HPM_OP_NAME || step->kind == HPM_OP_TOTAL)
            is_good = plan_input(planner, step->input);
    }
    return is_good;
}

/* Plan the parts of a node of a hierarchy; also the event of the node's own
 * name, where the node would otherwise only be the sum of its parts. */
static bool
plan_parts(struct planner *planner, size_t metric, const struct hpm_rule *rule)
{
    const struct hpm_metrics *metrics = planner->schedule->metrics;
    size_t tree = metrics->metrics[metric].tree;
    bool is_sum = rule != NULL && rule->kind == HPM_STATEMENT_COMPOSE;

    if (!planner->task->has_parts || tree == HPM_NO_RULE)
        return true;
    if (is_sum && !plan_leaf(planner, metrics->metrics[metric].leaf))
        return false;
    return plan_inputs(planner, &metrics->rules[tree]);
}

/* For a sum, its parts are planned; they may be in different runs. */
static bool
plan_metric(struct planner *planner, size_t metric)
{
    const struct hpm_metrics *metrics = planner->schedule->metrics;
    struct hpm_planned planned = {.metric = metric};
    const struct hpm_rule *rule = NULL;

    if (planner->is_seen[metric] ||
        hpm_request_ask_metric(planner->request, metric) == HPM_FEASIBLE_NO)
        return true;
    planner->is_seen[metric] = true;
    if (planner->request->best[metric] != HPM_NO_RULE)
        rule = &metrics->rules[planner->request->best[metric]];
    planned.is_ratio = metrics->metrics[metric].is_ratio;
    if (!add_metric_events(planner, metric, &planned.events))
        return false;
    if (hpm_eventmask_count(&planned.events) > 0 &&
        (rule == NULL || rule->kind != HPM_STATEMENT_COMPOSE) &&
        !add_planned(planner, &planned))
        return false;
    if (rule != NULL && rule->kind != HPM_STATEMENT_MEASURE &&
        !plan_inputs(planner, rule))
        return false;
    return plan_parts(planner, metric, rule);
}

/* ---- packing --------------------------------------------------------- */

struct question {
    const struct hpm_schedule *schedule;
    const struct hpm_schedule_task *task;
};

static bool
ask(const struct hpm_eventmask *mask, void *context)
{
    const struct question *question = context;
    const char *names[HPM_MAX_PLAN_EVENTS];
    size_t n = 0;

    for (size_t i = 0; i < question->schedule->n_events; i++) {
        if (hpm_eventmask_has(mask, i))
            names[n++] = question->schedule->events[i];
    }
    return question->task->fits(names, n, question->task->context);
}

/* The anchors are cycles and instructions: they tell whether two runs did the
 * same. */
static struct hpm_eventmask
find_anchors(struct planner *planner)
{
    static const char *const names[] = {"CYCLES", "INSTRUCTION"};
    struct hpm_eventmask anchors = {{0}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t metric = hpm_metrics_find(planner->schedule->metrics, names[i]);

        if (metric != HPM_NO_METRIC &&
            hpm_request_ask_metric(planner->request, metric) ==
                HPM_FEASIBLE_ALL)
            add_metric_events(planner, metric, &anchors);
    }
    return anchors;
}

static bool
pack(struct planner *planner)
{
    struct hpm_schedule *schedule = planner->schedule;
    struct hpm_closure *closures =
        hpm_memory_new(schedule->n_planned, sizeof *closures);
    struct question question = {schedule, planner->task};
    struct hpm_packing_task task = {.closures = closures,
                                    .n_closures = schedule->n_planned,
                                    .anchors = find_anchors(planner),
                                    .fits = ask,
                                    .context = &question};
    bool is_good;

    if (closures == NULL)
        return hpm_error_no_memory(planner->err);
    for (size_t i = 0; i < schedule->n_planned; i++)
        closures[i] = (struct hpm_closure){schedule->planned[i].events,
                                           schedule->planned[i].is_ratio};
    is_good = hpm_packing_make(&schedule->packing, &task, planner->err);
    hpm_memory_free(closures);
    return is_good;
}

static bool
plan_events(struct planner *planner)
{
    for (size_t i = 0; i < planner->task->n_events; i++) {
        struct hpm_planned planned = {.metric = HPM_NO_METRIC};
        size_t event;

        if (!number_event(planner, planner->task->events[i], &event))
            return false;
        hpm_eventmask_add(&planned.events, event);
        if (!add_planned(planner, &planned))
            return false;
    }
    return true;
}

static bool
plan_chosen(struct planner *planner)
{
    size_t n = planner->schedule->metrics->n_metrics;
    bool *is_chosen = hpm_memory_new(n, sizeof *is_chosen);
    bool is_good = true;

    if (is_chosen == NULL)
        return hpm_error_no_memory(planner->err);
    memcpy(is_chosen, planner->request->is_chosen, n * sizeof *is_chosen);
    for (size_t i = 0; i < n && is_good; i++) {
        bool is_defined =
            planner->schedule->metrics->metrics[i].rules.count > 0;

        if (is_chosen[i] || (planner->task->is_all && is_defined))
            is_good = plan_metric(planner, i);
    }
    hpm_request_forget(planner->request);
    memcpy(planner->request->is_chosen, is_chosen, n * sizeof *is_chosen);
    hpm_memory_free(is_chosen);
    return is_good;
}

bool
hpm_schedule_make(struct hpm_schedule *schedule,
                  const struct hpm_schedule_task *task, struct hpm_error *err)
{
    const struct hpm_metrics *metrics = task->request->metrics;
    struct planner planner = {
        .schedule = schedule,
        .request = task->request,
        .task = task,
        .is_seen = hpm_memory_new(metrics->n_metrics, sizeof(bool)),
        .event_of = hpm_memory_new(metrics->n_leaves, sizeof(size_t)),
        .err = err};
    bool is_good;

    *schedule = (struct hpm_schedule){.metrics = metrics};
    if (planner.is_seen != NULL && planner.event_of != NULL)
        is_good =
            plan_events(&planner) && plan_chosen(&planner) && pack(&planner);
    else
        is_good = hpm_error_no_memory(err);
    hpm_memory_free(planner.is_seen);
    hpm_memory_free(planner.event_of);
    if (!is_good)
        hpm_schedule_clear(schedule);
    return is_good;
}

void
hpm_schedule_clear(struct hpm_schedule *schedule)
{
    hpm_memory_free(schedule->events);
    hpm_memory_free(schedule->planned);
    hpm_packing_clear(&schedule->packing);
    *schedule = (struct hpm_schedule){0};
}

void
hpm_schedule_add_events(const struct hpm_schedule *schedule,
                        const struct hpm_eventmask *events,
                        struct hpm_string *string)
{
    bool is_first = true;

    for (size_t i = 0; i < schedule->n_events; i++) {
        if (!hpm_eventmask_has(events, i))
            continue;
        hpm_string_add(string, is_first ? "" : ",");
        hpm_string_add(string, schedule->events[i]);
        is_first = false;
    }
}
