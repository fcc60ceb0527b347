/* SPDX-License-Identifier: BSD-3-Clause
 * Principal components, in words and tables. */
#include "study/analysis/componentreport.h"

#include "host/memory.h"
#include "study/multivariate/components.h"

/* In tables of a column for each; JSON and CSV have all of them, too, in a row
 * for each column and component. */
enum { MOST_SHOWN = 6, MOST_SCORES = 3, MOST_LINES = 12 };

static const char *const names[MOST_SHOWN] = {"PC1", "PC2", "PC3",
                                              "PC4", "PC5", "PC6"};

struct report {
    const struct hpm_observations *observations;
    const struct hpm_matrix *matrix;
    struct hpm_components components;
    size_t n_large, n_shown;
    double sum; /* of the eigenvalues */
    struct hpm_account *account;
};

/* ---- how many
 * ---------------------------------------------------------------- */

static void
say_sum(const struct report *report)
{
    struct hpm_string text = {0};
    double part = 0.0;

    for (size_t k = 0; k < report->n_large; k++)
        part += report->components.values[k] / report->sum;
    hpm_string_add_format(
        &text,
        "%zu of %zu components say more than a single column "
        "does (an eigenvalue above %s); together they have ",
        report->n_large, report->components.n,
        report->observations->scaling == HPM_SCALING_Z ? "1" : "the mean");
    hpm_string_add_fixed(&text, 100.0 * part, 1);
    hpm_string_add(&text, " % of the spread.");
    hpm_account_say_string(report->account, &text);
    hpm_account_add_count_fact(report->account, "large", report->n_large);
}

/* A bar for the eigenvalue: the "scree". */
static void
add_bar(const struct report *report, struct hpm_table *table, size_t k)
{
    enum { WIDTH = 30 };
    struct hpm_string bar = {0};
    double part = report->components.values[k] / report->components.values[0];

    for (int i = 0; i < WIDTH && (double)i < part * WIDTH; i++)
        hpm_string_add_char(&bar, '#');
    hpm_table_add_string(table, &bar);
}

static void
add_values(const struct report *report, enum hpm_account_kind kind,
           const char *name, size_t n)
{
    const struct hpm_components *components = &report->components;
    struct hpm_table *table = hpm_account_add_table(
        report->account, kind, name,
        "How many components matter? Each is a direction in which the points "
        "are spread; its eigenvalue is how much, its proportion which part of "
        "all. Where the bars bend, the rest is chance.");
    double before = 0.0;

    if (table == NULL)
        return;
    hpm_table_add_column(table, "component", NULL, 0);
    hpm_table_add_column(table, "eigenvalue", NULL, 3);
    hpm_table_add_column(table, "proportion", NULL, 3);
    hpm_table_add_column(table, "cumulative", NULL, 3);
    if (kind == HPM_ACCOUNT_TABLE)
        hpm_table_add_column(table, "bar", "", 0);
    for (size_t k = 0; k < n; k++) {
        before += components->values[k];
        hpm_table_add_count(table, k + 1);
        hpm_table_add_real(table, components->values[k]);
        hpm_table_add_real(table, components->values[k] / report->sum);
        hpm_table_add_real(table, before / report->sum);
        if (kind == HPM_ACCOUNT_TABLE)
            add_bar(report, table, k);
    }
}

/* ---- what they are made of
 * ------------------------------------------------------ */

static void
add_weights(const struct report *report)
{
    const struct hpm_components *components = &report->components;
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_TABLE, "weights",
        "What are they made of? A weight far from 0 says that the metric is a "
        "large part of the component; two metrics of one sign rise together "
        "along it, of different signs one falls as the other rises.");

    if (table == NULL)
        return;
    hpm_table_add_column(table, "metric", NULL, 0);
    hpm_table_add_columns(table, names, report->n_shown, 3);
    for (size_t j = 0; j < components->n; j++) {
        hpm_table_add_text(
            table, hpm_observations_column(report->observations, j)->name);
        for (size_t k = 0; k < report->n_shown; k++)
            hpm_table_add_real(table,
                               components->weights[k * components->n + j]);
    }
}

static void
add_rotation(const struct report *report)
{
    const struct hpm_components *components = &report->components;
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_DATA, "rotation", NULL);

    if (table == NULL)
        return;
    hpm_table_add_column(table, "component", NULL, 0);
    hpm_table_add_column(table, "metric", NULL, 0);
    hpm_table_add_column(table, "weight", NULL, 3);
    for (size_t k = 0; k < components->n; k++) {
        for (size_t j = 0; j < components->n; j++) {
            hpm_table_add_count(table, k + 1);
            hpm_table_add_text(
                table, hpm_observations_column(report->observations, j)->name);
            hpm_table_add_real(table,
                               components->weights[k * components->n + j]);
        }
    }
}

/* ---- where the points are
 * --------------------------------------------------------- */

static bool
add_scores(const struct report *report)
{
    size_t n = report->matrix->n_rows;
    size_t n_scores =
        report->components.n < MOST_SCORES ? report->components.n : MOST_SCORES;
    double *scores = hpm_memory_new(n * n_scores + 1, sizeof *scores);
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_DATA, "scores", NULL);

    if (scores == NULL || table == NULL) {
        hpm_memory_free(scores);
        return false;
    }
    for (size_t k = 0; k < n_scores; k++)
        hpm_components_score(&report->components, report->matrix, k,
                             scores + k * n);
    hpm_observations_add_labels(report->observations, table);
    hpm_table_add_columns(table, names, n_scores, 3);
    for (size_t i = 0; i < n; i++) {
        hpm_observations_add_label(report->observations, table, i);
        for (size_t k = 0; k < n_scores; k++)
            hpm_table_add_real(table, scores[k * n + i]);
    }
    hpm_memory_free(scores);
    return true;
}

bool
hpm_componentreport_describe(const struct hpm_observations *observations,
                             struct hpm_account *account, struct hpm_error *err)
{
    struct report report = {.observations = observations,
                            .matrix = &observations->preparation.matrix,
                            .account = account};
    size_t n = report.matrix->n_columns;
    bool is_good;

    if (!hpm_components_init(&report.components, report.matrix))
        return hpm_error_no_memory(err);
    report.n_large = hpm_components_count_large(&report.components);
    report.n_shown = report.n_large > 2 ? report.n_large : 2;
    report.n_shown = report.n_shown < MOST_SHOWN ? report.n_shown : MOST_SHOWN;
    report.n_shown = report.n_shown < n ? report.n_shown : n;
    for (size_t k = 0; k < n; k++)
        report.sum += report.components.values[k];
    hpm_observations_describe(observations, account);
    say_sum(&report);
    add_values(&report, HPM_ACCOUNT_TABLE, "largest",
               n < MOST_LINES ? n : MOST_LINES);
    add_values(&report, HPM_ACCOUNT_DATA, "components", n);
    add_weights(&report);
    add_rotation(&report);
    is_good = add_scores(&report) || hpm_error_no_memory(err);
    hpm_components_clear(&report.components);
    return is_good;
}
