/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor --overhead where performance files cannot be read. */
#include "hpm/overhead.h"

enum status
overhead_run(const char *events, bool is_json)
{
    (void)events;
    (void)is_json;
    subcommand_say("doctor",
                   "--overhead: this hpm was built without libxml2, which "
                   "reads what was measured");
    return NOTHING;
}
