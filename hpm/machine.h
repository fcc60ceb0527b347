/* SPDX-License-Identifier: BSD-3-Clause
 * What the subcommands about metrics ask this machine. */
#ifndef HPM_MACHINE_H
#define HPM_MACHINE_H

#include "inquiry/inquiry.h"

/* Open the inquiry with the sources and the domain of the environment; what is
 * wrong with definitions or variables is said.  False after saying why. */
bool machine_inquire(const char *subcommand, struct hpm_inquiry *inquiry);

#endif
