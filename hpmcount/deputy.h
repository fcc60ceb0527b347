/* SPDX-License-Identifier: BSD-3-Clause
 * A child process for work that may never end. */
#ifndef HPMCOUNT_DEPUTY_H
#define HPMCOUNT_DEPUTY_H

#include <stdbool.h>

#include "base/error.h"

/* The work: writes something; false on failure. */
typedef bool deputy_work(void *context, struct hpm_error *err);

/* Let a child process do the work, and wait for it at most the time of
 * HPM_TIMEOUT: a file system whose server is gone blocks a writer for ever, and
 * nothing can interrupt this.  The child's messages on standard error are
 * passed on; no other change in the child is visible here.  False, with the
 * reason, when the work failed, or took too long and the child was killed. */
bool deputy_do(deputy_work *work, void *context, struct hpm_error *err);

/* The seconds of HPM_TIMEOUT that hpmcount waits for others; 0: no limit. */
unsigned long deputy_patience(void);

#endif
