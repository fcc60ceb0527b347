/* SPDX-License-Identifier: BSD-3-Clause
 * The file with the symbols and lines of a program or library from which they were
 * taken out: distributions ship it apart, 'objcopy --only-keep-debug' makes one. */
#ifndef HPM_FUNCTIONS_SEPARATE_H
#define HPM_FUNCTIONS_SEPARATE_H

#include <stdbool.h>

#include "elf/elffile.h"

/* Open the separate debug file of `of`, which was opened at `path`; false, and nothing
 * to close, where none has the same build ID. */
bool hpm_separate_open(struct hpm_elffile *ret_file,
                       const struct hpm_elffile *of, const char *path);

#endif
