/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML page of a run (--html), which `hpm report` makes from performance
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
    char *folder; /* NULL: no page is wanted */
    char **files; /* file names in the folder */
    size_t n_files, files_capacity;
    size_t n_failed; /* failed runs, which are left out */
};

/* Before the program starts: make the folder.  Does nothing where `outputs`
 * have no page. */
bool webpage_begin(struct webpage *ret_page, const struct outputs *outputs,
                   struct hpm_error *err);

/* Add a run; the first is 1.  Of several runs, failed ones are left out, as in
 * the report. */
void webpage_add_run(struct webpage *page,
                     const struct hpm_experiment *experiment,
                     struct hpm_derived *derived, uint64_t run);

/* Make the page and remove the folder; if this fails the folder stays, and a
 * message tells the user what to do with it. */
void webpage_end(struct webpage *page);

void webpage_clear(struct webpage *page);

/* Make a page of these files in a folder (NULL: the present one), each an
 * experiment with the file's name.  False after reporting why. */
bool webpage_make(const struct outputs *outputs, const char *folder,
                  const char *const *files, size_t n_files);

/* Print how to make the page from files of this name, which may be a
 * pattern. */
void webpage_say_by_hand(const struct outputs *outputs, const char *files,
                         size_t n_files);

#endif
