/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the events to count for the metrics the user wants. */
#include "metric/request.h"

#include <string.h>

#include "host/memory.h"
#include "metric/alias.h"
#include "metric/privilege.h"
#include "metric/roof.h"

bool
hpm_request_init(struct hpm_request *request, const struct hpm_metrics *metrics,
                 hpm_request_ask *ask, void *context, struct hpm_error *err)
{
    *request = (struct hpm_request){
        .metrics = metrics,
        .ask = ask,
        .context = context,
        .countable =
            hpm_memory_new(metrics->n_leaves, sizeof *request->countable),
        .feasible =
            hpm_memory_new(metrics->n_metrics, sizeof *request->feasible),
        .best = hpm_memory_new(metrics->n_metrics, sizeof *request->best),
        .is_wanted = hpm_memory_new(metrics->n_leaves, sizeof(bool)),
        .is_chosen = hpm_memory_new(metrics->n_metrics, sizeof(bool)),
        .needed = hpm_memory_new(metrics->n_metrics, sizeof *request->needed),
        .is_needed = hpm_memory_new(metrics->n_metrics, sizeof(bool)),
    };
    if (request->countable != NULL && request->feasible != NULL &&
        request->best != NULL && request->is_wanted != NULL &&
        request->is_chosen != NULL && request->needed != NULL &&
        request->is_needed != NULL)
        return true;
    hpm_request_clear(request);
    return hpm_error_no_memory(err);
}

void
hpm_request_clear(struct hpm_request *request)
{
    hpm_memory_free(request->countable);
    hpm_memory_free(request->feasible);
    hpm_memory_free(request->best);
    hpm_memory_free(request->is_wanted);
    hpm_memory_free(request->is_chosen);
    hpm_memory_free(request->needed);
    hpm_memory_free(request->is_needed);
    *request = (struct hpm_request){0};
}

/* ---- what can be measured -------------------------------------------- */

static enum hpm_feasible
ask_leaf(struct hpm_request *request, size_t leaf)
{
    enum hpm_countable *countable = &request->countable[leaf];

    if (*countable == HPM_COUNTABLE_UNASKED)
        *countable =
            request->ask(request->metrics->leaves[leaf], request->context);
    return *countable == HPM_COUNTABLE_NO ? HPM_FEASIBLE_NO : HPM_FEASIBLE_ALL;
}

static enum hpm_feasible ask_input(struct hpm_request *request,
                                   struct hpm_input input);

/* The best alternative: the first that can be measured whole, if any can. */
static enum hpm_feasible
ask_choices(struct hpm_request *request, const struct hpm_rule *rule)
{
    enum hpm_feasible best = HPM_FEASIBLE_NO;

    for (size_t i = 0; i < rule->inputs.count; i++) {
        enum hpm_feasible here = ask_input(
            request, request->metrics->inputs[rule->inputs.first + i]);

        if (here == HPM_FEASIBLE_UNKNOWN)
            return HPM_FEASIBLE_UNKNOWN;
        if (here > best)
            best = here;
        if (best == HPM_FEASIBLE_ALL)
            break;
    }
    return best;
}

static enum hpm_feasible
ask_parts(struct hpm_request *request, const struct hpm_rule *rule)
{
    bool has_some = false, has_all = true;

    for (size_t i = 0; i < rule->inputs.count; i++) {
        enum hpm_feasible here = ask_input(
            request, request->metrics->inputs[rule->inputs.first + i]);

        if (here == HPM_FEASIBLE_UNKNOWN)
            return HPM_FEASIBLE_UNKNOWN;
        has_some |= here != HPM_FEASIBLE_NO;
        has_all &= here == HPM_FEASIBLE_ALL;
    }
    return has_all ? HPM_FEASIBLE_ALL
                   : (has_some ? HPM_FEASIBLE_PART : HPM_FEASIBLE_NO);
}

static bool
is_operand(const struct hpm_step *step)
{
    return step->kind == HPM_OP_NAME || step->kind == HPM_OP_TOTAL;
}

static enum hpm_feasible
ask_formula(struct hpm_request *request, const struct hpm_rule *rule)
{
    for (size_t i = 0; i < rule->steps.count; i++) {
        const struct hpm_step *step =
            &request->metrics->steps[rule->steps.first + i];
        enum hpm_feasible here = is_operand(step)
                                     ? ask_input(request, step->input)
                                     : HPM_FEASIBLE_ALL;

        if (here != HPM_FEASIBLE_ALL)
            return here == HPM_FEASIBLE_UNKNOWN ? here : HPM_FEASIBLE_NO;
    }
    return HPM_FEASIBLE_ALL;
}

static enum hpm_feasible
ask_rule(struct hpm_request *request, const struct hpm_rule *rule)
{
    if (rule->is_cut)
        return HPM_FEASIBLE_NO;
    if (rule->kind == HPM_STATEMENT_MEASURE)
        return ask_choices(request, rule);
    return rule->kind == HPM_STATEMENT_COMPOSE ? ask_parts(request, rule)
                                               : ask_formula(request, rule);
}

/* The best result of all its rules.  A part without a definition is an
 * event. */
static enum hpm_feasible
ask_rules(struct hpm_request *request, size_t index)
{
    const struct hpm_metric *metric = &request->metrics->metrics[index];
    enum hpm_feasible best = HPM_FEASIBLE_NO;

    request->best[index] = HPM_NO_RULE;
    for (size_t i = metric->rules.first;
         i < metric->rules.first + metric->rules.count &&
         best != HPM_FEASIBLE_ALL;
         i++) {
        enum hpm_feasible here = ask_rule(request, &request->metrics->rules[i]);

        if (here == HPM_FEASIBLE_UNKNOWN)
            return HPM_FEASIBLE_UNKNOWN;
        if (here > best) {
            best = here;
            request->best[index] = i;
        }
    }
    return best != HPM_FEASIBLE_NO ? best : ask_leaf(request, metric->leaf);
}

/* Can the metric be measured?  While it is being asked about, the answer is NO,
 * because total() may lead back and never end.  UNKNOWN if this metric, or one
 * it needs, lies deeper than the stack may grow: then the caller must ask about
 * `too_deep` first. */
static enum hpm_feasible
ask_metric(struct hpm_request *request, size_t index)
{
    if (request->feasible[index] != HPM_FEASIBLE_UNKNOWN)
        return request->feasible[index];
    if (request->depth == HPM_MAX_NESTING) {
        request->too_deep = index;
        return HPM_FEASIBLE_UNKNOWN;
    }
    request->depth++;
    request->feasible[index] = HPM_FEASIBLE_NO;
    request->feasible[index] = ask_rules(request, index);
    request->depth--;
    return request->feasible[index];
}

static enum hpm_feasible
ask_input(struct hpm_request *request, struct hpm_input input)
{
    return input.is_metric ? ask_metric(request, input.index)
                           : ask_leaf(request, input.index);
}

/* A chain of definitions may be as long as a file.  A chain longer than the
 * number of metrics must be a cycle, by total(): then the answer is NO. */
enum hpm_feasible
hpm_request_ask_metric(struct hpm_request *request, size_t index)
{
    size_t most = request->metrics->n_metrics / HPM_MAX_NESTING + 1;
    size_t asked = index, n_deeper = 0;

    while (request->feasible[index] == HPM_FEASIBLE_UNKNOWN) {
        if (ask_metric(request, asked) != HPM_FEASIBLE_UNKNOWN) {
            asked = index;
            n_deeper = 0;
        } else if (n_deeper++ < most) {
            asked = request->too_deep;
        } else {
            request->feasible[request->too_deep] = HPM_FEASIBLE_NO;
        }
    }
    return request->feasible[index];
}

enum hpm_feasible
hpm_request_ask_input(struct hpm_request *request, struct hpm_input input)
{
    return input.is_metric ? hpm_request_ask_metric(request, input.index)
                           : ask_leaf(request, input.index);
}

/* ---- wanted events -------------------------------------------------- */

/* Want one input of a metric: an event is counted, a metric is added once to
 * the list of metrics whose inputs are wanted. */
static void
want_input(struct hpm_request *request, struct hpm_input input)
{
    if (input.is_metric && !request->is_needed[input.index]) {
        request->is_needed[input.index] = true;
        request->needed[request->n_needed++] = input.index;
    } else if (!input.is_metric &&
               ask_leaf(request, input.index) == HPM_FEASIBLE_ALL &&
               request->countable[input.index] == HPM_COUNTABLE_YES) {
        request->is_wanted[input.index] = true;
    }
}

static void
want_choice(struct hpm_request *request, const struct hpm_rule *rule,
            enum hpm_feasible whole)
{
    for (size_t i = 0; i < rule->inputs.count; i++) {
        struct hpm_input input =
            request->metrics->inputs[rule->inputs.first + i];

        if (hpm_request_ask_input(request, input) == whole) {
            want_input(request, input);
            break;
        }
    }
}

static void
want_rule(struct hpm_request *request, const struct hpm_rule *rule,
          enum hpm_feasible whole)
{
    const struct hpm_metrics *metrics = request->metrics;

    if (rule->kind == HPM_STATEMENT_MEASURE) {
        want_choice(request, rule, whole);
        return;
    }
    for (size_t i = 0; i < rule->inputs.count; i++)
        want_input(request, metrics->inputs[rule->inputs.first + i]);
    for (size_t i = 0; i < rule->steps.count; i++) {
        const struct hpm_step *step = &metrics->steps[rule->steps.first + i];

        if (is_operand(step))
            want_input(request, step->input);
    }
}

static void
want_metric(struct hpm_request *request, size_t index)
{
    const struct hpm_metrics *metrics = request->metrics;
    enum hpm_feasible here = hpm_request_ask_metric(request, index);

    if (here == HPM_FEASIBLE_NO)
        return;
    if (request->best[index] != HPM_NO_RULE)
        want_rule(request, &metrics->rules[request->best[index]], here);
    else
        want_input(request,
                   (struct hpm_input){false, metrics->metrics[index].leaf});
}

void
hpm_request_add_metric(struct hpm_request *request, size_t metric)
{
    request->is_chosen[metric] = true;
    want_input(request, (struct hpm_input){true, metric});
    for (size_t i = 0; i < request->n_needed; i++)
        want_metric(request, request->needed[i]);
    for (size_t i = 0; i < request->n_needed; i++)
        request->is_needed[request->needed[i]] = false;
    request->n_needed = 0;
}

void
hpm_request_forget(struct hpm_request *request)
{
    memset(request->is_wanted, 0, request->metrics->n_leaves * sizeof(bool));
    memset(request->is_chosen, 0, request->metrics->n_metrics * sizeof(bool));
}

static size_t
count_wanted(const struct hpm_request *request)
{
    size_t n = 0;

    for (size_t i = 0; i < request->metrics->n_leaves; i++)
        n += request->is_wanted[i];
    return n;
}

void
hpm_request_add_all(struct hpm_request *request, size_t n_events)
{
    const struct hpm_metrics *metrics = request->metrics;
    bool *before = hpm_memory_new(metrics->n_leaves, sizeof *before);

    for (size_t i = 0; i < metrics->n_metrics && before != NULL; i++) {
        if (metrics->metrics[i].rules.count == 0 ||
            hpm_request_ask_metric(request, i) != HPM_FEASIBLE_ALL)
            continue;
        memcpy(before, request->is_wanted, metrics->n_leaves * sizeof *before);
        hpm_request_add_metric(request, i);
        if (count_wanted(request) > n_events) {
            memcpy(request->is_wanted, before,
                   metrics->n_leaves * sizeof *before);
            request->is_chosen[i] = false;
        }
    }
    hpm_memory_free(before);
}

/* A name in a set may be an event and a node of a hierarchy.  Then the event is
 * counted and its parts are not, unless a statement gives another way to get
 * its value. */
static void
add_set_metric(struct hpm_request *request, size_t index)
{
    const struct hpm_metrics *metrics = request->metrics;
    const struct hpm_metric *metric = &metrics->metrics[index];
    bool is_sum =
        hpm_request_ask_metric(request, index) == HPM_FEASIBLE_NO ||
        request->best[index] == HPM_NO_RULE ||
        metrics->rules[request->best[index]].kind == HPM_STATEMENT_COMPOSE;

    if (metric->rules.count == 0 ||
        (is_sum && ask_leaf(request, metric->leaf) == HPM_FEASIBLE_ALL))
        request->is_wanted[metric->leaf] = true;
    else
        hpm_request_add_metric(request, index);
}

void
hpm_request_add_set(struct hpm_request *request,
                    const struct hpm_metric_set *set)
{
    for (size_t i = 0; i < set->inputs.count; i++) {
        struct hpm_input input =
            request->metrics->inputs[set->inputs.first + i];

        if (input.is_metric)
            add_set_metric(request, input.index);
        else
            request->is_wanted[input.index] = true;
    }
}

static bool
add_name(struct hpm_request *request, const char *name, size_t n_events,
         struct hpm_error *err)
{
    const struct hpm_metrics *metrics = request->metrics;
    size_t metric = hpm_metrics_find(metrics, name);
    const struct hpm_metric_set *set = hpm_metrics_find_set(metrics, name);
    const char *nearest;

    if (strcmp(name, "all") == 0) {
        hpm_request_add_all(request, n_events);
        return true;
    }
    if (metric != HPM_NO_METRIC)
        hpm_request_add_metric(request, metric);
    else if (set != NULL)
        hpm_request_add_set(request, set);
    if (metric != HPM_NO_METRIC || set != NULL)
        return true;
    nearest = hpm_metrics_nearest(metrics, name);
    if (nearest != NULL)
        return hpm_error_set(err,
                             "there is no metric '%.60s'; did you mean "
                             "'%s'?",
                             name, nearest);
    return hpm_error_set(err,
                         "there is no metric '%.60s'; 'hpmcount -l' lists "
                         "them",
                         name);
}

/* Copy the next name of a list, without blanks around it; returns the rest of
 * the list after the comma, or NULL after the last name. */
static const char *
next_name(const char *list, struct hpm_string *name)
{
    size_t length = strcspn(list, ",");
    const char *rest = list[length] == ',' ? list + length + 1 : NULL;

    while (length > 0 && list[0] == ' ') {
        list++;
        length--;
    }
    while (length > 0 && list[length - 1] == ' ')
        length--;
    hpm_string_clear(name);
    hpm_string_add_bytes(name, list, length);
    return rest;
}

bool
hpm_request_add_list(struct hpm_request *request, const char *list,
                     size_t n_events, struct hpm_error *err)
{
    struct hpm_string name = {0};
    bool is_good = true;

    while (list != NULL && is_good) {
        list = next_name(list, &name);
        if (name.failed)
            is_good = hpm_error_no_memory(err);
        else if (name.length == 0)
            is_good = hpm_error_set(err, "empty name in the list of metrics; "
                                         "expected names with commas between "
                                         "them");
        else
            is_good = add_name(request, name.text, n_events, err);
    }
    hpm_string_free(&name);
    return is_good;
}

/* ---- explaining ------------------------------------------------------ */

/* Is the leaf another spelling of an event that was added before? */
static bool
is_repeated(const struct hpm_request *request, size_t leaf)
{
    struct hpm_string here = {0}, there = {0};
    bool is_same = false;

    hpm_alias_add(&here, request->metrics->leaves[leaf]);
    for (size_t i = 0; i < leaf && !is_same; i++) {
        if (!request->is_wanted[i])
            continue;
        hpm_string_clear(&there);
        hpm_alias_add(&there, request->metrics->leaves[i]);
        is_same = strcmp(hpm_string_text(&here), hpm_string_text(&there)) == 0;
    }
    hpm_string_free(&here);
    hpm_string_free(&there);
    return is_same;
}

/* Does the list name this event, in any spelling?  A name that chooses a domain
 * does not count. */
static bool
is_listed(const char *list, const char *event)
{
    struct hpm_string here = {0}, name = {0}, there = {0};
    bool is_found = false;

    hpm_alias_add(&here, event);
    while (list != NULL && !is_found) {
        list = next_name(list, &name);
        if (name.failed ||
            hpm_reach_of(hpm_string_text(&name), NULL, "").is_named)
            continue;
        hpm_string_clear(&there);
        hpm_alias_add(&there, hpm_string_text(&name));
        is_found = strcmp(hpm_string_text(&here), hpm_string_text(&there)) == 0;
    }
    hpm_string_free(&here);
    hpm_string_free(&name);
    hpm_string_free(&there);
    return is_found;
}

void
hpm_request_add_events(const struct hpm_request *request,
                       struct hpm_string *string)
{
    for (size_t i = 0; i < request->metrics->n_leaves; i++) {
        if (!request->is_wanted[i] || is_repeated(request, i) ||
            (string->length > 0 &&
             is_listed(hpm_string_text(string), request->metrics->leaves[i])))
            continue;
        if (string->length > 0)
            hpm_string_add_char(string, ',');
        hpm_string_add(string, request->metrics->leaves[i]);
    }
}

/* The first leaf, on the way to an input, that cannot be counted. */
static const char *
find_obstacle(struct hpm_request *request, struct hpm_input input, int depth)
{
    const struct hpm_metrics *metrics = request->metrics;
    const struct hpm_metric *metric;
    const struct hpm_rule *rule;

    if (hpm_request_ask_input(request, input) == HPM_FEASIBLE_ALL)
        return NULL;
    if (!input.is_metric)
        return metrics->leaves[input.index];
    metric = &metrics->metrics[input.index];
    if (metric->rules.count == 0 || depth > HPM_MAX_NESTING)
        return metric->name;
    rule = &metrics->rules[metric->rules.first];
    for (size_t i = 0; i < rule->inputs.count; i++) {
        const char *found = find_obstacle(
            request, metrics->inputs[rule->inputs.first + i], depth + 1);

        if (found != NULL)
            return found;
    }
    for (size_t i = 0; i < rule->steps.count; i++) {
        const struct hpm_step *step = &metrics->steps[rule->steps.first + i];
        const char *found = is_operand(step)
                                ? find_obstacle(request, step->input, depth + 1)
                                : NULL;

        if (found != NULL)
            return found;
    }
    return metric->name;
}

static bool tell_below(struct hpm_request *request, size_t metric, int depth,
                       struct hpm_string *string);

/* Append why an input, or one it needs, cannot be counted; false if there is
 * nothing to say. */
static bool
tell_input(struct hpm_request *request, struct hpm_input input, int depth,
           struct hpm_string *string)
{
    size_t length = string->length;

    if (hpm_request_ask_input(request, input) == HPM_FEASIBLE_ALL ||
        depth > HPM_MAX_NESTING)
        return false;
    if (input.is_metric)
        return tell_below(request, input.index, depth, string);
    request->tell(string, request->metrics->leaves[input.index],
                  request->context);
    return string->length > length;
}

static bool
tell_below(struct hpm_request *request, size_t metric, int depth,
           struct hpm_string *string)
{
    const struct hpm_metrics *metrics = request->metrics;
    const struct hpm_range rules = metrics->metrics[metric].rules;

    for (size_t i = rules.first; i < rules.first + rules.count; i++) {
        const struct hpm_rule *rule = &metrics->rules[i];

        if (rule->is_cut)
            continue;
        for (size_t j = 0; j < rule->inputs.count; j++) {
            if (tell_input(request, metrics->inputs[rule->inputs.first + j],
                           depth + 1, string))
                return true;
        }
        for (size_t j = 0; j < rule->steps.count; j++) {
            const struct hpm_step *step =
                &metrics->steps[rule->steps.first + j];

            if (is_operand(step) &&
                tell_input(request, step->input, depth + 1, string))
                return true;
        }
    }
    return false;
}

/* If the obstacle has no rules because of a guard, append that guard. */
static bool
add_lack(const struct hpm_request *request, const char *obstacle,
         struct hpm_string *string)
{
    const struct hpm_metrics *metrics = request->metrics;
    size_t index = hpm_metrics_find(metrics, obstacle);
    const struct hpm_lack *lack;

    if (index == HPM_NO_METRIC || metrics->metrics[index].rules.count > 0 ||
        metrics->metrics[index].lack.name == NULL)
        return false;
    lack = &metrics->metrics[index].lack;
    hpm_string_add_format(string, "'if %s%s' to hold, the guard of '%s'",
                          lack->is_negated ? "no " : "", lack->fact,
                          lack->name);
    return true;
}

void
hpm_request_explain(struct hpm_request *request, size_t metric,
                    struct hpm_string *string)
{
    const char *obstacle =
        find_obstacle(request, (struct hpm_input){true, metric}, 0);

    if (obstacle == NULL || add_lack(request, obstacle, string))
        return;
    hpm_string_add_format(string, "'%s', which cannot be counted %s", obstacle,
                          request->place != NULL ? request->place : "here");
    if (hpm_roof_is_name(obstacle))
        hpm_string_add_format(string, ": %s", hpm_roof_remedy);
    else if (request->tell != NULL)
        tell_below(request, metric, 0, string);
}
