/* SPDX-License-Identifier: BSD-3-Clause
 * How single calls of a section differ. */
#include "study/analysis/callreport.h"

#include <math.h>

#include "host/memory.h"
#include "study/analysis/callvalues.h"
#include "study/report/human.h"

struct report {
    struct hpm_callvalues values;
    struct hpm_calldrift *drifts; /* per column */
    struct hpm_account *account;
};

/* ---- drift ------------------------------------------------------------- */

static void
say_drift(const struct report *report, const struct hpm_calldrift *drift)
{
    bool is_growing = drift->low > 1.0, is_falling = drift->high < 1.0;
    struct hpm_string text = {0};

    if (isnan(drift->ratio) || (!is_growing && !is_falling))
        return;
    hpm_string_add_format(&text, "%s %s during the run: its median is ",
                          report->values.column->name,
                          is_growing ? "grows" : "falls");
    hpm_string_add_fixed(&text, drift->ratio, 3);
    hpm_string_add(&text,
                   " times as large in the last third of the calls as in "
                   "the first (95 %: ");
    hpm_string_add_fixed(&text, drift->low, 3);
    hpm_string_add(&text, " to ");
    hpm_string_add_fixed(&text, drift->high, 3);
    hpm_string_add(&text, ").");
    hpm_account_say_string(report->account, &text);
}

/* ---- the histogram ------------------------------------------------------ */

enum { WIDTH = 40 };

static void
add_label(struct hpm_string *string, const struct report *report,
          const struct hpm_callbins *bins, size_t bin)
{
    struct hpm_string edge = {0};
    size_t length;

    hpm_human_add(&edge, hpm_callbins_edge(bins, bin == 0 ? 1 : bin),
                  report->values.column->unit);
    length = edge.length < 20 ? edge.length : 20;
    hpm_string_add_format(string, "  %s%*s%s |",
                          bin == 0                  ? "below "
                          : bin == HPM_CALLBINS + 1 ? "above "
                                                    : "from  ",
                          (int)(20 - length), "", hpm_string_text(&edge));
    hpm_string_finish(&edge, &string->failed);
}

static void
draw(const struct report *report, const struct hpm_callbins *bins)
{
    struct hpm_string text = {0};
    double most = 0.0;

    for (size_t i = 0; i < HPM_CALLBINS + 2; i++)
        most = fmax(most, bins->weights[i]);
    hpm_string_add_format(&text, "  %s: part of all calls\n",
                          report->values.column->name);
    for (size_t i = 0; i < HPM_CALLBINS + 2; i++) {
        double share = bins->weights[i] / report->values.weight;
        int length = (int)lrint(WIDTH * bins->weights[i] / most);

        if (bins->weights[i] == 0.0 && (i == 0 || i == HPM_CALLBINS + 1))
            continue;
        add_label(&text, report, bins, i);
        for (int j = 0; j < length; j++)
            hpm_string_add_char(&text, '#');
        hpm_string_add_format(&text, "%*s ", WIDTH - length, "");
        hpm_string_add_fixed(&text, 100.0 * share, 1);
        hpm_string_add(&text, " %\n");
    }
    hpm_account_draw(report->account, &text);
}

static void
add_bins(const struct report *report, const struct hpm_callbins *bins,
         struct hpm_table *table)
{
    for (size_t i = 0; i < HPM_CALLBINS + 2; i++) {
        hpm_table_add_text(table, report->values.column->name);
        hpm_table_add_real(table, i == 0 ? NAN : hpm_callbins_edge(bins, i));
        hpm_table_add_real(
            table, i > HPM_CALLBINS ? NAN : hpm_callbins_edge(bins, i + 1));
        hpm_table_add_real(table, bins->weights[i] / report->values.weight);
    }
}

/* ---- one column after the other ------------------------------------------ */

static bool
find_drifts(struct report *report)
{
    for (size_t i = 0; i < report->values.points->n_columns; i++) {
        hpm_callvalues_take(&report->values,
                            &report->values.points->columns[i]);
        if (!hpm_callvalues_drift(&report->values, &report->drifts[i]))
            return false;
    }
    return true;
}

static void
add_quantiles(const struct report *report, struct hpm_table *table,
              const struct hpm_calldrift *drift)
{
    static const double parts[] = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0};

    hpm_table_add_text(table, report->values.column->name);
    hpm_table_add_text_or_none(table, report->values.column->unit);
    hpm_table_add_count(table, report->values.n);
    hpm_table_add_real(table, report->values.n > 0
                                  ? hpm_callvalues_mean(&report->values)
                                  : NAN);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hpm_table_add_real(
            table, report->values.n > 0
                       ? hpm_callvalues_quantile(&report->values, parts[i])
                       : NAN);
    hpm_table_add_real(table, drift->ratio);
    hpm_table_add_real(table, drift->low);
    hpm_table_add_real(table, drift->high);
}

static void
tabulate(struct report *report)
{
    static const char *const numbers[] = {"mean", "min", "p5",  "p25", "median",
                                          "p75",  "p95", "p99", "max"};
    static const char *const drifts[] = {"drift", "drift_low", "drift_high"};
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_DATA, "quantiles", NULL);

    if (table == NULL)
        return;
    hpm_table_add_column(table, "column", NULL, 0);
    hpm_table_add_column(table, "unit", NULL, 0);
    hpm_table_add_column(table, "calls", NULL, 0);
    hpm_table_add_columns(table, numbers, sizeof numbers / sizeof *numbers, 9);
    hpm_table_add_columns(table, drifts, sizeof drifts / sizeof *drifts, 3);
    for (size_t i = 0; i < report->values.points->n_columns; i++) {
        hpm_callvalues_take(&report->values,
                            &report->values.points->columns[i]);
        add_quantiles(report, table, &report->drifts[i]);
    }
}

static void
add_named(struct hpm_string *text, const struct report *report,
          const char *name, double value)
{
    hpm_string_add(text, name);
    hpm_human_add(text, value, report->values.column->unit);
}

static void
say_quantiles(const struct report *report)
{
    struct hpm_string text = {0};

    hpm_string_add(&text, report->values.column->name);
    add_named(&text, report, ": from ",
              hpm_callvalues_quantile(&report->values, 0.0));
    add_named(&text, report, " to ",
              hpm_callvalues_quantile(&report->values, 1.0));
    add_named(&text, report, ", mean ", hpm_callvalues_mean(&report->values));
    add_named(&text, report, "; half of the calls are at most ",
              hpm_callvalues_quantile(&report->values, 0.5));
    add_named(&text, report, ", 5 % at most ",
              hpm_callvalues_quantile(&report->values, 0.05));
    add_named(&text, report, ", 25 % ",
              hpm_callvalues_quantile(&report->values, 0.25));
    add_named(&text, report, ", 75 % ",
              hpm_callvalues_quantile(&report->values, 0.75));
    add_named(&text, report, ", 95 % ",
              hpm_callvalues_quantile(&report->values, 0.95));
    add_named(&text, report, ", 99 % ",
              hpm_callvalues_quantile(&report->values, 0.99));
    hpm_string_add_char(&text, '.');
    hpm_account_say_string(report->account, &text);
}

static void
describe_column(struct report *report, const struct hpm_points_column *column,
                const struct hpm_calldrift *drift)
{
    struct hpm_callbins bins;

    hpm_callvalues_take(&report->values, column);
    if (report->values.n == 0)
        return;
    say_quantiles(report);
    say_drift(report, drift);
    if (hpm_callvalues_has_bins(&report->values)) {
        hpm_callvalues_bins(&report->values, &bins);
        draw(report, &bins);
    }
}

static void
list_bins(struct report *report)
{
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_DATA, "histogram", NULL);
    struct hpm_callbins bins;

    if (table == NULL)
        return;
    hpm_table_add_column(table, "column", NULL, 0);
    hpm_table_add_column(table, "from", NULL, 6);
    hpm_table_add_column(table, "to", NULL, 6);
    hpm_table_add_column(table, "share", NULL, 4);
    for (size_t i = 0; i < report->values.points->n_columns; i++) {
        hpm_callvalues_take(&report->values,
                            &report->values.points->columns[i]);
        if (!hpm_callvalues_has_bins(&report->values))
            continue;
        hpm_callvalues_bins(&report->values, &bins);
        add_bins(report, &bins, table);
    }
}

/* ---- all ---------------------------------------------------------------- */

/* Draws of one section stand one behind the other. */
static void
say_how_many(struct report *report)
{
    const struct hpm_points *points = report->values.points;
    const struct hpm_study_kept *last = NULL;
    struct hpm_string name = {0};
    uint64_t n_made = 0;
    size_t n_draws = 0;

    for (size_t i = 0; i < points->n; i++) {
        const struct hpm_study_kept *draw =
            hpm_callstudy_draw(points->calls, points->all[i].place);

        if (draw != last) {
            n_made += draw->n_made.amount;
            n_draws++;
        }
        last = draw;
    }
    hpm_survey_add_name(points->survey, points->all[0].subject, &name);
    hpm_account_add_text_fact(report->account, "section",
                              hpm_string_text(&name));
    hpm_account_add_count_fact(report->account, "calls", n_made);
    hpm_account_add_count_fact(report->account, "kept", points->n);
    hpm_string_add_format(&name, ": %zu of %llu calls were kept", points->n,
                          (unsigned long long)n_made);
    if (n_draws > 1)
        hpm_string_add_format(
            &name, ", in %zu samples: one of each thread and call path",
            n_draws);
    hpm_string_add_char(&name, '.');
    hpm_account_say_string(report->account, &name);
}

bool
hpm_callreport_describe(const struct hpm_points *points,
                        struct hpm_account *account, struct hpm_error *err)
{
    struct report report = {.account = account};
    bool is_good;

    report.drifts =
        hpm_memory_new(points->n_columns + 1, sizeof *report.drifts);
    is_good = hpm_callvalues_init(&report.values, points) &&
              report.drifts != NULL && find_drifts(&report);
    if (is_good) {
        say_how_many(&report);
        for (size_t i = 0; i < points->n_columns; i++)
            describe_column(&report, &points->columns[i], &report.drifts[i]);
        tabulate(&report);
        list_bins(&report);
    }
    hpm_callvalues_clear(&report.values);
    hpm_memory_free(report.drifts);
    return is_good || hpm_error_no_memory(err);
}
