/* SPDX-License-Identifier: BSD-3-Clause
 * Starts and stops with strings that have a length and no NUL at their end, for
 * calls from other languages.  Not exported.  Like the public calls of the same
 * name, but blanks at the end of strings are ignored. */
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
