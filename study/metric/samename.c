/* SPDX-License-Identifier: BSD-3-Clause
 * Two names of one event. */
#include "study/metric/samename.h"

#include <string.h>

#include "base/string.h"
#include "metric/alias.h"

bool
hpm_samename_is(const char *a, const char *b)
{
    struct hpm_string one = {0}, other = {0};
    bool is_same;

    hpm_alias_add(&one, a);
    hpm_alias_add(&other, b);
    is_same = !one.failed && !other.failed &&
              strcmp(hpm_string_text(&one), hpm_string_text(&other)) == 0;
    hpm_string_free(&one);
    hpm_string_free(&other);
    return is_same;
}
