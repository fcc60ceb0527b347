/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files that a measured program writes by a library of ours. */
#ifndef HPMCOUNT_WRITTEN_H
#define HPMCOUNT_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"

/* Begin a list of such files, which is itself a file in the folder for temporary
 * files.  Returns the list's path for HPM_WRITTEN (file/written.h), valid until
 * written_end.  NULL where the list cannot be made: then nothing is shown. */
const char *written_begin(void);

/* Append the command that reports the files of the list which are still there, as an
 * entry of the first screen in one line, however long: a shell takes the names as they
 * stand.  Nothing where there is no file, or no list was begun. */
void written_add_text(struct hpm_string *string);

/* How long the list is; it grows with each file. */
size_t written_length(void);

/* Was a list begun, and no file written? */
bool written_is_empty(void);

/* Remove the list. */
void written_end(void);

#endif
