/* SPDX-License-Identifier: BSD-3-Clause
 * hpm mean: combine repeated runs into one. */
#include "study/columns/mean.h"

#include "hpm/frame/result.h"

static struct hpm_study *
combine(const struct result_options *options, struct hpm_study *const *studies,
        size_t n, struct hpm_error *err)
{
    struct hpm_mean_options how = {.most_bytes = options->most_bytes,
                                   .is_forced = options->is_forced};

    if (n == 1 && studies[0]->kind != HPM_STUDY_MEAN)
        subcommand_say("mean", "there is one run only, so its mean has no "
                               "deviation; name the files of the other runs, "
                               "too");
    return hpm_mean((const struct hpm_study *const *)studies, n, &how, err);
}

static enum status
run(int argc, char **argv)
{
    return result_run("mean", RESULT_FORCE | RESULT_ARCH, argc, argv, combine);
}

const struct subcommand subcommand_mean = {
    .name = "mean",
    .summary = N_("repeated runs as one: mean, deviation, extremes"),
    .help = "Usage: hpm mean -o OUT [options] FILE...\n"
            "\n"
            "Average runs of one program: each value becomes the mean over the "
            "runs, with their\n"
            "number, standard deviation, smallest and largest. Each FILE is a "
            "run; one of many\n"
            "tasks is merged first. Metrics are computed again.\n"
            "\n" RESULT_OPTIONS_HELP RESULT_FORCE_HELP RESULT_ARCH_HELP
            "\n" RESULT_STATUS_HELP,
    .run = run,
};
