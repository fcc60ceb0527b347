/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount --audit: hpm audit makes the runs and compares them. */
#ifndef HPMCOUNT_AUDIT_H
#define HPMCOUNT_AUDIT_H

#include "base/error.h"
#include "hpmcount/options.h"

/* Become `hpm audit` with the same events and program; returns only where that
 * cannot be, and says why. */
void audit_become(const struct options *options, struct hpm_error *err);

#endif
