/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of all defined metrics, sets and hints. */
#include "study/tool/catalogue.h"
#include "base/mark.h"

const char *
hpm_feasible_word(enum hpm_feasible feasible)
{
    if (feasible == HPM_FEASIBLE_ALL)
        return "yes";
    return feasible == HPM_FEASIBLE_PART ? N_("in part") : "no";
}

/* ---- lists ----------------------------------------------------------- */

static void
add_here(struct hpm_table *table, const struct hpm_request *request)
{
    hpm_table_add_column(
        table, "here", request->place != NULL ? N_("there?") : N_("here?"), 0);
}

void
hpm_catalogue_fill(struct hpm_table *table, struct hpm_request *request,
                   bool has_all)
{
    hpm_table_add_column(table, "metric", N_("metric (-m)"), 0);
    add_here(table, request);
    hpm_table_add_column(table, "unit", NULL, 0);
    hpm_table_add_column(table, N_("meaning"), NULL, 0);
    for (size_t i = 0; i < request->metrics->n_metrics; i++) {
        const struct hpm_metric *metric = &request->metrics->metrics[i];
        enum hpm_feasible feasible = hpm_request_ask_metric(request, i);

        if (metric->rules.count == 0 ||
            (feasible == HPM_FEASIBLE_NO && !has_all))
            continue;
        hpm_table_add_text(table, metric->name);
        hpm_table_add_text(table, hpm_feasible_word(feasible));
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

/* A set is measurable as far as its worst member is. */
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
    hpm_table_add_column(table, "set", N_("set (-s)"), 0);
    add_here(table, request);
    hpm_table_add_column(table, N_("members"), NULL, 0);
    for (size_t i = 0; i < request->metrics->n_sets; i++) {
        const struct hpm_metric_set *set = &request->metrics->sets[i];
        struct hpm_string members = {0};
        enum hpm_feasible feasible = ask_set(request, set, &members);

        hpm_table_add_text(table, set->name);
        hpm_table_add_text(table, hpm_feasible_word(feasible));
        hpm_table_add_string(table, &members);
    }
}

/* Append "above 5 %". */
static void
add_limit(struct hpm_table *table, const struct hpm_metric *metric)
{
    const struct hpm_limit *bad = &metric->limits[HPM_PRECISION_DOUBLE].bad;
    const char *unit = metric->texts[HPM_TEXT_UNIT];
    struct hpm_string text = {0};

    if (bad->is_given) {
        hpm_string_add(&text, bad->is_above ? "above " : "below ");
        hpm_string_add_real(&text, bad->value);
        hpm_string_add_format(&text, "%s%s", unit != NULL ? " " : "",
                              unit != NULL ? unit : "");
    }
    hpm_table_add_string(table, &text);
}

void
hpm_catalogue_fill_hints(struct hpm_table *table, struct hpm_request *request)
{
    hpm_table_add_column(table, "hint", NULL, 0);
    add_here(table, request);
    hpm_table_add_column(table, "bad", NULL, 0);
    hpm_table_add_column(table, N_("meaning"), NULL, 0);
    for (size_t i = 0; i < request->metrics->n_metrics; i++) {
        const struct hpm_metric *metric = &request->metrics->metrics[i];

        if (!metric->has_hint)
            continue;
        hpm_table_add_text(table, metric->name);
        hpm_table_add_text(
            table, hpm_feasible_word(hpm_request_ask_metric(request, i)));
        add_limit(table, metric);
        hpm_table_add_text(table, metric->texts[HPM_TEXT_LABEL]);
    }
}
