/* SPDX-License-Identifier: BSD-3-Clause
 * Names of output files, made from a pattern. */
#ifndef HPM_FILE_PATTERN_H
#define HPM_FILE_PATTERN_H

#include "base/error.h"
#include "model/experiment.h"

#define HPM_DEFAULT_PATTERN "%n_%r_%p.hpm.xml"

/* As run.task: the file of all tasks of a job. */
enum { HPM_ALL_TASKS = -1 };

/* Replace %n program, %r task (4 digits, or "all"), %p process id, %i number of
 * the run (1: hpmcount replaces it before where there are more), %h host, %j
 * job and %% in `pattern` by what `run` says; a slash in one of these becomes '_'.
 * Returns a new string; NULL for an unknown letter, or when there is no
 * memory. */
char *hpm_pattern_expand(const char *pattern, const struct hpm_run *run,
                         struct hpm_error *err);

#endif
