/* SPDX-License-Identifier: BSD-3-Clause
 * hpm components: the directions in which the threads of a section differ. */
#include <getopt.h>

#include "hpm/analysis/analysing.h"
#include "hpm/frame/subcommand.h"
#include "study/analysis/componentreport.h"

static const char command[] = "components";

static const char *const formats[] = {ANALYSING_FORMATS, NULL};

struct options {
    struct analysing_options analysing;
};

static const struct hpm_option table[] = {
    ANALYSING_OPTIONS(struct options, analysing),
    ANALYSING_SCALE(struct options, analysing),
    {0, "format", HPM_OPTION_NAME(struct options, analysing.format, formats)},
};

static bool
describe(const void *owner, const struct hpm_observations *observations,
         struct hpm_account *account, struct hpm_error *err)
{
    (void)owner;
    return hpm_componentreport_describe(observations, account, err);
}

static enum status
run(int argc, char **argv)
{
    static const struct analysing_method method = {command, "components", 2,
                                                   1,       describe,     NULL};
    struct options options = {0};
    struct hpm_error err;

    if (!hpm_options_read("hpm components", table,
                          sizeof table / sizeof table[0], false, argc, argv,
                          &options, &err) ||
        !analysing_check(&options.analysing, &err))
        return subcommand_fail(command, &err, USAGE);
    return analysing_run(&method, &options.analysing, argv + optind,
                         (size_t)(argc - optind));
}

const struct subcommand subcommand_components = {
    .name = "components",
    .summary = N_("in which directions the threads of a section differ most"),
    .help = "Usage: hpm components [options] FILE...\n"
            "\n"
            "Find the principal components of the threads of a section: few "
            "directions, made of\n"
            "all metrics, in which the threads differ most. Several files are "
            "merged first. A FILE\n"
            "may be a folder, a pattern in quotes, or - for standard input.\n"
            "\n" ANALYSING_HELP ANALYSING_SCALE_HELP
            "      --format FORMAT   text (the default), "
            "csv, json\n" POINTING_FILES_HELP,
    .run = run,
};
