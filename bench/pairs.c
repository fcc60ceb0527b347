/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of a pair of section calls, beside the cost of what a pair must do:
 * runs the children of the plan in turn, round by round, and prints the
 * tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "job.h"
#include "machine.h"
#include "plan.h"
#include "results.h"
#include "tables.h"

struct options {
    int n_rounds;
    bool is_only_profile;
    char *anchor; /* absolute, NULL for none */
};

static int
say_usage(void)
{
    fprintf(stderr,
            "usage: pairs [-p] [-r ROUNDS] [-a ANCHOR]\n"
            "  -p         the profiles only\n"
            "  -r ROUNDS  1 to %d, 15 by default\n"
            "  -a ANCHOR  the program that measures PAPI itself\n",
            BENCH_MAX_ROUNDS);
    return 2;
}

static bool
parse(int argc, char **argv, struct options *ret_options)
{
    int letter;

    *ret_options = (struct options){.n_rounds = 15};
    while ((letter = getopt(argc, argv, "a:pr:")) != -1) {
        if (letter == 'a')
            ret_options->anchor = realpath(optarg, NULL);
        else if (letter == 'p')
            ret_options->is_only_profile = true;
        else if (letter == 'r')
            ret_options->n_rounds = atoi(optarg);
        else
            return false;
    }
    return optind == argc && ret_options->n_rounds >= 1 &&
           ret_options->n_rounds <= BENCH_MAX_ROUNDS;
}

static bool
run_round(const struct options *options, int round)
{
    if (isatty(2))
        fprintf(stderr, "round %d of %d\r", round + 1, options->n_rounds);
    for (size_t i = 0; i < bench_n_children; i++) {
        if (options->is_only_profile && !bench_children[i].is_for_profile)
            continue;
        if (!bench_child_run(&bench_children[i], round))
            return false;
    }
    return true;
}

static bool
run_all(const struct options *options)
{
    bool is_good = true;

    if (!bench_child_begin(options->anchor))
        return false;
    for (int round = 0; is_good && round < options->n_rounds; round++)
        is_good = run_round(options, round);
    bench_child_end();
    return is_good;
}

int
main(int argc, char **argv)
{
    struct options options;

    if (argc == 3 && strcmp(argv[1], "--job") == 0)
        return bench_do_job(argv[2]) ? 0 : 2;
    if (!parse(argc, argv, &options))
        return say_usage();
    bench_machine_begin();
    if (!run_all(&options))
        return 1;
    bench_machine_print(options.anchor);
    printf("%d rounds; ns: thread CPU time per pair, medians and minima of "
           "the rounds\n",
           options.n_rounds);
    if (!options.is_only_profile) {
        putchar('\n');
        bench_print_goals(options.n_rounds);
    }
    bench_print_profiles(options.n_rounds);
    free(options.anchor);
    return 0;
}
