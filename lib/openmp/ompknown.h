/* SPDX-License-Identifier: BSD-3-Clause
 * Which states of its threads the program's OpenMP runtime tells tools of. */
#ifndef HPM_OPENMP_OMPKNOWN_H
#define HPM_OPENMP_OMPKNOWN_H

#include <stdbool.h>

#include "openmp/ompstate.h"

/* A runtime has begun to tell, but not of the states whose bits are set. */
void hpm_ompknown_begin(unsigned missing);

/* Has a runtime begun to tell? */
bool hpm_ompknown_has_begun(void);

/* Does the runtime that has begun not tell of this state? */
bool hpm_ompknown_lacks(enum hpm_ompstate state);

#endif
