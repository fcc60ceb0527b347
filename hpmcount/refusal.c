/* SPDX-License-Identifier: BSD-3-Clause
 * Why the kernel refuses to count running targets. */
#include "hpmcount/refusal.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/confinement.h"
#include "source/obstacle.h"
#include "source/perf.h"

static const char remedy[] =
    "run hpmcount as root, or give it CAP_PERFMON (in a container: --cap-add "
    "PERFMON)";

/* 0, or the last event's errno when all are refused. */
static int
try_events(const struct hpm_eventset *set, pid_t pid, int cpu, unsigned flags)
{
    int error = 0;

    for (size_t i = 0; i < set->n_events; i++) {
        int fd;

        if (set->events[i].source != &hpm_source_kernel)
            continue;
        fd = hpm_perf_open_on(&set->events[i], pid, cpu, -1, flags);
        if (fd >= 0) {
            hpm_perf_drop(fd);
            return 0;
        }
        error = errno;
    }
    return error;
}

static bool
is_refused(int error)
{
    return error == EACCES || error == EPERM;
}

/* A message such as "kernel.perf_event_paranoid is 2, and at most 0 lets users
 * count whole processors". */
static bool
explain_cpus(const char *what, struct hpm_error *err)
{
    struct hpm_confinement confinement;

    hpm_confinement_read(&confinement);
    if (confinement.paranoid > 0)
        return hpm_error_set(err,
                             "%s: not permitted: kernel.perf_event_paranoid is "
                             "%ld, at most 0 lets users count what others run "
                             "on a processor; %s, or as root: sysctl "
                             "kernel.perf_event_paranoid=0",
                             what, confinement.paranoid, remedy);
    return hpm_error_set(
        err,
        "%s: not permitted, though kernel.perf_event_paranoid "
        "is %ld%s%s; %s (hpm doctor)",
        what, confinement.paranoid,
        confinement.container != NULL ? ", in " : "",
        confinement.container != NULL ? confinement.container : "", remedy);
}

static bool
explain_process(const char *what, int id, struct hpm_error *err)
{
    struct stat folder;
    struct hpm_error why;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d", id);
    if (stat(path, &folder) == 0 && folder.st_uid != geteuid())
        return hpm_error_set(err,
                             "%s %d: not permitted: user %lu runs it, or it "
                             "has gained privileges, and you are user %lu; "
                             "%s",
                             what, id, (unsigned long)folder.st_uid,
                             (unsigned long)geteuid(), remedy);
    hpm_obstacle_explain(EACCES, &why);
    return hpm_error_set(err, "%s %d: %s", what, id, why.text);
}

/* `error` is not 0. */
static bool
explain(const struct targets *targets, int id, int error, struct hpm_error *err)
{
    const char *what = targets->kind == TARGETS_PROCESSES ? "-p" : "-t";
    struct hpm_error why;

    if (targets->kind == TARGETS_CPUS || targets->kind == TARGETS_CGROUP) {
        what = targets->kind == TARGETS_CPUS ? "processors" : "--cgroup";
        if (is_refused(error))
            return explain_cpus(what, err);
        hpm_obstacle_explain(error, &why);
        return hpm_error_set(err, "%s: %s", what, why.text);
    }
    if (error == ESRCH)
        return hpm_error_set(err, "%s %d: it has ended", what, id);
    if (is_refused(error))
        return explain_process(what, id, err);
    hpm_obstacle_explain(error, &why);
    return hpm_error_set(err, "%s %d: %s", what, id, why.text);
}

bool
refusal_check(const struct targets *targets, const struct hpm_eventset *set,
              struct hpm_error *err)
{
    bool has_cpus =
        targets->kind == TARGETS_CPUS || targets->kind == TARGETS_CGROUP;

    for (size_t i = 0; i < targets->n; i++) {
        int id = targets->ids[i], error;

        if (has_cpus)
            error = try_events(set, targets->cgroup, id,
                               targets->cgroup >= 0 ? HPM_PERF_CGROUP : 0);
        else
            error = try_events(set, id, -1, HPM_PERF_INHERIT);
        /* perhaps only the main thread of the process has ended */
        if (error == ESRCH && targets->kind == TARGETS_PROCESSES)
            continue;
        if (error != 0)
            return explain(targets, id, error, err);
    }
    return true;
}
