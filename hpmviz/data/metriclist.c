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
    line->verdict = line->tendency = worst->verdict;
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
    line->tendency = line->change.tendency;
    line->n_judged =
        hpmviz_change_is_known(session, line->quantity, &line->change);
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
rank_of(const struct hpmviz_metriclist_line *line)
{
    return line->verdict == HPM_VERDICT_BAD    ? 0
           : line->tendency == HPM_VERDICT_BAD ? 1
                                               : 2;
}

/* Bad ones by how far they are beyond their limits, or changed; then what
 * changed for the worse and is not judged; of what is not bad the order is that
 * of the definitions, which keep kin together. */
static int
compare_lines(const void *a, const void *b)
{
    const struct hpmviz_metriclist_line *x = a, *y = b;

    if (rank_of(x) != rank_of(y))
        return rank_of(x) - rank_of(y);
    if (x->tendency == HPM_VERDICT_BAD && x->excess != y->excess)
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

/* What has a verdict is not in doubt. */
static const struct hpmviz_marks plain = {.state = HPM_STATE_COUNTED};

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

static const struct hpm_figure *
figure_of(const struct hpmviz_metriclist *list, guint line)
{
    const struct hpm_survey *survey = hpmviz_session_survey(list->session);

    return &hpm_subject_entry(&survey->subjects[list->subject],
                              list->lines[line].quantity)
                ->figure;
}

static void
add_number(const struct hpmviz_metriclist *list, guint line,
           struct hpmviz_marks marks, double number, enum hpmviz_form form,
           struct hpm_string *text)
{
    struct hpmviz_sheet sheet = sheet_of(list, line);

    hpmviz_details_add_marked(&sheet, 0, marks, number, form, text);
}

static void
add_change(const struct hpmviz_metriclist *list, guint line,
           enum hpmviz_metriclist_column column, struct hpm_string *text)
{
    const struct hpmviz_change *change = &list->lines[line].change;

    if (column == HPMVIZ_METRICLIST_WHOLE)
        add_number(list, line, change->marks_a, change->a, HPMVIZ_FORM_PLAIN,
                   text);
    else if (column == HPMVIZ_METRICLIST_WORST)
        add_number(list, line, change->marks_b, change->b, HPMVIZ_FORM_PLAIN,
                   text);
    else if (column == HPMVIZ_METRICLIST_BAD)
        add_number(list, line, change->marks, change->difference,
                   HPMVIZ_FORM_SIGNED, text);
    else
        add_number(list, line, change->marks, change->ratio, HPMVIZ_FORM_RATIO,
                   text);
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
        add_number(list, line, hpmviz_marks_of(figure_of(list, line)),
                   here->whole, HPMVIZ_FORM_PLAIN, text);
    else if (column == HPMVIZ_METRICLIST_WORST && !isnan(here->worst))
        add_number(list, line, plain, here->worst, HPMVIZ_FORM_PLAIN, text);
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

/* ---- in full --------------------------------------------------------- */

static void
add_titled(const struct hpmviz_metriclist *list, guint line,
           enum hpmviz_metriclist_column column, struct hpm_string *text)
{
    g_autofree char *title = hpmviz_metriclist_title(list, column);

    hpm_string_add_format(text, "%s: ", title);
    hpmviz_metriclist_add_text(list, line, column, text);
    hpm_string_add(text, "\n");
}

void
hpmviz_metriclist_add_details(const struct hpmviz_metriclist *list, guint line,
                              struct hpm_string *text)
{
    const struct hpmviz_change *change = &list->lines[line].change;
    const char *doubt = list->is_change ? hpmviz_change_doubt(change) : NULL;
    struct hpmviz_sheet sheet = sheet_of(list, line);

    hpmviz_details_add_column(&sheet, 0, text);
    add_titled(list, line, HPMVIZ_METRICLIST_WHOLE, text);
    for (int i = HPMVIZ_METRICLIST_WORST;
         i <= HPMVIZ_METRICLIST_RATIO && list->is_change; i++)
        add_titled(list, line, (enum hpmviz_metriclist_column)i, text);
    hpmviz_details_add_origin(quantity_of(list, line), figure_of(list, line),
                              text);
    if (doubt != NULL)
        hpm_string_add_format(text, "%s\n", doubt);
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

static gboolean
is_judged(const struct hpmviz_metriclist *list)
{
    for (guint i = 0; i < list->n; i++) {
        if (list->lines[i].n_judged > 0)
            return TRUE;
    }
    return FALSE;
}

/* Of a change for the worse that nobody can judge that, and why; as it may be
 * no change, it gets no advice. */
static void
add_worse(const struct hpmviz_metriclist *list, const char *b,
          struct hpm_string *text)
{
    const struct hpmviz_metriclist_line *line = &list->lines[0];
    const char *doubt = hpmviz_change_doubt(&line->change);

    if (doubt != NULL)
        hpm_string_add(text, _("largest change for the worse: "));
    hpm_string_add_safe(text, quantity_of(list, 0)->name);
    hpm_string_add_format(
        text, doubt == NULL ? _(" is worse in %s, by ") : _(" in %s, by "), b);
    add_change(list, 0, HPMVIZ_METRICLIST_BAD, text);
    hpm_string_add_format(text, _(" from "));
    add_number(list, 0, line->change.marks_a, line->change.a, HPMVIZ_FORM_PLAIN,
               text);
    hpm_string_add_format(text, " %s", hpm_shown_unit(quantity_of(list, 0)));
    if (doubt != NULL)
        hpm_string_add_format(text, "\n%s", doubt);
    else
        add_advice(list, 0, text);
}

static void
add_worst_change(const struct hpmviz_metriclist *list, struct hpm_string *text)
{
    const struct hpmviz_metriclist_line *line = &list->lines[0];
    const char *a, *b;

    hpmviz_change_letters(list->session, &a, &b);
    if (line->change.only != HPM_SIDE_BOTH)
        hpm_string_add_format(text,
                              _("only in %s, so there is nothing to "
                                "compare"),
                              line->change.only == HPM_SIDE_A ? a : b);
    else if (line->tendency == HPM_VERDICT_BAD)
        add_worse(list, b, text);
    else if (is_judged(list))
        hpm_string_add_format(text, _("nothing is worse in %s than in %s"), b,
                              a);
    else
        hpm_string_add(text, _("nothing here was judged"));
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

/* "time-shared: ...; ? no verdict: ..."; nothing for a plain value. */
static char *
origin_of(const struct hpmviz_metriclist *list, guint line)
{
    struct hpm_string origin = {0};
    char *text;

    hpmviz_details_add_origin(quantity_of(list, line), figure_of(list, line),
                              &origin);
    text = g_strdup(hpm_string_text(&origin));
    hpm_string_free(&origin);
    g_strchomp(text);
    return g_strdelimit(text, "\n", ' ');
}

static gboolean
has_limits(const struct hpmviz_metriclist *list, guint line)
{
    struct hpmviz_sheet sheet = sheet_of(list, line);
    struct hpm_limits limits;

    return hpmviz_details_find_limits(
        &sheet, 0, hpmviz_session_view(list->session)->precision, &limits);
}

/* The first metric with limits is the one that somebody would look for, else the first
 * of all; what is counted everywhere helps where nothing was. */
static void
add_no_verdict(const struct hpmviz_metriclist *list, struct hpm_string *text)
{
    guint at = 0;
    g_autofree char *origin = NULL;

    hpm_string_add(text, _("nothing here was judged"));
    while (at < list->n && !has_limits(list, at))
        at++;
    if (at == list->n)
        at = 0;
    origin = origin_of(list, at);
    if (origin[0] == '\0')
        return;
    hpm_string_add_format(text, "\n%s: ", _("why"));
    hpm_string_add_safe(text, quantity_of(list, at)->name);
    hpm_string_add(text, ": ");
    hpm_string_add_safe(text, origin);
    if (isnan(list->lines[at].whole))
        add_sentence(text, _("try"),
                     _("count what can be counted here: hpm doctor says what; "
                       "HPM_EVENTS=task-clock,page-faults counts "
                       "everywhere"));
}

static void
add_no_metric(struct hpm_string *text)
{
    hpm_string_add(text, _("no metric was measured here"));
    add_sentence(text, _("try"),
                 _("count events as well: HPM_EVENTS=task-clock,page-faults "
                   "everywhere, HPM_SET=basic where there are hardware "
                   "counters (hpm doctor)"));
}

static void
add_bad_one(const struct hpmviz_metriclist *list, struct hpm_string *text)
{
    const struct hpmviz_metriclist_line *line = list->lines;
    const struct hpm_survey *survey = hpmviz_session_survey(list->session);

    hpm_string_add_safe(text, quantity_of(list, 0)->name);
    hpm_string_add(text, " ");
    add_number(list, 0, plain, line->worst, HPMVIZ_FORM_PLAIN, text);
    if (hpm_survey_has_inner(survey, &survey->subjects[list->subject]))
        hpm_string_add(text, _(" with the sections inside it"));
    add_limits(list, 0, text);
    hpm_string_add_format(text, _(", bad in %u of %u values"), line->n_bad,
                          line->n_judged);
    add_advice(list, 0, text);
}

void
hpmviz_metriclist_add_worst(const struct hpmviz_metriclist *list,
                            struct hpm_string *text)
{
    add_label(list, text);
    if (list->n == 0)
        add_no_metric(text);
    else if (list->is_change)
        add_worst_change(list, text);
    else if (list->lines[0].verdict == HPM_VERDICT_BAD)
        add_bad_one(list, text);
    else if (is_judged(list))
        hpm_string_add(text, _("nothing is beyond a limit"));
    else
        add_no_verdict(list, text);
}
