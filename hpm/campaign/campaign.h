/* SPDX-License-Identifier: BSD-3-Clause
 * A campaign: one program run several times, each time with other counters.
 *
 *     FOLDER/campaign           description: program, options, events of each
 *     set
 *     FOLDER/set-01-run-1/      what one run wrote
 *         *.hpm.xml
 *         done                  the run ended well
 *         short                 the same, but with fewer processes than others
 *     FOLDER/set-01-run-1-try-2/  the same run, made again
 *
 * The same command continues an interrupted campaign: runs with `done` are not
 * made again.  A repeated run has a folder of its own: the program of the
 * earlier run may still be running, and two campaigns may use one folder; so no
 * run writes among the files of another.
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
    const char *folder;       /* as the user gave it */
    char *path;               /* absolute */
    struct hpm_string *lists; /* by set: its events, separated by commas */
    size_t n_sets;
    uint64_t n_repeats;
    bool is_interleaved; /* all sets once, then all sets again */
    bool has_sections;   /* the program counts itself, with libhpm */
    off_t input_at;      /* start offset of standard input; -1: not a file */
};

/* One run: its set and its repetition, both from 0 on. */
struct campaign_run {
    size_t set;
    uint64_t repeat;
};

static inline size_t
campaign_n_runs(const struct campaign *campaign)
{
    return campaign->n_sets * (size_t)campaign->n_repeats;
}

/* The i-th run in the order of the runs. */
struct campaign_run campaign_run_at(const struct campaign *campaign, size_t i);

/* ---- the description (campaignwords.c) -------------------------------- */

/* Append the description, in lines. */
void campaign_describe(const struct campaign *campaign,
                       struct hpm_string *text);

/* Are these descriptions, `there` in the folder and `here` now, the same?  If
 * not, `err` says what differs. */
bool campaign_compare(const struct campaign *campaign, const char *there,
                      const char *here, struct hpm_error *err);

/* ---- the folder (campaignfolder.c) ----------------------------------- */

/* Make the folder, or use an existing one that belongs to the same campaign.
 * USAGE, with the reason, where it belongs to another one; OUTPUT where it
 * cannot be written. */
enum status campaign_open_folder(struct campaign *campaign,
                                 struct hpm_error *err);

/* Was the run made?  Then append its folder to `path`, unless that is NULL. */
bool campaign_is_done(const struct campaign *campaign, struct campaign_run run,
                      struct hpm_string *path);

/* Make a new folder for the run, and append its path. */
bool campaign_begin_run(const struct campaign *campaign,
                        struct campaign_run run, struct hpm_string *path,
                        struct hpm_error *err);

/* Mark the run that wrote into this folder as made. */
bool campaign_end_run(const char *folder, struct hpm_error *err);

/* How many processes wrote a file in a finished run. */
size_t campaign_count_processes(const struct campaign *campaign,
                                struct campaign_run run);

/* Was the run made before, and taken back? */
bool campaign_was_taken_back(const struct campaign *campaign,
                             struct campaign_run run);

/* Mark a run as made but not good: its files stay, and it can be made again. */
bool campaign_take_back(const struct campaign *campaign,
                        struct campaign_run run, struct hpm_error *err);

/* Append the paths of the performance files of a folder, each with a NUL after
 * it; returns their number.  `paths` may be NULL. */
size_t campaign_add_files(const char *folder, struct hpm_string *paths);

/* ---- one run (campaignrun.c) ------------------------------------------ */

/* Run the program for one set, writing into this folder, and wait for it. 0
 * when it ended well, else the exit status to end with, after reporting why:
 * the program's own, 128 + number of a signal, 126 or 127 where the program
 * cannot be run. */
int campaign_make_run(const struct campaign *campaign, struct campaign_run run,
                      const char *folder);

#endif
