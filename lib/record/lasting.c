/* SPDX-License-Identifier: BSD-3-Clause
 * Sections that last until the program ends. */
#include "record/lasting.h"

static int first_lasting, last_lasting;
static bool has_lasting;

void
hpm_lasting_let(int first, int last)
{
    first_lasting = first;
    last_lasting = last;
    has_lasting = true;
}

bool
hpm_lasting_is(int instance)
{
    return has_lasting && instance >= first_lasting && instance <= last_lasting;
}

bool
hpm_lasting_are_there(void)
{
    return has_lasting;
}
