/* SPDX-License-Identifier: BSD-3-Clause
 * A campaign: one program run again and again, each time with other counters.
 *
 *     FOLDER/campaign           what it is: program, options, events of each set
 *     FOLDER/set-01-run-1/      what one run wrote
 *         *.hpm.xml
 *         done                  the run ended well
 *
 * Who gives the same command again goes on where the campaign was interrupted:
 * runs with `done` are not made again.
 */
#ifndef HPM_CAMPAIGN_H
#define HPM_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/string.h"

struct campaign {
    char *const *program; /* and its arguments; ends with NULL */
    const char *output;
    const char *folder;       /* as the user knows it */
    char *path;               /* absolute */
    struct hpm_string *lists; /* per set its events, with commas between */
    size_t n_sets;
    uint64_t n_repeats;
    bool is_interleaved; /* all sets once, then all sets again */
    bool has_sections;   /* the program counts itself, by libhpm */
};

/* One run: of which set, which repetition, from 0 on. */
struct campaign_run {
    size_t set;
    uint64_t repeat;
};

static inline size_t
campaign_n_runs(const struct campaign *campaign)
{
    return campaign->n_sets * (size_t)campaign->n_repeats;
}

/* The i-th run in the order in which they are made. */
struct campaign_run campaign_run_at(const struct campaign *campaign, size_t i);

/* ---- the folder (campaignfolder.c) ----------------------------------- */

/* Make the folder, or take the one that is there where it is of this very
 * campaign.  False, and why, where it is of another one or cannot be used. */
bool campaign_open_folder(struct campaign *campaign, struct hpm_error *err);

bool campaign_is_done(const struct campaign *campaign, struct campaign_run run);

/* An empty folder for the run; what a run before left that did not end well is
 * removed. */
bool campaign_begin_run(const struct campaign *campaign,
                        struct campaign_run run, struct hpm_error *err);
bool campaign_end_run(const struct campaign *campaign, struct campaign_run run,
                      struct hpm_error *err);

/* Append the path of the run's folder. */
void campaign_add_run_path(const struct campaign *campaign,
                           struct campaign_run run, struct hpm_string *path);

/* Append the paths of the performance files of a run, each with a NUL behind
 * it; how many. */
size_t campaign_add_files(const struct campaign *campaign,
                          struct campaign_run run, struct hpm_string *paths);

/* ---- one run (campaignrun.c) ------------------------------------------ */

/* Run the program for one set, and wait for it.  0 when it ended well, else the
 * exit status to end with, after saying why: that of the program, 128 + number
 * of a signal, 126 or 127 where it cannot be run. */
int campaign_make_run(const struct campaign *campaign, struct campaign_run run);

#endif
