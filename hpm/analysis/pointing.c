/* SPDX-License-Identifier: BSD-3-Clause
 * The points that several subcommands analyse. */
#include "hpm/analysis/pointing.h"

#include <string.h>

#include "hpm/frame/subcommand.h"
#include "study/columns/lacks.h"
#include "study/survey/surveying.h"

static void
say_lacks(const struct pointing *pointing)
{
    struct hpm_string lines = {0};

    hpm_lacks_add_lines(pointing->study, pointing->inputs.all.n_refusals,
                        &lines);
    subcommand_say_lines(pointing->command, hpm_string_text(&lines));
    hpm_string_free(&lines);
}

/* Choose the section with the most time of several. */
static void
choose_section(struct pointing *pointing, struct hpm_points_options *which)
{
    struct hpm_string name = {0};
    size_t n;

    which->subject =
        which->calls != NULL
            ? hpm_points_longest_calls(pointing->survey, which->calls,
                                       which->sections, &n)
            : hpm_points_longest(pointing->survey, which->sections, &n);
    which->is_of_one = n > 0;
    if (n > 1) {
        hpm_survey_add_name(pointing->survey, which->subject, &name);
        subcommand_say(pointing->command,
                       "of %zu sections this is %s, which has the most time%s; "
                       "--section names another",
                       n, hpm_string_text(&name),
                       which->calls != NULL ? ""
                                            : " of those of several threads");
        hpm_string_free(&name);
    }
}

/* Make a study of single calls if the user asked for calls; this is then
 * surveyed. */
static bool
make_calls(struct pointing *pointing, const struct pointing_options *options,
           struct hpm_points_options *which, struct hpm_error *err)
{
    if (!options->is_of_calls)
        return true;
    if (pointing->study->n_calls == 0)
        return hpm_error_set(err, "these files have no single calls; run the "
                                  "program with HPM_CALLS=LABEL "
                                  "(hpm-environment(7))");
    if (!hpm_callstudy_init(&pointing->calls, pointing->study,
                            options->most_bytes, err))
        return false;
    which->calls = &pointing->calls;
    return true;
}

/* Not every result has values of single threads. */
static bool
check_kind(const struct hpm_study *study, struct hpm_error *err)
{
    if (study->kind == HPM_STUDY_DIFF)
        return hpm_error_set(err, "a difference of runs has no points: name "
                                  "the files of one side");
    return study->kind != HPM_STUDY_SUMMARY ||
           hpm_error_set(err, "the file is a summary, which has no values of "
                              "single threads and calls: name the files of the "
                              "tasks, or ask 'hpm report', which says how the "
                              "values lie");
}

static enum status
take_points(struct pointing *pointing, const struct pointing_options *options,
            bool is_of_one, enum status otherwise)
{
    const struct hpm_survey_options how = {
        .grouping = HPM_GROUP_SECTIONS,
        .named = options->metrics != NULL ? options->metrics : "",
        .pmu = options->arch};
    struct hpm_points_options which = {
        .sections = options->section,
        .columns = options->metrics,
        .content = options->is_raw ? HPM_POINTS_RAW : HPM_POINTS_METRICS,
        .is_exclusive = options->is_exclusive};
    struct hpm_error err;

    if (!check_kind(pointing->study, &err) ||
        !make_calls(pointing, options, &which, &err))
        return subcommand_fail(pointing->command, &err, NOTHING);
    pointing->survey = hpm_survey_new(
        which.calls != NULL ? pointing->calls.study : pointing->study, &how,
        &err);
    if (pointing->survey == NULL)
        return subcommand_fail(pointing->command, &err, NOTHING);
    subcommand_say_lines(pointing->command,
                         hpm_string_text(&pointing->survey->complaints));
    say_lacks(pointing);
    if (is_of_one)
        choose_section(pointing, &which);
    return hpm_points_init(&pointing->points, pointing->survey, &which, &err)
               ? otherwise
               : subcommand_fail(pointing->command, &err, NOTHING);
}

static enum status
open_points(struct pointing *pointing, const struct pointing_options *options,
            char *const *words, size_t n, bool is_of_one)
{
    struct inputs *inputs = &pointing->inputs;
    struct hpm_error err;
    enum status status;

    if (options->metrics != NULL && options->is_raw)
        hpm_error_set(&err, "--raw does not go with --metrics, which names "
                            "counters, too; leave it out");
    else if (options->is_of_calls && options->is_exclusive)
        hpm_error_set(&err, "--calls does not go with --exclusive: a single "
                            "call has inclusive values only; leave it out");
    else if (inputs_find(inputs, words, n, &err) &&
             inputs_allow_output(inputs, options->output, &err)) {
        inputs->all.most_bytes = options->most_bytes;
        inputs->all.n_threads = (int)options->n_threads;
        status = inputs_merge(inputs, options->is_forced, &pointing->study);
        return status == NOTHING
                   ? status
                   : take_points(pointing, options, is_of_one, status);
    }
    return subcommand_fail(pointing->command, &err, USAGE);
}

enum status
pointing_open(struct pointing *pointing, const char *command,
              const struct pointing_options *options, char *const *words,
              size_t n)
{
    *pointing =
        (struct pointing){.command = command, .inputs = {.command = command}};
    return open_points(pointing, options, words, n, false);
}

enum status
pointing_open_one(struct pointing *pointing, const char *command,
                  const struct pointing_options *options, char *const *words,
                  size_t n)
{
    *pointing =
        (struct pointing){.command = command, .inputs = {.command = command}};
    return open_points(pointing, options, words, n, true);
}

void
pointing_close(struct pointing *pointing)
{
    hpm_points_clear(&pointing->points);
    hpm_survey_free(pointing->survey);
    hpm_callstudy_clear(&pointing->calls);
    hpm_study_free(pointing->study);
    inputs_clear(&pointing->inputs);
}
