/* SPDX-License-Identifier: BSD-3-Clause
 * Results: named series with a value per round, and what a performance file of
 * a child says. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "statistic.h"

enum { BENCH_MAX_ROUNDS = BENCH_MAX_VALUES };

/* One measured quantity; NAN in rounds without it. */
struct bench_series {
    char name[64];
    double values[BENCH_MAX_ROUNDS];
};

/* Keep a value; series are made as they come. */
void bench_results_add(const char *name, int round, double value);

/* NULL when there is none of that name. */
const struct bench_series *bench_results_find(const char *name);

/* The text of a performance file, to be freed; NULL when there is none. */
char *bench_file_read(const char *path);

/* Has the file a section with this label? */
bool bench_file_has(const char *text, const char *label);

/* An attribute of a section's datum, as in ("empty", "ExcSec", "value"); NAN
 * when it is not there. */
double bench_file_value(const char *text, const char *label, const char *datum,
                        const char *attribute);

#endif
