/* SPDX-License-Identifier: BSD-3-Clause
 * --openmp=libomp: a program that gcc has compiled gets LLVM's OpenMP runtime, which
 * tells more of its threads than gcc's. */
#ifndef HPMCOUNT_LIBOMP_H
#define HPMCOUNT_LIBOMP_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"

/* Put a folder first into the list of LD_LIBRARY_PATH, in which LLVM's runtime has the
 * name of gcc's; say once what is changed.  False where there is no such runtime. */
bool libomp_begin(struct hpm_string *folders, struct hpm_error *err);

/* Remove that folder; nothing happens where there is none. */
void libomp_end(void);

#endif
