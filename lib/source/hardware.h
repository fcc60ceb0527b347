/* SPDX-License-Identifier: BSD-3-Clause
 * Finds whether there are hardware counters here, and if not, why. */
#ifndef HPM_SOURCE_HARDWARE_H
#define HPM_SOURCE_HARDWARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "source/obstacle.h"

/* Can this user count the processor's cycles?  If not, `why` says in one
 * sentence what prevents that and what to do. */
bool hpm_hardware_is_usable(struct hpm_error *why) __attribute__((cold));

/* Like hpm_hardware_is_usable, with cause and remedy apart. */
bool hpm_hardware_check(struct hpm_obstacle *ret_obstacle)
    __attribute__((cold));

/* Does the processor say that it is a virtual one? */
bool hpm_hardware_is_virtual(void) __attribute__((cold));

/* Name of the hypervisor ("KVM"); false if there is none, or its name is not
 * known. */
bool hpm_hardware_hypervisor(char *ret_name, size_t size) __attribute__((cold));

/* May there be a PMU?  False if the kernel lists its PMUs and has none for the
 * cores. */
bool hpm_hardware_has_pmu(void) __attribute__((cold));

#endif
