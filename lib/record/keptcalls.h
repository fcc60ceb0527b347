/* SPDX-License-Identifier: BSD-3-Clause
 * From the rows of a reservoir to the single calls of a record. */
#ifndef HPM_RECORD_KEPTCALLS_H
#define HPM_RECORD_KEPTCALLS_H

#include "record/records.h"

/* Those of the records of a table, which are there.  Without memory
 * there are none, which is noted: the sums are worth more. */
void hpm_keptcalls_add(const struct hpm_records *records);

#endif
