/* SPDX-License-Identifier: BSD-3-Clause
 * How single calls of a section differ. */
#include "study/analysis/callreport.h"

#include <math.h>
#include <stdlib.h>

#include "host/memory.h"
#include "study/inference/bootstrap.h"
#include "study/report/human.h"
#include "study/statistics/quantile.h"

/* A call of a column, and how many it stands for. */
struct call {
    double value, weight, begin;
};

struct report {
    const struct hpm_points *points;
    const struct hpm_points_column *column;
    struct call *calls; /* that have a value, the smallest first */
    size_t n;
    double weight; /* of all */
    struct drift {
        double ratio, low, high; /* NAN: not known */
    } * drifts;                  /* per column */
    struct hpm_account *account;
};

/* ---- the calls of a column --------------------------------------------- */

static int
compare(double a, double b)
{
    return (a > b) - (a < b);
}

/* Of equal values the earlier call first, so that the order is one. */
static int
compare_values(const void *first, const void *second)
{
    const struct call *a = first, *b = second;
    int order = compare(a->value, b->value);

    return order != 0 ? order : compare(a->begin, b->begin);
}

static int
compare_begins(const void *first, const void *second)
{
    const struct call *a = first, *b = second;
    int order = compare(a->begin, b->begin);

    return order != 0 ? order : compare(a->value, b->value);
}

static double
weight_of(const struct hpm_points *points, size_t point)
{
    const struct hpm_study_kept *draw =
        hpm_callstudy_draw(points->calls, points->all[point].place);

    return hpm_number_to_real(draw->n_made) / (double)draw->n;
}

static void
take_column(struct report *report, const struct hpm_points_column *column)
{
    report->column = column;
    report->n = 0;
    report->weight = 0.0;
    for (size_t i = 0; i < report->points->n; i++) {
        struct call call = {column->values[i], weight_of(report->points, i),
                            report->points->all[i].begin};

        if (isnan(call.value))
            continue;
        report->calls[report->n++] = call;
        report->weight += call.weight;
    }
    qsort(report->calls, report->n, sizeof *report->calls, compare_values);
}

/* The value of the first call at which that part of all calls is reached. */
static double
quantile(const struct report *report, double part)
{
    double sum = 0.0;

    for (size_t i = 0; i < report->n; i++) {
        sum += report->calls[i].weight;
        if (sum >= part * report->weight * (1.0 - 1e-12))
            return report->calls[i].value;
    }
    return report->calls[report->n - 1].value;
}

static double
mean(const struct report *report)
{
    double sum = 0.0;

    for (size_t i = 0; i < report->n; i++)
        sum += report->calls[i].value * report->calls[i].weight;
    return sum / report->weight;
}

/* ---- drift ------------------------------------------------------------- */

/* More of a third would not make its median known much better. */
enum { MOST_OF_THIRD = 2000 };

/* Of a third of the calls some that stand evenly in it. */
static size_t
take_third(const struct call *calls, size_t n, double *room)
{
    size_t n_taken = n < MOST_OF_THIRD ? n : MOST_OF_THIRD;

    for (size_t i = 0; i < n_taken; i++)
        room[i] = calls[i * n / n_taken].value;
    return n_taken;
}

/* The median of the last third of the calls by that of the first.  The calls are
 * in the order of their begins afterwards. */
static bool
find_drift(struct report *report, struct drift *ret_drift)
{
    size_t third = report->n / 3;
    double *room =
        hpm_memory_new(4 * MOST_OF_THIRD + HPM_BOOTSTRAP_TIMES, sizeof *room);
    struct hpm_bootstrap_pair pair = {.a = room, .b = room + MOST_OF_THIRD};
    double *rest = room + 2 * MOST_OF_THIRD, base;

    *ret_drift = (struct drift){NAN, NAN, NAN};
    if (room == NULL)
        return false;
    qsort(report->calls, report->n, sizeof *report->calls, compare_begins);
    pair.n_a = take_third(report->calls, third, room);
    pair.n_b = take_third(report->calls + report->n - third, third,
                          room + MOST_OF_THIRD);
    hpm_bootstrap_ratio(&pair, 1, rest, &ret_drift->low, &ret_drift->high);
    if (isfinite(ret_drift->low)) {
        hpm_quantile_sort(room, pair.n_a);
        hpm_quantile_sort(room + MOST_OF_THIRD, pair.n_b);
        base = hpm_quantile_median(room, pair.n_a);
        ret_drift->ratio =
            hpm_quantile_median(room + MOST_OF_THIRD, pair.n_b) / base;
    }
    hpm_memory_free(room);
    return true;
}

static void
say_drift(const struct report *report, const struct drift *drift)
{
    bool is_growing = drift->low > 1.0, is_falling = drift->high < 1.0;
    struct hpm_string text = {0};

    if (isnan(drift->ratio) || (!is_growing && !is_falling))
        return;
    hpm_string_add_format(&text, "%s %s during the run: its median is ",
                          report->column->name, is_growing ? "grows" : "falls");
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

enum { N_BINS = 16, WIDTH = 40 };

/* So many calls from `low` up to `high`; the first has all below, the last all
 * above. */
struct bins {
    double low, width;
    double weights[N_BINS + 2];
};

/* Few calls far from the others have bins of their own: the equal ones are between
 * the quantiles of 1 and 99 in 100. */
static void
fill_bins(const struct report *report, struct bins *ret_bins)
{
    double high = quantile(report, 0.99);

    *ret_bins = (struct bins){.low = quantile(report, 0.01)};
    ret_bins->width = (high - ret_bins->low) / N_BINS;
    for (size_t i = 0; i < report->n; i++) {
        double value = report->calls[i].value;
        double place = floor((value - ret_bins->low) / ret_bins->width);
        size_t bin = value < ret_bins->low ? 0
                     : value > high        ? N_BINS + 1
                     : place < N_BINS      ? 1 + (size_t)place
                                           : N_BINS;

        ret_bins->weights[bin] += report->calls[i].weight;
    }
}

static double
edge_of(const struct bins *bins, size_t bin)
{
    return bins->low + bins->width * ((double)bin - 1.0);
}

static void
add_label(struct hpm_string *string, const struct report *report,
          const struct bins *bins, size_t bin)
{
    struct hpm_string edge = {0};
    size_t length;

    hpm_human_add(&edge, edge_of(bins, bin == 0 ? 1 : bin),
                  report->column->unit);
    length = edge.length < 20 ? edge.length : 20;
    hpm_string_add_format(string, "  %s%*s%s |",
                          bin == 0            ? "below "
                          : bin == N_BINS + 1 ? "above "
                                              : "from  ",
                          (int)(20 - length), "", hpm_string_text(&edge));
    hpm_string_finish(&edge, &string->failed);
}

static void
draw(const struct report *report, const struct bins *bins)
{
    struct hpm_string text = {0};
    double most = 0.0;

    for (size_t i = 0; i < N_BINS + 2; i++)
        most = fmax(most, bins->weights[i]);
    hpm_string_add_format(&text, "  %s: part of all calls\n",
                          report->column->name);
    for (size_t i = 0; i < N_BINS + 2; i++) {
        double share = bins->weights[i] / report->weight;
        int length = (int)lrint(WIDTH * bins->weights[i] / most);

        if (bins->weights[i] == 0.0 && (i == 0 || i == N_BINS + 1))
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
add_bins(const struct report *report, const struct bins *bins,
         struct hpm_table *table)
{
    for (size_t i = 0; i < N_BINS + 2; i++) {
        hpm_table_add_text(table, report->column->name);
        hpm_table_add_real(table, i == 0 ? NAN : edge_of(bins, i));
        hpm_table_add_real(table, i > N_BINS ? NAN : edge_of(bins, i + 1));
        hpm_table_add_real(table, bins->weights[i] / report->weight);
    }
}

/* ---- one column after the other ------------------------------------------ */

/* What is the same in all calls has no histogram, and fewer calls have no shape. */
enum { LEAST_OF_HISTOGRAM = 20 };

static bool
has_bins(const struct report *report)
{
    return report->n >= LEAST_OF_HISTOGRAM &&
           quantile(report, 0.99) > quantile(report, 0.01);
}

static bool
find_drifts(struct report *report)
{
    for (size_t i = 0; i < report->points->n_columns; i++) {
        take_column(report, &report->points->columns[i]);
        if (!find_drift(report, &report->drifts[i]))
            return false;
    }
    return true;
}

static void
add_quantiles(const struct report *report, struct hpm_table *table,
              const struct drift *drift)
{
    static const double parts[] = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0};

    hpm_table_add_text(table, report->column->name);
    hpm_table_add_text_or_none(table, report->column->unit);
    hpm_table_add_count(table, report->n);
    hpm_table_add_real(table, report->n > 0 ? mean(report) : NAN);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hpm_table_add_real(table,
                           report->n > 0 ? quantile(report, parts[i]) : NAN);
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
    for (size_t i = 0; i < report->points->n_columns; i++) {
        take_column(report, &report->points->columns[i]);
        add_quantiles(report, table, &report->drifts[i]);
    }
}

static void
add_named(struct hpm_string *text, const struct report *report,
          const char *name, double value)
{
    hpm_string_add(text, name);
    hpm_human_add(text, value, report->column->unit);
}

static void
say_quantiles(const struct report *report)
{
    struct hpm_string text = {0};

    hpm_string_add(&text, report->column->name);
    add_named(&text, report, ": from ", quantile(report, 0.0));
    add_named(&text, report, " to ", quantile(report, 1.0));
    add_named(&text, report, ", mean ", mean(report));
    add_named(&text, report, "; half of the calls are at most ",
              quantile(report, 0.5));
    add_named(&text, report, ", 5 % at most ", quantile(report, 0.05));
    add_named(&text, report, ", 25 % ", quantile(report, 0.25));
    add_named(&text, report, ", 75 % ", quantile(report, 0.75));
    add_named(&text, report, ", 95 % ", quantile(report, 0.95));
    add_named(&text, report, ", 99 % ", quantile(report, 0.99));
    hpm_string_add_char(&text, '.');
    hpm_account_say_string(report->account, &text);
}

static void
describe_column(struct report *report, const struct hpm_points_column *column,
                const struct drift *drift)
{
    struct bins bins;

    take_column(report, column);
    if (report->n == 0)
        return;
    say_quantiles(report);
    say_drift(report, drift);
    if (has_bins(report)) {
        fill_bins(report, &bins);
        draw(report, &bins);
    }
}

static void
list_bins(struct report *report)
{
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_DATA, "histogram", NULL);
    struct bins bins;

    if (table == NULL)
        return;
    hpm_table_add_column(table, "column", NULL, 0);
    hpm_table_add_column(table, "from", NULL, 6);
    hpm_table_add_column(table, "to", NULL, 6);
    hpm_table_add_column(table, "share", NULL, 4);
    for (size_t i = 0; i < report->points->n_columns; i++) {
        take_column(report, &report->points->columns[i]);
        if (!has_bins(report))
            continue;
        fill_bins(report, &bins);
        add_bins(report, &bins, table);
    }
}

/* ---- all ---------------------------------------------------------------- */

/* Draws of one section stand one behind the other. */
static void
say_how_many(struct report *report)
{
    const struct hpm_points *points = report->points;
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
    struct report report = {.points = points, .account = account};
    bool is_good;

    report.calls = hpm_memory_new(points->n + 1, sizeof *report.calls);
    report.drifts =
        hpm_memory_new(points->n_columns + 1, sizeof *report.drifts);
    is_good =
        report.calls != NULL && report.drifts != NULL && find_drifts(&report);
    if (is_good) {
        say_how_many(&report);
        for (size_t i = 0; i < points->n_columns; i++)
            describe_column(&report, &points->columns[i], &report.drifts[i]);
        tabulate(&report);
        list_bins(&report);
    }
    hpm_memory_free(report.calls);
    hpm_memory_free(report.drifts);
    return is_good || hpm_error_no_memory(err);
}
