/* SPDX-License-Identifier: BSD-3-Clause
 * The sources, in the order in which they are asked. */
#include "source/sources.h"

#include <string.h>

#include "source/replay.h"

/* Resource usage can be added to any source, but not to "none", which leaves
 * only the time, and not to "replay", which has the same results in every run.
 * PAPI comes last: asking it means loading it, and events that the kernel
 * counts are cheaper and safer without PAPI. */
static const struct hpm_source *all[] = {&hpm_source_kernel, &hpm_source_usage,
                                         &hpm_source_papi, NULL, NULL};
static const struct hpm_source *kernel[] = {&hpm_source_kernel,
                                            &hpm_source_usage, NULL, NULL};
static const struct hpm_source *papi[] = {&hpm_source_usage, &hpm_source_papi,
                                          NULL, NULL};
static const struct hpm_source *usage[] = {&hpm_source_usage, NULL, NULL};
static const struct hpm_source *const replay[] = {&hpm_source_replay, NULL};
static const struct hpm_source *const none[] = {NULL};

void
hpm_sources_bring(const struct hpm_source *source)
{
    all[2] = kernel[2] = papi[2] = usage[1] = source;
    all[3] = &hpm_source_papi;
}

const struct hpm_source *const *
hpm_sources_choose(const char *choice, struct hpm_error *err)
{
    static const struct {
        const char *word;
        const struct hpm_source *const *sources;
    } choices[] = {{"auto", all},    {"kernel", kernel}, {"papi", papi},
                   {"usage", usage}, {"replay", replay}, {"none", none}};

    if (choice == NULL)
        return all;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        if (strcmp(choice, choices[i].word) != 0)
            continue;
        if (choices[i].sources == replay)
            hpm_replay_load();
        return choices[i].sources;
    }
    hpm_error_set(err,
                  "HPM_SOURCE='%.40s' is unknown; expected auto, kernel, papi, "
                  "usage, replay or none",
                  choice);
    return NULL;
}
