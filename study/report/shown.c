/* SPDX-License-Identifier: BSD-3-Clause
 * Values of a survey as cells of a text report. */
#include "study/report/shown.h"

#include <math.h>
#include <string.h>

#include "report/text.h"

static bool
is_time(const struct hpm_quantity *quantity)
{
    return strcmp(quantity->unit, "s") == 0 ||
           strcmp(quantity->unit, "ns") == 0;
}

static double
to_seconds(const struct hpm_quantity *quantity, double value)
{
    return strcmp(quantity->unit, "ns") == 0 ? value / 1e9 : value;
}

const char *
hpm_shown_unit(const struct hpm_quantity *quantity)
{
    return is_time(quantity) ? "s" : quantity->unit;
}

void
hpm_shown_add_real(struct hpm_string *string,
                   const struct hpm_quantity *quantity, double value)
{
    bool is_whole = !is_time(quantity) && !quantity->is_ratio &&
                    fabs(value) < 9e15 && value == floor(value);

    if (isnan(value)) {
        hpm_string_add_char(string, '-');
        return;
    }
    if (is_whole && value < 0.0)
        hpm_string_add_char(string, '-');
    if (is_whole)
        hpm_string_add_grouped(string, (uint64_t)fabs(value));
    else
        hpm_string_add_fixed(string, to_seconds(quantity, value),
                             is_time(quantity) ? 6 : 3);
}

void
hpm_shown_add_number(struct hpm_string *string,
                     const struct hpm_quantity *quantity,
                     struct hpm_number number)
{
    bool is_negative = number.kind == HPM_NUMBER_MINUS;

    if ((number.kind == HPM_NUMBER_COUNT || is_negative) &&
        !is_time(quantity)) {
        hpm_string_add(string, is_negative ? "-" : "");
        hpm_string_add_grouped(string, number.amount);
    } else {
        hpm_shown_add_real(string, quantity, hpm_number_to_real(number));
    }
}

static void
emphasise(struct hpm_table *table, const struct hpm_figure *figure)
{
    if (figure->verdict == HPM_VERDICT_BAD)
        hpm_table_emphasise(table, HPM_EMPHASIS_BAD);
    else if (figure->verdict == HPM_VERDICT_GOOD)
        hpm_table_emphasise(table, HPM_EMPHASIS_GOOD);
}

void
hpm_shown_add_count(struct hpm_string *string, const struct hpm_figure *figure)
{
    if (figure->verdict == HPM_VERDICT_BAD && figure->judged.n_judged > 1)
        hpm_string_add_format(string, " %u of %u", figure->judged.n_bad,
                              figure->judged.n_judged);
}

/* Marks such as "?" and "! 3 of 8". */
static void
add_marks(struct hpm_string *text, const struct hpm_figure *figure)
{
    static const char *const marks[] = {[HPM_VERDICT_NONE] = "",
                                        [HPM_VERDICT_BAD] = "!",
                                        [HPM_VERDICT_NEUTRAL] = "",
                                        [HPM_VERDICT_GOOD] = "+"};

    hpm_string_add(text, figure->doubt != HPM_DOUBT_NONE ? "?" : "");
    hpm_string_add(text, marks[figure->verdict]);
    hpm_shown_add_count(text, figure);
}

void
hpm_shown_add_reach(struct hpm_string *string, const struct hpm_figure *figure)
{
    if (figure->state == HPM_STATE_SHARED)
        hpm_text_add_reach(string, hpm_number_to_real(figure->value),
                           hpm_number_to_real(figure->reach));
}

void
hpm_shown_add_cell(struct hpm_table *table, const struct hpm_quantity *quantity,
                   const struct hpm_figure *figure, bool has_marks)
{
    struct hpm_string text = {0};
    bool is_marked = has_marks && figure != NULL &&
                     (figure->doubt != HPM_DOUBT_NONE ||
                      figure->verdict == HPM_VERDICT_BAD ||
                      figure->verdict == HPM_VERDICT_GOOD);

    if (figure != NULL && figure->state == HPM_STATE_BRIEF) {
        hpm_table_add_text(table, "too short");
        hpm_table_emphasise(table, HPM_EMPHASIS_DIM);
        return;
    }
    if (figure == NULL ||
        (figure->value.kind == HPM_NUMBER_NONE && !is_marked)) {
        hpm_table_add_none(table);
        hpm_table_emphasise(table, HPM_EMPHASIS_DIM);
        return;
    }
    hpm_string_add(&text, figure->is_partial ? "~" : "");
    hpm_shown_add_number(&text, quantity, figure->value);
    if (quantity->kind == HPM_QUANTITY_COUNTER ||
        figure->reach.kind != HPM_NUMBER_NONE)
        hpm_shown_add_reach(&text, figure);
    if (is_marked) {
        hpm_string_add_char(&text, ' ');
        add_marks(&text, figure);
    }
    hpm_table_add_text(table, hpm_string_text(&text));
    emphasise(table, figure);
    hpm_string_finish(&text, &table->failed);
}

void
hpm_shown_add_marks(struct hpm_table *table, const struct hpm_figure *figure)
{
    struct hpm_string text = {0};

    add_marks(&text, figure);
    hpm_table_add_text(table, hpm_string_text(&text));
    emphasise(table, figure);
    hpm_string_finish(&text, &table->failed);
}

void
hpm_shown_add_state(struct hpm_string *string, const struct hpm_figure *figure)
{
    double share = hpm_number_to_real(figure->share);

    if (figure->state == HPM_STATE_COUNTED)
        return;
    hpm_string_add(string, hpm_state_name(figure->state));
    if (!isnan(share) && (figure->state == HPM_STATE_SHARED ||
                          figure->state == HPM_STATE_BRIEF)) {
        hpm_string_add_char(string, ' ');
        hpm_string_add_fixed(string, 100.0 * share, 0);
        hpm_string_add(string, " %");
    }
    if (figure->windows.kind != HPM_NUMBER_NONE)
        hpm_string_add_format(string, " in %llu",
                              (unsigned long long)figure->windows.amount);
}

/* Say what is missing from an inclusive value. */
static void
add_lacking(struct hpm_string *string, const struct hpm_figure *figure)
{
    if (figure->is_twice)
        hpm_string_add(string, "partial: process sections count what forked "
                               "processes did, too, so it may have that "
                               "twice");
    else if (figure->n_folded > 0)
        hpm_string_add_format(string,
                              "partial: of %zu threads only the mean is known, "
                              "not the longest (they are beyond "
                              "HPM_MAX_THREADS, or the file is a summary and "
                              "the section on several call paths)",
                              figure->n_folded);
    else if (figure->is_partial && isnan(figure->only_exclusive) &&
             figure->runs.kind != HPM_NUMBER_NONE)
        hpm_string_add(string,
                       "partial: a mean that lacks runs of which the value is "
                       "not known, or a sum of means of different numbers of "
                       "runs");
    if (!figure->is_partial || isnan(figure->only_exclusive))
        return;
    hpm_string_add(string, "partial: ");
    hpm_string_add_fixed(string, 100.0 * figure->only_exclusive, 1);
    hpm_string_add(string, " % of the exclusive value is of calls whose "
                           "inclusive value was not measured "
                           "(HPM_ONLY_EXCLUSIVE)");
}

void
hpm_shown_add_reason(struct hpm_string *string, const struct hpm_figure *figure)
{
    struct hpm_metric_value value = {.state = figure->state,
                                     .cause = figure->cause,
                                     .privilege = figure->privilege,
                                     .culprit = figure->culprit};

    if (figure->value.kind != HPM_NUMBER_NONE) {
        add_lacking(string, figure);
        if (string->length > 0 && figure->doubt != HPM_DOUBT_NONE)
            hpm_string_add(string, "; ");
        hpm_string_add(string, hpm_doubt_text(figure->doubt));
        return;
    }
    if (figure->reason != NULL)
        hpm_string_add(string, figure->reason);
    else if (figure->n_missing > 0)
        hpm_string_add_format(string, "no value in %zu of %zu records",
                              figure->n_missing, figure->n_records);
    else
        hpm_metric_value_explain(&value, string);
}

/* Counters hidden by the file are only in CSV and JSON. */
bool
hpm_shown_is_wanted(const struct hpm_survey *survey, size_t quantity)
{
    const struct hpm_quantity *here = &survey->quantities[quantity];

    return here->kind == HPM_QUANTITY_METRIC ||
           here->kind == HPM_QUANTITY_RECORDED ||
           (here->kind == HPM_QUANTITY_COUNTER && !here->is_hidden);
}
