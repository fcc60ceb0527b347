/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of one record as text. */
#include "study/report/tree.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "report/text.h"
#include "study/metric/formula.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

enum { NAME_WIDTH = 32, VALUE_WIDTH = 18, UNIT_WIDTH = 4 };

struct tree {
    struct hpm_string *string;
    const struct hpm_metrics *metrics;
    const struct hpm_metric_value *values;
    const struct hpm_tree_style *style;
    bool *is_shown; /* by metric */
};

/* ---- what is shown --------------------------------------------------- */

static bool
is_asked_for(const struct tree *tree, size_t metric)
{
    if (tree->style->is_chosen != NULL)
        return tree->style->is_chosen[metric];
    return hpm_metrics_is_derived(tree->metrics, metric, &tree->values[metric]);
}

/* Choose the metrics asked for, all metrics above them that have values, and
 * all parts with values of the chosen metrics. */
static void
choose_lines(struct tree *tree)
{
    const struct hpm_metrics *metrics = tree->metrics;

    for (size_t i = 0; i < metrics->n_metrics; i++) {
        size_t above = metrics->metrics[i].parent;

        if (!is_asked_for(tree, i))
            continue;
        tree->is_shown[i] = true;
        while (above != HPM_NO_METRIC && tree->values[above].is_present) {
            tree->is_shown[above] = true;
            above = metrics->metrics[above].parent;
        }
    }
    /* from wholes to parts: the reverse of the order of evaluation */
    for (size_t i = metrics->n_metrics; i > 0; i--) {
        size_t metric = metrics->order[i - 1];
        size_t parent = metrics->metrics[metric].parent;

        if (parent != HPM_NO_METRIC && tree->is_shown[parent] &&
            tree->values[metric].is_present)
            tree->is_shown[metric] = true;
    }
}

/* ---- one line -------------------------------------------------------- */

/* Counts as integers; all else with three decimals, times with six. */
static void
add_number(struct hpm_string *string, double value, bool is_count,
           const char *unit)
{
    bool is_time = strcmp(unit, "s") == 0;
    bool is_whole =
        is_count && !is_time && fabs(value) < 9e15 && value == floor(value);

    if (is_whole && value < 0.0)
        hpm_string_add_char(string, '-');
    if (is_whole)
        hpm_string_add_grouped(string, (uint64_t)fabs(value));
    else
        hpm_string_add_fixed(string, value, is_time ? 6 : 3);
}

void
hpm_tree_add_value(struct hpm_string *string, const struct hpm_metrics *metrics,
                   size_t metric, double value)
{
    const struct hpm_metric *here = &metrics->metrics[metric];
    const char *unit =
        here->texts[HPM_TEXT_UNIT] != NULL ? here->texts[HPM_TEXT_UNIT] : "";

    add_number(string, value, !here->is_ratio && here->scale == 1.0, unit);
    if (unit[0] != '\0')
        hpm_string_add_char(string, ' ');
    hpm_string_add_safe(string, unit);
}

static void
add_cell(struct tree *tree, const char *text, enum hpm_verdict verdict)
{
    const char *colour = "";

    if (tree->style->is_coloured && verdict == HPM_VERDICT_BAD)
        colour = "\033[31m";
    else if (tree->style->is_coloured && verdict == HPM_VERDICT_GOOD)
        colour = "\033[32m";
    hpm_string_add_blanks(tree->string, strlen(text), VALUE_WIDTH);
    hpm_string_add(tree->string, colour);
    hpm_string_add(tree->string, text);
    hpm_string_add(tree->string, colour[0] != '\0' ? "\033[0m" : "");
}

/* Add "  NAME", indented by its depth and padded to the column's width. */
static void
add_name(struct tree *tree, const char *mark, const char *name, int depth)
{
    size_t used = (size_t)(2 * depth) + strlen(mark) + hpm_text_width(name);

    hpm_string_add(tree->string, "  ");
    for (int i = 0; i < depth; i++)
        hpm_string_add(tree->string, "  ");
    hpm_string_add(tree->string, mark);
    hpm_string_add_safe(tree->string, name);
    hpm_string_add_blanks(tree->string, used, NAME_WIDTH);
}

/* Add "(bad: below 1) ". */
static void
add_limit(struct hpm_string *string, const char *word,
          const struct hpm_limit *limit)
{
    hpm_string_add_format(string, "(%s: %s ", word,
                          limit->is_above ? _("above") : _("below"));
    hpm_string_add_real(string, limit->value);
    hpm_string_add(string, ") ");
}

static void
add_description(struct tree *tree, size_t metric)
{
    const struct hpm_metric *here = &tree->metrics->metrics[metric];
    const struct hpm_metric_value *value = &tree->values[metric];
    size_t rule = value->rule;

    if (tree->style->has_formulas && rule == HPM_NO_RULE &&
        here->rules.count > 0 && value->way != HPM_WAY_INFERRED)
        rule = here->rules.first;
    if (tree->style->has_formulas && rule != HPM_NO_RULE) {
        hpm_string_add(tree->string, "= ");
        hpm_formula_add(tree->string, tree->metrics, rule);
        hpm_string_add_char(tree->string, ' ');
    } else if (here->texts[HPM_TEXT_LABEL] != NULL) {
        hpm_string_add_safe(tree->string, _(here->texts[HPM_TEXT_LABEL]));
        hpm_string_add_char(tree->string, ' ');
    }
}

/* Say how reliable the value is, and which limit it crossed. */
static void
add_remarks(struct tree *tree, size_t metric, enum hpm_verdict verdict,
            enum hpm_doubt doubt)
{
    const struct hpm_metric_value *value = &tree->values[metric];
    const struct hpm_limits *limits =
        &tree->metrics->metrics[metric].limits[tree->style->precision];

    if (verdict == HPM_VERDICT_BAD)
        add_limit(tree->string, _("bad"), &limits->bad);
    else if (verdict == HPM_VERDICT_GOOD)
        add_limit(tree->string, _("good"), &limits->good);
    if (doubt != HPM_DOUBT_NONE)
        hpm_string_add_format(tree->string, _("(no verdict: %s) "),
                              _(hpm_doubt_text(doubt)));
    if (value->state != HPM_STATE_COUNTED && !isnan(value->value))
        hpm_string_add_format(tree->string, "(%s)",
                              _(hpm_state_name(value->state)));
}

static void
add_line(struct tree *tree, size_t metric, int depth)
{
    static const char marks[] = {[HPM_VERDICT_NONE] = ' ',
                                 [HPM_VERDICT_BAD] = '!',
                                 [HPM_VERDICT_NEUTRAL] = ' ',
                                 [HPM_VERDICT_GOOD] = '+'};
    const struct hpm_metric *here = &tree->metrics->metrics[metric];
    const struct hpm_metric_value *value = &tree->values[metric];
    const char *unit =
        here->texts[HPM_TEXT_UNIT] != NULL ? here->texts[HPM_TEXT_UNIT] : "";
    enum hpm_verdict verdict = hpm_metrics_judge(
        tree->metrics, tree->values, metric, tree->style->precision);
    enum hpm_doubt doubt =
        hpm_metrics_doubt(tree->metrics, tree->values, metric);
    struct hpm_string number = {0};

    add_name(tree, value->is_partial ? "~" : "", here->shown, depth);
    if (isnan(value->value)) {
        add_cell(tree, "-", HPM_VERDICT_NONE);
        hpm_string_add(tree->string, "        ");
        hpm_metric_value_explain(value, &number);
        hpm_sentence_add(tree->string, hpm_string_text(&number));
    } else {
        if (!hpm_metric_value_add_exact(&number, value, here->scale))
            add_number(&number, value->value / here->scale,
                       !here->is_ratio && here->scale == 1.0, unit);
        add_cell(tree, hpm_string_text(&number), verdict);
        hpm_string_add_char(tree->string, ' ');
        hpm_string_add_safe(tree->string, unit);
        hpm_string_add_blanks(tree->string, hpm_text_width(unit), UNIT_WIDTH);
        hpm_string_add_format(tree->string, " %c ",
                              doubt != HPM_DOUBT_NONE ? '?' : marks[verdict]);
        add_description(tree, metric);
        add_remarks(tree, metric, verdict, doubt);
    }
    hpm_string_trim(tree->string);
    hpm_string_add_char(tree->string, '\n');
    hpm_string_finish(&number, &tree->string->failed);
}

/* Add one line for the rest of a whole, where several of its parts are
 * missing. */
static void
add_other(struct tree *tree, size_t metric, int depth)
{
    const struct hpm_metrics *metrics = tree->metrics;
    const struct hpm_metric *here = &metrics->metrics[metric];
    double rest = tree->values[metric].value;
    struct hpm_string number = {0};
    size_t n_missing = 0, n_present = 0;

    if (here->tree == HPM_NO_RULE || isnan(rest) ||
        tree->values[metric].way == HPM_WAY_COMPOSED)
        return;
    for (size_t i = 0; i < metrics->rules[here->tree].inputs.count; i++) {
        struct hpm_input input =
            metrics->inputs[metrics->rules[here->tree].inputs.first + i];
        const struct hpm_metric_value *part = &tree->values[input.index];

        if (!input.is_metric || !part->is_present || isnan(part->value)) {
            n_missing++;
        } else {
            n_present++;
            rest -= part->value;
        }
    }
    if (n_missing < 2 || n_present == 0 || rest < 0.0)
        return;
    add_name(tree, "", _("(other)"), depth);
    add_number(&number, rest, true, "");
    add_cell(tree, hpm_string_text(&number), HPM_VERDICT_NONE);
    hpm_string_add_char(tree->string, '\n');
    hpm_string_free(&number);
}

static void
add_subtree(struct tree *tree, size_t metric, int depth)
{
    const struct hpm_metrics *metrics = tree->metrics;

    add_line(tree, metric, depth);
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        if (metrics->metrics[i].parent == metric && tree->is_shown[i])
            add_subtree(tree, i, depth + 1);
    }
    add_other(tree, metric, depth + 1);
}

void
hpm_tree_add_text(struct hpm_string *string, const struct hpm_metrics *metrics,
                  const struct hpm_metric_value *values,
                  const struct hpm_tree_style *style)
{
    struct tree tree = {string, metrics, values, style, NULL};

    tree.is_shown = hpm_memory_new(metrics->n_metrics, sizeof(bool));
    if (tree.is_shown == NULL) {
        string->failed = true;
        return;
    }
    choose_lines(&tree);
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        size_t parent = metrics->metrics[i].parent;

        if (tree.is_shown[i] &&
            (parent == HPM_NO_METRIC || !tree.is_shown[parent]))
            add_subtree(&tree, i, 0);
    }
    hpm_memory_free(tree.is_shown);
}
