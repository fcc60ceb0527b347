/* SPDX-License-Identifier: BSD-3-Clause
 * The sources there are, in the order they are asked. */
#include "source/source.h"

#include <string.h>

#include "source/replay.h"

/* Resource usage serves beside any source, but not beside "none", which
 * leaves nothing but the time, nor beside "replay", whose results are the same
 * in every run. */
const struct hpm_source *const *
hpm_source_choose(const char *choice)
{
    static const struct hpm_source *const all[] = {&hpm_source_kernel,
                                                   &hpm_source_usage, NULL};
    static const struct hpm_source *const usage[] = {&hpm_source_usage, NULL};
    static const struct hpm_source *const none[] = {NULL};
    static const struct hpm_source *const replay[] = {&hpm_source_replay,
                                                      NULL};

    if (choice == NULL || strcmp(choice, "auto") == 0 ||
        strcmp(choice, "kernel") == 0)
        return all;
    if (strcmp(choice, "usage") == 0)
        return usage;
    if (strcmp(choice, "none") == 0)
        return none;
    if (strcmp(choice, "replay") == 0) {
        hpm_replay_load();
        return replay;
    }
    return NULL;
}
