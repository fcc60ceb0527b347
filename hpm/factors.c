/* SPDX-License-Identifier: BSD-3-Clause
 * hpm factors: which metrics of a section tell the same. */
#include <getopt.h>

#include "hpm/analysis/analysing.h"
#include "hpm/frame/subcommand.h"
#include "study/analysis/factorreport.h"
#include "study/multivariate/kmeans.h"

static const char command[] = "factors";

static const char *const formats[] = {ANALYSING_FORMATS, NULL};

struct options {
    struct analysing_options analysing;
    uint64_t n_factors, seed;
    uint64_t percent; /* the threshold */
};

/* Read a decimal between 0 and 1 as hundredths. */
static bool
read_threshold(void *options, const char *word, struct hpm_error *err)
{
    const char *digits = word[0] == '0' ? word + 1 : word;
    uint64_t hundredths = 0;
    bool is_good = digits[0] == '.' && digits[1] != '\0';

    for (size_t i = 1; is_good && digits[i] != '\0'; i++) {
        is_good = digits[i] >= '0' && digits[i] <= '9' && i <= 2;
        hundredths = 10 * hundredths + (uint64_t)(digits[i] - '0');
    }
    if (is_good && digits[2] == '\0')
        hundredths *= 10;
    if (!is_good || hundredths == 0)
        return hpm_error_set(err,
                             "'%.100s' is no threshold; expected a number "
                             "between 0.01 and 0.99, as 0.5",
                             word);
    ((struct options *)options)->percent = hundredths;
    return true;
}

static const struct hpm_option table[] = {
    ANALYSING_OPTIONS(struct options, analysing),
    ANALYSING_SCALE(struct options, analysing),
    {0, "format", HPM_OPTION_NAME(struct options, analysing.format, formats)},
    {0, "factors", HPM_OPTION_NUMBER(struct options, n_factors, 1, 12)},
    {0, "threshold", HPM_OPTION_READ(read_threshold)},
    {0, "seed", HPM_OPTION_NUMBER(struct options, seed, 0, UINT64_MAX)},
};

static bool
describe(const void *owner, const struct hpm_observations *observations,
         struct hpm_account *account, struct hpm_error *err)
{
    const struct options *options = owner;
    const struct hpm_factor_options how = {
        .n_factors = (size_t)options->n_factors,
        .threshold = (double)options->percent / 100.0,
        .seed = options->seed};

    return hpm_factorreport_describe(observations, &how, account, err);
}

static enum status
run(int argc, char **argv)
{
    struct options options = {.percent = 50, .seed = HPM_KMEANS_SEED};
    const struct analysing_method method = {command, "loadings", 3,
                                            3,       describe,   &options};
    struct hpm_error err;

    if (!hpm_options_read("hpm factors", table, sizeof table / sizeof table[0],
                          false, argc, argv, &options, &err) ||
        !analysing_check(&options.analysing, &err))
        return subcommand_fail(command, &err, USAGE);
    return analysing_run(&method, &options.analysing, argv + optind,
                         (size_t)(argc - optind));
}

const struct subcommand subcommand_factors = {
    .name = "factors",
    .summary = N_("which metrics of a section say the same"),
    .help =
        "Usage: hpm factors [options] FILE...\n"
        "\n"
        "Find groups of metrics that rise and fall together over the threads "
        "of a section, so\n"
        "that one of each group is enough. Several files are merged first. A "
        "FILE may be a\n"
        "folder, a pattern in quotes, or - for standard input.\n"
        "\n" ANALYSING_HELP ANALYSING_SCALE_HELP
        "      --factors N       so many factors (as many as say more than a "
        "metric does)\n"
        "      --threshold T     a loading from T on puts a metric into a "
        "group (0.5)\n"
        "      --seed N          of the fit, which starts by chance, too\n"
        "      --format FORMAT   text (the default), csv, "
        "json\n" POINTING_FILES_HELP,
    .run = run,
};
