/* SPDX-License-Identifier: BSD-3-Clause
 * Why the kernel lets nobody count what runs already. */
#ifndef HPMCOUNT_REFUSAL_H
#define HPMCOUNT_REFUSAL_H

#include <stdbool.h>

#include "base/error.h"
#include "hpmcount/targets.h"
#include "source/eventset.h"

/* Try the kernel's events on each target.  False when none of them may be
 * counted there: err says what was refused, why, and what to do. */
bool refusal_check(const struct targets *targets,
                   const struct hpm_eventset *set, struct hpm_error *err);

#endif
