/* SPDX-License-Identifier: BSD-3-Clause
 * Count what runs already, from now on, and let it be. */
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

/* What was counted of something that ran already. */
struct attachment {
    const struct targets *targets;
    struct watch watch;
    uint64_t *rows; /* of each part the difference of two readings */
    struct procusage_reading first, last;
    bool has_ended; /* all of the targets */
};

/* Count until the program options->command has ended, which is run for its time
 * alone and not counted; without one until the targets have ended, the time of
 * --timeout is over, or SIGINT, SIGTERM ... comes.  0 when that was done, and
 * `ret_launch` is its result; else the exit status for hpmcount.  The attachment
 * must outlive the launch.  Clear both in any case. */
int attach_run(struct attachment *ret_attachment, struct launch *ret_launch,
               const struct options *options, const struct targets *targets,
               const struct hpm_eventset *set, struct intervals *intervals,
               struct relay *relay, struct hpm_error *err);

void attach_clear(struct attachment *attachment);

#endif
