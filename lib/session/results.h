/* SPDX-License-Identifier: BSD-3-Clause
 * What a recording leaves behind: the performance file and the report. */
#ifndef HPM_SESSION_RESULTS_H
#define HPM_SESSION_RESULTS_H

#include "model/experiment.h"
#include "record/recorder.h"
#include "session/settings.h"

/* Begin the journal beside the performance file, where HPM_CHECKPOINT asks for
 * one.  What goes wrong is said. */
void hpm_results_begin(const struct hpm_settings *settings,
                       struct hpm_recorder *recorder);

/* Write the performance file where the settings say, or to the fallback, and
 * the report if there is to be one.  What goes wrong is said; samples that were
 * too few to be replayed become problems of the experiment, too.  With a complete
 * performance file the journal goes.  What is in the file is handed over to who
 * asked for it (session/handover.h). */
void hpm_results_write(struct hpm_settings *settings,
                       struct hpm_recorder *recorder,
                       struct hpm_experiment *experiment) __attribute__((cold));

/* Say that there will be no performance file, because of `why`, and where what
 * was measured is, if anywhere. */
void hpm_results_give_up(const struct hpm_recorder *recorder, const char *why);

#endif
