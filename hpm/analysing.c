/* SPDX-License-Identifier: BSD-3-Clause
 * What subcommands that analyse points share. */
#include "hpm/analysing.h"

#include <unistd.h>

#include "hpm/result.h"
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
              const struct hpm_account *account, const char *usual,
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
