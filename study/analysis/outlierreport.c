/* SPDX-License-Identifier: BSD-3-Clause
 * Outliers, in words and tables. */
#include "study/analysis/outlierreport.h"

#include <math.h>

#include "host/memory.h"
#include "study/points/pointlabels.h"
#include "study/multivariate/outliers.h"

enum { MOST_SHOWN = 20, MOST_REASONS = 3 };

struct report {
    const struct hpm_observations *observations;
    const struct hpm_matrix *matrix;
    struct hpm_outliers outliers;
    size_t *order; /* of the points that are outliers, the farthest first */
    size_t n;
    struct hpm_account *account;
};

/* ---- which
 * ----------------------------------------------------------------------- */

/* By insertion: outliers are few, and of many only the farthest
 * are shown. */
static void
find_outliers(struct report *report)
{
    const double *distances = report->outliers.distances;

    for (size_t i = 0; i < report->matrix->n_rows; i++) {
        size_t at = report->n;

        if (!(distances[i] > report->outliers.limit))
            continue;
        if (report->n++ >= MOST_SHOWN)
            at = MOST_SHOWN;
        for (; at > 0 && distances[report->order[at - 1]] < distances[i]; at--)
            report->order[at] = report->order[at - 1];
        report->order[at] = i;
    }
}

/* How far a value is from the median, in widths. */
static double
off_of(const struct report *report, size_t row, size_t column)
{
    double width = report->outliers.widths[column];

    return width > 0.0 ? (hpm_matrix_get(report->matrix, row, column) -
                          report->outliers.centers[column]) /
                             width
                       : 0.0;
}

/* "MEM_SCY 12.3 above, L1_TCM 5.0 below": what is farthest first. */
static void
add_reasons(const struct report *report, size_t row, struct hpm_string *text)
{
    double before = INFINITY;
    size_t last = 0;

    for (int n = 0; n < MOST_REASONS; n++) {
        double most = 0.0;
        size_t best = 0;

        for (size_t j = 0; j < report->matrix->n_columns; j++) {
            double off = fabs(off_of(report, row, j));

            if (off > most && (off < before || (off == before && j > last))) {
                most = off;
                best = j;
            }
        }
        if (most < 2.0 && n > 0)
            return;
        hpm_string_add_format(
            text, "%s%s ", n > 0 ? ", " : "",
            hpm_observations_column(report->observations, best)->name);
        hpm_string_add_fixed(text, most, 1);
        hpm_string_add(text,
                       off_of(report, row, best) < 0.0 ? " below" : " above");
        before = most;
        last = best;
    }
}

/* ---- in words and tables
 * ------------------------------------------------------------- */

static void
say_how(const struct report *report)
{
    struct hpm_string text = {0};

    hpm_account_add_count_fact(report->account, "outliers_found", report->n);
    hpm_account_add_real_fact(report->account, "limit", report->outliers.limit);
    hpm_string_add_format(
        &text,
        report->n == 0   ? "No point lies apart: none is farther than "
        : report->n == 1 ? "One point lies apart: it is farther than "
                         : "%zu points lie apart: they are farther than ",
        report->n);
    hpm_string_add_fixed(&text, report->outliers.limit, 2);
    hpm_string_add(&text, " from the middle, where chance would put one of all "
                          "points in 1 of 40 such runs.");
    hpm_account_say_string(report->account, &text);
    if (!report->outliers.are_turned)
        hpm_account_say(report->account,
                        "Each column is taken by itself: for columns that go "
                        "together there are fewer than 5 points a column.");
}

static void
add_outliers(const struct report *report)
{
    size_t n = report->n < MOST_SHOWN ? report->n : MOST_SHOWN;
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_TABLE, "outliers",
        "What is odd in them? How far a metric is above or below its median, "
        "in "
        "1.4826 times the median distance from it (a deviation, of normal "
        "values).");

    if (table == NULL)
        return;
    hpm_table_add_column(table, "point", NULL, 0);
    hpm_table_add_column(table, "distance", NULL, 2);
    hpm_table_add_column(table, "reasons", "farthest from the median", 0);
    for (size_t i = 0; i < n; i++) {
        struct hpm_string name = {0}, reasons = {0};

        hpm_pointlabels_add(
            &name, report->observations->points,
            report->observations->preparation.rows[report->order[i]]);
        add_reasons(report, report->order[i], &reasons);
        hpm_table_add_string(table, &name);
        hpm_table_add_real(table, report->outliers.distances[report->order[i]]);
        hpm_table_add_string(table, &reasons);
    }
    if (report->n > MOST_SHOWN)
        hpm_account_say(report->account,
                        "These are the farthest %d; hpm outliers "
                        "--format csv has all.",
                        MOST_SHOWN);
}

static void
add_distances(const struct report *report)
{
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_DATA, "distances", NULL);

    if (table == NULL)
        return;
    hpm_observations_add_labels(report->observations, table);
    hpm_table_add_column(table, "distance", NULL, 2);
    hpm_table_add_column(table, "outlier", NULL, 0);
    for (size_t i = 0; i < report->matrix->n_rows; i++) {
        double distance = report->outliers.distances[i];

        hpm_observations_add_label(report->observations, table, i);
        hpm_table_add_real(table, distance);
        hpm_table_add_count(table, distance > report->outliers.limit);
    }
}

bool
hpm_outlierreport_describe(const struct hpm_observations *observations,
                           struct hpm_account *account, struct hpm_error *err)
{
    struct report report = {.observations = observations,
                            .matrix = &observations->preparation.matrix,
                            .account = account};

    report.order = hpm_memory_new(MOST_SHOWN + 1, sizeof *report.order);
    if (report.order == NULL ||
        !hpm_outliers_init(&report.outliers, report.matrix)) {
        hpm_memory_free(report.order);
        return hpm_error_no_memory(err);
    }
    find_outliers(&report);
    hpm_observations_describe(observations, account);
    say_how(&report);
    if (report.n > 0)
        add_outliers(&report);
    add_distances(&report);
    hpm_outliers_clear(&report.outliers);
    hpm_memory_free(report.order);
    return true;
}
