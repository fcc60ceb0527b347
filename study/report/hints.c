/* SPDX-License-Identifier: BSD-3-Clause
 * Hints as text. */
#include "study/report/hints.h"

#include <stdio.h>

#include "study/report/paragraph.h"
#include "study/report/tree.h"

enum { INDENT = 5, COLUMN = 11 };

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

void
hpm_hints_add_step(struct hpm_string *string, const struct hpm_ranking *ranking,
                   const struct hpm_hint *hint, bool has_sections)
{
    const struct hpm_metrics *metrics = ranking->metrics;
    const char *next = metrics->metrics[hint->metric].texts[HPM_TEXT_NEXT];
    const char *variable;

    if (!hint->is_next_measured) {
        hpm_hints_add_next(string, metrics, next);
    } else if (!has_sections) {
        option_for(metrics, next, &variable);
        hpm_string_add_format(string, "the same by section: libhpm, with %s=%s",
                              variable, next);
    }
}

/* ---- one hint -------------------------------------------------------- */

void
hpm_hints_add_title(struct hpm_string *string,
                    const struct hpm_ranking *ranking,
                    const struct hpm_hint *hint, hpm_hints_name *name,
                    void *context)
{
    const struct hpm_metrics *metrics = ranking->metrics;
    const struct hpm_limit *bad =
        &metrics->metrics[hint->metric].limits[ranking->precision].bad;

    hpm_string_add(string, metrics->metrics[hint->metric].shown);
    hpm_string_add_char(string, ' ');
    hpm_tree_add_value(string, metrics, hint->metric, hint->value);
    if (name != NULL) {
        hpm_string_add(string, " in ");
        name(string, hint->place, metrics->metrics[hint->metric].is_of_run,
             context);
        if (hint->n_places > 1)
            hpm_string_add_format(string, " and %zu more", hint->n_places - 1);
    }
    hpm_string_add_format(string, " (bad: %s ",
                          bad->is_above ? "above" : "below");
    hpm_string_add_real(string, bad->value);
    hpm_string_add_char(string, ')');
}

void
hpm_hints_add_evidence(struct hpm_string *string,
                       const struct hpm_ranking *ranking,
                       const struct hpm_hint *hint)
{
    const struct hpm_metrics *metrics = ranking->metrics;

    for (size_t i = 0; i < hint->n_evidence; i++) {
        size_t metric = hint->evidence[i].metric;

        hpm_string_add(string, i > 0 ? ", " : "");
        hpm_string_add(string, metrics->metrics[metric].shown);
        hpm_string_add_char(string, ' ');
        hpm_tree_add_value(string, metrics, metric, hint->evidence[i].value);
        if (hint->evidence[i].is_partial)
            hpm_string_add(string, " ~");
        if (hint->evidence[i].is_doubtful)
            hpm_string_add(string, " ?");
    }
}

/* ---- all of them ----------------------------------------------------- */

/* An entry made of a text, which is freed; nothing for an empty one. */
static void
add_entry(struct hpm_string *string, int indent, const char *word, int column,
          struct hpm_string *text)
{
    if (text->length > 0)
        hpm_paragraph_add_entry(string, (size_t)indent, word, (size_t)column,
                                hpm_string_text(text));
    string->failed |= text->failed;
    hpm_string_free(text);
}

void
hpm_hints_add_text(struct hpm_string *string, const struct hpm_ranking *ranking,
                   hpm_hints_name *name, void *context)
{
    struct hpm_hint hint[HPM_MAX_HINTS];
    size_t n = hpm_ranking_get(ranking, hint);

    if (n > 0)
        hpm_string_add(string, "\nhints, not verdicts: what these numbers "
                               "suggest, the gravest first\n");
    for (size_t i = 0; i < n; i++) {
        const struct hpm_metric *metric =
            &ranking->metrics->metrics[hint[i].metric];
        struct hpm_string text = {0};
        char word[24];

        snprintf(word, sizeof word, "%zu.", i + 1);
        hpm_hints_add_title(&text, ranking, &hint[i], name, context);
        add_entry(string, 2, word, INDENT, &text);
        hpm_paragraph_add_entry(string, INDENT, "why", COLUMN,
                                metric->texts[HPM_TEXT_WHY]);
        hpm_hints_add_evidence(&text, ranking, &hint[i]);
        add_entry(string, INDENT, "with", COLUMN, &text);
        hpm_hints_add_step(&text, ranking, &hint[i], name != NULL);
        add_entry(string, INDENT, "next", COLUMN, &text);
        hpm_paragraph_add_entry(string, INDENT, "try", COLUMN,
                                metric->texts[HPM_TEXT_TRY]);
    }
}
