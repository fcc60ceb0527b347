/* SPDX-License-Identifier: BSD-3-Clause
 * Brings libhpm the source of this library. */
#include "openmp/ompbring.h"

#include <stdatomic.h>

#include "base/message.h"
#include "libhpm.h"
#include "openmp/ompsource.h"

static atomic_bool is_brought;
static const struct hpm_loan *loan;

const struct hpm_loan *
hpm_ompbring_source(void)
{
    if (atomic_exchange(&is_brought, true))
        return loan;
    hpm_message_init();
    if ((hpmVersion)() != LIBHPM_VERSION) {
        hpm_message_say("libhpm_openmp and libhpm are of different versions; "
                        "there will be no times of OpenMP");
        return NULL;
    }
    loan = hpm_private_hand_over_to(NULL, NULL, &hpm_ompsource);
    loan->let_last(HPM_OMPBRING_WHOLE_ID);
    hpm_ompsource_begin(loan);
    return loan;
}
