/* SPDX-License-Identifier: BSD-3-Clause
 * Messages about processors that libpfm4 does not know. */
#include "source/pfm.h"

#include <string.h>

#include "tap.h"

static void
test_relative(void)
{
    const char *emerald = hpm_pfm_relative("GenuineIntel family 6 model 207");

    ok(emerald != NULL && strcmp(emerald, "spr") == 0,
       "Emerald Rapids has the events of Sapphire Rapids");
    ok(hpm_pfm_relative("GenuineIntel family 6 model 143") == NULL &&
           hpm_pfm_relative("GenuineIntel family 6 model 2") == NULL &&
           hpm_pfm_relative("") == NULL,
       "of others no relative is made up");
}

int
main(void)
{
    test_relative();
    return done();
}
