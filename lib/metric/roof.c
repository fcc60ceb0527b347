/* SPDX-License-Identifier: BSD-3-Clause
 * The machine's roofs, measured by hpm doctor --roofs, as formulas use them. */
#include "metric/roof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char space[] = "roof::", fact[] = " ROOF:";

const char hpm_roof_remedy[] =
    "it was not measured on this machine; run 'hpm doctor --roofs' once";

bool
hpm_roof_is_name(const char *event)
{
    return strncmp(event, space, sizeof space - 1) == 0;
}

double
hpm_roof_value(const char *event, const char *facts)
{
    const char *name = event + sizeof space - 1;
    size_t length = strlen(name);

    while (facts != NULL && (facts = strstr(facts, fact)) != NULL) {
        facts += sizeof fact - 1;
        if (strncmp(facts, name, length) == 0 && facts[length] == '=') {
            double value = strtod(facts + length + 1, NULL);

            return value > 0.0 ? value : (double)NAN;
        }
    }
    return (double)NAN;
}
