/* SPDX-License-Identifier: BSD-3-Clause
 * The begin of libhpm_openmp: libhpm gets its source before the program can measure
 * anything. */
#include <stdatomic.h>

#include "base/message.h"
#include "libhpm.h"
#include "openmp/ompruntime.h"
#include "openmp/ompsource.h"
#include "openmp/ompwhole.h"

static void begin(void) __attribute__((constructor));

static atomic_bool is_begun;

void
hpm_ompwhole_prepare(void)
{
    const struct hpm_loan *loan;

    if (atomic_exchange(&is_begun, true))
        return;
    hpm_message_init();
    if ((hpmVersion)() != LIBHPM_VERSION) {
        hpm_message_say("libhpm_openmp and libhpm are of different versions; "
                        "there will be no times of OpenMP");
        return;
    }
    loan = hpm_private_hand_over_to(NULL, NULL, &hpm_ompsource);
    loan->let_last(HPM_OMPWHOLE_ID);
    hpm_ompsource_begin(loan);
}

/* A program with a runtime is measured from here on: its serial beginning counts.  A
 * runtime that loads this library as a tool is about to begin: it may not be asked
 * anything yet, and the whole run begins with the first region. */
static void
begin(void)
{
    hpm_ompwhole_prepare();
    if ((hpmVersion)() == LIBHPM_VERSION && hpm_ompruntime_is_there() &&
        hpm_ompwhole_begins_at_load())
        hpm_ompwhole_begin();
}
