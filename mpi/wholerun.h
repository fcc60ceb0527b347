/* SPDX-License-Identifier: BSD-3-Clause
 * The whole run of a program that has no sections of its own. */
#ifndef HPM_MPI_WHOLERUN_H
#define HPM_MPI_WHOLERUN_H

#include <stdbool.h>

/* Was this library preloaded (LD_PRELOAD) before a program without sections? */
bool hpm_wholerun_is_wanted(void);

/* If it was, begin a section that lasts until hpm_wholerun_end; the first call alone
 * does. */
void hpm_wholerun_begin(void);

/* By the thread that began the section. */
void hpm_wholerun_end(void);

#endif
