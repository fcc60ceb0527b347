/* SPDX-License-Identifier: BSD-3-Clause
 * What each metric has in the whole run. */
#include "hpmviz/data/totals.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/treevalue.h"
#include "study/report/line.h"

/* Call paths in a piece of work, which takes about a millisecond. */
enum { PIECE = 20 };

/* To sum all counts of more records takes longer than a window may stand
 * still. */
enum { MOST_ROWS = 50000 };

struct hpmviz_total {
    struct hpmviz_treevalue value; /* of a closed node */
    gboolean is_partial;
};

struct hpmviz_totals {
    struct hpmviz_total *all; /* by node */
    guint next;               /* call path to be added */
    gboolean has_ratios;
};

struct hpmviz_totals *
hpmviz_totals_new(const struct hpmviz_trees *trees)
{
    struct hpmviz_totals *totals = g_new0(struct hpmviz_totals, 1);

    totals->all = g_new0(struct hpmviz_total, trees->metrics->n + 1);
    for (guint i = 0; i < trees->metrics->n; i++)
        totals->all[i].value = hpmviz_treevalue_none();
    return totals;
}

void
hpmviz_totals_free(struct hpmviz_totals *totals)
{
    if (totals == NULL)
        return;
    g_free(totals->all);
    g_free(totals);
}

/* ---- amounts --------------------------------------------------------- */

static gboolean
is_calls(const struct hpmviz_trees *trees, guint node)
{
    return trees->paths->quantities[trees->metrics->nodes[node].quantity]
               .kind == HPM_QUANTITY_CALLS;
}

static void
take_larger(struct hpmviz_total *total, const struct hpmviz_treevalue *value)
{
    struct hpmviz_treevalue *most = &total->value;

    total->is_partial |= isnan(value->number) || value->marks.is_partial;
    if (!most->is_present || value->number > most->number ||
        (isnan(most->number) && !isnan(value->number)))
        *most = *value;
}

/* What no section covers has no calls, and a program's own counts there are none
 * where no record has any. */
static gboolean
is_complete_without(const struct hpmviz_trees *trees, guint path,
                    const struct hpm_quantity *quantity)
{
    if (g_str_has_prefix(quantity->name, "work::"))
        return TRUE;
    return quantity->kind == HPM_QUANTITY_CALLS &&
           hpm_survey_is_outside(trees->paths, trees->forward->subjects[path]);
}

/* The sum of a call path, or the largest of maxima. */
static void
take(struct hpmviz_total *total, gboolean is_amount,
     const struct hpmviz_treevalue *value)
{
    if (is_amount)
        hpmviz_treevalue_add(&total->value, value);
    else if (value->is_present)
        take_larger(total, value);
}

/* Calls of inner sections are in no outer one's. */
static void
add_path(struct hpmviz_totals *totals, const struct hpmviz_trees *trees,
         guint path)
{
    const struct hpmviz_figures figures = {
        .subject = &trees->paths->subjects[trees->forward->subjects[path]]};
    gboolean is_root = trees->forward->parents[path] == HPMVIZ_NO_NODE;

    for (guint i = 0; i < trees->metrics->n; i++) {
        const struct hpm_quantity *quantity =
            &trees->paths->quantities[trees->metrics->nodes[i].quantity];
        struct hpmviz_treevalue value;

        if (quantity->is_ratio || (!is_root && !is_calls(trees, i)))
            continue;
        value = hpmviz_treevalue_find(
            trees, (struct hpmviz_treechoice){i, FALSE}, FALSE, figures);
        take(&totals->all[i], trees->metrics->nodes[i].is_amount, &value);
        totals->all[i].is_partial |=
            !value.is_present && !is_complete_without(trees, path, quantity);
    }
}

/* ---- ratios ---------------------------------------------------------- */

static void
set_reason(struct hpmviz_treevalue *value, const char *reason)
{
    *value =
        (struct hpmviz_treevalue){.number = NAN,
                                  .is_present = TRUE,
                                  .marks = {.state = HPM_STATE_UNSUPPORTED},
                                  .reason = reason};
}

static const char *
reason_of(const struct hpmviz_trees *trees)
{
    if (hpm_survey_is_difference(trees->paths))
        return _("a difference of ratios has no total: select a call path");
    if (trees->paths->n_machines != 1)
        return _("counted by processors of several kinds");
    if (trees->loaded->study->n_rows > MOST_ROWS)
        return _("not worked out for the whole run, which has many records: "
                 "select a call path");
    return NULL;
}

static void
set_ratio(struct hpmviz_treevalue *value, const struct hpm_quantity *quantity,
          const struct hpm_survey_machine *machine,
          const struct hpm_metric_value *all)
{
    size_t metric = quantity->metrics[0];
    double scale;

    if (metric == HPM_NO_METRIC || !all[metric].is_present) {
        set_reason(value, NULL);
        return;
    }
    scale = machine->library.metrics->metrics[metric].scale;
    *value = (struct hpmviz_treevalue){
        .number = hpm_quantity_to_shown(quantity, all[metric].value / scale),
        .base = NAN,
        .is_present = TRUE,
        .marks = {all[metric].state, all[metric].doubt,
                  all[metric].is_partial}};
}

static void
add_ratios(struct hpmviz_totals *totals, const struct hpmviz_trees *trees)
{
    struct hpm_survey *paths = trees->paths;
    const char *reason = reason_of(trees);
    const struct hpm_metric_value *all = NULL;

    for (guint i = 0; i < trees->metrics->n; i++) {
        const struct hpm_quantity *quantity =
            &paths->quantities[trees->metrics->nodes[i].quantity];

        if (!quantity->is_ratio)
            continue;
        if (reason != NULL) {
            set_reason(&totals->all[i].value, reason);
        } else if (quantity->kind != HPM_QUANTITY_METRIC) {
            set_reason(&totals->all[i].value,
                       _("recorded: it cannot be worked out for the run"));
        } else {
            if (all == NULL)
                all = hpm_survey_whole_values(paths, 0, trees->scope);
            set_ratio(&totals->all[i].value, quantity, &paths->machines[0],
                      all);
        }
    }
}

/* ---- all ------------------------------------------------------------- */

gboolean
hpmviz_totals_work(struct hpmviz_totals *totals,
                   const struct hpmviz_trees *trees)
{
    guint end = MIN(trees->forward->n, totals->next + PIECE);

    if (totals->next == trees->forward->n && totals->has_ratios)
        return FALSE;
    if (!totals->has_ratios)
        add_ratios(totals, trees);
    totals->has_ratios = TRUE;
    for (; totals->next < end; totals->next++)
        add_path(totals, trees, totals->next);
    return totals->next < trees->forward->n;
}

static struct hpmviz_treevalue
total_of(const struct hpmviz_totals *totals, guint node)
{
    struct hpmviz_treevalue value = totals->all[node].value;

    value.marks.is_partial |= totals->all[node].is_partial;
    return value;
}

struct hpmviz_treevalue
hpmviz_totals_value(const struct hpmviz_totals *totals,
                    const struct hpmviz_trees *trees, guint node,
                    gboolean is_open)
{
    const struct hpmviz_metrictree *metrics = trees->metrics;
    struct hpmviz_treevalue value = total_of(totals, node);

    for (guint i = node + 1; i < metrics->n && is_open; i++) {
        if (metrics->nodes[i].parent == node && metrics->nodes[i].is_part) {
            struct hpmviz_treevalue part = total_of(totals, i);

            hpmviz_treevalue_subtract(&value, &part);
        }
    }
    value.is_pending = totals->next < trees->forward->n;
    return value;
}
