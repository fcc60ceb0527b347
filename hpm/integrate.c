/* SPDX-License-Identifier: BSD-3-Clause
 * hpm integrate: combine runs that counted different things into one run that
 * counted all of them. */
#include <string.h>

#include "hpm/frame/result.h"
#include "study/columns/mean.h"
#include "study/columns/mixture.h"
#include "study/metric/renew.h"

static bool
has_problem(const struct hpm_study *study, const char *text)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        for (size_t j = 0; j < task->n_problems; j++) {
            if (strcmp(task->problems[j].text, text) == 0)
                return true;
        }
    }
    return false;
}

/* Report problems that only the result has: how the runs disagree. */
static void
say_disagreements(const struct hpm_study *result,
                  const struct hpm_study *const *studies, size_t n)
{
    for (size_t i = 0; i < result->n_tasks; i++) {
        const struct hpm_task *task = &result->tasks[i];

        for (size_t j = 0; j < task->n_problems; j++) {
            bool is_old = false;

            for (size_t k = 0; k < n && !is_old; k++)
                is_old = has_problem(studies[k], task->problems[j].text);
            if (!is_old)
                subcommand_say("integrate", "%s", task->problems[j].text);
        }
    }
}

/* The runs' metrics may be missing, or computed by other definitions than the
 * result's. */
static bool
renew_runs(const struct result_options *options,
           struct hpm_study *const *studies, size_t n, struct hpm_error *err)
{
    struct hpm_string complaints = {0}; /* already reported */
    bool is_good = true;

    for (size_t i = 0; i < n && is_good; i++)
        is_good = hpm_renew(studies[i], options->arch, &complaints, err);
    hpm_string_free(&complaints);
    return is_good;
}

/* Note which metrics of the result do not describe any single run. */
static bool
note_mixtures(const struct result_options *options, struct hpm_study *result,
              const struct hpm_study *const *studies, size_t n,
              struct hpm_error *err)
{
    double tolerance = options->tolerance > 0 ? options->tolerance : 0.05;
    struct hpm_string lines = {0};
    const char *line;
    bool is_good = n < 2 || hpm_mixture_describe(result, studies, n, tolerance,
                                                 &lines, err);

    line = hpm_string_text(&lines);
    for (size_t length; *line != '\0' && is_good; line += length + 1) {
        struct hpm_string sentence = {0};
        const char *kept;

        length = strcspn(line, "\n");
        hpm_string_add_bytes(&sentence, line, length);
        subcommand_say("integrate", "%s", hpm_string_text(&sentence));
        kept = hpm_study_keep(result, &sentence);
        is_good = (kept != NULL && hpm_study_add_problem(result, 0, kept)) ||
                  hpm_error_no_memory(err);
    }
    hpm_string_free(&lines);
    return is_good;
}

static struct hpm_study *
combine(const struct result_options *options, struct hpm_study *const *studies,
        size_t n, struct hpm_error *err)
{
    const struct hpm_study *const *runs =
        (const struct hpm_study *const *)studies;
    struct hpm_mean_options how = {.most_bytes = options->most_bytes,
                                   .is_forced = options->is_forced,
                                   .tolerance = options->tolerance};
    struct hpm_study *result = hpm_integrate(runs, n, &how, err);

    if (result == NULL)
        return NULL;
    say_disagreements(result, runs, n);
    if (!result_renew(options, result, err) ||
        !renew_runs(options, studies, n, err) ||
        !note_mixtures(options, result, runs, n, err)) {
        hpm_study_free(result);
        return NULL;
    }
    return result;
}

static enum status
run(int argc, char **argv)
{
    return result_run("integrate",
                      RESULT_FORCE | RESULT_TOLERANCE | RESULT_ARCH |
                          RESULT_RENEWED,
                      argc, argv, combine);
}

const struct subcommand subcommand_integrate = {
    .name = "integrate",
    .summary = N_("runs that counted different things as one"),
    .help =
        "Usage: hpm integrate -o OUT [options] FILE...\n"
        "\n"
        "Bring together runs of one program that counted different counters. "
        "What several\n"
        "of them counted is averaged; metrics are computed again, from all "
        "counters. A run\n"
        "whose cycles or instructions are far from those of the others is "
        "named.\n"
        "\n" RESULT_OPTIONS_HELP
        "      --tolerance N     how far that is, in per cent of the median "
        "(5)\n" RESULT_FORCE_HELP RESULT_ARCH_HELP "\n" RESULT_STATUS_HELP,
    .run = run,
};
