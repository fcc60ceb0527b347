/* SPDX-License-Identifier: BSD-3-Clause
 * The file that a word of a command line runs. */
#ifndef HPMCOUNT_EXECUTABLE_H
#define HPMCOUNT_EXECUTABLE_H

#include <stdbool.h>

#include "base/string.h"

/* As execvp finds it: `word` itself where it has a slash, else by PATH.  False
 * where there is no file of it that we may execute; then, or without memory for
 * it, *ret_path is any. */
bool executable_find(const char *word, struct hpm_string *ret_path);

#endif
