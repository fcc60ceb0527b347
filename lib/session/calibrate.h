/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what measuring costs, through the same public calls as the
 * program's. */
#ifndef HPM_SESSION_CALIBRATE_H
#define HPM_SESSION_CALIBRATE_H

#include "record/calibration.h"
#include "record/process.h"
#include "record/thread.h"

/* Make the public thread calls in the calling thread, which is `thread`, with
 * tables of their own instead of the thread's.  Nothing remains but
 * *ret_calibration.  If memory runs out, the calibration is not done. */
void hpm_calibrate_thread(struct hpm_thread *thread,
                          struct hpm_calibration *ret_calibration);

/* Make the public process calls in that thread, likewise; process calls of
 * other threads are not stopped. */
void hpm_calibrate_process(struct hpm_process *process,
                           struct hpm_thread *thread,
                           struct hpm_calibration *ret_calibration);

#endif
