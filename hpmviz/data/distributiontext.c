/* SPDX-License-Identifier: BSD-3-Clause
 * Distributions over places in words, and as CSV. */
#include "hpmviz/data/distributiontext.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/details.h"
#include "study/report/format.h"
#include "study/report/shown.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

/* ---- the section ----------------------------------------------------- */

void
hpmviz_distribution_add_subject(const struct hpmviz_sheet *sheet,
                                struct hpm_string *text)
{
    struct hpm_string name = {0}, shown = {0};

    hpm_survey_add_name(sheet->survey, sheet->subject, &name);
    hpm_sentence_add(&shown, hpm_string_text(&name));
    hpm_string_add_safe(text, hpm_string_text(&shown));
    if (hpm_survey_is_difference(sheet->survey))
        hpm_string_add(text, _(" (B − A)"));
    hpm_string_finish(&name, &text->failed);
    hpm_string_finish(&shown, &text->failed);
}

/* ---- one place ------------------------------------------------------- */

void
hpmviz_distribution_add_where(const struct hpmviz_distribution *distribution,
                              guint row, struct hpm_string *text)
{
    const struct hpmviz_place *place = &distribution->sheet->places[row];
    const char *node = hpmviz_distribution_node(distribution, row);

    if (place->tid < 0)
        hpm_string_add_format(text, _("task %d"), place->task);
    else
        hpm_string_add_format(text, _("task %d thread %d"), place->task,
                              place->tid);
    if (node != NULL) {
        struct hpm_string safe = {0};

        hpm_string_add_safe(&safe, node);
        hpm_string_add_format(text, _(" on node %s"), hpm_string_text(&safe));
        hpm_string_finish(&safe, &text->failed);
    }
}

/* With the unit. */
static void
add_number(const struct hpmviz_distribution *distribution, double number,
           struct hpm_string *text)
{
    const char *unit = hpm_shown_unit(
        hpmviz_sheet_quantity(distribution->sheet, distribution->column));

    hpmviz_details_add_number(distribution->sheet, distribution->column, number,
                              text);
    if (unit[0] != '\0')
        hpm_string_add_char(text, ' ');
    hpm_string_add_safe(text, unit);
}

/* The word for none, and why. */
static void
add_none(const struct hpmviz_value *value, struct hpm_string *text)
{
    hpm_string_add(text, value->is_present && isnan(value->value)
                             ? hpmviz_details_none(value->state)
                             : _("n/a"));
    if (value->reason == NULL)
        return;
    hpm_string_add(text, ", ");
    hpm_string_add_safe(text, value->reason);
}

/* How a value came about that was not counted all the time. */
static void
add_origin(const struct hpmviz_value *value, struct hpm_string *text)
{
    if (value->state == HPM_STATE_SHARED)
        hpm_string_add(text, _(", an estimate: counted part of the time"));
    else if (value->state == HPM_STATE_INFERRED)
        hpm_string_add(text, _(", inferred from other counts"));
    else if (value->state == HPM_STATE_RECORDED)
        hpm_string_add(text, _(", as recorded"));
    if (value->is_partial)
        hpm_string_add(text, _(", parts are missing"));
}

/* Of a mean: how far apart the runs were. */
static void
add_runs(const struct hpmviz_distribution *distribution,
         const struct hpmviz_value *value, struct hpm_string *text)
{
    struct hpm_string least = {0}, most = {0}, deviation = {0};

    if (value->n_runs < 2)
        return;
    if (isnan(value->run_min) || isnan(value->run_max) ||
        isnan(value->run_dev)) {
        hpm_string_add_format(
            text, _(", mean of %u runs, whose spread is not in the file"),
            value->n_runs);
        return;
    }
    add_number(distribution, value->run_min, &least);
    add_number(distribution, value->run_max, &most);
    add_number(distribution, value->run_dev, &deviation);
    hpm_string_add_format(text,
                          _(", mean of %u runs from %s to %s, deviation %s"),
                          value->n_runs, hpm_string_text(&least),
                          hpm_string_text(&most), hpm_string_text(&deviation));
    hpm_string_finish(&least, &text->failed);
    hpm_string_finish(&most, &text->failed);
    hpm_string_finish(&deviation, &text->failed);
}

void
hpmviz_distribution_add_place(const struct hpmviz_distribution *distribution,
                              guint row, struct hpm_string *text)
{
    const struct hpmviz_value *value =
        hpmviz_sheet_value(distribution->sheet, row, distribution->column);

    hpmviz_distribution_add_where(distribution, row, text);
    hpm_string_add(text, ": ");
    if (distribution->ranks[row] == HPMVIZ_NONE) {
        add_none(value, text);
        return;
    }
    add_number(distribution, value->value, text);
    add_origin(value, text);
    add_runs(distribution, value, text);
    hpm_string_add_format(text, _(", number %u of %u in the order"),
                          distribution->ranks[row] + 1, distribution->n);
}

/* ---- all places ------------------------------------------------------ */

static void
add_extreme(const struct hpmviz_distribution *distribution, const char *format,
            guint row, struct hpm_string *text)
{
    struct hpm_string number = {0}, where = {0};

    add_number(distribution, hpmviz_distribution_value(distribution, row),
               &number);
    hpmviz_distribution_add_where(distribution, row, &where);
    hpm_string_add_format(text, format, hpm_string_text(&number),
                          hpm_string_text(&where));
    hpm_string_finish(&number, &text->failed);
    hpm_string_finish(&where, &text->failed);
}

static void
add_middle(const struct hpmviz_distribution *distribution, const char *format,
           double value, struct hpm_string *text)
{
    struct hpm_string number = {0};

    add_number(distribution, value, &number);
    hpm_string_add_format(text, format, hpm_string_text(&number));
    hpm_string_finish(&number, &text->failed);
}

static void
add_numbers(const struct hpmviz_distribution *distribution,
            struct hpm_string *text)
{
    const struct hpmviz_spread *spread = &distribution->spread;

    add_extreme(distribution, _("Smallest %s (%s)"), distribution->rows[0],
                text);
    add_middle(distribution, _(", median %s"), distribution->box.median, text);
    add_middle(distribution, _(", mean %s"), spread->mean, text);
    add_extreme(distribution, _(", largest %s (%s)"),
                distribution->rows[distribution->n - 1], text);
    if (!isnan(spread->ratio)) {
        hpm_string_add(text, _(", largest/mean "));
        hpm_string_add_fixed(text, spread->ratio, 3);
    }
    hpm_string_add(text, ". ");
    add_middle(distribution, _("Half of the values lie from %s"),
               distribution->box.lower, text);
    add_middle(distribution, _(" to %s"), distribution->box.upper, text);
    hpm_string_add_format(text, _("; values beyond the whiskers: %zu."),
                          distribution->box.n_below +
                              distribution->box.n_above);
}

/* Places without a value by the word for why there is none. */
static void
add_lacks(const struct hpmviz_distribution *distribution,
          struct hpm_string *text)
{
    static const int states[] = {HPM_STATE_LOST, HPM_STATE_UNSCHEDULED,
                                 HPM_STATE_UNDEFINED, HPM_STATE_UNSUPPORTED};
    guint counts[G_N_ELEMENTS(states)] = {0};
    const char *separator = ": ";

    for (guint i = 0; i < distribution->sheet->n_rows; i++) {
        const struct hpmviz_value *value =
            hpmviz_sheet_value(distribution->sheet, i, distribution->column);
        size_t at = 0;

        if (!hpmviz_distribution_has_row(distribution, i) ||
            distribution->ranks[i] != HPMVIZ_NONE)
            continue;
        while (at + 1 < G_N_ELEMENTS(states) &&
               (!value->is_present || value->state != states[at]))
            at++;
        counts[at]++;
    }
    hpm_string_add_format(text,
                          _(" %u have no value (not drawn in the histogram "
                            "and in the order)"),
                          distribution->n_places - distribution->n);
    for (size_t i = 0; i < G_N_ELEMENTS(states); i++) {
        if (counts[i] == 0)
            continue;
        hpm_string_add_format(text, "%s%u %s", separator, counts[i],
                              hpmviz_details_none(states[i]));
        separator = ", ";
    }
    hpm_string_add(text, ".");
}

/* Threads that are no places of the distribution. */
static void
add_summed(const struct hpmviz_distribution *distribution,
           struct hpm_string *text)
{
    if (distribution->n_summed > 0)
        hpm_string_add_format(text,
                              _(" Left out: %zu threads beyond "
                                "HPM_MAX_THREADS, of which only the sum is "
                                "known."),
                              distribution->n_summed);
}

void
hpmviz_distribution_add_summary(const struct hpmviz_distribution *distribution,
                                struct hpm_string *text)
{
    hpm_string_add_format(text,
                          distribution->is_process
                              ? _("%u of %u processes have a value.")
                              : _("%u of %u threads have a value."),
                          distribution->n, distribution->n_places);
    if (distribution->n < distribution->n_places)
        add_lacks(distribution, text);
    add_summed(distribution, text);
    if (distribution->n == 0)
        return;
    hpm_string_add_char(text, ' ');
    add_numbers(distribution, text);
    if (distribution->n_derived > 0)
        hpm_string_add_format(
            text,
            _(" Not counted all the time, or partly missing (hollow): %u."),
            distribution->n_derived);
}

static void
add_range(const struct hpmviz_distribution *distribution,
          struct hpm_string *text)
{
    hpm_string_add_char(text, ' ');
    hpm_string_add_safe(
        text,
        hpmviz_sheet_quantity(distribution->sheet, distribution->column)->name);
    add_middle(distribution, _(" is from %s"), distribution->values[0], text);
    add_middle(distribution, _(" to %s."),
               distribution->values[distribution->n - 1], text);
}

void
hpmviz_distribution_add_pair(const struct hpmviz_distribution *x,
                             const struct hpmviz_distribution *y,
                             struct hpm_string *text)
{
    guint n = 0;

    for (guint i = 0; i < x->n; i++)
        n += y->ranks[x->rows[i]] != HPMVIZ_NONE ? 1 : 0;
    hpm_string_add_format(text,
                          x->is_process
                              ? _("%u of %u processes have both values.")
                              : _("%u of %u threads have both values."),
                          n, x->n_places);
    add_summed(x, text);
    if (x->n > 0)
        add_range(x, text);
    if (y->n > 0)
        add_range(y, text);
}

void
hpmviz_distribution_add_rules(const struct hpmviz_distribution *distribution,
                              struct hpm_string *text)
{
    hpm_string_add(text,
                   _("The box is from the lower to the upper quartile; the "
                     "whiskers end at the last values that are at most 1.5 "
                     "lengths of the box away from the box."));
    if (distribution->n == 0)
        return;
    hpm_string_add_char(text, ' ');
    add_middle(distribution,
               _("A bar is %s wide (rule of Freedman and Diaconis, rounded "
                 "up)."),
               distribution->histogram.width, text);
}

/* ---- CSV ------------------------------------------------------------- */

static void
add_csv_row(const struct hpmviz_distribution *distribution, guint row,
            const char *label, struct hpm_table *table)
{
    const struct hpmviz_sheet *sheet = distribution->sheet;
    const struct hpm_quantity *quantity =
        hpmviz_sheet_quantity(sheet, distribution->column);
    const struct hpmviz_value *value =
        hpmviz_sheet_value(sheet, row, distribution->column);
    const char *node = hpmviz_distribution_node(distribution, row);

    hpm_table_add_text(table, label);
    hpm_table_add_text(table, quantity->name);
    hpm_table_add_text(table, hpm_shown_unit(quantity));
    hpm_table_add_integer(table, sheet->places[row].task);
    hpm_table_add_integer(table, sheet->places[row].tid);
    hpm_table_add_text(table, node != NULL ? node : "");
    hpm_table_add_real(table, hpmviz_distribution_value(distribution, row));
    hpm_table_add_text(table, value->is_present
                                  ? hpm_state_name((enum hpm_state)value->state)
                                  : "");
    hpm_table_add_text(table, value->is_partial ? "yes" : "no");
    if (distribution->ranks[row] != HPMVIZ_NONE)
        hpm_table_add_count(table, distribution->ranks[row] + 1);
    else
        hpm_table_add_none(table);
    hpm_table_add_text(table, value->reason != NULL ? value->reason : "");
}

static void
add_csv_rows(const struct hpmviz_distribution *distribution, const char *label,
             struct hpm_table *table)
{
    for (guint i = 0; i < distribution->sheet->n_rows; i++) {
        if (hpmviz_distribution_has_row(distribution, i))
            add_csv_row(distribution, i, label, table);
    }
}

void
hpmviz_distribution_add_csv(const struct hpmviz_distribution *distribution,
                            const struct hpmviz_distribution *other,
                            struct hpm_string *string)
{
    static const char *const titles[] = {
        "section", "metric", "unit",       "task", "thread", "node",
        "value",   "state",  "is_partial", "rank", "reason"};
    const struct hpmviz_sheet *sheet = distribution->sheet;
    struct hpm_string label = {0};
    struct hpm_table table = {0};

    hpm_survey_add_label(sheet->survey, sheet->subject, &label);
    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        hpm_table_add_column(&table, titles[i], NULL, 0);
    add_csv_rows(distribution, hpm_string_text(&label), &table);
    if (other != NULL)
        add_csv_rows(other, hpm_string_text(&label), &table);
    hpm_csv_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
    hpm_string_finish(&label, &string->failed);
}
