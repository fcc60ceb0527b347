/* SPDX-License-Identifier: BSD-3-Clause
 * What is said of a value. */
#include "hpmviz/data/details.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "study/metric/formula.h"
#include "study/report/shown.h"
#include "study/words/words.h"

/* ---- numbers --------------------------------------------------------- */

static gboolean
is_time(const struct hpm_quantity *quantity)
{
    return strcmp(hpm_shown_unit(quantity), "s") == 0;
}

/* Commas between groups of three digits before the decimal point. */
static void
add_grouped_real(struct hpm_string *string, double number, int decimals)
{
    struct hpm_string digits = {0};
    const char *text;
    size_t n;

    hpm_string_add_fixed(&digits, number, decimals);
    text = hpm_string_text(&digits);
    if (*text == '-')
        hpm_string_add_char(string, *text++);
    n = strspn(text, "0123456789");
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            hpm_string_add_char(string, ',');
        hpm_string_add_char(string, text[i]);
    }
    hpm_string_add(string, text + n);
    hpm_string_finish(&digits, &string->failed);
}

void
hpmviz_details_add_number(const struct hpmviz_sheet *sheet, guint column,
                          double number, struct hpm_string *string)
{
    const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, column);
    gboolean is_whole = !is_time(quantity) && !quantity->is_ratio &&
                        fabs(number) < 9e15 && number == floor(number);

    gboolean is_large = !quantity->is_ratio && fabs(number) >= 1e5;

    if (isnan(number))
        hpm_string_add(string, "n/a");
    else
        add_grouped_real(string, number,
                         is_time(quantity)      ? 6
                         : is_whole || is_large ? 0
                                                : 3);
}

/* ---- the cell -------------------------------------------------------- */

const char *
hpmviz_details_none(int state)
{
    switch (state) {
    case HPM_STATE_LOST:
        return _("lost");
    case HPM_STATE_UNSCHEDULED:
        return _("never ran");
    case HPM_STATE_UNDEFINED:
        return _("undefined");
    default:
        return _("n/a");
    }
}

const char *
hpmviz_details_mark(int state)
{
    switch (state) {
    case HPM_STATE_SHARED:
        return " s";
    case HPM_STATE_INFERRED:
        return " i";
    case HPM_STATE_RECORDED:
        return " r";
    default:
        return "";
    }
}

void
hpmviz_details_add_signed(struct hpm_string *string, const char *digits)
{
    gboolean is_zero = strpbrk(digits, "123456789") == NULL;

    hpm_string_add(string, digits[0] != '-' && !is_zero ? "+" : "");
    hpm_string_add(string, digits);
}

static void
add_in_form(const struct hpmviz_sheet *sheet, guint column, double number,
            enum hpmviz_form form, struct hpm_string *string)
{
    struct hpm_string digits = {0};

    if (form == HPMVIZ_FORM_RATIO)
        hpm_string_add_fixed(&digits, number, 3);
    else
        hpmviz_details_add_number(sheet, column, number, &digits);
    if (form == HPMVIZ_FORM_SIGNED)
        hpmviz_details_add_signed(string, hpm_string_text(&digits));
    else
        hpm_string_add(string, hpm_string_text(&digits));
    hpm_string_finish(&digits, &string->failed);
}

static void
add_cell(const struct hpmviz_sheet *sheet, guint column,
         const struct hpmviz_value *value, enum hpmviz_form form,
         struct hpm_string *string)
{
    if (!value->is_present) {
        hpm_string_add(string, "–");
    } else if (isnan(value->value)) {
        hpm_string_add(string, hpmviz_details_none(value->state));
    } else {
        hpm_string_add(string, value->is_partial ? "~" : "");
        add_in_form(sheet, column, value->value, form, string);
        hpm_string_add(string, hpmviz_details_mark(value->state));
        hpm_string_add(string, value->doubt != HPM_DOUBT_NONE ? " ?" : "");
    }
}

void
hpmviz_details_add_text(const struct hpmviz_sheet *sheet, guint column,
                        const struct hpmviz_value *value,
                        struct hpm_string *string)
{
    add_cell(sheet, column, value,
             hpm_survey_is_difference(sheet->survey) ? HPMVIZ_FORM_SIGNED
                                                     : HPMVIZ_FORM_PLAIN,
             string);
}

struct hpmviz_marks
hpmviz_marks_of(const struct hpm_figure *figure)
{
    if (figure == NULL)
        return (struct hpmviz_marks){.state = HPM_STATE_UNSUPPORTED};
    return (struct hpmviz_marks){figure->state, figure->doubt,
                                 figure->is_partial};
}

void
hpmviz_details_add_marked(const struct hpmviz_sheet *sheet, guint column,
                          struct hpmviz_marks marks, double number,
                          enum hpmviz_form form, struct hpm_string *string)
{
    const struct hpmviz_value value = {.value = number,
                                       .state = (guint8)marks.state,
                                       .doubt = (guint8)marks.doubt,
                                       .is_partial = marks.is_partial,
                                       .is_present = TRUE};

    add_cell(sheet, column, &value, form, string);
}

void
hpmviz_details_add_place(const struct hpmviz_sheet *sheet, guint row,
                         struct hpm_string *string)
{
    const struct hpmviz_place *place = &sheet->places[row];

    if (place->tid < 0)
        hpm_string_add_format(string, _("task %d, whole process"), place->task);
    else
        hpm_string_add_format(string, _("task %d, thread %d"), place->task,
                              place->tid);
}

/* ---- definitions ----------------------------------------------------- */

const struct hpm_metric *
hpmviz_details_find_metric(const struct hpmviz_sheet *sheet, guint column,
                           const struct hpm_metrics **ret_metrics)
{
    const struct hpm_survey *survey = sheet->survey;
    const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, column);

    if (quantity->kind != HPM_QUANTITY_METRIC)
        return NULL;
    for (size_t i = 0; i < survey->n_machines; i++) {
        if (quantity->metrics[i] == HPM_NO_METRIC)
            continue;
        *ret_metrics = survey->machines[i].library.metrics;
        return &(*ret_metrics)->metrics[quantity->metrics[i]];
    }
    return NULL;
}

/* A file's limit: negative is "below". */
static struct hpm_limit
limit_of_file(struct hpm_number number)
{
    double value = hpm_number_to_real(number);

    return (struct hpm_limit){.is_given = !isnan(value) && value != 0,
                              .is_above = value > 0,
                              .value = fabs(value)};
}

static gboolean
find_datum(const struct hpmviz_sheet *sheet,
           const struct hpm_quantity *quantity, struct hpm_datum *ret_datum)
{
    const struct hpm_survey *survey = sheet->survey;
    const struct hpm_subject *subject = &survey->subjects[sheet->subject];

    for (size_t i = 0; i < subject->count; i++) {
        uint32_t row = survey->rows[subject->first + i];

        for (size_t j = 0; j < quantity->n_columns; j++) {
            if (hpm_study_get_datum(survey->study, row, quantity->columns[j],
                                    ret_datum))
                return TRUE;
        }
    }
    return FALSE;
}

/* All records of a metric have the same limits: the first tells. */
static gboolean
find_recorded(const struct hpmviz_sheet *sheet,
              const struct hpm_quantity *quantity, enum hpm_precision precision,
              struct hpm_limits *ret_limits)
{
    gboolean is_single = precision == HPM_PRECISION_SINGLE;
    struct hpm_datum datum;

    if (!find_datum(sheet, quantity, &datum))
        return FALSE;
    ret_limits->bad = limit_of_file(
        datum.numbers[is_single ? HPM_FIELD_SBAD : HPM_FIELD_DBAD]);
    ret_limits->good = limit_of_file(
        datum.numbers[is_single ? HPM_FIELD_SGOOD : HPM_FIELD_DGOOD]);
    return ret_limits->bad.is_given || ret_limits->good.is_given;
}

gboolean
hpmviz_details_find_limits(const struct hpmviz_sheet *sheet, guint column,
                           enum hpm_precision precision,
                           struct hpm_limits *ret_limits)
{
    const struct hpm_metrics *metrics;
    const struct hpm_metric *metric =
        hpmviz_details_find_metric(sheet, column, &metrics);

    if (metric == NULL)
        return find_recorded(sheet, hpmviz_sheet_quantity(sheet, column),
                             precision, ret_limits);
    *ret_limits = metric->limits[precision];
    return ret_limits->bad.is_given || ret_limits->good.is_given;
}

static void
add_limit(struct hpm_string *string, const char *above, const char *below,
          const struct hpm_limit *limit)
{
    if (!limit->is_given)
        return;
    hpm_string_add_format(string, "%s ", limit->is_above ? above : below);
    hpm_string_add_real(string, limit->value);
}

void
hpmviz_details_add_limits(const struct hpm_limits *limits,
                          struct hpm_string *string)
{
    add_limit(string, _("bad above"), _("bad below"), &limits->bad);
    if (limits->bad.is_given && limits->good.is_given)
        hpm_string_add(string, ", ");
    add_limit(string, _("good above"), _("good below"), &limits->good);
}

void
hpmviz_details_add_formula(const struct hpmviz_sheet *sheet, guint column,
                           struct hpm_string *string)
{
    const struct hpm_metrics *metrics;
    const struct hpm_metric *metric =
        hpmviz_details_find_metric(sheet, column, &metrics);

    if (metric == NULL || metric->rules.count == 0 ||
        metrics->rules[metric->rules.first].kind == HPM_STATEMENT_MEASURE)
        return;
    hpm_formula_add(string, metrics, metric->rules.first);
}

/* ---- in full --------------------------------------------------------- */

static void
add_line(struct hpm_string *string, const char *word, const char *text)
{
    if (text != NULL && text[0] != '\0')
        hpm_string_add_format(string, "%s%s\n", word, text);
}

/* A line made of pieces, which are freed. */
static void
add_pieces(struct hpm_string *string, const char *word,
           struct hpm_string *pieces)
{
    add_line(string, word, hpm_string_text(pieces));
    string->failed |= pieces->failed;
    hpm_string_free(pieces);
}

static void
add_meaning(const struct hpmviz_sheet *sheet, guint column,
            struct hpm_string *string)
{
    struct hpm_string formula = {0};

    add_line(string, "", hpmviz_sheet_quantity(sheet, column)->description);
    hpmviz_details_add_formula(sheet, column, &formula);
    add_pieces(string, "= ", &formula);
}

void
hpmviz_details_add_column(const struct hpmviz_sheet *sheet, guint column,
                          struct hpm_string *string)
{
    static const char *const precisions[] = {N_("single precision: "),
                                             N_("double precision: ")};
    const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, column);
    const struct hpm_metrics *metrics;
    const struct hpm_metric *metric =
        hpmviz_details_find_metric(sheet, column, &metrics);

    add_line(string, "", quantity->name);
    add_meaning(sheet, column, string);
    add_line(string, _("in "), hpm_shown_unit(quantity));
    for (int i = 0; i < 2; i++) {
        struct hpm_limits limits;
        struct hpm_string text = {0};

        if (!hpmviz_details_find_limits(sheet, column, (enum hpm_precision)i,
                                        &limits))
            continue;
        hpmviz_details_add_limits(&limits, &text);
        add_pieces(string, _(precisions[i]), &text);
    }
    if (metric != NULL)
        add_line(string, "", hpm_words_get(metric->texts[HPM_TEXT_INFO]));
}

static void
add_value_line(const struct hpmviz_sheet *sheet, guint column,
               const struct hpmviz_value *value, enum hpm_precision precision,
               struct hpm_string *string)
{
    const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, column);
    enum hpm_verdict verdict = (enum hpm_verdict)value->verdicts[precision];
    struct hpm_limits limits;

    hpm_string_add_format(string, "%s ", quantity->name);
    hpmviz_details_add_text(sheet, column, value, string);
    if (!isnan(value->value) && hpm_shown_unit(quantity)[0] != '\0')
        hpm_string_add_format(string, " %s", hpm_shown_unit(quantity));
    if (verdict != HPM_VERDICT_NONE)
        hpm_string_add_format(string, ", %s", _(hpm_verdict_name(verdict)));
    if (hpmviz_details_find_limits(sheet, column, precision, &limits)) {
        hpm_string_add(string, " (");
        hpmviz_details_add_limits(&limits, string);
        hpm_string_add(string, ")");
    }
    hpm_string_add(string, "\n");
}

/* Both values of two runs that are compared, of which the value is the
 * difference; a run that lacks the thread has no value, and not 0. */
static void
add_change(const struct hpmviz_sheet *sheet, enum hpm_side only, guint column,
           const struct hpmviz_value *value, struct hpm_string *string)
{
    double now = value->base + value->value;

    if (only != HPM_SIDE_BOTH)
        add_line(string, "",
                 only == HPM_SIDE_A
                     ? _("only in the first of two compared runs")
                     : _("only in the second of two compared runs"));
    if (!hpm_survey_is_difference(sheet->survey) || isnan(now) ||
        only != HPM_SIDE_BOTH)
        return;
    hpm_string_add(string, _("changed from "));
    hpmviz_details_add_number(sheet, column, value->base, string);
    hpm_string_add(string, _(" to "));
    hpmviz_details_add_number(sheet, column, now, string);
    if (value->base != 0) {
        hpm_string_add(string, _(", ratio "));
        hpm_string_add_fixed(string, now / value->base, 3);
    }
    hpm_string_add(string, "\n");
}

static void
add_none(const struct hpmviz_value *value, struct hpm_string *string)
{
    const struct hpm_figure figure = {
        .is_present = value->is_present,
        .state = (enum hpm_state)value->state,
        .reason = value->reason,
        .cause = (enum hpm_cause)value->cause,
        .privilege = (enum hpm_privilege)value->privilege,
        .culprit = value->culprit,
        .n_missing = value->n_missing,
        .n_records = value->n_records,
    };
    struct hpm_string reason = {0};

    if (!value->is_present) {
        add_line(string, "", _("not asked for in this thread"));
        return;
    }
    hpm_string_add(&reason, hpm_state_name(figure.state));
    hpm_string_add(&reason, ": ");
    hpm_shown_add_reason(&reason, &figure);
    add_pieces(string, "", &reason);
}

static void
add_lacking(const struct hpmviz_value *value, struct hpm_string *string)
{
    add_line(string, "", _("~ some of its parts are missing"));
    if (isnan(value->only_exclusive))
        return;
    hpm_string_add(string, _("calls of which only the exclusive value was "
                             "measured (HPM_ONLY_EXCLUSIVE): "));
    hpm_string_add_fixed(string, 100 * (double)value->only_exclusive, 1);
    /* xgettext:no-c-format */
    hpm_string_add(string, _(" % of the exclusive value"));
    hpm_string_add(string, "\n");
}

/* How far the runs are apart that it is the mean of. */
static void
add_runs(const struct hpmviz_sheet *sheet, guint column,
         const struct hpmviz_value *value, struct hpm_string *string)
{
    if (value->n_runs > 0)
        hpm_string_add_format(string, _("runs: %u"), value->n_runs);
    if (value->n_runs == 0 || isnan(value->run_dev)) {
        hpm_string_add(string, value->n_runs > 0 ? "\n" : "");
        return;
    }
    hpm_string_add(string, value->is_run_bound
                               ? _(", their deviation (n - 1) at most ")
                               : _(", their deviation (n - 1) "));
    hpmviz_details_add_number(sheet, column, value->run_dev, string);
    hpm_string_add(string,
                   value->is_run_bound ? _(", all between ") : _(", from "));
    hpmviz_details_add_number(sheet, column, value->run_min, string);
    hpm_string_add(string, value->is_run_bound ? _(" and ") : _(" to "));
    hpmviz_details_add_number(sheet, column, value->run_max, string);
    hpm_string_add(string, "\n");
}

/* How the number came about, where that is worth a line. */
static void
add_origin(const struct hpmviz_value *value, struct hpm_string *string)
{
    if (value->state == HPM_STATE_SHARED) {
        hpm_string_add(string, _("time-shared: estimated from a part of the "
                                 "time"));
        if (!isnan(value->share)) {
            hpm_string_add(string, ", ");
            hpm_string_add_fixed(string, 100 * (double)value->share, 0);
            hpm_string_add(string, " %");
        }
        if (!isnan(value->error)) {
            hpm_string_add(string, _(", give or take "));
            add_grouped_real(string, (double)value->error, 0);
        }
        hpm_string_add(string, "\n");
    } else if (value->state == HPM_STATE_INFERRED) {
        add_line(string, "", _("inferred from other counts"));
    } else if (value->state == HPM_STATE_RECORDED) {
        add_line(string, "",
                 _("as the file has it; it cannot be computed "
                   "again"));
    }
    if (value->is_partial)
        add_lacking(value, string);
    if (value->doubt != HPM_DOUBT_NONE)
        add_line(string, _("? no verdict: "),
                 hpm_doubt_text((enum hpm_doubt)value->doubt));
}

static void
add_origin_or_none(const struct hpmviz_value *value, struct hpm_string *string)
{
    if (isnan(value->value))
        add_none(value, string);
    else
        add_origin(value, string);
}

void
hpmviz_details_add_origin(const struct hpm_quantity *quantity,
                          const struct hpm_figure *figure,
                          struct hpm_string *string)
{
    const struct hpmviz_value value = hpmviz_value_of(quantity, figure);

    add_origin_or_none(&value, string);
}

static void
add_own(const struct hpmviz_sheet *sheet, guint column,
        const struct hpmviz_value *value, struct hpm_string *string)
{
    if (isnan(value->own) || value->own == value->value)
        return;
    hpm_string_add(string, _("without the sections inside: "));
    hpmviz_details_add_number(sheet, column, value->own, string);
    hpm_string_add(string, "\n");
}

static void
add_hint(const struct hpmviz_sheet *sheet, guint column,
         struct hpm_string *string)
{
    const struct hpm_metrics *metrics;
    const struct hpm_metric *metric =
        hpmviz_details_find_metric(sheet, column, &metrics);

    if (metric == NULL || !metric->has_hint)
        return;
    add_line(string, _("hint: "), _(metric->texts[HPM_TEXT_WHY]));
    add_line(string, _("try: "), _(metric->texts[HPM_TEXT_TRY]));
}

void
hpmviz_details_add(const struct hpmviz_sheet *sheet, guint row, guint column,
                   enum hpm_precision precision, struct hpm_string *string)
{
    const struct hpmviz_value *value = hpmviz_sheet_value(sheet, row, column);

    hpmviz_details_add_place(sheet, row, string);
    hpm_string_add(string, "\n");
    add_value_line(sheet, column, value, precision, string);
    add_change(sheet, sheet->places[row].only, column, value, string);
    add_origin_or_none(value, string);
    add_runs(sheet, column, value, string);
    add_own(sheet, column, value, string);
    add_meaning(sheet, column, string);
    if (value->verdicts[precision] == HPM_VERDICT_BAD)
        add_hint(sheet, column, string);
}
