/* SPDX-License-Identifier: BSD-3-Clause
 * --functions, --library: can libraries be loaded into the program, and has it
 * hooks? */
#ifndef HPMCOUNT_HOOKED_H
#define HPMCOUNT_HOOKED_H

#include <stdbool.h>

#include "base/error.h"

/* Look at the program that `word` runs, found as execvp finds it.  False where no
 * library can be loaded into it.  Where it was not compiled for this one line says
 * so, since its libraries and the programs it starts may have been.  Says nothing of
 * scripts, and of files that cannot be read. */
bool hooked_check(const char *word, struct hpm_error *err);

/* For the option: false where no library can be loaded into the program that `word`
 * runs. */
bool hooked_can_load(const char *option, const char *word,
                     struct hpm_error *err);

#endif
