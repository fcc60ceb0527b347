/* SPDX-License-Identifier: BSD-3-Clause
 * A plug-in that measures: tests/programs/lives loads and closes it. */
#include <libhpm.h>

void plugin_run(void);

void
plugin_run(void)
{
    hpmTstart(1, "in the plug-in");
    hpmTstop(1);
}
