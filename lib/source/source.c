/* SPDX-License-Identifier: BSD-3-Clause
 * The sources there are, in the order they are asked. */
#include "source/source.h"

#include <string.h>

/* Resource usage serves beside any source, but not beside "none", which
 * leaves nothing but the time. */
const struct hpm_source *const *
hpm_source_choose(const char *choice)
{
    static const struct hpm_source *const all[] = {&hpm_source_kernel,
                                                   &hpm_source_usage, NULL};
    static const struct hpm_source *const usage[] = {&hpm_source_usage, NULL};
    static const struct hpm_source *const none[] = {NULL};

    if (choice == NULL || strcmp(choice, "auto") == 0 ||
        strcmp(choice, "kernel") == 0)
        return all;
    if (strcmp(choice, "usage") == 0)
        return usage;
    if (strcmp(choice, "none") == 0)
        return none;
    return NULL;
}
