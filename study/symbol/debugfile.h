/* SPDX-License-Identifier: BSD-3-Clause
 * The file with the debug information of a module that was stripped. */
#ifndef HPM_STUDY_SYMBOL_DEBUGFILE_H
#define HPM_STUDY_SYMBOL_DEBUGFILE_H

#include <gelf.h>

enum { HPM_DEBUGFILE_BUILD_ID = 2 * 64 + 1 };

/* The build id of an object in hexadecimal, or "". */
void hpm_debugfile_build_id(Elf *elf, char *ret_build_id);

/* The path of the object's debug file, found by its build id or its debug link,
 * if there is one with the same build id; else NULL.  Free it. */
char *hpm_debugfile_find(Elf *elf, const char *path);

#endif
