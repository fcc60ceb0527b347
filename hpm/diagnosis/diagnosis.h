/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor: what can be counted here, and why not more. */
#ifndef HPM_DIAGNOSIS_H
#define HPM_DIAGNOSIS_H

#include <stdbool.h>

#include "hpm/frame/subcommand.h"

/* Run all checks, and print the cause and all findings.  GOOD when hardware
 * counters can be used, SOME_BAD when they cannot, or only in part. */
enum status diagnosis_run(bool is_json);

#endif
