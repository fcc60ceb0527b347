/* SPDX-License-Identifier: BSD-3-Clause
 * A campaign: one program run again and again, each time with other counters.
 *
 *     FOLDER/campaign           what it is: program, options, events of each set
 *     FOLDER/set-01-run-1/      what one run wrote
 *         *.hpm.xml
 *         done                  the run ended well
 *         short                 it did, but with fewer processes than others
 *     FOLDER/set-01-run-1-try-2/  the same run, made again
 *
 * Who gives the same command again goes on where the campaign was interrupted:
 * runs with `done` are not made again.  A run that is made again has a folder of
 * its own: the program of the run before may live longer than its campaign, and
 * two campaigns may have one folder; none writes among the files of another.
 */
#ifndef HPM_CAMPAIGN_H
#define HPM_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/string.h"
#include "hpm/frame/subcommand.h"

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
    off_t input_at;      /* where standard input begins, -1: not a file */
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

/* ---- what it is (campaignwords.c) ------------------------------------- */

/* Append it in lines. */
void campaign_describe(const struct campaign *campaign,
                       struct hpm_string *text);

/* Are these lines, `there` in the folder and `here` now, the same?  If not,
 * `err` says what differs. */
bool campaign_compare(const struct campaign *campaign, const char *there,
                      const char *here, struct hpm_error *err);

/* ---- the folder (campaignfolder.c) ----------------------------------- */

/* Make the folder, or take the one that is there where it is of this very
 * campaign.  USAGE, and why, where it is of another one; OUTPUT where it cannot
 * be written. */
enum status campaign_open_folder(struct campaign *campaign,
                                 struct hpm_error *err);

/* Is it made?  Then its folder is appended to `path`, unless that is NULL. */
bool campaign_is_done(const struct campaign *campaign, struct campaign_run run,
                      struct hpm_string *path);

/* Make a new folder for the run, and append its path. */
bool campaign_begin_run(const struct campaign *campaign,
                        struct campaign_run run, struct hpm_string *path,
                        struct hpm_error *err);

/* The run that wrote into this folder is made. */
bool campaign_end_run(const char *folder, struct hpm_error *err);

/* How many processes have written a file in the run that is made. */
size_t campaign_count_processes(const struct campaign *campaign,
                                struct campaign_run run);

/* Was it made before, and taken back? */
bool campaign_was_taken_back(const struct campaign *campaign,
                             struct campaign_run run);

/* It is made, but not well: what it wrote stays, and it can be made again. */
bool campaign_take_back(const struct campaign *campaign,
                        struct campaign_run run, struct hpm_error *err);

/* Append the paths of the performance files of a folder, each with a NUL behind
 * it; how many.  `paths` may be NULL. */
size_t campaign_add_files(const char *folder, struct hpm_string *paths);

/* ---- one run (campaignrun.c) ------------------------------------------ */

/* Run the program for one set, have it write into this folder, and wait for it.  0 when it ended well, else the
 * exit status to end with, after saying why: that of the program, 128 + number
 * of a signal, 126 or 127 where it cannot be run. */
int campaign_make_run(const struct campaign *campaign, struct campaign_run run,
                      const char *folder);

#endif
