/* SPDX-License-Identifier: BSD-3-Clause
 * Starts and stops with strings that have a length and no NUL at their end:
 * what the doors of other languages call.  Not exported.  As the public calls
 * of the same name otherwise; blanks at the end of strings do not count. */
#ifndef HPM_COUNTED_H
#define HPM_COUNTED_H

#include "base/text.h"

void hpm_counted_tstart(int id, int parent, struct hpm_counted label,
                        struct hpm_counted file, int line);
void hpm_counted_tstop(int id, struct hpm_counted file, int line);
void hpm_counted_start(int id, int parent, struct hpm_counted label,
                       struct hpm_counted file, int line);
void hpm_counted_stop(int id, struct hpm_counted file, int line);

#endif
