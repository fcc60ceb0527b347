/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount -l: what can be counted here. */
#ifndef HPMCOUNT_LISTING_H
#define HPMCOUNT_LISTING_H

#include "source/source.h"

/* Print the events and sets to standard output, those that cannot be counted
 * with their reason.  The exit status. */
int listing_print(const struct hpm_source *const *sources,
                  enum hpm_domain domain);

#endif
