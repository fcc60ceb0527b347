/* SPDX-License-Identifier: BSD-3-Clause
 * Single calls of a record, made from the rows of a reservoir. */
#ifndef HPM_RECORD_KEPTCALLS_H
#define HPM_RECORD_KEPTCALLS_H

#include "record/records.h"

/* Add the single calls of a table, after its records were added.  Without
 * memory a section gets no single calls, and a problem is noted: the sums are
 * worth more. */
void hpm_keptcalls_add(const struct hpm_records *records);

#endif
