/* SPDX-License-Identifier: BSD-3-Clause
 * The plan: which children there are, which goals are made of their series,
 * and what the profile is made of. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "child.h"

extern struct bench_child bench_children[];
extern const size_t bench_n_children;

enum bench_kind {
    BENCH_RATIO,   /* ours / reference <= limit */
    BENCH_MARGIN,  /* ours <= reference + limit */
    BENCH_AT_MOST, /* ours <= limit */
};

/* One row of the table. */
struct bench_goal {
    const char *id;
    const char *text;
    enum bench_kind kind;
    double limit;
    const char *unit;       /* "cycles": of series in nanoseconds */
    const char *ours;       /* series */
    const char *reference;  /* series; none for BENCH_AT_MOST */
    double reference_share; /* of the reference's values; 0 is 1 */
    bool has_no_goal;       /* shown beside one that has */
    const char *only_base;  /* only rounds in which the reference is below
                              1.3 times this series */
};

extern const struct bench_goal bench_goals[];
extern const size_t bench_n_goals;

enum { BENCH_MAX_TERMS = 3, BENCH_MAX_PIECES = 5 };

/* One piece of a pair: the sum of up to three series, each with a
 * factor, or what the pieces before it leave. */
struct bench_piece {
    const char *text;
    struct {
        double factor;
        const char *series;
    } terms[BENCH_MAX_TERMS];
    bool is_rest;
};

/* A pair taken to pieces. */
struct bench_profile {
    const char *title;
    const char *whole; /* series */
    struct bench_piece pieces[BENCH_MAX_PIECES];
};

extern const struct bench_profile bench_profiles[];
extern const size_t bench_n_profiles;

#endif
