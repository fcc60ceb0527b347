/* SPDX-License-Identifier: BSD-3-Clause
 * Are there hardware counters here, and if not, why not. */
#ifndef HPM_SOURCE_HARDWARE_H
#define HPM_SOURCE_HARDWARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "source/obstacle.h"

/* Can the processor's cycles be counted for this user?  If not, `why` says in
 * one sentence what stands in the way and what to do. */
bool hpm_hardware_is_usable(struct hpm_error *why);

/* The same, cause and remedy apart. */
bool hpm_hardware_check(struct hpm_obstacle *ret_obstacle);

/* Does the processor say that it is a virtual one? */
bool hpm_hardware_is_virtual(void);

/* Name of the hypervisor ("KVM"); false where there is none, or nobody says
 * which. */
bool hpm_hardware_hypervisor(char *ret_name, size_t size);

/* libpfm4's name of the core PMU ("skx", "arm_n1"); false where libpfm4 knows
 * none, or was left out of this build. */
bool hpm_hardware_pmu(char *ret_name, size_t size);

#endif
