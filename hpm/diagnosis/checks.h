/* SPDX-License-Identifier: BSD-3-Clause
 * What hpm doctor looks at. */
#ifndef HPM_CHECKS_H
#define HPM_CHECKS_H

#include "hpm/diagnosis/findings.h"

/* Look at everything, the most likely causes first.  `findings` starts from
 * {0}. */
void checks_run(struct findings *findings);

#endif
