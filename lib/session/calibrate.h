/* SPDX-License-Identifier: BSD-3-Clause
 * Finding out what measuring costs, through the door the program uses. */
#ifndef HPM_SESSION_CALIBRATE_H
#define HPM_SESSION_CALIBRATE_H

#include "record/calibration.h"
#include "record/process.h"
#include "record/thread.h"

/* Call the public thread calls in the calling thread, whose part is `thread`,
 * with tables of their own in place of the thread's.  Nothing of it stays but
 * *ret_calibration.  Without memory that is not done. */
void hpm_calibrate_thread(struct hpm_thread *thread,
                          struct hpm_calibration *ret_calibration);

/* The same for the public process calls of that thread; those of others go on.
 */
void hpm_calibrate_process(struct hpm_process *process,
                           struct hpm_thread *thread,
                           struct hpm_calibration *ret_calibration);

#endif
