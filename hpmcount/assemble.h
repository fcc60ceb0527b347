/* SPDX-License-Identifier: BSD-3-Clause
 * A finished run as an experiment of one record. */
#ifndef HPMCOUNT_ASSEMBLE_H
#define HPMCOUNT_ASSEMBLE_H

#include "base/error.h"
#include "hpmcount/launch.h"
#include "model/experiment.h"
#include "source/eventset.h"

/* Name the run before it starts, for the names of its files. */
bool assemble_run(struct hpm_experiment *experiment, const char *program,
                  struct hpm_error *err);

/* Add what was measured. */
bool assemble_record(struct hpm_experiment *experiment, struct launch *launch,
                     const struct hpm_eventset *set, struct hpm_error *err);

#endif
