/* SPDX-License-Identifier: BSD-3-Clause
 * The sources, in the order in which they are asked. */
#include "source/sources.h"

#include <string.h>

#include "source/replay.h"

/* Resource usage can be added to any source, but not to "none", which leaves
 * only the time, and not to "replay", which has the same results in every run.
 * PAPI comes last: asking it means loading it, and events that the kernel
 * counts are cheaper and safer without PAPI. */
enum { LONGEST = 3 + HPM_MAX_BROUGHT + 1 }; /* with the end */

typedef const struct hpm_source *list_of_sources[LONGEST];

static list_of_sources all = {&hpm_source_kernel, &hpm_source_usage,
                              &hpm_source_papi};
static list_of_sources kernel = {&hpm_source_kernel, &hpm_source_usage};
static list_of_sources papi = {&hpm_source_usage, &hpm_source_papi};
static list_of_sources usage = {&hpm_source_usage};
static const struct hpm_source *const replay[] = {&hpm_source_replay, NULL};
static const struct hpm_source *const none[] = {NULL};

/* At the end, before PAPI.  A third source, which no library has, changes nothing. */
static void
insert(list_of_sources list, const struct hpm_source *source)
{
    size_t n = 0;

    while (list[n] != NULL)
        n++;
    if (n + 1 == LONGEST)
        return;
    if (list[n - 1] == &hpm_source_papi) {
        list[n] = list[n - 1];
        n--;
    }
    list[n] = source;
}

void
hpm_sources_bring(const struct hpm_source *source)
{
    insert(all, source);
    insert(kernel, source);
    insert(papi, source);
    insert(usage, source);
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
