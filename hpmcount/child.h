/* SPDX-License-Identifier: BSD-3-Clause
 * The child of hpmcount that becomes the program. */
#ifndef HPMCOUNT_CHILD_H
#define HPMCOUNT_CHILD_H

#include <sys/resource.h>

#include "base/error.h"
#include "hpmcount/relay.h"

/* A child waiting to become the program. */
struct child {
    const char *word;
    int go, error; /* pipes to and from the child */
};

/* Make a child that will run argv[0], found by PATH; relay->program is its
 * process.  Returns 0, or hpmcount's exit status. */
int child_start(struct child *ret_child, char **argv, struct relay *relay,
                struct hpm_error *err);

/* Let the child become the program; *ret_before is its usage before.  Returns
 * 0, or 126 or 127 where this fails: then the child has ended, and must be
 * waited for. */
int child_release(struct child *child, struct rusage *ret_before,
                  struct hpm_error *err);

/* What the child adds to this event of /proc/PID/io before it becomes the
 * program. */
uint64_t child_own_io(const char *event);

/* End the child instead. */
void child_dismiss(struct child *child, struct relay *relay);

#endif
