/* SPDX-License-Identifier: BSD-3-Clause
 * Where this task stands in a grid of tasks. */
#ifndef HPM_MPI_CARTESIAN_H
#define HPM_MPI_CARTESIAN_H

#include "session/handover.h"

/* In that of the largest Cartesian communicator there has been; of equally large
 * ones that of the most dimensions, else the first. */
extern hpm_known_place hpm_cartesian_place;

#endif
