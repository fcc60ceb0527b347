/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount -l: what can be counted here. */
#ifndef HPMCOUNT_LISTING_H
#define HPMCOUNT_LISTING_H

#include "inquiry/inquiry.h"

/* Print events, sets and metrics to standard output, with reasons for events
 * that cannot be counted.  Returns the exit status. */
int listing_print(struct hpm_inquiry *inquiry);

#endif
