/* SPDX-License-Identifier: BSD-3-Clause
 * Writing all values of a section as CSV, a piece at a time, so that the
 * windows live on. */
#ifndef HPMVIZ_DATA_CSVJOB_H
#define HPMVIZ_DATA_CSVJOB_H

#include <glib.h>

#include "study/survey/survey.h"

struct hpmviz_csvjob;

/* Called once at the end, unless the job is cancelled; error NULL: the file is
 * written.  The job is gone then. */
typedef void hpmviz_csvjob_done(const char *path, const GError *error,
                                gpointer data);

/* Begin to write a row for each value of each thread of a subject, with state,
 * verdict and reason, in the columns of hpm report --by thread --format csv,
 * piece by piece in the main loop, and the file in a thread.  The file is whole or as it was before.  The survey must
 * outlive the job. */
struct hpmviz_csvjob *hpmviz_csvjob_start(struct hpm_survey *survey,
                                          size_t subject, const char *path,
                                          hpmviz_csvjob_done *done,
                                          gpointer data);

/* Nobody is told any more, and nothing is written but what a thread has begun to
 * write; NULL is fine. */
void hpmviz_csvjob_cancel(struct hpmviz_csvjob *job);

#endif
