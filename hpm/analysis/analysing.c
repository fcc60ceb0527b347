/* SPDX-License-Identifier: BSD-3-Clause
 * Parts shared by subcommands that analyse points. */
#include "hpm/analysis/analysing.h"

#include <unistd.h>

#include "hpm/frame/result.h"
#include "study/report/terminal.h"

const char *const analysing_scalings[] = {[HPM_SCALING_Z] = "z",
                                          [HPM_SCALING_RANGE] = "range",
                                          [HPM_SCALING_ROBUST] = "robust",
                                          [HPM_SCALING_NONE] = "none",
                                          NULL};

bool
analysing_check(const struct analysing_options *options, struct hpm_error *err)
{
    return options->table == NULL || options->format == ANALYSING_CSV ||
           hpm_error_set(err, "--table needs --format csv");
}

size_t
analysing_width(void)
{
    return hpm_terminal_width(STDOUT_FILENO);
}

enum status
analysing_put(const char *command, const struct analysing_options *options,
              struct hpm_account *account, const char *usual,
              enum status otherwise)
{
    const struct hpm_text_style style = {
        .width = analysing_width(),
        .is_coloured = options->points.output == NULL &&
                       hpm_terminal_has_colours(STDOUT_FILENO)};
    struct hpm_string text = {0};
    struct hpm_error err;

    if (options->format == ANALYSING_JSON)
        hpm_account_add_as_json(account, &text);
    else if (options->format == ANALYSING_TEXT)
        hpm_account_add_as_text(account, &style, &text);
    else if (!hpm_account_add_as_csv(
                 account, options->table != NULL ? options->table : usual,
                 &text, &err)) {
        hpm_string_free(&text);
        return subcommand_fail(command, &err, USAGE);
    }
    return result_put(command, options->points.output, &text, otherwise);
}

static enum status
analyse(const struct analysing_method *method,
        const struct analysing_options *options,
        const struct hpm_points *points, enum status otherwise)
{
    struct hpm_observations observations;
    struct hpm_account account = {0};
    struct hpm_error err;
    enum status status;

    if (!hpm_observations_init(&observations, points,
                               (enum hpm_scaling)options->scaling,
                               method->least_rows, method->least_columns, &err))
        return subcommand_fail(method->command, &err, NOTHING);
    if (method->describe(method->owner, &observations, &account, &err))
        status = analysing_put(method->command, options, &account,
                               method->usual_table, otherwise);
    else
        status = subcommand_fail(method->command, &err, NOTHING);
    hpm_account_clear(&account);
    hpm_observations_clear(&observations);
    return status;
}

enum status
analysing_run(const struct analysing_method *method,
              const struct analysing_options *options, char *const *words,
              size_t n)
{
    struct pointing pointing;
    enum status status = pointing_open_one(&pointing, method->command,
                                           &options->points, words, n);

    if (status == GOOD || status == SOME_BAD)
        status = analyse(method, options, &pointing.points, status);
    pointing_close(&pointing);
    return status;
}
