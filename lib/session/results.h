/* SPDX-License-Identifier: BSD-3-Clause
 * What a recording leaves behind: the performance file and the report. */
#ifndef HPM_SESSION_RESULTS_H
#define HPM_SESSION_RESULTS_H

#include "model/experiment.h"
#include "session/settings.h"

/* Write the performance file where the settings say, or to the fallback, and
 * the report if there is to be one.  What goes wrong is said; samples that were
 * too few to be replayed become problems of the experiment, too. */
void hpm_results_write(const struct hpm_settings *settings,
                       struct hpm_experiment *experiment);

#endif
