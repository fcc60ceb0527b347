/* SPDX-License-Identifier: BSD-3-Clause
 * What programs say of options they do not take. */
#ifndef HPM_STUDY_TOOL_OPTION_H
#define HPM_STUDY_TOOL_OPTION_H

#include <stdbool.h>

#include "base/error.h"

/* After getopt_long returned '?' or, with `lacks_argument`, ':' (a leading ':'
 * in its short options, and opterr 0): which word was wrong, and how to get
 * help.  Options without a short form are numbered from 256.  `command` is what
 * the user typed, "hpmcount".  Returns false. */
bool hpm_option_refuse(const char *command, int argc, char **argv,
                       bool lacks_argument, struct hpm_error *err);

#endif
