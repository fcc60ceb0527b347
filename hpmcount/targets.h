/* SPDX-License-Identifier: BSD-3-Clause
 * What runs already and is to be counted: processes, threads, processors. */
#ifndef HPMCOUNT_TARGETS_H
#define HPMCOUNT_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/string.h"
#include "hpmcount/options.h"

enum targets_kind {
    TARGETS_NONE,      /* a program is to be run and counted */
    TARGETS_PROCESSES, /* -p */
    TARGETS_THREADS,   /* -t */
    TARGETS_CPUS,      /* -A, -C */
    TARGETS_CGROUP,    /* --cgroup, on these processors */
};

struct targets {
    enum targets_kind kind;
    int *ids; /* of processes, threads or processors, each once */
    size_t n;
    size_t capacity;
    int cgroup; /* its folder, open; else -1 */
    int n_cpus; /* processors it may use, when found; 0: not known */
    char *name; /* of the whole, for the report: the program's, "all-cpus" */
};

/* What the options name; all of it is there at this moment.  False when the
 * options are wrong, something named is not there, or memory runs out.  Clear
 * with targets_clear in any case. */
bool targets_find(struct targets *ret_targets, const struct options *options,
                  struct hpm_error *err);

void targets_clear(struct targets *targets);

/* The process a thread is of; 0 when there is no such thread. */
pid_t targets_process_of(pid_t thread);

/* Has the process or thread ended?  A zombie has. */
bool targets_has_ended(pid_t id);

/* Append the name (comm) of a process or thread; false when it has ended. */
bool targets_add_name(struct hpm_string *string, pid_t id);

#endif
