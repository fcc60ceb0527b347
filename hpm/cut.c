/* SPDX-License-Identifier: BSD-3-Clause
 * hpm cut: a part of an experiment. */
#include "study/columns/cut.h"

#include "hpm/frame/result.h"

static enum status
cut_and_write(const struct result_options *options, struct inputs *inputs)
{
    struct hpm_study *study, *result;
    enum status status = inputs_merge(inputs, false, &study);
    struct hpm_error err;

    if (status == NOTHING)
        return NOTHING;
    result = options->root != NULL
                 ? hpm_cut_root(study, options->root, options->most_bytes, &err)
                 : hpm_cut_remove(study, options->removed, options->most_bytes,
                                  &err);
    hpm_study_free(study);
    if (result == NULL)
        return subcommand_fail("cut", &err, NOTHING);
    status = result_write(options, result, inputs, status);
    hpm_study_free(result);
    return status;
}

static enum status
run(int argc, char **argv)
{
    struct result_options options;
    struct inputs inputs = {0};
    struct hpm_error err;
    enum status status;

    if (result_parse(&options, "cut", RESULT_LABEL | RESULT_ARCH, argc, argv,
                     &err) &&
        result_find(&options, options.words, options.n_words, &inputs, &err)) {
        status = cut_and_write(&options, &inputs);
    } else {
        status = subcommand_fail("cut", &err, USAGE);
    }
    inputs_clear(&inputs);
    return status;
}

const struct subcommand subcommand_cut = {
    .name = "cut",
    .summary = N_("only some sections, or all but some"),
    .help =
        "Usage: hpm cut -o OUT --root|--remove LABEL [options] FILE...\n"
        "\n"
        "Take a part of an experiment; several FILEs are merged first.\n"
        "\n"
        "      --root LABEL      only the sections of this label, and what is "
        "inside them\n"
        "      --remove LABEL    all but these and what is inside them, as if "
        "they had not\n"
        "                        been marked\n" RESULT_OPTIONS_HELP
            RESULT_ARCH_HELP "\n" RESULT_STATUS_HELP,
    .run = run,
};
