/* SPDX-License-Identifier: BSD-3-Clause
 * hpm merge: merge the files of the tasks of one run. */
#include "hpm/frame/result.h"
#include "hpm/frame/together.h"

static enum status
run(int argc, char **argv)
{
    struct result_options options;
    struct hpm_study *study;
    struct inputs inputs = {0};
    struct hpm_error err;
    enum status status;

    if (!result_parse(&options, "merge", RESULT_FORCE | RESULT_SUMMARY, argc,
                      argv, &err) ||
        !result_find(&options, options.words, options.n_words, &inputs, &err)) {
        subcommand_say("merge", "%s", err.text);
        inputs_clear(&inputs);
        return USAGE;
    }
    status =
        together_merge(&inputs, options.is_forced, options.is_summary, &study);
    if (study != NULL)
        status = result_write(&options, study, &inputs, status);
    hpm_study_free(study);
    inputs_clear(&inputs);
    return status;
}

const struct subcommand subcommand_merge = {
    .name = "merge",
    .summary = N_("the files of the tasks of one run as one"),
    .help = "Usage: hpm merge -o OUT [options] FILE...\n"
            "\n"
            "Put the tasks of one run (same program, same job, at the same "
            "time) into one file.\n"
            "What is not of the run, and what cannot be read, is named and "
            "left out. A FILE\n"
            "may be a folder, a pattern in quotes, or - for standard input.\n"
            "\n" RESULT_OPTIONS_HELP RESULT_FORCE_HELP RESULT_SUMMARY_HELP
            "\n" RESULT_STATUS_HELP,
    .run = run,
};
