/* SPDX-License-Identifier: BSD-3-Clause
 * The printed tables. */
#ifndef BENCH_TABLES_H
#define BENCH_TABLES_H

void bench_print_goals(int n_rounds);
void bench_print_profiles(int n_rounds);

#endif
