/* SPDX-License-Identifier: BSD-3-Clause
 * Names of output files, made from a pattern. */
#ifndef HPM_FILE_PATTERN_H
#define HPM_FILE_PATTERN_H

#include "base/error.h"
#include "model/experiment.h"

#define HPM_DEFAULT_PATTERN "%n_%r_%p.hpm.xml"

/* A value of run.task: one file for all tasks of a job. */
enum { HPM_ALL_TASKS = -1 };

/* The pattern for a child process: `pattern` with the process id before its
 * end, unless it has the process id already: "m.xml" becomes "m_%p.xml".  NULL
 * when memory runs out. */
char *hpm_pattern_for_child(const char *pattern);

/* Replace %n program, %r task (4 digits, or "all"), %p process id, %i number of
 * the run (1: if there are more runs, hpmcount replaces it before), %h host, %j
 * job and %% in `pattern` by the values in `run`, with '_' for each slash.
 * Returns a new string; NULL for an unknown letter, or when memory runs out. */
char *hpm_pattern_expand(const char *pattern, const struct hpm_run *run,
                         struct hpm_error *err);

#endif
