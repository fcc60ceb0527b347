/* SPDX-License-Identifier: BSD-3-Clause
 * Hints as text. */
#include "report/hints.h"

#include <stdio.h>

#include "report/paragraph.h"
#include "report/tree.h"

enum { INDENT = 5, COLUMN = 11 };

struct hints {
    struct hpm_string *string;
    const struct hpm_ranking *ranking;
    hpm_hints_name *name;
    void *context;
};

/* ---- what to measure next -------------------------------------------- */

/* A set, a metric or an event: the option of hpmcount, the variable. */
static const char *
option_for(const struct hpm_metrics *metrics, const char *next,
           const char **ret_variable)
{
    if (hpm_metrics_find_set(metrics, next) != NULL) {
        *ret_variable = "HPM_SET";
        return "-s";
    }
    if (hpm_metrics_find(metrics, next) != HPM_NO_METRIC) {
        *ret_variable = "HPM_METRICS";
        return "-m";
    }
    *ret_variable = "HPM_EVENTS";
    return "-e";
}

void
hpm_hints_add_next(struct hpm_string *string, const struct hpm_metrics *metrics,
                   const char *next)
{
    const char *variable;

    hpm_string_add_format(string, "hpmcount %s %s",
                          option_for(metrics, next, &variable), next);
}

static void
add_next(const struct hints *hints, const struct hpm_hint *hint)
{
    const struct hpm_metrics *metrics = hints->ranking->metrics;
    const char *next = metrics->metrics[hint->metric].texts[HPM_TEXT_NEXT];
    struct hpm_string text = {0};
    const char *variable;

    if (!hint->is_next_measured) {
        hpm_hints_add_next(&text, metrics, next);
    } else if (hints->name == NULL) {
        option_for(metrics, next, &variable);
        hpm_string_add_format(&text, "the same by section: libhpm, with %s=%s",
                              variable, next);
    }
    if (text.length > 0)
        hpm_paragraph_add_entry(hints->string, INDENT, "next", COLUMN,
                                hpm_string_text(&text));
    hints->string->failed |= text.failed;
    hpm_string_free(&text);
}

/* ---- one hint -------------------------------------------------------- */

/* "3. IPC 0.412 in section 'solve' (bad: below 1)" */
static void
add_title(const struct hints *hints, const struct hpm_hint *hint, size_t number)
{
    const struct hpm_metrics *metrics = hints->ranking->metrics;
    const struct hpm_limit *bad =
        &metrics->metrics[hint->metric].limits[hints->ranking->precision].bad;
    struct hpm_string text = {0};
    char word[24];

    snprintf(word, sizeof word, "%zu.", number);
    hpm_string_add(&text, metrics->metrics[hint->metric].shown);
    hpm_string_add_char(&text, ' ');
    hpm_tree_add_value(&text, metrics, hint->metric, hint->value);
    if (hints->name != NULL) {
        hpm_string_add(&text, " in ");
        hints->name(&text, hint->place, hints->context);
        if (hint->n_places > 1)
            hpm_string_add_format(&text, " and %zu more", hint->n_places - 1);
    }
    hpm_string_add_format(&text, " (bad: %s ",
                          bad->is_above ? "above" : "below");
    hpm_string_add_real(&text, bad->value);
    hpm_string_add_char(&text, ')');
    hpm_paragraph_add_entry(hints->string, 2, word, INDENT,
                            hpm_string_text(&text));
    hints->string->failed |= text.failed;
    hpm_string_free(&text);
}

static void
add_evidence(const struct hints *hints, const struct hpm_hint *hint)
{
    const struct hpm_metrics *metrics = hints->ranking->metrics;
    struct hpm_string text = {0};

    for (size_t i = 0; i < hint->n_evidence; i++) {
        size_t metric = hint->evidence[i].metric;

        hpm_string_add(&text, i > 0 ? ", " : "");
        hpm_string_add(&text, metrics->metrics[metric].shown);
        hpm_string_add_char(&text, ' ');
        hpm_tree_add_value(&text, metrics, metric, hint->evidence[i].value);
    }
    if (text.length > 0)
        hpm_paragraph_add_entry(hints->string, INDENT, "with", COLUMN,
                                hpm_string_text(&text));
    hints->string->failed |= text.failed;
    hpm_string_free(&text);
}

void
hpm_hints_add_text(struct hpm_string *string, const struct hpm_ranking *ranking,
                   hpm_hints_name *name, void *context)
{
    const struct hints hints = {string, ranking, name, context};
    struct hpm_hint hint[HPM_MAX_HINTS];
    size_t n = hpm_ranking_get(ranking, hint);

    if (n > 0)
        hpm_string_add(string, "\nhints, not verdicts: what these numbers "
                               "suggest, the gravest first\n");
    for (size_t i = 0; i < n; i++) {
        const struct hpm_metric *metric =
            &ranking->metrics->metrics[hint[i].metric];

        add_title(&hints, &hint[i], i + 1);
        hpm_paragraph_add_entry(string, INDENT, "why", COLUMN,
                                metric->texts[HPM_TEXT_WHY]);
        add_evidence(&hints, &hint[i]);
        add_next(&hints, &hint[i]);
        hpm_paragraph_add_entry(string, INDENT, "try", COLUMN,
                                metric->texts[HPM_TEXT_TRY]);
    }
}
