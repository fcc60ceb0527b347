/* SPDX-License-Identifier: BSD-3-Clause
 * Sections that last until the program ends. */
#include "record/lasting.h"

static int lasting;
static bool has_lasting;

void
hpm_lasting_let(int instance)
{
    lasting = instance;
    has_lasting = true;
}

bool
hpm_lasting_is(int instance)
{
    return has_lasting && instance == lasting;
}

bool
hpm_lasting_are_there(void)
{
    return has_lasting;
}
