/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML page of the run (--html), which `hpm report` makes of performance
 * files in a folder of their own. */
#ifndef HPMCOUNT_WEBPAGE_H
#define HPMCOUNT_WEBPAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "hpmcount/outputs.h"
#include "metric/derived.h"
#include "model/experiment.h"

struct webpage {
    const struct outputs *outputs;
    char *folder; /* NULL when no page is wanted */
    char **files; /* their names in it */
    size_t n_files, files_capacity;
    size_t n_failed; /* runs that are not in it */
};

/* Before the program starts: make the folder.  Nothing where `outputs` have no
 * page. */
bool webpage_begin(struct webpage *ret_page, const struct outputs *outputs,
                   struct hpm_error *err);

/* Add a run, the first being 1.  Of several, those that failed are left out, as
 * they are of the report. */
void webpage_add_run(struct webpage *page,
                     const struct hpm_experiment *experiment,
                     struct hpm_derived *derived, uint64_t run);

/* Make the page and remove the folder; where there is no page the folder stays,
 * and the user is told what to do with it. */
void webpage_end(struct webpage *page);

void webpage_clear(struct webpage *page);

/* Make the page of these files of a folder (NULL: the present one), an
 * experiment each, which the page calls by these names.  False when there is none;
 * why was said. */
bool webpage_make(const struct outputs *outputs, const char *folder,
                  const char *const *files, size_t n_files);

/* Say how the page is made of the files of a name, which may be a pattern. */
void webpage_say_by_hand(const struct outputs *outputs, const char *files,
                         size_t n_files);

#endif
