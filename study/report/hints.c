/* SPDX-License-Identifier: BSD-3-Clause
 * Hints as text. */
#include "study/report/hints.h"

#include <stdio.h>
#include <string.h>

#include "study/report/paragraph.h"
#include "study/report/tree.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

enum { INDENT = 5, COLUMN = 11 };

/* ---- what to measure next -------------------------------------------- */

/* A set, a metric or an event: hpmcount's option for it, and the variable. */
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
hpm_hints_add_option(struct hpm_string *string,
                     const struct hpm_metrics *metrics, const char *next)
{
    const char *variable;

    hpm_string_add_format(string, "%s %s", option_for(metrics, next, &variable),
                          next);
}

void
hpm_hints_add_next(struct hpm_string *string, const struct hpm_metrics *metrics,
                   const char *next)
{
    hpm_string_add(string, "hpmcount ");
    hpm_hints_add_option(string, metrics, next);
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
    } else if (!has_sections &&
               ranking->time_of[hint->metric] != HPM_NO_METRIC) {
        option_for(metrics, next, &variable);
        hpm_string_add_format(
            string,
            N_("where in the program: perf record -g COMMAND, "
               "then perf report; or sections (libhpm), with "
               "%s=%s"),
            variable, next);
    }
}

/* ---- one hint -------------------------------------------------------- */

/* Append " in all 3 runs", " in 2 of 3 runs"; nothing for one run. */
static void
add_bad_runs(struct hpm_string *string, const struct hpm_ranking *ranking,
             const struct hpm_hint *hint)
{
    if (ranking->bad_runs == NULL || ranking->n_runs < 2)
        return;
    if (ranking->bad_runs[hint->metric] == ranking->n_runs)
        hpm_string_add_format(string, _(" in all %zu runs"), ranking->n_runs);
    else
        hpm_string_add_format(string, _(" in %zu of %zu runs"),
                              ranking->bad_runs[hint->metric], ranking->n_runs);
}

void
hpm_hints_add_title(struct hpm_string *string,
                    const struct hpm_ranking *ranking,
                    const struct hpm_hint *hint, hpm_hints_number *number,
                    hpm_hints_name *name, void *context)
{
    const struct hpm_metrics *metrics = ranking->metrics;
    const struct hpm_limit *bad =
        &metrics->metrics[hint->metric].limits[ranking->precision].bad;

    hpm_string_add(string, metrics->metrics[hint->metric].shown);
    hpm_string_add_char(string, ' ');
    number(string, metrics, hint->metric, hint->value);
    if (name != NULL) {
        struct hpm_string place = {0};

        hpm_string_add(string, _(" in "));
        name(&place, hint->place, &metrics->metrics[hint->metric], context);
        hpm_sentence_add(string, hpm_string_text(&place));
        hpm_string_finish(&place, &string->failed);
        if (ranking->bad_runs == NULL && hint->n_places > 1)
            hpm_string_add_format(string, _(" and %zu more"),
                                  hint->n_places - 1);
    }
    hpm_string_add(string, _(" (bad"));
    add_bad_runs(string, ranking, hint);
    hpm_string_add_format(string, ": %s ",
                          bad->is_above ? _("above") : _("below"));
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

static const char *
say(const char *text, bool is_translated)
{
    return is_translated ? _(text) : text;
}

/* "{task}", "{thread}" or the name of the hint's metric, or of one of its evidence;
 * false where the hint does not have that, or has it for a part only, or with doubt. */
static bool
add_named(struct hpm_string *string, const struct hpm_ranking *ranking,
          const struct hpm_hint *hint, const char *name, size_t length,
          bool is_translated)
{
    const struct hpm_metrics *metrics = ranking->metrics;

    if (length == strlen("task") && strncmp(name, "task", length) == 0) {
        hpm_string_add_format(string, say(N_("task %d"), is_translated),
                              hint->task);
        return hint->task != HPM_NO_TASK;
    }
    if (length == strlen("thread") && strncmp(name, "thread", length) == 0) {
        hpm_string_add_format(string, say(N_("thread %d"), is_translated),
                              hint->thread);
        return hint->thread != HPM_NO_THREAD;
    }
    for (size_t i = 0; i <= hint->n_evidence; i++) {
        bool is_own = i == hint->n_evidence;
        size_t metric = is_own ? hint->metric : hint->evidence[i].metric;
        const char *known = metrics->metrics[metric].name;

        if (strlen(known) != length || strncmp(name, known, length) != 0)
            continue;
        hpm_tree_add_value(string, metrics, metric,
                           is_own ? hint->value : hint->evidence[i].value);
        return is_own ||
               !(hint->evidence[i].is_partial || hint->evidence[i].is_doubtful);
    }
    return false;
}

/* The text with numbers for the names in braces; false where one is missing. */
static bool
add_filled(struct hpm_string *string, const struct hpm_ranking *ranking,
           const struct hpm_hint *hint, const char *text, bool is_translated)
{
    const char *begin, *end;

    while ((begin = strchr(text, '{')) != NULL &&
           (end = strchr(begin, '}')) != NULL) {
        hpm_string_add_bytes(string, text, (size_t)(begin - text));
        if (!add_named(string, ranking, hint, begin + 1,
                       (size_t)(end - begin - 1), is_translated))
            return false;
        text = end + 1;
    }
    hpm_string_add(string, text);
    return true;
}

void
hpm_hints_add_why(struct hpm_string *string, const struct hpm_ranking *ranking,
                  const struct hpm_hint *hint, bool is_translated)
{
    const struct hpm_metric *metric = &ranking->metrics->metrics[hint->metric];
    const char *says = metric->texts[HPM_TEXT_SAYS];
    struct hpm_string text = {0};

    if (says != NULL && add_filled(&text, ranking, hint,
                                   say(says, is_translated), is_translated))
        hpm_string_add(string, hpm_string_text(&text));
    else
        hpm_string_add(string, say(metric->texts[HPM_TEXT_WHY], is_translated));
    hpm_string_finish(&text, &string->failed);
}

/* ---- all hints ------------------------------------------------------- */

/* Add an entry with this text, which is freed; nothing for an empty text. */
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
                   bool has_sections, hpm_hints_name *name, void *context)
{
    struct hpm_hint hint[HPM_MAX_HINTS];
    size_t n = hpm_ranking_get(ranking, hint);

    if (n > 0)
        hpm_string_add(string, _("\nhints, not verdicts: what these numbers "
                                 "suggest, the gravest first\n"));
    for (size_t i = 0; i < n; i++) {
        const struct hpm_metric *metric =
            &ranking->metrics->metrics[hint[i].metric];
        struct hpm_string text = {0}, step = {0};
        char word[24];

        snprintf(word, sizeof word, "%zu.", i + 1);
        hpm_hints_add_title(&text, ranking, &hint[i], hpm_tree_add_value, name,
                            context);
        add_entry(string, 2, word, INDENT, &text);
        hpm_hints_add_why(&text, ranking, &hint[i], true);
        add_entry(string, INDENT, _("why"), COLUMN, &text);
        hpm_hints_add_evidence(&text, ranking, &hint[i]);
        add_entry(string, INDENT, _("with"), COLUMN, &text);
        hpm_hints_add_step(&text, ranking, &hint[i], has_sections);
        hpm_sentence_add(&step, hpm_string_text(&text));
        hpm_string_finish(&text, &string->failed);
        add_entry(string, INDENT, _("next"), COLUMN, &step);
        hpm_paragraph_add_entry(string, INDENT, _("try"), COLUMN,
                                _(metric->texts[HPM_TEXT_TRY]));
    }
}

/* ---- tables for programs --------------------------------------------- */

static const char *const columns[] = {
    "rank",      "hint",   "where", "value", "unit", "side", "limit",
    "explained", "places", "why",   "with",  "next", "try"};

void
hpm_hints_begin_table(struct hpm_table *table)
{
    hpm_table_add_columns(table, columns, sizeof columns / sizeof columns[0],
                          3);
}

static void
add_text_cell(struct hpm_table *table, struct hpm_string *text)
{
    hpm_table_add_text_or_none(table,
                               text->length > 0 ? hpm_string_text(text) : NULL);
    hpm_string_finish(text, &table->failed);
}

static void
add_where(struct hpm_table *table, const struct hpm_hint *hint,
          const struct hpm_metric *metric, hpm_hints_name *name, void *context)
{
    struct hpm_string text = {0};

    if (name != NULL)
        name(&text, hint->place, metric, context);
    add_text_cell(table, &text);
}

static void
add_row(struct hpm_table *table, const struct hpm_ranking *ranking,
        const struct hpm_hint *hint, bool has_sections, hpm_hints_name *name,
        void *context)
{
    const struct hpm_metric *metric = &ranking->metrics->metrics[hint->metric];
    const struct hpm_limit *bad = &metric->limits[ranking->precision].bad;
    const char *unit = metric->texts[HPM_TEXT_UNIT];
    struct hpm_string text = {0};

    hpm_table_add_text(table, metric->shown);
    add_where(table, hint, metric, name, context);
    hpm_table_add_real(table, hint->value);
    hpm_table_add_text(table, unit != NULL ? unit : "");
    hpm_table_add_text(table, bad->is_above ? "above" : "below");
    hpm_table_add_real(table, bad->value);
    hpm_table_add_real(table, hint->explained);
    hpm_table_add_count(table, ranking->bad_runs != NULL
                                   ? ranking->bad_runs[hint->metric]
                                   : hint->n_places);
    hpm_hints_add_why(&text, ranking, hint, false);
    add_text_cell(table, &text);
    hpm_hints_add_evidence(&text, ranking, hint);
    add_text_cell(table, &text);
    hpm_hints_add_step(&text, ranking, hint, has_sections);
    add_text_cell(table, &text);
    hpm_table_add_text(table, metric->texts[HPM_TEXT_TRY]);
}

void
hpm_hints_add_rows(struct hpm_table *table, const struct hpm_ranking *ranking,
                   bool has_sections, hpm_hints_name *name, void *context)
{
    struct hpm_hint hint[HPM_MAX_HINTS];
    size_t n = hpm_ranking_get(ranking, hint);

    for (size_t i = 0; i < n; i++) {
        hpm_table_add_count(table, i + 1);
        add_row(table, ranking, &hint[i], has_sections, name, context);
    }
}

/* The rank of a metric's hint at a place, from 1 on; 0: it gives no hint. */
static size_t
find_hint(const struct hpm_ranking *ranking, size_t metric, size_t place,
          double *ret_explained)
{
    struct hpm_hint hint[HPM_MAX_HINTS];
    size_t n = ranking != NULL ? hpm_ranking_get(ranking, hint) : 0;

    for (size_t i = 0; i < n; i++) {
        if (hint[i].metric != metric ||
            (place != HPM_HINTS_ANYWHERE && hint[i].place != place))
            continue;
        *ret_explained = hint[i].explained;
        return i + 1;
    }
    return 0;
}

bool
hpm_hints_has(const struct hpm_ranking *ranking, size_t metric, size_t place)
{
    double explained;

    return find_hint(ranking, metric, place, &explained) > 0;
}

void
hpm_hints_add_mark(struct hpm_table *table, const struct hpm_ranking *ranking,
                   size_t metric, size_t place)
{
    double explained;
    size_t rank = find_hint(ranking, metric, place, &explained);

    if (rank == 0) {
        hpm_table_add_nones(table, 2);
        return;
    }
    hpm_table_add_count(table, rank);
    hpm_table_add_real(table, explained);
}
