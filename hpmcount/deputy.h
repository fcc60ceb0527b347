/* SPDX-License-Identifier: BSD-3-Clause
 * Who does in hpmcount's place what may never end. */
#ifndef HPMCOUNT_DEPUTY_H
#define HPMCOUNT_DEPUTY_H

#include <stdbool.h>

#include "base/error.h"

/* Writes something; false when that failed. */
typedef bool deputy_work(void *context, struct hpm_error *err);

/* Have `work` done by a child process, and wait for it, but no longer than
 * HPM_TIMEOUT says: a file system whose server is gone lets who writes wait for
 * ever, and nothing can wake him.  What the child says on standard error is
 * passed on; nothing else of what it changes is seen.  False, with the reason,
 * when the work failed, or was given up and the child killed. */
bool deputy_do(deputy_work *work, void *context, struct hpm_error *err);

/* How many seconds HPM_TIMEOUT lets hpmcount wait for others; 0: for ever. */
unsigned long deputy_patience(void);

#endif
