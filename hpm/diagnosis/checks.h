/* SPDX-License-Identifier: BSD-3-Clause
 * The checks of hpm doctor. */
#ifndef HPM_CHECKS_H
#define HPM_CHECKS_H

#include "hpm/diagnosis/findings.h"

/* Run all checks, the most likely causes first.  `findings` starts from {0}. */
void checks_run(struct findings *findings);

#endif
