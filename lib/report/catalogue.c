/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics there are, and what one of them is. */
#include "report/catalogue.h"

#include <string.h>

#include "base/memory.h"
#include "metric/formula.h"

static const char *
feasible_word(enum hpm_feasible feasible)
{
    if (feasible == HPM_FEASIBLE_ALL)
        return "yes";
    return feasible == HPM_FEASIBLE_PART ? "in part" : "no";
}

/* ---- lists ----------------------------------------------------------- */

void
hpm_catalogue_fill(struct hpm_table *table, struct hpm_request *request,
                   bool has_all)
{
    hpm_table_add_column(table, "metric", "metric (-m)", 0);
    hpm_table_add_column(table, "here", "here?", 0);
    hpm_table_add_column(table, "unit", NULL, 0);
    hpm_table_add_column(table, "meaning", NULL, 0);
    for (size_t i = 0; i < request->metrics->n_metrics; i++) {
        const struct hpm_metric *metric = &request->metrics->metrics[i];
        enum hpm_feasible feasible = hpm_request_ask_metric(request, i);

        if (metric->rules.count == 0 ||
            (feasible == HPM_FEASIBLE_NO && !has_all))
            continue;
        hpm_table_add_text(table, metric->name);
        hpm_table_add_text(table, feasible_word(feasible));
        hpm_table_add_text(table, metric->texts[HPM_TEXT_UNIT]);
        hpm_table_add_text(table, metric->texts[HPM_TEXT_LABEL]);
    }
}

static const char *
name_of(const struct hpm_metrics *metrics, struct hpm_input input)
{
    return input.is_metric ? metrics->metrics[input.index].name
                           : metrics->leaves[input.index];
}

/* As much of a set as its worst member allows. */
static enum hpm_feasible
ask_set(struct hpm_request *request, const struct hpm_metric_set *set,
        struct hpm_string *members)
{
    const struct hpm_metrics *metrics = request->metrics;
    bool has_some = false, has_all = true;

    for (size_t i = 0; i < set->inputs.count; i++) {
        struct hpm_input input = metrics->inputs[set->inputs.first + i];
        enum hpm_feasible here = hpm_request_ask_input(request, input);

        hpm_string_add(members, i > 0 ? " " : "");
        hpm_string_add(members, name_of(metrics, input));
        has_some |= here != HPM_FEASIBLE_NO;
        has_all &= here == HPM_FEASIBLE_ALL;
    }
    if (has_all)
        return HPM_FEASIBLE_ALL;
    return has_some ? HPM_FEASIBLE_PART : HPM_FEASIBLE_NO;
}

void
hpm_catalogue_fill_sets(struct hpm_table *table, struct hpm_request *request)
{
    hpm_table_add_column(table, "set", "set (-s)", 0);
    hpm_table_add_column(table, "here", "here?", 0);
    hpm_table_add_column(table, "members", NULL, 0);
    for (size_t i = 0; i < request->metrics->n_sets; i++) {
        const struct hpm_metric_set *set = &request->metrics->sets[i];
        struct hpm_string members = {0};
        enum hpm_feasible feasible = ask_set(request, set, &members);

        hpm_table_add_text(table, set->name);
        hpm_table_add_text(table, feasible_word(feasible));
        hpm_table_add_text(table, hpm_string_text(&members));
        table->failed |= members.failed;
        hpm_string_free(&members);
    }
}

/* ---- one metric ------------------------------------------------------ */

struct explanation {
    struct hpm_string *string;
    struct hpm_request *request;
    const struct hpm_metrics *metrics;
    bool *is_told; /* per metric */
};

static void
add_kind(struct hpm_string *string, enum hpm_statement_kind kind)
{
    static const char *const words[] = {[HPM_STATEMENT_MEASURE] = "measured",
                                        [HPM_STATEMENT_COMPUTE] = "computed",
                                        [HPM_STATEMENT_COMPOSE] = "composed",
                                        [HPM_STATEMENT_RATIO] = "ratio"};

    hpm_string_add_format(string, "  %-9s ", words[kind]);
}

/* Each way to it, and where that is written. */
static void
add_rules(struct explanation *told, const struct hpm_metric *metric)
{
    const struct hpm_metrics *metrics = told->metrics;

    for (size_t i = metric->rules.first;
         i < metric->rules.first + metric->rules.count; i++) {
        const struct hpm_rule *rule = &metrics->rules[i];

        add_kind(told->string, rule->kind);
        hpm_formula_add(told->string, metrics, i);
        hpm_string_add_format(
            told->string, "%s  (%s:%d)\n",
            rule->is_cut ? " (as a tree, not for its value)" : "",
            hpm_spec_text(metrics->spec, rule->place.file), rule->place.line);
    }
}

static void
add_text(struct hpm_string *string, const char *word, const char *text)
{
    if (text != NULL)
        hpm_string_add_format(string, "  %-9s %s\n", word, text);
}

static void
add_limit(struct hpm_string *string, const char *word,
          const struct hpm_limit *limit)
{
    if (!limit->is_given)
        return;
    hpm_string_add_format(string, "%s %s ", word,
                          limit->is_above ? "above" : "below");
    hpm_string_add_real(string, limit->value);
    hpm_string_add_char(string, ' ');
}

static bool
is_same_limit(const struct hpm_limit *a, const struct hpm_limit *b)
{
    return a->is_given == b->is_given &&
           (!a->is_given ||
            (a->is_above == b->is_above && a->value == b->value));
}

static void
add_limits(struct hpm_string *string, const struct hpm_metric *metric)
{
    static const char *const words[] = {"single", "double"};
    const struct hpm_limits *limits = metric->limits;
    bool is_same = is_same_limit(&limits[0].bad, &limits[1].bad) &&
                   is_same_limit(&limits[0].good, &limits[1].good);

    for (int i = is_same; i < 2; i++) {
        if (!limits[i].bad.is_given && !limits[i].good.is_given)
            continue;
        hpm_string_add_format(string, "  %-9s ", is_same ? "limits" : words[i]);
        add_limit(string, "bad", &limits[i].bad);
        add_limit(string, "good", &limits[i].good);
        string->text[string->length - 1] = '\n';
    }
}

/* "with perf::cycles, perf::instructions", or what stands in the way. */
static void
add_here(struct explanation *told, size_t metric)
{
    enum hpm_feasible feasible = hpm_request_ask_metric(told->request, metric);
    struct hpm_string events = {0};

    hpm_string_add_format(told->string, "  %-9s %s", "here",
                          feasible_word(feasible));
    if (feasible != HPM_FEASIBLE_ALL) {
        hpm_string_add(told->string, ": it needs ");
        hpm_request_explain(told->request, metric, told->string);
        hpm_string_add(told->string, ", which cannot be counted here");
    } else {
        hpm_request_forget(told->request);
        hpm_request_add_metric(told->request, metric);
        hpm_request_add_events(told->request, &events);
        if (events.length > 0)
            hpm_string_add_format(told->string, ", by %s", events.text);
    }
    hpm_string_add_char(told->string, '\n');
    told->string->failed |= events.failed;
    hpm_string_free(&events);
}

/* The same, in a line, of what it needs. */
static void
add_need(struct explanation *told, struct hpm_input input, int depth)
{
    const struct hpm_metrics *metrics = told->metrics;
    const struct hpm_metric *metric;

    if (!input.is_metric || told->is_told[input.index] || depth > 8)
        return;
    metric = &metrics->metrics[input.index];
    told->is_told[input.index] = true;
    if (metric->rules.count == 0)
        return;
    for (int i = 0; i < depth; i++)
        hpm_string_add(told->string, "  ");
    hpm_string_add_format(told->string, "%s = ", metric->name);
    hpm_formula_add(told->string, metrics, metric->rules.first);
    if (metric->texts[HPM_TEXT_LABEL] != NULL)
        hpm_string_add_format(told->string, "   %s",
                              metric->texts[HPM_TEXT_LABEL]);
    hpm_string_add_char(told->string, '\n');
}

static void
add_needs_of(struct explanation *told, size_t metric, int depth)
{
    const struct hpm_metrics *metrics = told->metrics;
    const struct hpm_metric *here = &metrics->metrics[metric];
    const struct hpm_rule *rule;

    if (here->rules.count == 0 || depth > 4)
        return;
    rule = &metrics->rules[here->rules.first];
    for (size_t i = 0; i < rule->inputs.count + rule->steps.count; i++) {
        struct hpm_input input;

        if (i < rule->inputs.count)
            input = metrics->inputs[rule->inputs.first + i];
        else if (metrics->steps[rule->steps.first + i - rule->inputs.count]
                     .kind <= HPM_OP_TOTAL)
            input = metrics->steps[rule->steps.first + i - rule->inputs.count]
                        .input;
        else
            continue;
        if (input.is_metric && !told->is_told[input.index]) {
            add_need(told, input, depth);
            add_needs_of(told, input.index, depth + 1);
        }
    }
}

void
hpm_catalogue_explain(struct hpm_string *string, struct hpm_request *request,
                      size_t metric)
{
    struct explanation told = {string, request, request->metrics, NULL};
    const struct hpm_metric *here = &request->metrics->metrics[metric];
    const char *parent = here->parent != HPM_NO_METRIC
                             ? request->metrics->metrics[here->parent].name
                             : NULL;

    told.is_told = hpm_memory_new(request->metrics->n_metrics, sizeof(bool));
    if (told.is_told == NULL) {
        string->failed = true;
        return;
    }
    told.is_told[metric] = true;
    hpm_string_add(string, here->name);
    if (here->texts[HPM_TEXT_LABEL] != NULL)
        hpm_string_add_format(string, ": %s", here->texts[HPM_TEXT_LABEL]);
    hpm_string_add_char(string, '\n');
    add_text(string, "shown as", here->texts[HPM_TEXT_AS]);
    add_rules(&told, here);
    add_text(string, "unit", here->texts[HPM_TEXT_UNIT]);
    add_limits(string, here);
    add_text(string, "source", here->texts[HPM_TEXT_SOURCE]);
    add_text(string, "under", parent);
    add_text(string, "note", here->texts[HPM_TEXT_INFO]);
    add_text(string, "sample", here->texts[HPM_TEXT_SAMPLE]);
    add_here(&told, metric);
    add_needs_of(&told, metric, 1);
    hpm_memory_free(told.is_told);
}
