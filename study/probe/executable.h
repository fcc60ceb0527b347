/* SPDX-License-Identifier: BSD-3-Clause
 * The file that a command line's word runs. */
#ifndef HPM_STUDY_PROBE_EXECUTABLE_H
#define HPM_STUDY_PROBE_EXECUTABLE_H

#include <stdbool.h>

#include "base/string.h"

/* Find the file as execvp does: `word` itself where it has a slash, else by
 * PATH.  False where there is no file that this user may execute, or no memory;
 * then *ret_path is undefined. */
bool hpm_executable_find(const char *word, struct hpm_string *ret_path);

/* The file of that name, or, where there is none and the word has no slash, the one
 * that hpm_executable_find finds: without links, or the word itself where there is
 * neither.  Free it with hpm_memory_free; NULL without memory. */
char *hpm_executable_file(const char *word);

#endif
