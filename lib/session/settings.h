/* SPDX-License-Identifier: BSD-3-Clause
 * What the caller and the environment chose at init; valid until the end. */
#ifndef HPM_SESSION_SETTINGS_H
#define HPM_SESSION_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "file/output.h"
#include "inquiry/inquiry.h"
#include "model/experiment.h"
#include "record/recorder.h"
#include "source/eventset.h"

struct hpm_settings {
    struct hpm_run run; /* program, task, pid: file names are made of these */
    char *pattern;      /* of the performance file */
    char *fallback_pattern; /* used if the file of `pattern` cannot be
                             * written */
    char *report;           /* HPM_REPORT; NULL if not set */
    char *folder;           /* the working directory at init; NULL: not known */
    bool is_synced;
    struct hpm_inquiry inquiry; /* open if metrics choose the events */
    bool has_checkpoints;
    bool are_checkpoints_asked; /* false: this is a task of a job, which has
                                 * them unasked */
    uint64_t checkpoint_ns;     /* the interval; 0: at each stop */
    struct hpm_eventset set;
    struct hpm_plan plan; /* its strings are copies of the environment's */
    struct hpm_destination file;
    struct hpm_destination fallback; /* the default name, in the working
                                      * directory at init */
    struct hpm_destination report_file;
    struct hpm_destination journal; /* in HPM_JOURNAL_FOLDER; without the
                                     * ".journal" of its name */
    bool has_file, has_fallback, has_report_file, has_journal;
};

/* Choose all settings, and say now what cannot be had, not after hours of
 * computing.  `task` and `program` as in hpmInit.  False when memory runs
 * out. */
bool hpm_settings_choose(struct hpm_settings *settings, int task,
                         const char *program) __attribute__((cold));

/* In a forked child: choose files with the child's process id in their names.
 * False when memory runs out. */
bool hpm_settings_choose_for_child(struct hpm_settings *settings)
    __attribute__((cold));

#endif
