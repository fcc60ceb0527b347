/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of runs put together, whose inputs are counts of different runs. */
#include "study/columns/mixture.h"

#include <math.h>

#include "host/memory.h"
#include "study/columns/align.h"

/* Indices in `align.studies`: the result, then the runs. */
enum { RESULT, FIRST_RUN };

/* A value of the result, and the range of the values of runs that have all its
 * inputs. */
struct comparison {
    uint32_t row; /* of the result */
    double value, min, max;
    size_t n_runs;
};

struct mixture {
    struct hpm_align align;
    double tolerance;
    struct hpm_string mixed; /* names: no run has all inputs */
    struct hpm_string far;   /* names: beyond what the runs have */
    struct comparison worst; /* of the first of `far` */
    const char *worst_name;
};

/* The value in one study.  False where it has none, or a partial one. */
static bool
get_whole(const struct mixture *mixture, uint32_t row, uint32_t column,
          size_t which, double *ret_value)
{
    const struct hpm_align *align = &mixture->align;
    uint32_t from_row = align->rows[(size_t)row * align->n + which];
    uint32_t from_column = align->columns[(size_t)column * align->n + which];
    struct hpm_datum datum;

    if (from_row == HPM_NO_INDEX || from_column == HPM_NO_INDEX ||
        !hpm_study_get_datum(align->studies[which], from_row, from_column,
                             &datum) ||
        !hpm_state_has_value(datum.state) ||
        datum.numbers[HPM_FIELD_PARTIAL].kind != HPM_NUMBER_NONE ||
        datum.numbers[HPM_FIELD_VALUE].kind == HPM_NUMBER_NONE)
        return false;
    *ret_value = hpm_number_to_real(datum.numbers[HPM_FIELD_VALUE]);
    return true;
}

static bool
compare(const struct mixture *mixture, uint32_t row, uint32_t column,
        struct comparison *ret_comparison)
{
    struct comparison comparison = {
        .row = row, .min = INFINITY, .max = -INFINITY};
    double value;

    if (!get_whole(mixture, row, column, RESULT, &comparison.value))
        return false;
    for (size_t i = FIRST_RUN; i < mixture->align.n; i++) {
        if (!get_whole(mixture, row, column, i, &value))
            continue;
        comparison.min = fmin(comparison.min, value);
        comparison.max = fmax(comparison.max, value);
        comparison.n_runs++;
    }
    *ret_comparison = comparison;
    return true;
}

/* How far the value is beyond the range of the runs, relative to the nearest
 * end of the range. */
static double
distance_of(const struct comparison *comparison)
{
    double nearest =
        fmax(fmin(comparison->value, comparison->max), comparison->min);
    double distance = fabs(comparison->value - nearest);

    return distance > 0 ? distance / fabs(nearest) : 0;
}

static void
add_name(struct hpm_string *names, const char *name)
{
    hpm_string_add_format(names, "%s%s", names->length > 0 ? ", " : "", name);
}

/* Look for the record in which the value is furthest from the values of the
 * runs. */
static void
look_at_metric(struct mixture *mixture, uint32_t column)
{
    const struct hpm_study *all = mixture->align.result;
    struct comparison comparison, worst = {0};
    bool is_mixed = false;

    for (uint32_t i = 0; i < all->n_rows; i++) {
        if (!compare(mixture, i, column, &comparison))
            continue;
        if (comparison.n_runs == 0)
            is_mixed = true;
        else if (distance_of(&comparison) > mixture->tolerance &&
                 (worst.n_runs == 0 ||
                  distance_of(&comparison) > distance_of(&worst)))
            worst = comparison;
    }
    if (is_mixed)
        add_name(&mixture->mixed, all->columns[column].name);
    if (worst.n_runs == 0)
        return;
    add_name(&mixture->far, all->columns[column].name);
    if (mixture->worst_name != NULL &&
        distance_of(&worst) <= distance_of(&mixture->worst))
        return;
    mixture->worst = worst;
    mixture->worst_name = all->columns[column].name;
}

static void
add_mixed(const struct mixture *mixture, struct hpm_string *lines)
{
    if (mixture->mixed.length > 0)
        hpm_string_add_format(lines,
                              "no run counted all that these metrics need, so "
                              "their values combine runs: %s\n",
                              mixture->mixed.text);
}

/* Three decimal places, or more digits for a small number. */
static void
add_figure(struct hpm_string *lines, double value)
{
    if (value == floor(value) || fabs(value) < 0.1)
        hpm_string_add_real(lines, value);
    else
        hpm_string_add_fixed(lines, value, 3);
}

static void
add_far(const struct mixture *mixture, struct hpm_string *lines)
{
    const struct comparison *worst = &mixture->worst;

    if (mixture->far.length == 0)
        return;
    hpm_string_add_format(
        lines,
        "these metrics combine runs that differ, and are not what the runs "
        "gave that counted all of their events: %s; %s of '",
        mixture->far.text, mixture->worst_name);
    hpm_string_add_safe(
        lines, hpm_study_section_of(mixture->align.result, worst->row)->label);
    hpm_string_add(lines, "' is ");
    add_figure(lines, worst->value);
    hpm_string_add(lines,
                   worst->n_runs > 1 ? ", in these runs " : ", in this run ");
    add_figure(lines, worst->min);
    if (worst->n_runs > 1) {
        hpm_string_add(lines, " to ");
        add_figure(lines, worst->max);
    }
    hpm_string_add_char(lines, '\n');
}

static void
describe(struct mixture *mixture, struct hpm_string *lines)
{
    const struct hpm_study *all = mixture->align.result;

    for (uint32_t i = 0; i < all->n_columns; i++) {
        if (all->columns[i].kind == HPM_COLUMN_METRIC)
            look_at_metric(mixture, i);
    }
    add_mixed(mixture, lines);
    add_far(mixture, lines);
    lines->failed |= mixture->mixed.failed || mixture->far.failed;
    hpm_string_free(&mixture->mixed);
    hpm_string_free(&mixture->far);
}

bool
hpm_mixture_describe(const struct hpm_study *result,
                     const struct hpm_study *const *studies, size_t n,
                     double tolerance, struct hpm_string *lines,
                     struct hpm_error *err)
{
    const struct hpm_study **all = hpm_memory_new(n + 1, sizeof *all);
    struct mixture mixture = {.tolerance = tolerance};
    bool is_good = all != NULL;

    if (is_good) {
        all[RESULT] = result;
        memcpy(all + FIRST_RUN, studies, n * sizeof *all);
        is_good = hpm_align_begin(&mixture.align, all, n + 1, false, 0, err);
    } else {
        hpm_error_no_memory(err);
    }
    if (is_good) {
        describe(&mixture, lines);
        hpm_study_free(mixture.align.result);
        hpm_align_free(&mixture.align);
    }
    hpm_memory_free(all);
    return is_good && (!lines->failed || hpm_error_no_memory(err));
}
