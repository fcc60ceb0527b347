/* SPDX-License-Identifier: BSD-3-Clause
 * Writes what a recording leaves: the performance file and the report. */
#ifndef HPM_SESSION_RESULTS_H
#define HPM_SESSION_RESULTS_H

#include "model/experiment.h"
#include "record/recorder.h"
#include "session/settings.h"

/* Begin the journal beside the performance file if HPM_CHECKPOINT asks for one.
 * Says what goes wrong. */
void hpm_results_begin(const struct hpm_settings *settings,
                       struct hpm_recorder *recorder);

/* Write the performance file where the settings say, or to the fallback, and
 * the report if the settings ask for one.  Says what goes wrong; a replay with
 * too few samples also becomes a problem of the experiment.  If the performance
 * file is complete, the journal is removed.  The file's text is handed over to
 * the taker, if there is one (session/handover.h). */
void hpm_results_write(struct hpm_settings *settings,
                       struct hpm_recorder *recorder,
                       struct hpm_experiment *experiment) __attribute__((cold));

/* Say that there will be no performance file, because of `why`, and where the
 * measurement is, if anywhere. */
void hpm_results_give_up(const struct hpm_recorder *recorder, const char *why);

#endif
