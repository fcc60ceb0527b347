/* SPDX-License-Identifier: BSD-3-Clause
 * What a node of the metrics has in some rows. */
#include "hpmviz/data/treevalue.h"

#include <glib/gi18n.h>
#include <math.h>

#include "study/report/line.h"
#include "study/report/shown.h"

struct hpmviz_treevalue
hpmviz_treevalue_none(void)
{
    return (struct hpmviz_treevalue){.number = NAN, .base = NAN};
}

static gboolean
is_time(const struct hpm_quantity *quantity)
{
    return quantity->kind == HPM_QUANTITY_EXCLUSIVE ||
           quantity->kind == HPM_QUANTITY_INCLUSIVE;
}

static struct hpmviz_treevalue
value_of(const struct hpm_quantity *quantity, const struct hpm_figure *figure,
         gboolean is_own)
{
    struct hpm_number number = is_own ? figure->exclusive : figure->value;

    return (struct hpmviz_treevalue){
        .number = hpm_quantity_to_shown(quantity, hpm_number_to_real(number)),
        .base = is_own ? NAN
                       : hpm_quantity_to_shown(
                             quantity, hpm_number_to_real(figure->base)),
        .reason = figure->reason,
        .cause = figure->cause,
        .privilege = figure->privilege,
        .culprit = figure->culprit,
        .n_missing = figure->n_missing,
        .n_records = figure->n_records,
        .marks = hpmviz_marks_of(figure),
        .verdict = is_own ? HPM_VERDICT_NONE : figure->verdict,
        .is_present = figure->is_present};
}

static double
add_bases(const struct hpm_survey *survey, const struct hpm_quantity *quantity,
          const struct hpm_subject *subject)
{
    double sum = 0.0;

    for (size_t i = 0; i < subject->count * quantity->n_columns; i++) {
        uint32_t row = survey->rows[subject->first + i / quantity->n_columns];
        double base = hpm_number_to_real(hpm_study_number(
            survey->study, row, quantity->columns[i % quantity->n_columns],
            HPM_FIELD_BASE));

        sum += isnan(base) ? 0.0 : base;
    }
    return sum;
}

/* The seconds of the first run, added when they are first asked for. */
static double
base_of(const struct hpmviz_trees *trees, const struct hpm_quantity *quantity,
        const struct hpm_subject *subject)
{
    size_t index = 2 * (size_t)(subject - trees->paths->subjects) +
                   (quantity->kind == HPM_QUANTITY_INCLUSIVE);

    if (trees->bases == NULL)
        return NAN;
    if (isnan(trees->bases[index]))
        trees->bases[index] = add_bases(trees->paths, quantity, subject);
    return trees->bases[index];
}

/* The time of a subject is that of its longest thread: here all threads are
 * added, by their mean. */
static struct hpmviz_treevalue
sum_of_threads(const struct hpmviz_trees *trees,
               const struct hpm_quantity *quantity,
               const struct hpm_subject *subject, const struct hpm_entry *entry)
{
    struct hpmviz_treevalue value = value_of(quantity, &entry->figure, FALSE);

    value.number =
        entry->threads.n > 0
            ? hpm_quantity_to_shown(quantity, entry->threads.mean *
                                                  (double)entry->threads.n)
            : NAN;
    value.base = base_of(trees, quantity, subject);
    return value;
}

static struct hpmviz_treevalue
find(const struct hpmviz_trees *trees, size_t which, gboolean is_own,
     struct hpmviz_figures figures)
{
    const struct hpm_quantity *quantity = &trees->paths->quantities[which];
    const struct hpm_entry *entry;

    is_own =
        is_own && !is_time(quantity) && quantity->kind != HPM_QUANTITY_CALLS;
    if (figures.subject == NULL)
        return figures.all != NULL
                   ? value_of(quantity, &figures.all[which], is_own)
                   : hpmviz_treevalue_none();
    entry = hpm_subject_entry(figures.subject, which);
    if (entry == NULL)
        return hpmviz_treevalue_none();
    return is_time(quantity)
               ? sum_of_threads(trees, quantity, figures.subject, entry)
               : value_of(quantity, &entry->figure, is_own);
}

/* A survey of a difference evaluates metrics of both sides with all inside. */
static void
explain_own(const struct hpm_survey *survey, size_t quantity,
            struct hpmviz_treevalue *value)
{
    if (hpm_survey_is_difference(survey) && isnan(value->number) &&
        value->is_present && value->reason == NULL &&
        survey->quantities[quantity].kind == HPM_QUANTITY_METRIC)
        value->reason = _("of a difference only the value with all inside is "
                          "known");
}

/* An inclusive time that is not known is at least the exclusive one. */
static struct hpmviz_treevalue
find_node(const struct hpmviz_trees *trees, guint node, gboolean is_own,
          struct hpmviz_figures figures)
{
    const struct hpmviz_metricnode *here = &trees->metrics->nodes[node];
    size_t own = here->own;
    struct hpmviz_treevalue value;

    if (is_own && own != HPM_NO_QUANTITY)
        return find(trees, own, TRUE, figures);
    value = find(trees, here->quantity, is_own, figures);
    if (is_own)
        explain_own(trees->paths, here->quantity, &value);
    if (!value.is_present && own != HPM_NO_QUANTITY) {
        value = find(trees, own, FALSE, figures);
        value.marks.is_partial = value.is_present;
    }
    return value;
}

struct hpmviz_treevalue
hpmviz_treevalue_find(const struct hpmviz_trees *trees,
                      struct hpmviz_treechoice metric, gboolean is_own,
                      struct hpmviz_figures figures)
{
    const struct hpmviz_metrictree *metrics = trees->metrics;
    struct hpmviz_treevalue value =
        find_node(trees, metric.node, is_own, figures);

    for (guint i = metric.node + 1; i < metrics->n && metric.is_open; i++) {
        if (metrics->nodes[i].parent == metric.node &&
            metrics->nodes[i].is_part) {
            struct hpmviz_treevalue part = find_node(trees, i, is_own, figures);

            hpmviz_treevalue_subtract(&value, &part);
        }
    }
    return value;
}

void
hpmviz_treevalue_add_reason(const struct hpmviz_treevalue *value,
                            struct hpm_string *text)
{
    const struct hpm_figure figure = {.is_present = value->is_present,
                                      .state = value->marks.state,
                                      .reason = value->reason,
                                      .cause = value->cause,
                                      .privilege = value->privilege,
                                      .culprit = value->culprit,
                                      .n_missing = value->n_missing,
                                      .n_records = value->n_records};

    if (isnan(value->number))
        hpm_shown_add_reason(text, &figure);
}

static void
add_marks(struct hpmviz_marks *marks, struct hpmviz_marks other)
{
    marks->state = MAX(marks->state, other.state);
    marks->doubt = MAX(marks->doubt, other.doubt);
    marks->is_partial |= other.is_partial;
}

void
hpmviz_treevalue_add(struct hpmviz_treevalue *sum,
                     const struct hpmviz_treevalue *value)
{
    if (!value->is_present)
        return;
    if (!sum->is_present || (isnan(value->number) && !isnan(sum->number))) {
        *sum = *value;
    } else if (!isnan(value->number)) {
        sum->verdict = HPM_VERDICT_NONE;
        sum->number += value->number;
        sum->base += value->base;
        add_marks(&sum->marks, value->marks);
    }
}

void
hpmviz_treevalue_subtract(struct hpmviz_treevalue *whole,
                          const struct hpmviz_treevalue *part)
{
    if (isnan(whole->number) || !part->is_present)
        return;
    if (isnan(part->number)) {
        whole->marks.is_partial = TRUE;
        return;
    }
    whole->verdict = HPM_VERDICT_NONE;
    whole->number -= part->number;
    whole->base -= part->base;
    add_marks(&whole->marks, part->marks);
}

/* ---- of a call path -------------------------------------------------- */

static struct hpmviz_treevalue
value_of_subject(const struct hpmviz_trees *trees, guint subject,
                 gboolean is_own)
{
    return hpmviz_treevalue_find(
        trees, trees->choices[HPMVIZ_TREE_METRICS], is_own,
        (struct hpmviz_figures){.subject = &trees->paths->subjects[subject]});
}

/* Amounts of a difference, which the survey has only with all inside. */
static struct hpmviz_treevalue
own_of_difference(const struct hpmviz_trees *trees, guint subject)
{
    struct hpmviz_treevalue value = value_of_subject(trees, subject, FALSE);
    const struct hpmviz_pathtree *tree = trees->forward;

    for (guint i = tree->children[trees->node_of[subject]]; i != G_MAXUINT;
         i = tree->siblings[i]) {
        struct hpmviz_treevalue part =
            value_of_subject(trees, tree->subjects[i], FALSE);

        hpmviz_treevalue_subtract(&value, &part);
    }
    value.base = NAN;
    return value;
}

static gboolean
is_to_be_subtracted(const struct hpmviz_trees *trees)
{
    const struct hpmviz_metricnode *metric =
        &trees->metrics->nodes[trees->choices[HPMVIZ_TREE_METRICS].node];

    return hpm_survey_is_difference(trees->paths) && metric->is_amount &&
           trees->paths->quantities[metric->quantity].kind ==
               HPM_QUANTITY_METRIC;
}

struct hpmviz_treevalue
hpmviz_treevalue_of_path(const struct hpmviz_trees *trees, guint subject,
                         gboolean is_own)
{
    return is_own && is_to_be_subtracted(trees)
               ? own_of_difference(trees, subject)
               : value_of_subject(trees, subject, is_own);
}
