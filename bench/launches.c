/* SPDX-License-Identifier: BSD-3-Clause
 * The time that hpmcount adds to the launch of a program, beside the time that
 * perf stat adds with the same events (P10): all three kinds of launch in
 * turn. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "statistic.h"

enum { BARE, OURS, PERF, N_KINDS };
enum { LAUNCHES = 10, DEFAULT_ROUNDS = 15 };

#define EVENTS "task-clock,page-faults"
static const double limit = 0.3;

extern char **environ;

static bool
launch(const char *const *argv, double *ret_ms)
{
    posix_spawn_file_actions_t actions;
    struct timespec begin, end;
    int status = 0;
    bool is_good;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    is_good = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv,
                           environ) == 0 &&
              waitpid(pid, &status, 0) == pid && status == 0;
    clock_gettime(CLOCK_MONOTONIC, &end);
    posix_spawn_file_actions_destroy(&actions);
    *ret_ms = 1e3 * (double)(end.tv_sec - begin.tv_sec) +
              1e-6 * (double)(end.tv_nsec - begin.tv_nsec);
    return is_good;
}

/* The median of each kind's launches in a round. */
static bool
run_round(const char *const *const commands[N_KINDS], bool has_perf,
          double ret_ms[N_KINDS])
{
    double ms[N_KINDS][LAUNCHES];

    for (int i = 0; i < LAUNCHES; i++) {
        for (int kind = 0; kind < N_KINDS; kind++) {
            ms[kind][i] = NAN;
            if ((kind != PERF || has_perf) &&
                !launch(commands[kind], &ms[kind][i])) {
                fprintf(stderr, "launches: cannot run %s\n", commands[kind][0]);
                return false;
            }
        }
    }
    for (int kind = 0; kind < N_KINDS; kind++)
        ret_ms[kind] = bench_median(ms[kind], LAUNCHES);
    return true;
}

static void
print_row(const double *ours, const double *perf, size_t n)
{
    double relation[BENCH_MAX_VALUES], middle;

    for (size_t i = 0; i < n; i++)
        relation[i] = ours[i] / perf[i];
    middle = bench_median(relation, n);
    printf("%-4s %-41s %-6s %7.2f %7.2f", "P10",
           "added by hpmcount / added by perf stat", "ms",
           bench_median(ours, n), bench_quantile(ours, n, 0));
    if (isnan(middle)) {
        printf(" %7s %7s  n/a: perf stat does not run here\n", "-", "-");
        return;
    }
    printf(" %7.2f %7.2f %8.3f %7.3f-%.3f %9.2f  %s\n", bench_median(perf, n),
           bench_quantile(perf, n, 0), middle,
           bench_quantile(relation, n, 0.25), bench_quantile(relation, n, 0.75),
           limit, middle <= limit ? "met" : "NOT MET");
}

static int
measure(const char *hpmcount, int n_rounds)
{
    const char *const bare[] = {"true", NULL};
    const char *const with_us[] = {hpmcount, "-e", EVENTS, "true", NULL};
    const char *const with_perf[] = {"perf", "stat", "-e",
                                     EVENTS, "true", NULL};
    const char *const *const commands[N_KINDS] = {bare, with_us, with_perf};
    double ours[BENCH_MAX_VALUES], perf[BENCH_MAX_VALUES], ms[N_KINDS];
    bool has_perf = launch(with_perf, &ms[PERF]);

    for (int i = 0; i < n_rounds; i++) {
        if (!run_round(commands, has_perf, ms))
            return 1;
        ours[i] = ms[OURS] - ms[BARE];
        perf[i] = ms[PERF] - ms[BARE];
    }
    printf("\n%d rounds of %d launches of 'true' each; ms: wall clock, less "
           "that of a bare launch\n",
           n_rounds, LAUNCHES);
    print_row(ours, perf, (size_t)n_rounds);
    return 0;
}

int
main(int argc, char **argv)
{
    int n_rounds = argc > 2 ? atoi(argv[2]) : DEFAULT_ROUNDS;

    if (argc < 2 || argc > 3 || n_rounds < 1 || n_rounds > BENCH_MAX_VALUES) {
        fprintf(stderr, "usage: launches HPMCOUNT [ROUNDS]\n");
        return 2;
    }
    return measure(argv[1], n_rounds);
}
