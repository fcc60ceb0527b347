/* SPDX-License-Identifier: BSD-3-Clause
 * What one section has of metrics. */
#include "hpmviz/data/metriclist.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>

#include "hpmviz/data/details.h"
#include "study/report/line.h"
#include "study/report/shown.h"

static const struct hpm_quantity *
quantity_of(const struct hpmviz_metriclist *list, guint line)
{
    return &hpmviz_session_survey(list->session)
                ->quantities[list->lines[line].quantity];
}

static struct hpmviz_sheet
sheet_of(const struct hpmviz_metriclist *list, guint line)
{
    return (struct hpmviz_sheet){.survey = hpmviz_session_survey(list->session),
                                 .subject = list->subject,
                                 .quantities = &list->lines[line].quantity,
                                 .n_columns = 1};
}

/* ---- lines ----------------------------------------------------------- */

static void
take_worst(struct hpmviz_metriclist_line *line, const struct hpm_survey *survey,
           const struct hpm_entry *entry)
{
    const struct hpm_quantity *quantity = &survey->quantities[line->quantity];
    const struct hpm_worst *worst = hpm_entry_worst(survey, entry);

    line->whole = hpm_quantity_to_shown(
        quantity, hpm_number_to_real(entry->figure.value));
    line->worst = NAN;
    if (worst->verdict == HPM_VERDICT_NONE)
        return;
    line->worst = hpm_quantity_to_shown(quantity, worst->value);
    line->verdict = worst->verdict;
    line->excess = worst->excess;
    line->n_bad = entry->figure.judged.n_bad;
    line->n_judged = entry->figure.judged.n_judged;
}

/* By how many times it is more, or less. */
static void
take_change(struct hpmviz_metriclist_line *line, const HpmvizSession *session,
            size_t subject)
{
    hpmviz_change_find_all(session, subject, line->quantity, &line->change);
    line->verdict = line->change.verdict;
    line->excess = line->change.ratio > 0 ? fabs(log(line->change.ratio)) : 0.0;
}

static void
take_line(struct hpmviz_metriclist *list, const struct hpm_entry *entry)
{
    struct hpmviz_metriclist_line *line = &list->lines[list->n++];

    *line = (struct hpmviz_metriclist_line){.quantity = entry->quantity};
    if (list->is_change)
        take_change(line, list->session, list->subject);
    else
        take_worst(line, hpmviz_session_survey(list->session), entry);
}

static gboolean
is_metric(const struct hpm_quantity *quantity)
{
    return quantity->kind == HPM_QUANTITY_METRIC ||
           quantity->kind == HPM_QUANTITY_RECORDED;
}

static gboolean
has_metric(const struct hpm_survey *survey, const struct hpm_subject *subject)
{
    for (size_t i = 0; i < subject->n_entries; i++) {
        if (is_metric(&survey->quantities[subject->entries[i].quantity]))
            return TRUE;
    }
    return FALSE;
}

/* Times and calls of one run are in the list of sections already; of two all is
 * wanted. */
static gboolean
is_wanted(const struct hpmviz_metriclist *list, const struct hpm_entry *entry,
          gboolean has_metrics)
{
    const struct hpm_survey *survey = hpmviz_session_survey(list->session);
    const struct hpm_quantity *quantity = &survey->quantities[entry->quantity];

    if (list->is_change)
        return TRUE;
    return hpm_shown_is_wanted(survey, entry->quantity) &&
           (is_metric(quantity) ||
            (quantity->kind == HPM_QUANTITY_COUNTER && !has_metrics));
}

static int
rank_of(enum hpm_verdict verdict)
{
    return verdict == HPM_VERDICT_BAD ? 0 : verdict == HPM_VERDICT_GOOD ? 2 : 1;
}

/* Bad ones by how far they are beyond their limits; of what is not bad the
 * order is that of the definitions, which keep kin together. */
static int
compare_lines(const void *a, const void *b)
{
    const struct hpmviz_metriclist_line *x = a, *y = b;

    if ((x->verdict == HPM_VERDICT_BAD) != (y->verdict == HPM_VERDICT_BAD))
        return rank_of(x->verdict) == 0 ? -1 : 1;
    if (x->verdict == HPM_VERDICT_BAD && x->excess != y->excess)
        return x->excess > y->excess ? -1 : 1;
    return (x->quantity > y->quantity) - (x->quantity < y->quantity);
}

struct hpmviz_metriclist *
hpmviz_metriclist_new(HpmvizSession *session, size_t subject)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    struct hpmviz_metriclist *list = g_new0(struct hpmviz_metriclist, 1);
    const struct hpm_subject *here;
    gboolean has_metrics;

    list->session = g_object_ref(session);
    list->subject = subject;
    list->is_change = hpmviz_change_is_shown(session);
    if (survey == NULL || subject >= survey->n_subjects)
        return list;
    here = &survey->subjects[subject];
    has_metrics = has_metric(survey, here);
    list->lines = g_new0(struct hpmviz_metriclist_line, here->n_entries + 1);
    for (size_t i = 0; i < here->n_entries; i++) {
        if (is_wanted(list, &here->entries[i], has_metrics))
            take_line(list, &here->entries[i]);
    }
    qsort(list->lines, list->n, sizeof *list->lines, compare_lines);
    return list;
}

void
hpmviz_metriclist_free(struct hpmviz_metriclist *list)
{
    if (list == NULL)
        return;
    g_object_unref(list->session);
    g_free(list->lines);
    g_free(list);
}

/* ---- cells ----------------------------------------------------------- */

static char *
title_of_change(const struct hpmviz_metriclist *list,
                enum hpmviz_metriclist_column column)
{
    const char *a, *b;

    hpmviz_change_letters(list->session, &a, &b);
    switch (column) {
    case HPMVIZ_METRICLIST_WHOLE:
        return g_strdup(a);
    case HPMVIZ_METRICLIST_WORST:
        return g_strdup(b);
    case HPMVIZ_METRICLIST_BAD:
        return g_strdup_printf("%s − %s", b, a);
    default:
        return g_strdup_printf("%s / %s", b, a);
    }
}

char *
hpmviz_metriclist_title(const struct hpmviz_metriclist *list,
                        enum hpmviz_metriclist_column column)
{
    static const char *const titles[HPMVIZ_METRICLIST_N_COLUMNS] = {
        [HPMVIZ_METRICLIST_NAME] = N_("Metric"),
        [HPMVIZ_METRICLIST_WHOLE] = N_("Whole"),
        [HPMVIZ_METRICLIST_WORST] = N_("Worst"),
        [HPMVIZ_METRICLIST_BAD] = N_("Bad"),
        [HPMVIZ_METRICLIST_RATIO] = NULL,
        [HPMVIZ_METRICLIST_UNIT] = N_("Unit")};

    if (list->is_change && column != HPMVIZ_METRICLIST_NAME &&
        column != HPMVIZ_METRICLIST_UNIT)
        return title_of_change(list, column);
    return g_strdup(titles[column] != NULL ? _(titles[column]) : "");
}

static void
add_number(const struct hpmviz_metriclist *list, guint line, double number,
           struct hpm_string *text)
{
    struct hpmviz_sheet sheet = sheet_of(list, line);

    if (isnan(number))
        hpm_string_add(text, _("n/a"));
    else
        hpmviz_details_add_number(&sheet, 0, number, text);
}

static void
add_change(const struct hpmviz_metriclist *list, guint line,
           enum hpmviz_metriclist_column column, struct hpm_string *text)
{
    const struct hpmviz_change *change = &list->lines[line].change;

    if (column == HPMVIZ_METRICLIST_WHOLE) {
        add_number(list, line, change->a, text);
    } else if (column == HPMVIZ_METRICLIST_WORST) {
        add_number(list, line, change->b, text);
    } else if (column == HPMVIZ_METRICLIST_BAD) {
        hpm_string_add(text, change->difference > 0 ? "+" : "");
        add_number(list, line, change->difference, text);
    } else if (isnan(change->ratio)) {
        hpm_string_add(text, _("n/a"));
    } else {
        hpm_string_add_fixed(text, change->ratio, 3);
    }
}

static void
add_bad(const struct hpmviz_metriclist_line *line, struct hpm_string *text)
{
    if (line->n_bad > 0)
        hpm_string_add_format(text, _("%u of %u"), line->n_bad, line->n_judged);
}

void
hpmviz_metriclist_add_text(const struct hpmviz_metriclist *list, guint line,
                           enum hpmviz_metriclist_column column,
                           struct hpm_string *text)
{
    const struct hpmviz_metriclist_line *here = &list->lines[line];

    if (column == HPMVIZ_METRICLIST_NAME)
        hpm_string_add_safe(text, quantity_of(list, line)->name);
    else if (column == HPMVIZ_METRICLIST_UNIT)
        hpm_string_add_safe(text, hpm_shown_unit(quantity_of(list, line)));
    else if (list->is_change)
        add_change(list, line, column, text);
    else if (column == HPMVIZ_METRICLIST_WHOLE)
        add_number(list, line, here->whole, text);
    else if (column == HPMVIZ_METRICLIST_WORST && !isnan(here->worst))
        add_number(list, line, here->worst, text);
    else if (column == HPMVIZ_METRICLIST_BAD)
        add_bad(here, text);
}

enum hpm_verdict
hpmviz_metriclist_verdict(const struct hpmviz_metriclist *list, guint line,
                          enum hpmviz_metriclist_column column)
{
    gboolean is_judged = list->is_change ? column == HPMVIZ_METRICLIST_BAD ||
                                               column == HPMVIZ_METRICLIST_RATIO
                                         : column == HPMVIZ_METRICLIST_WORST;

    return is_judged ? list->lines[line].verdict : HPM_VERDICT_NONE;
}

/* ---- the worst ------------------------------------------------------- */

static void
add_limits(const struct hpmviz_metriclist *list, guint line,
           struct hpm_string *text)
{
    struct hpmviz_sheet sheet = sheet_of(list, line);
    struct hpm_limits limits;

    if (!hpmviz_details_find_limits(
            &sheet, 0, hpmviz_session_view(list->session)->precision, &limits))
        return;
    hpm_string_add(text, " (");
    hpmviz_details_add_limits(&limits, text);
    hpm_string_add(text, ")");
}

static void
add_sentence(struct hpm_string *text, const char *word, const char *sentence)
{
    if (sentence == NULL || sentence[0] == '\0')
        return;
    hpm_string_add_format(text, "\n%s: ", word);
    hpm_string_add_safe(text, sentence);
}

/* Reason and remedy are those of the definition. */
static void
add_advice(const struct hpmviz_metriclist *list, guint line,
           struct hpm_string *text)
{
    struct hpmviz_sheet sheet = sheet_of(list, line);
    const struct hpm_metrics *metrics;
    const struct hpm_metric *metric =
        hpmviz_details_find_metric(&sheet, 0, &metrics);
    const char *why = metric != NULL ? metric->texts[HPM_TEXT_WHY] : NULL;
    const char *attempt = metric != NULL ? metric->texts[HPM_TEXT_TRY] : NULL;

    add_sentence(text, _("why"), why != NULL ? _(why) : NULL);
    add_sentence(text, _("try"), attempt != NULL ? _(attempt) : NULL);
}

static void
add_worst_change(const struct hpmviz_metriclist *list, struct hpm_string *text)
{
    const struct hpmviz_metriclist_line *line = &list->lines[0];
    const char *a, *b;

    hpmviz_change_letters(list->session, &a, &b);
    if (line->verdict != HPM_VERDICT_BAD) {
        hpm_string_add_format(text, _("nothing is worse in %s than in %s"), b,
                              a);
        return;
    }
    hpm_string_add_safe(text, quantity_of(list, 0)->name);
    hpm_string_add_format(text, _(" is worse in %s, by "), b);
    add_change(list, 0, HPMVIZ_METRICLIST_BAD, text);
    hpm_string_add_format(text, _(" from "));
    add_number(list, 0, line->change.a, text);
    hpm_string_add_format(text, " %s", hpm_shown_unit(quantity_of(list, 0)));
    add_advice(list, 0, text);
}

static void
add_label(const struct hpmviz_metriclist *list, struct hpm_string *text)
{
    struct hpm_string label = {0};

    hpm_survey_add_label(hpmviz_session_survey(list->session), list->subject,
                         &label);
    hpm_string_add_safe(text, hpm_string_text(&label));
    hpm_string_add(text, ": ");
    hpm_string_free(&label);
}

void
hpmviz_metriclist_add_worst(const struct hpmviz_metriclist *list,
                            struct hpm_string *text)
{
    const struct hpmviz_metriclist_line *line = list->lines;

    add_label(list, text);
    if (list->n == 0) {
        hpm_string_add(text, _("no metric was measured here"));
    } else if (list->is_change) {
        add_worst_change(list, text);
    } else if (line->verdict != HPM_VERDICT_BAD) {
        hpm_string_add(text, _("nothing is beyond a limit"));
    } else {
        hpm_string_add_safe(text, quantity_of(list, 0)->name);
        hpm_string_add(text, " ");
        add_number(list, 0, line->worst, text);
        add_limits(list, 0, text);
        hpm_string_add_format(text, _(", bad in %u of %u values"), line->n_bad,
                              line->n_judged);
        add_advice(list, 0, text);
    }
}
