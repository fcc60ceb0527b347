/* SPDX-License-Identifier: BSD-3-Clause
 * hpm merge: merge the files of the tasks of one run. */
#include "hpm/frame/result.h"
#include "hpm/frame/together.h"
#include "study/columns/jobsummary.h"

/* Replace the study by a summary of it; NULL, and said why, when that fails. */
static struct hpm_study *
summarise(struct hpm_study *study, bool is_forced)
{
    struct hpm_jobsummary *summary = hpm_jobsummary_new();
    struct hpm_study *made = NULL;
    struct hpm_error err;

    if (summary == NULL)
        hpm_error_no_memory(&err);
    else if (hpm_jobsummary_add(summary, study, is_forced, &err))
        made = hpm_jobsummary_study(summary, &err);
    hpm_jobsummary_free(summary);
    hpm_study_free(study);
    if (made == NULL)
        subcommand_say("merge", "%s", err.text);
    return made;
}

static enum status
write_result(const struct result_options *options, struct hpm_study *study,
             const struct inputs *inputs, enum status status)
{
    if (options->is_summary) {
        study = summarise(study, options->is_forced);
        if (study == NULL)
            return NOTHING;
    }
    status = result_write(options, study, inputs, status);
    hpm_study_free(study);
    return status;
}

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
    status = together_merge(&inputs, options.is_forced, &study);
    if (study != NULL)
        status = write_result(&options, study, &inputs, status);
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
