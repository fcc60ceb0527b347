/* SPDX-License-Identifier: BSD-3-Clause
 * What was chosen at init, by the caller and the environment; it holds until
 * the end. */
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
    struct hpm_run run; /* program, task, pid: what file names are made of */
    char *pattern;      /* of the performance file */
    char *fallback_pattern; /* of the same, where that cannot be written */
    char *report;           /* HPM_REPORT; NULL for none */
    char *folder;           /* the working directory at init; NULL: not known */
    bool is_synced;
    struct hpm_inquiry inquiry; /* open where metrics choose the events */
    bool has_checkpoints;
    uint64_t checkpoint_ns; /* their interval; 0: at each stop */
    struct hpm_eventset set;
    struct hpm_plan plan; /* its strings are the environment's, copied */
    struct hpm_destination file;
    struct hpm_destination fallback; /* the default name, first folder */
    struct hpm_destination report_file;
    bool has_file, has_fallback, has_report_file;
};

/* Choose everything; what cannot be had is said now, not after hours of
 * computing.  `task` and `program` as in hpmInit.  False when there is no
 * memory. */
bool hpm_settings_choose(struct hpm_settings *settings, int task,
                         const char *program);

/* In a forked child: files of its own, which have its process id in their
 * names.  False when there is no memory. */
bool hpm_settings_choose_for_child(struct hpm_settings *settings);

#endif
