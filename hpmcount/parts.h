/* SPDX-License-Identifier: BSD-3-Clause
 * The threads or cores of a run in a text report. */
#ifndef HPMCOUNT_PARTS_H
#define HPMCOUNT_PARTS_H

#include "base/string.h"
#include "model/experiment.h"

/* Append a table of the counts of each, if the experiment has any besides those
 * of the whole. */
void parts_add_text(struct hpm_string *string,
                    const struct hpm_experiment *experiment);

#endif
