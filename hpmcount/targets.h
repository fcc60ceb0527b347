/* SPDX-License-Identifier: BSD-3-Clause
 * Running targets to be counted: processes, threads, processors. */
#ifndef HPMCOUNT_TARGETS_H
#define HPMCOUNT_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/string.h"
#include "hpmcount/options.h"

enum targets_kind {
    TARGETS_NONE,      /* run and count a program */
    TARGETS_PROCESSES, /* -p */
    TARGETS_THREADS,   /* -t */
    TARGETS_CPUS,      /* -A, -C */
    TARGETS_CGROUP,    /* --cgroup, on the processors in `ids` */
};

struct targets {
    enum targets_kind kind;
    int *ids; /* of processes, threads or processors; no duplicates */
    size_t n;
    size_t capacity;
    int cgroup; /* open descriptor of its folder, or -1 */
    int n_cpus; /* processors that it could use when found; 0: not known */
    char *name; /* of all targets, for the report: the program's, "all-cpus" */
};

/* Find the targets that the options name; all of them exist at this moment.
 * False when the options are wrong, a target does not exist, or memory runs
 * out.  Clear with targets_clear in any case. */
bool targets_find(struct targets *ret_targets, const struct options *options,
                  struct hpm_error *err);

void targets_clear(struct targets *targets);

/* The process of a thread; 0 when there is no such thread. */
pid_t targets_process_of(pid_t thread);

/* Has the process or thread ended?  True for a zombie. */
bool targets_has_ended(pid_t id);

/* Append the name (comm) of a process or thread; false when it has ended. */
bool targets_add_name(struct hpm_string *string, pid_t id);

#endif
