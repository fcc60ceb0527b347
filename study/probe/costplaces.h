/* SPDX-License-Identifier: BSD-3-Clause
 * Where hpmcount's own functions are on which it measures what probes cost. */
#ifndef HPM_STUDY_PROBE_COSTPLACES_H
#define HPM_STUDY_PROBE_COSTPLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "study/probe/instruction.h"

/* An empty function for each kind of first instruction, and their caller. */
enum { HPM_N_COST_PLACES = HPM_N_INSTRUCTION_KINDS + 1 };

/* The section of hpmcount's file that says where they are: for each function the
 * distance to it from that place, in 4 bytes (hpmcount/probecosts.c). A file without
 * symbols has it, too. */
#define HPM_COST_PLACES "hpm_cost_places"

/* The offsets of the probes in the file of hpmcount; false where it is none. */
bool hpm_costplaces_read(const char *path,
                         uint64_t ret_offsets[HPM_N_COST_PLACES],
                         struct hpm_error *err);

#endif
