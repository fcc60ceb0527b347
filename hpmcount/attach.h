/* SPDX-License-Identifier: BSD-3-Clause
 * Counting running processes, threads or processors, which are not
 * disturbed. */
#ifndef HPMCOUNT_ATTACH_H
#define HPMCOUNT_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "hpmcount/intervals.h"
#include "hpmcount/launch.h"
#include "hpmcount/options.h"
#include "hpmcount/procusage.h"
#include "hpmcount/relay.h"
#include "hpmcount/targets.h"
#include "hpmcount/watch.h"

/* The counts of targets that were already running. */
struct attachment {
    const struct targets *targets;
    struct watch watch;
    uint64_t *rows; /* by part: the difference of two readings */
    struct procusage_reading first, last;
    bool has_ended; /* all targets ended */
};

/* Count until the program options->command ends: this program only sets the
 * time and is not counted.  Without a program count until the targets end, the
 * time of --timeout is over, or SIGINT, SIGTERM ... comes.  Returns 0 with the
 * result in `ret_launch`, else hpmcount's exit status.  The attachment must
 * live longer than the launch.  Clear both in any case. */
int attach_run(struct attachment *ret_attachment, struct launch *ret_launch,
               const struct options *options, const struct targets *targets,
               const struct hpm_eventset *set, struct intervals *intervals,
               struct relay *relay, struct hpm_error *err);

void attach_clear(struct attachment *attachment);

#endif
