/* SPDX-License-Identifier: BSD-3-Clause
 * The points of one section. */
#include "study/analysis/observations.h"

#include <math.h>

#include "host/memory.h"
#include "study/points/pointlabels.h"
#include "study/multivariate/correlation.h"

/* ---- making them fit
 * --------------------------------------------------------- */

static size_t
count_fates(const struct hpm_observations *observations,
            enum hpm_column_fate fate)
{
    size_t n = 0;

    for (size_t j = 0; j < observations->points->n_columns; j++)
        n += observations->preparation.fates[j] == fate;
    return n;
}

/* "A, B and 3 more". */
static void
add_names(const struct hpm_observations *observations,
          enum hpm_column_fate fate, struct hpm_string *string)
{
    enum { MOST = 8 };
    size_t n = 0;

    for (size_t j = 0; j < observations->points->n_columns; j++) {
        if (observations->preparation.fates[j] != fate)
            continue;
        if (n++ < MOST)
            hpm_string_add_format(string, "%s%s", n > 1 ? ", " : "",
                                  observations->points->columns[j].name);
    }
    if (n > MOST)
        hpm_string_add_format(string, " and %zu more", n - MOST);
}

static bool
set_too_few(const struct hpm_observations *observations, size_t least_rows,
            size_t least_columns, struct hpm_error *err)
{
    const struct hpm_preparation *preparation = &observations->preparation;
    size_t n_rows = preparation->matrix.n_rows;
    size_t n_constant = count_fates(observations, HPM_FATE_CONSTANT);
    size_t n_missing = count_fates(observations, HPM_FATE_MISSING);

    if (n_rows < least_rows)
        return hpm_error_set(err,
                             "the section has %zu of the %zu points that this "
                             "takes, after %zu in which a value is missing; "
                             "hpm points shows them",
                             n_rows, least_rows, preparation->n_dropped_rows);
    return hpm_error_set(err,
                         "%zu of the %zu columns that this takes are left: %zu "
                         "are the same in all points, %zu missing in more than "
                         "half of them; hpm points shows them, --raw and "
                         "--metrics take others",
                         preparation->matrix.n_columns, least_columns,
                         n_constant, n_missing);
}

bool
hpm_observations_init(struct hpm_observations *observations,
                      const struct hpm_points *points, enum hpm_scaling scaling,
                      size_t least_rows, size_t least_columns,
                      struct hpm_error *err)
{
    struct hpm_raw_column *columns =
        hpm_memory_new(points->n_columns + 1, sizeof *columns);
    bool is_good;

    *observations =
        (struct hpm_observations){.points = points, .scaling = scaling};
    for (size_t j = 0; j < points->n_columns && columns != NULL; j++)
        columns[j] =
            (struct hpm_raw_column){.values = points->columns[j].values,
                                    .is_exact = points->columns[j].is_exact};
    is_good = columns != NULL &&
              hpm_preparation_init(&observations->preparation, columns,
                                   points->n_columns, points->n, scaling);
    hpm_memory_free(columns);
    if (!is_good)
        return hpm_error_no_memory(err);
    if (observations->preparation.matrix.n_rows >= least_rows &&
        observations->preparation.matrix.n_columns >= least_columns)
        return true;
    set_too_few(observations, least_rows, least_columns, err);
    hpm_observations_clear(observations);
    return false;
}

void
hpm_observations_clear(struct hpm_observations *observations)
{
    hpm_preparation_clear(&observations->preparation);
}

const struct hpm_points_column *
hpm_observations_column(const struct hpm_observations *observations,
                        size_t column)
{
    return &observations->points
                ->columns[observations->preparation.columns[column]];
}

/* ---- in words
 * ------------------------------------------------------------------ */

/* Do two columns tell each other?  |r| is 1, but for rounding. */
static bool
are_twins(const double *correlations, size_t p, size_t a, size_t b)
{
    return fabs(correlations[a * p + b]) > 1.0 - 1e-12;
}

/* Say which columns tell what column `a` tells, unless an earlier one told it: a
 * sentence for each set of columns, not for each pair. */
static void
say_twins_of(const struct hpm_observations *observations,
             const double *correlations, size_t a, struct hpm_account *account)
{
    size_t p = observations->preparation.matrix.n_columns, n = 1, last = a;
    struct hpm_string names = {0};

    for (size_t b = 0; b < p; b++) {
        if (!are_twins(correlations, p, a, b) || b == a)
            continue;
        if (b < a) {
            hpm_string_free(&names);
            return;
        }
        if (n++ > 1)
            hpm_string_add_format(
                &names, ", %s",
                hpm_observations_column(observations, last)->name);
        else
            hpm_string_add(&names,
                           hpm_observations_column(observations, a)->name);
        last = b;
    }
    if (n == 2)
        hpm_account_say(
            account,
            "%s and %s say the same (their correlation is %s1): they "
            "count twice here.",
            hpm_string_text(&names),
            hpm_observations_column(observations, last)->name,
            correlations[a * p + last] < 0.0 ? "-" : "");
    else if (n > 2)
        hpm_account_say(account,
                        "%s and %s say the same (their correlations are 1 or "
                        "-1): they count %zu times here.",
                        hpm_string_text(&names),
                        hpm_observations_column(observations, last)->name, n);
    account->failed |= names.failed;
    hpm_string_free(&names);
}

static void
say_twins(const struct hpm_observations *observations,
          struct hpm_account *account)
{
    const struct hpm_matrix *matrix = &observations->preparation.matrix;
    size_t p = matrix->n_columns;
    double *correlations = hpm_memory_new(p * p + 1, sizeof *correlations);

    account->failed |=
        correlations == NULL || !hpm_correlation_fill(matrix, correlations);
    for (size_t a = 0; a < p && !account->failed; a++)
        say_twins_of(observations, correlations, a, account);
    hpm_memory_free(correlations);
}

static void
say_dropped(const struct hpm_observations *observations,
            struct hpm_account *account)
{
    static const struct {
        enum hpm_column_fate fate;
        const char *words;
    } fates[] = {
        {HPM_FATE_MISSING, "missing in more than half of the points"},
        {HPM_FATE_CONSTANT, "the same in all points"},
        {HPM_FATE_TOO_LARGE, "too large without scaling"},
    };

    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++) {
        struct hpm_string text = {0};
        size_t n = count_fates(observations, fates[i].fate);

        if (n == 0)
            continue;
        hpm_string_add_format(&text, "%zu %s left out, %s: ", n,
                              n == 1 ? "column is" : "columns are",
                              fates[i].words);
        add_names(observations, fates[i].fate, &text);
        hpm_string_add_char(&text, '.');
        hpm_account_say_string(account, &text);
    }
    if (observations->preparation.n_dropped_rows > 0)
        hpm_account_say(account,
                        "%zu of %zu points are left out: a value is missing in "
                        "them.",
                        observations->preparation.n_dropped_rows,
                        observations->points->n);
    if (observations->points->is_raw)
        hpm_account_say(account, "No metric can be computed of what was "
                                 "counted: the columns are counters.");
}

void
hpm_observations_describe(const struct hpm_observations *observations,
                          struct hpm_account *account)
{
    static const char *const scalings[] = {
        [HPM_SCALING_Z] = "each column less its mean, divided by its deviation",
        [HPM_SCALING_RANGE] = "each column from 0 (its least) to 1 (its most)",
        [HPM_SCALING_ROBUST] = "each column by medians in place of means",
        [HPM_SCALING_NONE] = "not scaled: large columns outweigh small ones"};
    static const char *const names[] = {"z", "range", "robust", "none"};
    const struct hpm_points *points = observations->points;
    const struct hpm_matrix *matrix = &observations->preparation.matrix;
    struct hpm_string text = {0};

    hpm_pointlabels_add_section(&text, points, 0);
    hpm_account_add_text_fact(account, "section", hpm_string_text(&text));
    hpm_string_clear(&text);
    hpm_survey_add_name(points->survey, points->all[0].subject, &text);
    hpm_account_add_text_fact(account, "scale", names[observations->scaling]);
    hpm_account_add_count_fact(account, "points", matrix->n_rows);
    hpm_account_add_count_fact(account, "columns", matrix->n_columns);
    hpm_account_say(account, "%s: %zu points, %zu columns; %s.",
                    hpm_string_text(&text), matrix->n_rows, matrix->n_columns,
                    scalings[observations->scaling]);
    hpm_string_free(&text);
    say_dropped(observations, account);
    say_twins(observations, account);
}

/* ---- in tables
 * -------------------------------------------------------------------- */

void
hpm_observations_add_labels(const struct hpm_observations *observations,
                            struct hpm_table *table)
{
    static const char *const names[] = {"section", "task", "thread"};

    hpm_table_add_columns(table, names, sizeof names / sizeof *names, 0);
    if (observations->points->calls != NULL)
        hpm_table_add_column(table, "call", NULL, 0);
}

void
hpm_observations_add_label(const struct hpm_observations *observations,
                           struct hpm_table *table, size_t row)
{
    size_t point = observations->preparation.rows[row];
    const struct hpm_point *here = &observations->points->all[point];
    struct hpm_string label = {0};

    hpm_pointlabels_add_section(&label, observations->points, point);
    hpm_table_add_string(table, &label);
    hpm_table_add_integer(table, here->task);
    if (here->thread >= 0)
        hpm_table_add_integer(table, here->thread);
    else
        hpm_table_add_none(table);
    if (observations->points->calls != NULL)
        hpm_table_add_integer(table, here->call);
}
