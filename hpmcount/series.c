/* SPDX-License-Identifier: BSD-3-Clause
 * Several runs of one program, and their report. */
#include "config.h"

#include "hpmcount/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/memory.h"
#include "hpmcount/hinting.h"
#include "hpmcount/spread.h"
#include "report/sections.h"
#include "report/table.h"
#include "report/text.h"
#include "study/report/format.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

/* Store a metric's value of a run, and note whether the metric is shown. */
static void
add_metric(struct series *series, struct hpm_derived *derived, size_t metric,
           const struct hpm_metric_value *value)
{
    struct series_metric *here = &series->of_metrics[metric];
    bool is_chosen = derived->is_chosen != NULL && derived->is_chosen[metric];

    here->is_shown |= is_chosen || hpm_derived_shows(derived, metric, value);
    if (!value->is_present || isnan(value->value)) {
        series->values[series->n_runs][metric] = NAN;
        here->state = value->is_present ? value->state : HPM_STATE_UNSUPPORTED;
    } else {
        series->values[series->n_runs][metric] = value->value;
        if (value->state > here->worst)
            here->worst = value->state;
    }
}

static bool
add_metrics(struct series *series, struct hpm_derived *derived)
{
    const struct hpm_metric_value *values =
        hpm_derived_values(derived, 0, HPM_SPAN_INCLUSIVE);
    size_t n = derived->metrics->n_metrics;
    double *row = hpm_memory_new(n, sizeof *row);

    if (series->of_metrics == NULL)
        series->of_metrics = hpm_memory_new(n, sizeof *series->of_metrics);
    if (series->bad_runs == NULL)
        series->bad_runs = hpm_memory_new(n, sizeof *series->bad_runs);
    if (row == NULL || series->of_metrics == NULL || series->bad_runs == NULL) {
        hpm_memory_free(row);
        return false;
    }
    series->metrics = derived->metrics;
    series->values[series->n_runs] = row;
    for (size_t i = 0; i < n; i++)
        add_metric(series, derived, i, &values[i]);
    return true;
}

static bool
begin_ranking(struct series *series, const struct hpm_derived *derived)
{
    struct hpm_error err;

    if (!series->has_ranking)
        series->has_ranking = hpm_ranking_init(
            &series->ranking, derived->metrics, series->precision, &err);
    return series->has_ranking;
}

/* Count the metrics that are bad in the run, with or without a hint. */
static void
count_bad(struct series *series, struct hpm_derived *derived)
{
    const struct hpm_metric_value *values =
        hpm_derived_values(derived, 0, HPM_SPAN_INCLUSIVE);

    if (!hinting_is_worth(derived))
        return;
    for (size_t i = 0; i < derived->metrics->n_metrics; i++)
        series->bad_runs[i] +=
            hpm_metrics_judge(derived->metrics, values, i, series->precision) ==
            HPM_VERDICT_BAD;
}

/* Add the values that only a report of several runs needs. */
static bool
add_values(struct series *series, const struct hpm_experiment *run,
           struct hpm_derived *derived)
{
    if (!hpm_memory_grow(&series->values, &series->values_capacity,
                         series->n_runs + 1, sizeof(double *)) ||
        !begin_ranking(series, derived) || !add_metrics(series, derived))
        return false;
    if (!series_has_failed(run)) {
        count_bad(series, derived);
        hinting_add_run(&series->ranking, derived, series->is_chosen,
                        series->n_runs);
    }
    return true;
}

bool
series_add_run(struct series *series, struct hpm_experiment *run,
               struct hpm_derived *derived)
{
    if (!hpm_memory_grow(&series->runs, &series->runs_capacity,
                         series->n_runs + 1, sizeof(struct hpm_experiment *)) ||
        (series->n_wanted > 1 && !add_values(series, run, derived))) {
        hpm_experiment_free(run);
        return false;
    }
    series->runs[series->n_runs++] = run;
    return true;
}

void
series_clear(struct series *series)
{
    for (size_t i = 0; i < series->n_runs; i++) {
        if (series->values != NULL)
            hpm_memory_free(series->values[i]);
        hpm_experiment_free(series->runs[i]);
    }
    if (series->has_ranking)
        hpm_ranking_clear(&series->ranking);
    hpm_memory_free(series->of_metrics);
    hpm_memory_free(series->bad_runs);
    hpm_memory_free(series->values);
    hpm_memory_free(series->runs);
    *series = (struct series){0};
}

bool
series_has_failed(const struct hpm_experiment *run)
{
    return run->run.exit_status == NULL ||
           strcmp(run->run.exit_status, "0") != 0;
}

static size_t
count_good(const struct series *series)
{
    size_t n = 0;

    for (size_t i = 0; i < series->n_runs; i++)
        n += !series_has_failed(series->runs[i]);
    return n;
}

/* ---- rows ------------------------------------------------------------ */

/* The values of all runs for one quantity.  Wall clock time comes first, then
 * resources, counters and metrics. */
struct row {
    const char *metric;        /* for programs */
    const char *label;         /* for people */
    const char *unit;          /* "s" for times */
    enum hpm_state state;      /* of the first run without a value */
    enum hpm_state worst;      /* of the runs with a value */
    struct hpm_number *values; /* of good runs with a value */
    double divisor;            /* value / divisor is in the unit */
    size_t *runs;              /* numbers of these runs, from 1 on */
    bool *is_outlier;
    bool is_metric;
    size_t index;         /* of the metric */
    struct spread spread; /* n is 0 where there is no value */
};

/* The number of rows before the first metric. */
static size_t
count_counts(const struct series *series)
{
    return 1 + series->runs[0]->n_resources + series->runs[0]->n_counters;
}

static size_t
count_rows(const struct series *series)
{
    return count_counts(series) + series->metrics->n_metrics;
}

static bool
is_shown(const struct series *series, size_t row)
{
    return row < count_counts(series) ||
           series->of_metrics[row - count_counts(series)].is_shown;
}

/* Is this elapsed or processor time, or peak memory? */
static bool
is_in_head(const struct series *series, size_t row)
{
    static const char *const names[] = {"ru::utime", "ru::stime", "ru::maxrss"};

    for (size_t i = 0; row > 0 && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(series->runs[0]->resources[row - 1].name, names[i]) == 0)
            return true;
    }
    return row == 0;
}

/* Text has what the user asked for; the tables for programs have everything. */
static bool
is_in_text(const struct series *series, size_t row)
{
    size_t n = count_counts(series);

    if (!is_shown(series, row))
        return false;
    if (row <= series->runs[0]->n_resources)
        return series->extent == EXTENT_ALL || is_in_head(series, row);
    if (row < n)
        return true;
    if (series->extent == EXTENT_SCREEN)
        return false;
    return series->is_chosen == NULL || series->is_chosen[row - n];
}

/* The value as in a performance file; none where there is no value. */
static struct hpm_number
value_of(const struct series *series, size_t i, size_t row,
         enum hpm_state *state)
{
    const struct hpm_experiment *run = series->runs[i];
    const struct hpm_number none = {0};
    const struct hpm_value *value;

    if (row >= count_counts(series)) {
        size_t metric = row - count_counts(series);

        *state = isnan(series->values[i][metric])
                     ? series->of_metrics[metric].state
                     : series->of_metrics[metric].worst;
        return hpm_number_real(series->values[i][metric] /
                               series->metrics->metrics[metric].scale);
    }
    if (row == 0)
        return (struct hpm_number){.amount = run->records[0].time.total,
                                   .kind = HPM_NUMBER_SECONDS};
    if (row - 1 < run->n_resources) {
        const struct hpm_resource *resource = &run->resources[row - 1];

        if (!resource->is_known)
            *state = HPM_STATE_UNSUPPORTED;
        return resource->is_known ? hpm_number_count(resource->value) : none;
    }
    value = hpm_experiment_value(run, 0, row - 1 - run->n_resources);
    *state = value->state;
    return hpm_state_has_value(value->state) ? hpm_number_count(value->total)
                                             : none;
}

static void
name_row(struct row *row, const struct series *series, size_t i)
{
    const struct hpm_experiment *run = series->runs[0];

    if (i >= count_counts(series)) {
        const struct hpm_metric *metric =
            &series->metrics->metrics[i - count_counts(series)];

        row->metric = row->label = metric->shown;
        row->unit = metric->texts[HPM_TEXT_UNIT];
        row->is_metric = true;
        row->index = i - count_counts(series);
        if (row->unit == NULL)
            row->unit = "";
    } else if (i == 0) {
        row->metric = "time::wall";
        row->label = N_("wall clock time");
        row->unit = "s";
    } else if (i - 1 < run->n_resources) {
        row->metric = run->resources[i - 1].name;
        row->label = run->resources[i - 1].description;
        row->unit = run->resources[i - 1].unit;
    } else {
        row->metric = row->label = run->counters[i - 1 - run->n_resources].name;
        row->unit = run->counters[i - 1 - run->n_resources].unit;
    }
    row->divisor = 1.0;
    if (strcmp(row->unit, "ns") == 0) {
        row->divisor = 1e9;
        row->unit = "s";
    }
}

static void
clear_row(struct row *row)
{
    hpm_memory_free(row->values);
    hpm_memory_free(row->runs);
    hpm_memory_free(row->is_outlier);
}

/* Make a row; clear it also after a failure. */
static bool
make_row(struct row *row, const struct series *series, size_t i)
{
    size_t n = 0;

    *row = (struct row){
        .values = hpm_memory_new(series->n_runs, sizeof *row->values),
        .runs = hpm_memory_new(series->n_runs, sizeof *row->runs),
        .is_outlier = hpm_memory_new(series->n_runs, sizeof *row->is_outlier)};
    if (row->values == NULL || row->runs == NULL || row->is_outlier == NULL)
        return false;
    name_row(row, series, i);
    for (size_t run = 0; run < series->n_runs; run++) {
        enum hpm_state state = HPM_STATE_COUNTED;
        struct hpm_number value;

        if (series_has_failed(series->runs[run]))
            continue;
        value = value_of(series, run, i, &state);
        if (value.kind == HPM_NUMBER_NONE) {
            row->state = state;
            continue;
        }
        if (state > row->worst)
            row->worst = state;
        row->values[n] = value;
        row->runs[n++] = run + 1;
    }
    return n == 0 || spread_find(&row->spread, row->is_outlier, row->values,
                                 row->divisor, n);
}

/* ---- text ------------------------------------------------------------ */

enum { N_CELLS = 5, LABEL_WIDTH = 29 };

static const char *const headings[N_CELLS] = {
    N_("mean"), "+- (95 %)", N_("deviation"), "%", N_("minimum")};
static const int widths[N_CELLS] = {17, 14, 14, 7, 17};

static void
add_right(struct hpm_string *string, const char *text, int width)
{
    hpm_string_add_char(string, ' ');
    hpm_string_add_blanks(string, hpm_text_width(text),
                          width > 0 ? (size_t)width - 1 : 0);
    hpm_string_add(string, text);
}

static void
add_string_right(struct hpm_string *string, struct hpm_string *text, int width)
{
    add_right(string, hpm_string_text(text), width);
    hpm_string_finish(text, &string->failed);
}

/* Seconds with microseconds, counts with grouped digits and, if they may have
 * decimals, one decimal; other metrics with three decimals. */
static void
add_number(struct hpm_string *string, double value, const struct row *row,
           bool is_whole, int width)
{
    struct hpm_string text = {0};

    if (isnan(value)) {
        hpm_string_add(&text, "-");
    } else if (strcmp(row->unit, "s") == 0) {
        hpm_string_add_fixed(&text, value, 6);
    } else if (row->is_metric) {
        hpm_string_add_fixed(&text, value, 3);
    } else if (value < 0.0 || value > 9e14) { /* tenths are exact below 2^53 */
        hpm_string_add_fixed(&text, value, is_whole ? 0 : 1);
    } else {
        double tenths = floor(value * 10.0 + 0.5);

        hpm_string_add_grouped(&text, (uint64_t)(tenths / 10.0));
        if (!is_whole)
            hpm_string_add_format(&text, ".%d", (int)((uint64_t)tenths % 10));
    }
    add_string_right(string, &text, width);
}

/* The value as counted, with all digits. */
static void
add_exact_number(struct hpm_string *string, struct hpm_number exact,
                 double value, const struct row *row, bool is_whole, int width)
{
    struct hpm_string text = {0};

    if (exact.kind != HPM_NUMBER_COUNT || row->divisor != 1.0 ||
        exact.amount < 1000000000000000) {
        add_number(string, value, row, is_whole, width);
        return;
    }
    hpm_string_add_grouped(&text, exact.amount);
    hpm_string_add(&text, is_whole ? "" : ".0");
    add_string_right(string, &text, width);
}

static void
add_percent(struct hpm_string *string, const struct spread *spread, int width)
{
    struct hpm_string text = {0};

    if (isnan(spread->deviation) || spread->mean == 0.0)
        hpm_string_add(&text, "-");
    else
        hpm_string_add_fixed(&text, 100.0 * spread->deviation / spread->mean,
                             1);
    add_string_right(string, &text, width);
}

static void
add_label(struct hpm_string *string, const char *label)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, label);
    hpm_string_add_format(string, "  %s", hpm_string_text(&safe));
    for (size_t i = hpm_text_width(hpm_string_text(&safe)); i < LABEL_WIDTH;
         i++)
        hpm_string_add_char(string, ' ');
    hpm_string_finish(&safe, &string->failed);
}

/* Counters and metrics have the names that -e and -m know. */
static const char *
label_of(const struct row *row)
{
    return row->label == row->metric ? row->label : _(row->label);
}

static void
add_text_row(struct hpm_string *string, const struct row *row, size_t n_good)
{
    const struct spread *spread = &row->spread;

    add_label(string, label_of(row));
    if (spread->n == 0) {
        add_right(string, "-", widths[0]);
        hpm_string_add_format(string, "  %s", _(hpm_state_name(row->state)));
    } else {
        add_exact_number(string, spread->exact_mean, spread->mean, row, false,
                         widths[0]);
        add_number(string, spread->high - spread->mean, row, false, widths[1]);
        add_number(string, spread->deviation, row, false, widths[2]);
        add_percent(string, spread, widths[3]);
        add_exact_number(string, spread->exact_minimum, spread->minimum, row,
                         true, widths[4]);
        if (row->unit[0] != '\0')
            hpm_string_add_format(string, " %s", row->unit);
        if (row->worst != HPM_STATE_COUNTED)
            hpm_string_add_format(string, "  %s",
                                  _(hpm_state_name(row->worst)));
        if (spread->n < n_good)
            hpm_string_add_format(string, _("  (in %zu of %zu runs)"),
                                  spread->n, n_good);
    }
    hpm_string_add_char(string, '\n');
}

/* Append "exit status 3", "ended by signal 9" or "still running". */
static void
add_failure(struct hpm_string *string, const struct hpm_run *run)
{
    if (run->exit_status == NULL)
        hpm_string_add(string, "still running");
    else
        hpm_string_add_format(string, "%s%s",
                              run->exit_status[0] == 's' ? "ended by "
                                                         : "exit status ",
                              run->exit_status);
}

static void
add_outliers(struct hpm_string *string, const struct row *row)
{
    for (size_t i = 0; i < row->spread.n; i++) {
        if (!row->is_outlier[i])
            continue;
        hpm_string_add_format(string, _("note: run %zu is an outlier: %s"),
                              row->runs[i], label_of(row));
        add_exact_number(string, row->values[i],
                         hpm_number_to_real(row->values[i]) / row->divisor, row,
                         true, 0);
        hpm_string_add_format(string, _("%s%s (median"),
                              row->unit[0] != '\0' ? " " : "", row->unit);
        add_exact_number(string, row->spread.exact_median, row->spread.median,
                         row, false, 0);
        hpm_string_add(string, ")\n");
    }
}

static void
add_headline(struct hpm_string *string, const struct series *series)
{
    size_t n_good = count_good(series);

    hpm_string_add(string, "\nhpmcount: ");
    hpm_string_add_safe(string, series->runs[0]->run.program);
    hpm_string_add_format(
        string, hpm_words_of(", %zu run", ", %zu runs", n_good), n_good);
    if (series->n_runs < series->n_wanted)
        hpm_string_add_format(string, _(" of %zu wanted"), series->n_wanted);
    if (series->n_warmups > 0)
        hpm_string_add_format(string, _(" after %zu to warm up"),
                              series->n_warmups);
    hpm_string_add(string, "\n\n");
}

static void
add_failed_runs(struct hpm_string *string, const struct series *series)
{
    for (size_t i = 0; i < series->n_runs; i++) {
        struct hpm_string why = {0}, shown = {0};

        if (!series_has_failed(series->runs[i]))
            continue;
        add_failure(&why, &series->runs[i]->run);
        hpm_sentence_add(&shown, hpm_string_text(&why));
        hpm_string_add_format(
            string, _("note: run %zu failed (%s) and is not counted here\n"),
            i + 1, hpm_string_text(&shown));
        hpm_string_finish(&why, &string->failed);
        hpm_string_finish(&shown, &string->failed);
    }
}

/* Notes common to all runs are taken from the first good run; where only
 * another run has a problem, from that run. */
static void
add_common_notes(struct hpm_string *string, const struct series *series)
{
    size_t first = series->n_runs, chosen = series->n_runs;
    char prefix[64] = "note: ";
    struct hpm_string notes = {0};

    for (size_t i = series->n_runs; i-- > 0;) {
        if (series_has_failed(series->runs[i]))
            continue;
        first = i;
        if (series->runs[i]->n_problems > 0)
            chosen = i;
    }
    if (first == series->n_runs)
        return;
    if (chosen == series->n_runs)
        chosen = first;
    if (chosen != first || series->runs[chosen]->n_problems > 0)
        snprintf(prefix, sizeof prefix, N_("note: run %zu: "), chosen + 1);
    hpm_sections_add_notes(&notes, series->runs[chosen], prefix);
    hpm_sentence_add_lines(string, hpm_string_text(&notes), "");
    hpm_string_finish(&notes, &string->failed);
}

static void
add_table(struct hpm_string *string, struct hpm_string *notes,
          const struct series *series)
{
    size_t n_good = count_good(series);

    add_label(string, "");
    for (size_t i = 0; i < N_CELLS; i++)
        add_right(string, _(headings[i]), widths[i]);
    hpm_string_add_char(string, '\n');
    for (size_t i = 0; i < count_rows(series); i++) {
        struct row row;
        bool is_resource = i > 0 && i <= series->runs[0]->n_resources;

        if (!is_in_text(series, i))
            continue;
        if (!make_row(&row, series, i))
            string->failed = true;
        else if (row.spread.n > 0 || !is_resource) /* Linux lacks some */
            add_text_row(string, &row, n_good);
        /* no outliers of resources, which are coarse, nor of metrics, which
         * repeat counters */
        if (!is_resource && !row.is_metric)
            add_outliers(notes, &row);
        clear_row(&row);
    }
}

/* A hint of fewer than half of the runs is not given. */
static struct hpm_ranking
rank(const struct series *series)
{
    struct hpm_ranking ranking = series->ranking;

    ranking.n_runs = count_good(series);
    ranking.least_places = (ranking.n_runs + 1) / 2;
    ranking.bad_runs = series->bad_runs;
    return ranking;
}

void
series_add_text(struct hpm_string *string, const struct series *series)
{
    const struct hpm_ranking ranking = rank(series);
    struct hpm_string notes = {0};

    add_headline(string, series);
    if (count_good(series) > 0)
        add_table(string, &notes, series);
    else
        hpm_string_add(string,
                       _("no run succeeded: there is nothing to average\n"));
    hpm_string_add_char(string, '\n');
    hpm_string_add(string, hpm_string_text(&notes));
    add_failed_runs(string, series);
    add_common_notes(string, series);
    hpm_hints_add_text(string, &ranking, false, hinting_show_run, NULL);
    hpm_string_finish(&notes, &string->failed);
}

/* ---- CSV and JSON ---------------------------------------------------- */

static const char *const columns[] = {
    "metric", "unit",  "runs",   "mean",     "sdev",  "min",  "max",
    "median", "low95", "high95", "outliers", "state", "hint", "explained"};

/* "3 7", or "" for none. */
static void
add_outlier_cell(struct hpm_table *table, const struct row *row)
{
    struct hpm_string text = {0};

    hpm_string_add(&text, "");
    for (size_t i = 0; i < row->spread.n; i++) {
        if (row->is_outlier[i])
            hpm_string_add_format(&text, "%s%zu", text.length > 0 ? " " : "",
                                  row->runs[i]);
    }
    hpm_table_add_string(table, &text);
}

/* A count in its own unit is exact, with more digits than a double may have. */
static void
add_exact(struct hpm_table *table, const struct row *row,
          struct hpm_number exact, double value)
{
    if (row->spread.n > 0 && exact.kind == HPM_NUMBER_COUNT &&
        row->divisor == 1.0)
        hpm_table_add_count(table, exact.amount);
    else
        hpm_table_add_real(table, row->spread.n > 0 ? value : NAN);
}

static void
add_table_row(struct hpm_table *table, const struct row *row,
              const struct hpm_ranking *ranking)
{
    const struct spread *spread = &row->spread;
    bool is_there = spread->n > 0;

    hpm_table_add_text(table, row->metric);
    hpm_table_add_text(table, row->unit);
    hpm_table_add_count(table, spread->n);
    add_exact(table, row, spread->exact_mean, spread->mean);
    hpm_table_add_real(table, is_there ? spread->deviation : NAN);
    add_exact(table, row, spread->exact_minimum, spread->minimum);
    add_exact(table, row, spread->exact_maximum, spread->maximum);
    add_exact(table, row, spread->exact_median, spread->median);
    hpm_table_add_real(table, is_there ? spread->low : NAN);
    hpm_table_add_real(table, is_there ? spread->high : NAN);
    add_outlier_cell(table, row);
    hpm_table_add_text(table,
                       hpm_state_name(spread->n > 0 ? row->worst : row->state));
    hpm_hints_add_mark(table, row->is_metric ? ranking : NULL, row->index,
                       HPM_HINTS_ANYWHERE);
}

static void
fill_table(struct hpm_table *table, const struct series *series)
{
    const struct hpm_ranking ranking = rank(series);

    hpm_table_add_columns(table, columns, sizeof columns / sizeof columns[0],
                          0);
    for (size_t i = 0; i < count_rows(series); i++) {
        struct row row;

        if (!is_shown(series, i))
            continue;
        if (!make_row(&row, series, i))
            table->failed = true;
        else if (row.spread.n > 0 || !hpm_state_has_value(row.state))
            add_table_row(table, &row, &ranking); /* NULL: no run was good */
        clear_row(&row);
    }
}

void
series_add_remarks(struct hpm_string *lines, const struct series *series)
{
    for (size_t i = 0; i < series->n_runs; i++) {
        const struct hpm_experiment *run = series->runs[i];
        bool is_left_out = series->n_wanted > 1 && series_has_failed(run);
        char prefix[64] = "";

        if (series->n_wanted > 1)
            snprintf(prefix, sizeof prefix, "run %zu: ", i + 1);
        if (is_left_out) {
            hpm_string_add_format(lines, "%sfailed (", prefix);
            add_failure(lines, &run->run);
            hpm_string_add(lines, ") and is not counted here\n");
        }
        for (size_t j = 0; j < run->n_problems && !is_left_out; j++) {
            hpm_string_add(lines, prefix);
            hpm_string_add_safe(lines, run->problems[j].text);
            hpm_string_add_char(lines, '\n');
        }
    }
}

void
series_add_csv(struct hpm_string *string, const struct series *series)
{
    struct hpm_table table = {0};

    fill_table(&table, series);
    hpm_csv_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

static void
add_json_failures(struct hpm_string *string, const struct series *series)
{
    const char *separator = "";

    for (size_t i = 0; i < series->n_runs; i++) {
        struct hpm_string why = {0};

        if (!series_has_failed(series->runs[i]))
            continue;
        add_failure(&why, &series->runs[i]->run);
        hpm_string_add_format(string, "%s{\"run\":%zu,\"why\":\"%s\"}",
                              separator, i + 1, hpm_string_text(&why));
        separator = ",";
        hpm_string_finish(&why, &string->failed);
    }
}

static void
add_json_problems(struct hpm_string *string, const struct series *series)
{
    const char *separator = "";

    for (size_t i = 0; i < series->n_runs; i++) {
        const struct hpm_experiment *run = series->runs[i];

        for (size_t j = 0; j < run->n_problems; j++) {
            hpm_string_add_format(string, "%s{\"run\":%zu,\"text\":", separator,
                                  i + 1);
            hpm_json_add_text(string, run->problems[j].text);
            hpm_string_add_char(string, '}');
            separator = ",";
        }
    }
}

static void
add_json_hints(struct hpm_string *string, const struct series *series)
{
    const struct hpm_ranking ranking = rank(series);
    struct hpm_table table = {0};

    hpm_hints_begin_table(&table);
    hpm_hints_add_rows(&table, &ranking, false, hinting_name_run, NULL);
    hpm_json_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

void
series_add_json(struct hpm_string *string, const struct series *series)
{
    struct hpm_table table = {0};

    hpm_string_add(string, "{\"tool\":\"" PACKAGE_TARNAME " " PACKAGE_VERSION
                           "\",\"version\":2,\"program\":");
    hpm_json_add_text(string, series->runs[0]->run.program);
    hpm_string_add_format(string,
                          ",\"wanted\":%zu,\"warmups\":%zu,\"failed\":[",
                          series->n_wanted, series->n_warmups);
    add_json_failures(string, series);
    hpm_string_add(string, "],\"problems\":[");
    add_json_problems(string, series);
    hpm_string_add(string, "],\"hints\":");
    add_json_hints(string, series);
    hpm_string_add(string, ",\"data\":");
    fill_table(&table, series);
    hpm_json_add_table(string, &table);
    hpm_string_add(string, "}\n");
    hpm_table_finish(&table, &string->failed);
}
