/* SPDX-License-Identifier: BSD-3-Clause
 * Factor analysis, in words and tables. */
#include "study/analysis/factorreport.h"

#include <math.h>

#include "host/memory.h"
#include "study/multivariate/correlation.h"
#include "study/multivariate/factors.h"
#include "study/multivariate/jacobi.h"
#include "study/multivariate/tails.h"

enum { MOST_FACTORS = 12 };

static const char *const names[MOST_FACTORS] = {
    "factor_1", "factor_2", "factor_3", "factor_4",  "factor_5",  "factor_6",
    "factor_7", "factor_8", "factor_9", "factor_10", "factor_11", "factor_12"};

static const char *const headings[MOST_FACTORS] = {
    "factor 1", "factor 2", "factor 3", "factor 4",  "factor 5",  "factor 6",
    "factor 7", "factor 8", "factor 9", "factor 10", "factor 11", "factor 12"};

struct report {
    const struct hpm_observations *observations;
    const struct hpm_factor_options *options;
    struct hpm_factors factors;
    struct hpm_account *account;
};

static const char *
name_of(const struct report *report, size_t column)
{
    return hpm_observations_column(report->observations, column)->name;
}

/* ---- how many ---------------------------------------------------------------
 */

/* Of the correlations those with an eigenvalue above 1 (Kaiser). */
static size_t
count_large(const double *correlations, size_t n, double *room)
{
    size_t n_large = 0;

    for (size_t i = 0; i < n * n; i++)
        room[i] = correlations[i];
    hpm_jacobi(room, n, room + n * n, room + n * n + n);
    for (size_t k = 0; k < n; k++)
        n_large += room[n * n + k] > 1.0;
    return n_large;
}

static bool
choose_number(const struct hpm_factor_options *options,
              const double *correlations, size_t n, double *room, size_t *ret_m,
              struct hpm_error *err)
{
    size_t most = hpm_factors_most(n);

    most = most < MOST_FACTORS ? most : MOST_FACTORS;
    if (options->n_factors > most)
        return hpm_error_set(err,
                             "%zu factors are too many for %zu columns; at "
                             "most %zu",
                             options->n_factors, n, most);
    *ret_m = options->n_factors;
    if (*ret_m == 0)
        *ret_m = count_large(correlations, n, room);
    *ret_m = *ret_m < most ? *ret_m : most;
    *ret_m = *ret_m > 0 ? *ret_m : 1;
    return true;
}

/* ---- how well
 * ------------------------------------------------------------------ */

static void
add_marked(const struct report *report, const bool *is_marked,
           struct hpm_string *text)
{
    size_t n = 0;

    for (size_t j = 0; j < report->factors.n; j++) {
        if (is_marked[j])
            hpm_string_add_format(text, "%s%s", n++ > 0 ? ", " : "",
                                  name_of(report, j));
    }
}

static void
say_marked(const struct report *report, const bool *is_marked,
           const char *before, const char *behind)
{
    struct hpm_string text = {0}, marked = {0};

    add_marked(report, is_marked, &marked);
    if (marked.length > 0) {
        hpm_string_add(&text, before);
        hpm_string_add(&text, hpm_string_text(&marked));
        hpm_string_add(&text, behind);
        hpm_account_say_string(report->account, &text);
    }
    hpm_string_free(&marked);
}

/* Does the fit leave more than chance would?  R's factanal says the same. */
static void
say_fit(const struct report *report)
{
    const struct hpm_factors *factors = &report->factors;
    size_t rows = report->observations->preparation.matrix.n_rows;
    double n = (double)rows, p = (double)factors->n, m = (double)factors->m;
    size_t freedom = hpm_factors_freedom(factors->n, factors->m);
    double chi = (n - 1.0 - (2.0 * p + 5.0) / 6.0 - 2.0 * m / 3.0) * factors->f;
    double tail =
        freedom > 0 ? hpm_tails_chi_square(chi, (double)freedom) : NAN;
    struct hpm_string text = {0};

    hpm_account_add_real_fact(report->account, "objective", factors->f);
    hpm_account_add_real_fact(report->account, "chi_square", chi);
    hpm_account_add_count_fact(report->account, "freedom", freedom);
    hpm_account_add_real_fact(report->account, "p", tail);
    hpm_string_add(&text, "Maximum likelihood, objective ");
    hpm_string_add_fixed(&text, factors->f, 6);
    hpm_string_add_format(&text,
                          " (%zu of %zu starts led to it, seed %llu); chi "
                          "square ",
                          factors->n_same, factors->n_starts,
                          (unsigned long long)report->options->seed);
    hpm_string_add_fixed(&text, chi, 2);
    hpm_string_add_format(&text, " on %zu degrees of freedom", freedom);
    if (isfinite(tail)) {
        hpm_string_add(&text, ", p ");
        hpm_string_add_fixed(&text, tail, 4);
        hpm_string_add(&text, tail < 0.05 ? ": so many factors do not explain "
                                            "all that goes together"
                                          : ": so many factors are enough");
    }
    hpm_string_add_char(&text, '.');
    hpm_account_say_string(report->account, &text);
}

static void
say_method(const struct report *report)
{
    const struct hpm_factors *factors = &report->factors;
    bool is_likely = factors->method == HPM_FACTORS_LIKELIHOOD;

    hpm_account_add_text_fact(report->account, "method",
                              is_likely ? "maximum likelihood"
                                        : "principal axis");
    hpm_account_add_count_fact(report->account, "factors", factors->m);
    hpm_account_add_count_fact(report->account, "seed", report->options->seed);
    if (is_likely)
        say_fit(report);
    else
        hpm_account_say(report->account,
                        "The fit is by principal axes: maximum likelihood "
                        "takes columns, and more points than columns, of which "
                        "none is made of others.");
    say_marked(report, factors->is_dependent,
               "Other columns tell all of: ", ".");
    say_marked(report, factors->is_bound, "A Heywood case: of ",
               " the factors would explain more than all there is; do not "
               "trust their loadings. Fewer factors, or other columns, may "
               "help.");
}

/* ---- loadings
 * ------------------------------------------------------------------ */

static void
add_loadings(const struct report *report)
{
    const struct hpm_factors *factors = &report->factors;
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_TABLE, "loadings",
        "What goes with which factor? A loading is the correlation of a metric "
        "with a factor: 1 the same, 0 nothing, -1 the opposite. The uniqueness "
        "is the part of a metric that no factor explains, the communality all "
        "the rest.");

    if (table == NULL)
        return;
    hpm_table_add_column(table, "metric", NULL, 0);
    for (size_t k = 0; k < factors->m; k++)
        hpm_table_add_column(table, names[k], headings[k], 3);
    hpm_table_add_column(table, "uniqueness", NULL, 3);
    hpm_table_add_column(table, "communality", NULL, 3);
    hpm_table_add_column(table, "heywood", NULL, 0);
    for (size_t j = 0; j < factors->n; j++) {
        hpm_table_add_text(table, name_of(report, j));
        for (size_t k = 0; k < factors->m; k++)
            hpm_table_add_real(table, factors->loadings[j * factors->m + k]);
        hpm_table_add_real(table, factors->uniquenesses[j]);
        hpm_table_add_real(table, 1.0 - factors->uniquenesses[j]);
        if (factors->is_bound[j])
            hpm_table_add_text(table, "heywood");
        else
            hpm_table_add_none(table);
    }
}

static void
add_sums(const struct report *report)
{
    const struct hpm_factors *factors = &report->factors;
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_TABLE, "explained",
        "How much does each factor explain? The sum of its squared loadings, "
        "and that as a part of all metrics.");
    double before = 0.0;

    if (table == NULL)
        return;
    hpm_table_add_column(table, "factor", NULL, 0);
    hpm_table_add_column(table, "squares", "squared loadings", 3);
    hpm_table_add_column(table, "proportion", NULL, 3);
    hpm_table_add_column(table, "cumulative", NULL, 3);
    for (size_t k = 0; k < factors->m; k++) {
        double sum = 0.0;

        for (size_t j = 0; j < factors->n; j++) {
            double loading = factors->loadings[j * factors->m + k];

            sum += loading * loading;
        }
        before += sum;
        hpm_table_add_count(table, k + 1);
        hpm_table_add_real(table, sum);
        hpm_table_add_real(table, sum / (double)factors->n);
        hpm_table_add_real(table, before / (double)factors->n);
    }
}

/* ---- groups of metrics
 * --------------------------------------------------------------- */

/* The factors on which a column loads, a bit each: by these it is in a group,
 * so that what loads on two is in neither of theirs, as in the paper's Table 3.
 */
static unsigned
set_of(const struct report *report, size_t column)
{
    const struct hpm_factors *factors = &report->factors;
    unsigned set = 0;

    for (size_t k = 0; k < factors->m; k++) {
        if (fabs(factors->loadings[column * factors->m + k]) >=
            report->options->threshold)
            set |= 1u << k;
    }
    return set;
}

static double
largest_loading(const struct report *report, size_t column)
{
    const struct hpm_factors *factors = &report->factors;
    double largest = 0.0;

    for (size_t k = 0; k < factors->m; k++)
        largest =
            fmax(largest, fabs(factors->loadings[column * factors->m + k]));
    return largest;
}

static void
add_set(struct hpm_string *text, unsigned set)
{
    for (unsigned k = 0; k < MOST_FACTORS; k++) {
        if (set >> k & 1u)
            hpm_string_add_format(text, "%s%u", text->length > 0 ? ", " : "",
                                  k + 1);
    }
}

static void
add_group(const struct report *report, struct hpm_table *table, size_t first)
{
    unsigned set = set_of(report, first);
    struct hpm_string members = {0}, key = {0};
    size_t best = first, n = 0;

    for (size_t j = first; j < report->factors.n; j++) {
        if (set_of(report, j) != set)
            continue;
        hpm_string_add_format(&members, "%s%s", n++ > 0 ? ", " : "",
                              name_of(report, j));
        if (largest_loading(report, j) > largest_loading(report, best))
            best = j;
    }
    add_set(&key, set);
    hpm_table_add_text_or_none(table, hpm_string_text(&key));
    hpm_string_finish(&key, &table->failed);
    if (set != 0)
        hpm_table_add_text(table, name_of(report, best));
    else
        hpm_table_add_none(table);
    hpm_table_add_string(table, &members);
}

static void
add_groups(const struct report *report)
{
    struct hpm_table *table = hpm_account_add_table(
        report->account, HPM_ACCOUNT_TABLE, "metric_groups",
        "Which metrics say the same? Those that load on the same factors: one "
        "of each group, the one with the largest loading, can stand for the "
        "others. Those on no factor go with nothing else.");

    if (table == NULL)
        return;
    hpm_table_add_column(table, "factors", "on factors", 0);
    hpm_table_add_column(table, "representative", "take", 0);
    hpm_table_add_column(table, "metrics", "of", 0);
    for (size_t j = 0; j < report->factors.n; j++) {
        bool is_first = true;

        for (size_t i = 0; i < j && is_first; i++)
            is_first = set_of(report, i) != set_of(report, j);
        if (is_first)
            add_group(report, table, j);
    }
}

/* ---- all of it
 * ------------------------------------------------------------------------ */

static bool
fit(struct report *report, struct hpm_error *err)
{
    const struct hpm_matrix *matrix = &report->observations->preparation.matrix;
    size_t n = matrix->n_columns, m = 1;
    double *correlations = hpm_memory_new(n * n + 1, sizeof *correlations);
    double *room = hpm_memory_new(2 * n * n + n + 1, sizeof *room);
    bool is_good;

    if (correlations == NULL || room == NULL ||
        !hpm_correlation_fill(matrix, correlations)) {
        is_good = hpm_error_no_memory(err);
    } else {
        is_good =
            choose_number(report->options, correlations, n, room, &m, err);
        is_good = is_good && (hpm_factors_init(&report->factors, correlations,
                                               n, m, report->options->seed) ||
                              hpm_error_no_memory(err));
    }
    hpm_memory_free(correlations);
    hpm_memory_free(room);
    return is_good;
}

bool
hpm_factorreport_describe(const struct hpm_observations *observations,
                          const struct hpm_factor_options *options,
                          struct hpm_account *account, struct hpm_error *err)
{
    struct report report = {
        .observations = observations, .options = options, .account = account};

    if (!fit(&report, err))
        return false;
    hpm_observations_describe(observations, account);
    say_method(&report);
    add_loadings(&report);
    add_sums(&report);
    add_groups(&report);
    hpm_factors_clear(&report.factors);
    return true;
}
