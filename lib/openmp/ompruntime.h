/* SPDX-License-Identifier: BSD-3-Clause
 * The OpenMP runtime of the program: which one there is, and whether it tells. */
#ifndef HPM_OPENMP_OMPRUNTIME_H
#define HPM_OPENMP_OMPRUNTIME_H

#include <stdbool.h>

#include "base/error.h"

/* Is a runtime loaded? */
bool hpm_ompruntime_is_there(void);

/* Is this the file of the runtime that is loaded? */
bool hpm_ompruntime_is(const char *file);

/* Does this file, which is loaded, tell tools what its threads do (OMPT)? */
bool hpm_ompruntime_has_tools(const char *file);

/* False, with the reason and what to do, where the runtime that is loaded will not
 * tell of its threads, if it has not begun to.  True where none is loaded: a plug-in
 * may bring one. */
bool hpm_ompruntime_tells(struct hpm_error *err);

#endif
