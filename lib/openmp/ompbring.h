/* SPDX-License-Identifier: BSD-3-Clause
 * Brings libhpm the source of this library. */
#ifndef HPM_OPENMP_OMPBRING_H
#define HPM_OPENMP_OMPBRING_H

#include "session/handover.h"

/* The id of the sections "whole run".  No program is likely to use it; if one does, its
 * section is another one, because it has another label. */
enum { HPM_OMPBRING_WHOLE_ID = -2147483646 };

/* Give libhpm the source, before the program can measure anything.  The first call alone
 * does: when this library is loaded, or before that in a region of a library of the
 * program's, which may begin earlier.  What libhpm lends; NULL where it is of another
 * version. */
const struct hpm_loan *hpm_ompbring_source(void) __attribute__((cold));

#endif
