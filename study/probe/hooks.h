/* SPDX-License-Identifier: BSD-3-Clause
 * Was a program compiled so that its functions call hooks? */
#ifndef HPM_STUDY_PROBE_HOOKS_H
#define HPM_STUDY_PROBE_HOOKS_H

#include <stdbool.h>

#include "elf/elffile.h"

/* Has the program or library functions with hooks (-finstrument-functions of gcc
 * and clang, -fxray-instrument of clang)?  Which of them have is not known. */
bool hpm_hooks_has(const struct hpm_elffile *file);

#endif
