/* SPDX-License-Identifier: BSD-3-Clause
 * Why the kernel refuses to count running targets. */
#ifndef HPMCOUNT_REFUSAL_H
#define HPMCOUNT_REFUSAL_H

#include <stdbool.h>

#include "base/error.h"
#include "hpmcount/targets.h"
#include "source/eventset.h"

/* Try the kernel's events on each target.  False when none can be counted on
 * one of them: err says what was refused, why, and what to do. */
bool refusal_check(const struct targets *targets,
                   const struct hpm_eventset *set, struct hpm_error *err);

#endif
