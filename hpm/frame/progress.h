/* SPDX-License-Identifier: BSD-3-Clause
 * The progress of long work: one line on standard error that is overwritten; on
 * terminals only, and only when the work takes more than a moment.
 */
#ifndef HPM_PROGRESS_H
#define HPM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    const char *command; /* the subcommand */
    const char *what;    /* "files read" */
    size_t n_done, n;
    uint64_t next_ns; /* when to show it again; 0: never */
    bool is_shown;
};

void progress_begin(struct progress *progress, const char *command,
                    const char *what, size_t n);

/* One more item is done. */
void progress_step(struct progress *progress);

/* Remove the line: before any other message, and at the end. */
void progress_hide(struct progress *progress);

#endif
