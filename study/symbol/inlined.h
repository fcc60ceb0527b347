/* SPDX-License-Identifier: BSD-3-Clause
 * Functions without code of their own, since the compiler has put their code into
 * all of their callers. */
#ifndef HPM_STUDY_SYMBOL_INLINED_H
#define HPM_STUDY_SYMBOL_INLINED_H

#include <stdbool.h>

/* Takes one of them; linkage name and source file are valid during the call, the
 * file may be NULL.  False ends the list. */
typedef bool hpm_inlined_take(void *context, const char *linkage,
                              const char *file, int line);

/* List those of the program or library, some several times.  False where there is
 * no debug information (compiled with -g), or `take` ended the list. */
bool hpm_inlined_list(const char *path, hpm_inlined_take *take, void *context);

#endif
