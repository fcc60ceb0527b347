/* SPDX-License-Identifier: BSD-3-Clause
 * The child of hpmcount that becomes the program. */
#ifndef HPMCOUNT_CHILD_H
#define HPMCOUNT_CHILD_H

#include <sys/resource.h>

#include "base/error.h"
#include "hpmcount/relay.h"

/* It waits to become the program. */
struct child {
    const char *word;
    int go, error; /* pipes to it and from it */
};

/* Make one that will run argv[0], found by PATH; it is relay->program.  0, or
 * the exit status for hpmcount. */
int child_start(struct child *ret_child, char **argv, struct relay *relay,
                struct hpm_error *err);

/* Let it become the program; what it has used before.  0, or 126 or 127 when it
 * cannot: then it has ended and is to be waited for. */
int child_release(struct child *child, struct rusage *ret_before,
                  struct hpm_error *err);

/* What it adds to this event of /proc/PID/io before it becomes the program. */
uint64_t child_own_io(const char *event);

/* Or end it. */
void child_dismiss(struct child *child, struct relay *relay);

#endif
