/* SPDX-License-Identifier: BSD-3-Clause
 * hpm outliers: the threads of a section that are far from the others. */
#include <getopt.h>

#include "hpm/analysis/analysing.h"
#include "hpm/frame/subcommand.h"
#include "study/analysis/outlierreport.h"

static const char command[] = "outliers";

static const char *const formats[] = {ANALYSING_FORMATS, NULL};

struct options {
    struct analysing_options analysing;
};

static const struct hpm_option table[] = {
    ANALYSING_OPTIONS(struct options, analysing),
    {0, "format", HPM_OPTION_NAME(struct options, analysing.format, formats)},
};

static bool
describe(const void *owner, const struct hpm_observations *observations,
         struct hpm_account *account, struct hpm_error *err)
{
    (void)owner;
    return hpm_outlierreport_describe(observations, account, err);
}

static enum status
run(int argc, char **argv)
{
    static const struct analysing_method method = {command, "distances", 5,
                                                   1,       describe,    NULL};
    struct options options = {.analysing.scaling = HPM_SCALING_ROBUST};
    struct hpm_error err;

    if (!hpm_options_read("hpm outliers", table, sizeof table / sizeof table[0],
                          false, argc, argv, &options, &err) ||
        !analysing_check(&options.analysing, &err))
        return subcommand_fail(command, &err, USAGE);
    return analysing_run(&method, &options.analysing, argv + optind,
                         (size_t)(argc - optind));
}

const struct subcommand subcommand_outliers = {
    .name = "outliers",
    .summary = N_("which threads of a section lie apart from the others"),
    .help =
        "Usage: hpm outliers [options] FILE...\n"
        "\n"
        "Find threads that behave as no other does, by a distance that they "
        "themselves cannot\n"
        "stretch, and say what is odd in them. Several files are merged "
        "first. A FILE may be a\n"
        "folder, a pattern in quotes, or - for standard input.\n"
        "\n" ANALYSING_HELP "      --format FORMAT   text (the default), "
        "csv, json\n" POINTING_FILES_HELP,
    .run = run,
};
