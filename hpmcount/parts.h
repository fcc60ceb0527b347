/* SPDX-License-Identifier: BSD-3-Clause
 * The table of threads or cores in a text report. */
#ifndef HPMCOUNT_PARTS_H
#define HPMCOUNT_PARTS_H

#include "base/string.h"
#include "model/experiment.h"

/* Append a table of the counts of each thread or core, if the experiment has
 * any. */
void parts_add_text(struct hpm_string *string,
                    const struct hpm_experiment *experiment);

#endif
