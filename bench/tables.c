/* SPDX-License-Identifier: BSD-3-Clause
 * The printed tables: goals with verdicts, and the parts of a pair's time. */
#include "tables.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "plan.h"
#include "results.h"

/* A round counts only if its reference took less than this times its base: else
 * other threads held up the reference itself. */
static const double only_below = 1.3;

/* ---- values of rounds ------------------------------------------------ */

/* A goal's numbers, round by round; NAN in rounds that do not count. */
struct rounds {
    double ours[BENCH_MAX_ROUNDS];
    double reference[BENCH_MAX_ROUNDS];
    double relation[BENCH_MAX_ROUNDS]; /* ratio, or difference */
    size_t n;
};

/* The reason why a series has no values, or none that count: its child
 * refused. */
static const char *
refusal_of(const char *name)
{
    for (size_t i = 0; name != NULL && i < bench_n_children; i++) {
        size_t length = strlen(bench_children[i].name);

        if (strncmp(name, bench_children[i].name, length) == 0 &&
            name[length] == '.' && bench_children[i].refusal[0] != '\0')
            return bench_children[i].refusal;
    }
    return NULL;
}

static double
value_in(const char *name, size_t round)
{
    const struct bench_series *series = name != NULL && refusal_of(name) == NULL
                                            ? bench_results_find(name)
                                            : NULL;

    return series != NULL ? series->values[round] : NAN;
}

static bool
counts(const struct bench_goal *goal, size_t round)
{
    return goal->only_base == NULL ||
           value_in(goal->reference, round) <
               only_below * value_in(goal->only_base, round);
}

static double
relate(enum bench_kind kind, double ours, double reference)
{
    switch (kind) {
    case BENCH_RATIO:
        return ours / reference;
    case BENCH_MARGIN:
        return ours - reference;
    default:
        return ours;
    }
}

static void
collect(const struct bench_goal *goal, size_t n_rounds, struct rounds *ret)
{
    double share = goal->reference_share > 0 ? goal->reference_share : 1;
    double factor =
        strcmp(goal->unit, "cycles") == 0 ? bench_machine_cycles_per_ns() : 1;

    ret->n = n_rounds;
    for (size_t i = 0; i < n_rounds; i++) {
        bool is_in = counts(goal, i);

        ret->ours[i] = is_in ? factor * value_in(goal->ours, i) : NAN;
        ret->reference[i] = is_in ? share * value_in(goal->reference, i) : NAN;
        ret->relation[i] = relate(goal->kind, ret->ours[i], ret->reference[i]);
    }
}

static const char *
why_missing(const struct bench_goal *goal)
{
    const char *ours = refusal_of(goal->ours);
    const char *reference = refusal_of(goal->reference);

    if (ours != NULL)
        return ours;
    if (reference != NULL)
        return reference;
    if (strcmp(goal->unit, "cycles") == 0)
        return "no register here counts at the rate of cycles";
    return goal->only_base != NULL
               ? "p2 itself took 1.3 times as long in all rounds"
               : "not measured";
}

/* ---- goals ----------------------------------------------------------- */

/* Print three digits: a ratio's size needs no more. */
static void
print_number(double value, int width)
{
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, fabs(value) < 99.95 ? 1 : 0, value);
}

static void
print_values(const double *values, size_t n)
{
    print_number(bench_median(values, n), 7);
    print_number(bench_quantile(values, n, 0), 7);
}

static const char *
verdict(const struct bench_goal *goal, double relation)
{
    return relation <= goal->limit ? "met" : "NOT MET";
}

/* The median of the rounds' ratios, and not the ratio of the medians: a
 * disturbance of a round disturbs both its values. */
static void
print_relation(const struct bench_goal *goal, const struct rounds *rounds)
{
    double low = bench_quantile(rounds->relation, rounds->n, 0.25);
    double middle = bench_median(rounds->relation, rounds->n);
    double high = bench_quantile(rounds->relation, rounds->n, 0.75);
    int digits = goal->kind == BENCH_MARGIN && goal->limit >= 1 ? 1 : 2;
    char range[64], limit[32] = "-";

    if (!goal->has_no_goal)
        snprintf(limit, sizeof limit,
                 goal->kind == BENCH_MARGIN ? "%+.*f" : "%.*f",
                 goal->kind == BENCH_RATIO     ? 2
                 : goal->kind == BENCH_AT_MOST ? 0
                                               : digits,
                 goal->limit);
    switch (goal->kind) {
    case BENCH_RATIO:
        snprintf(range, sizeof range, "%.3f-%.3f", low, high);
        printf(" %8.3f %15s %9s", middle, range, limit);
        break;
    case BENCH_MARGIN:
        snprintf(range, sizeof range, "%+.*f..%+.*f", digits, low, digits,
                 high);
        printf(" %+8.*f %15s %9s", digits, middle, range, limit);
        break;
    default:
        printf(" %8s %15s %9s", "", "", limit);
    }
    if (!goal->has_no_goal)
        printf("  %s", verdict(goal, middle));
}

static void
print_goal(const struct bench_goal *goal, size_t n_rounds)
{
    struct rounds rounds;

    collect(goal, n_rounds, &rounds);
    printf("%-4s %-41s %-6s", goal->id, goal->text, goal->unit);
    print_values(rounds.ours, n_rounds);
    print_values(rounds.reference, n_rounds);
    if (isnan(bench_median(rounds.relation, n_rounds))) {
        printf("  n/a: %s\n", why_missing(goal));
        return;
    }
    print_relation(goal, &rounds);
    if (goal->only_base != NULL) {
        size_t n_in = 0;

        for (size_t i = 0; i < n_rounds; i++)
            n_in += !isnan(rounds.relation[i]);
        printf(" (%zu of %zu rounds)", n_in, n_rounds);
    }
    putchar('\n');
}

void
bench_print_goals(int n_rounds)
{
    printf("%-4s %-41s %-6s %7s %7s %7s %7s %8s %15s %9s\n", "goal", "", "unit",
           "ours", "min", "ref", "min", "relation", "rounds 25-75 %", "limit");
    for (size_t i = 0; i < bench_n_goals; i++)
        print_goal(&bench_goals[i], (size_t)n_rounds);
}

/* ---- profiles -------------------------------------------------------- */

/* Compute the piece in each round, and subtract it from the rest. */
static void
cut_piece(const struct bench_piece *piece, size_t n_rounds, double *rest,
          double *ret_ns)
{
    for (size_t i = 0; i < n_rounds; i++) {
        ret_ns[i] = piece->is_rest ? rest[i] : 0;
        for (size_t j = 0; j < BENCH_MAX_TERMS && piece->terms[j].series; j++)
            ret_ns[i] +=
                piece->terms[j].factor * value_in(piece->terms[j].series, i);
        rest[i] -= ret_ns[i];
    }
}

static void
print_pieces(const struct bench_profile *profile, size_t n_rounds, double *rest,
             double whole)
{
    double ns[BENCH_MAX_ROUNDS];

    for (size_t i = 0; i < BENCH_MAX_PIECES && profile->pieces[i].text; i++) {
        double median;

        cut_piece(&profile->pieces[i], n_rounds, rest, ns);
        median = bench_median(ns, n_rounds);
        printf("  %-46s %9.1f %5.0f %%\n", profile->pieces[i].text, median,
               100 * median / whole);
    }
}

static void
print_profile(const struct bench_profile *profile, size_t n_rounds)
{
    double rest[BENCH_MAX_ROUNDS];
    double whole;

    for (size_t i = 0; i < n_rounds; i++)
        rest[i] = value_in(profile->whole, i);
    whole = bench_median(rest, n_rounds);
    printf("\n%-48s %9s %7s\n", profile->title, "ns", "share");
    if (isnan(whole)) {
        const char *why = refusal_of(profile->whole);

        printf("  n/a: %s\n", why != NULL ? why : "not measured");
        return;
    }
    print_pieces(profile, n_rounds, rest, whole);
    printf("  %-46s %9.1f\n", "the pair", whole);
}

void
bench_print_profiles(int n_rounds)
{
    for (size_t i = 0; i < bench_n_profiles; i++)
        print_profile(&bench_profiles[i], (size_t)n_rounds);
}
