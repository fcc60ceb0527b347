/* SPDX-License-Identifier: BSD-3-Clause
 * What programs say of options they do not take. */
#include "study/tool/option.h"

#include <getopt.h>

bool
hpm_option_refuse(const char *command, int argc, char **argv,
                  bool lacks_argument, struct hpm_error *err)
{
    const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";

    if (lacks_argument)
        return hpm_error_set(err, "option '%s' needs a value; try '%s --help'",
                             word, command);
    if (optopt != 0 && optopt < 256)
        return hpm_error_set(err, "option '-%c' is unknown; try '%s --help'",
                             optopt, command);
    return hpm_error_set(err,
                         "option '%s' is unknown or ambiguous; try "
                         "'%s --help'",
                         word, command);
}
