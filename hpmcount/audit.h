/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount --audit: hpm audit makes the runs and compares them. */
#ifndef HPMCOUNT_AUDIT_H
#define HPMCOUNT_AUDIT_H

#include "base/error.h"
#include "hpmcount/options.h"

/* Run `hpm audit` in this process, with the same events and program; returns
 * only where this fails, with the reason. */
void audit_become(const struct options *options, struct hpm_error *err);

#endif
