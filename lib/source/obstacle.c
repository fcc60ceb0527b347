/* SPDX-License-Identifier: BSD-3-Clause
 * What prevents counting: the cause, and the remedy. */
#include "source/obstacle.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/mark.h"
#include "source/confinement.h"

bool
hpm_obstacle_set(struct hpm_obstacle *obstacle, const char *name,
                 const char *remedy, const char *cause, ...)
{
    va_list arguments;

    obstacle->name = name;
    snprintf(obstacle->remedy, sizeof obstacle->remedy, "%s", remedy);
    va_start(arguments, cause);
    vsnprintf(obstacle->cause, sizeof obstacle->cause, cause, arguments);
    va_end(arguments);
    return false;
}

bool
hpm_obstacle_say(const struct hpm_obstacle *obstacle, struct hpm_error *err)
{
    return hpm_error_set(err, "%s%s%s", obstacle->cause,
                         obstacle->remedy[0] != '\0' ? "; " : "",
                         obstacle->remedy);
}

/* ---- refused --------------------------------------------------------- */

static const char open_container[] = N_(
    "in a container: add the PERFMON capability, or allow perf_event_open in "
    "the seccomp profile");

/* Some distributions have levels above 2: no counting without the
 * capability. */
static void
explain_paranoid(long paranoid, struct hpm_obstacle *obstacle)
{
    hpm_obstacle_set(obstacle, "paranoid",
                     N_("as root: sysctl kernel.perf_event_paranoid=2, or give "
                        "the program CAP_PERFMON"),
                     "not permitted: kernel.perf_event_paranoid is %ld, at "
                     "most 2 lets users count their own programs",
                     paranoid);
}

/* This user may count programs, but not what the kernel does for them. */
static void
explain_kernel(const struct hpm_confinement *confinement,
               struct hpm_obstacle *obstacle)
{
    hpm_obstacle_set(obstacle, "paranoid",
                     N_("as root: sysctl kernel.perf_event_paranoid=1"),
                     "not permitted: it happens in the kernel, or partly, and "
                     "kernel.perf_event_paranoid is %ld%s",
                     confinement->paranoid,
                     confinement->has_perfmon
                         ? " (a user namespace's CAP_PERFMON does not count)"
                         : "");
}

/* The kernel's own rule allows it, so a security module refused. */
static void
explain_module(const struct hpm_confinement *confinement,
               struct hpm_obstacle *obstacle)
{
    hpm_obstacle_set(obstacle, "access",
                     confinement->has_selinux
                         ? N_("SELinux may refuse it: ausearch -m avc -c hpm")
                         : N_("a security module may refuse it: see "
                              "/sys/kernel/security/lsm and the kernel's log"),
                     "not permitted (perf_event_open: %s), though "
                     "kernel.perf_event_paranoid is %ld",
                     strerror(EACCES), confinement->paranoid);
}

/* EACCES: by the kernel's own rule, or by a security module. */
static void
explain_access(const struct hpm_confinement *confinement,
               struct hpm_obstacle *obstacle)
{
    if (confinement->paranoid == HPM_CONFINEMENT_UNKNOWN)
        hpm_obstacle_set(obstacle, "access", open_container,
                         "not permitted (perf_event_open: %s)",
                         strerror(EACCES));
    else if (confinement->counts_user && !confinement->counts_kernel)
        explain_kernel(confinement, obstacle);
    else if (confinement->paranoid > 2)
        explain_paranoid(confinement->paranoid, obstacle);
    else
        explain_module(confinement, obstacle);
}

/* EPERM: by a filter; the kernel itself returns it for lockdown. */
static void
explain_permission(const struct hpm_confinement *confinement,
                   struct hpm_obstacle *obstacle)
{
    const char *error = strerror(EPERM);

    if (confinement->seccomp == 2)
        hpm_obstacle_set(obstacle, "seccomp", open_container,
                         "not permitted: a seccomp filter refuses "
                         "perf_event_open (%s)",
                         error);
    else if (confinement->is_locked)
        hpm_obstacle_set(obstacle, "lockdown",
                         N_("boot with lockdown=integrity or less"),
                         "not permitted: the kernel is locked down "
                         "(confidentiality; perf_event_open: %s)",
                         error);
    else if (confinement->paranoid > 2)
        explain_paranoid(confinement->paranoid, obstacle);
    else
        hpm_obstacle_set(obstacle, "permission", open_container,
                         "not permitted (perf_event_open: %s)", error);
}

static void
explain_missing(const struct hpm_confinement *confinement,
                struct hpm_obstacle *obstacle)
{
    const char *error = strerror(ENOSYS);

    if (confinement->seccomp == 2)
        hpm_obstacle_set(obstacle, "seccomp", open_container,
                         "a seccomp filter hides perf_event_open (%s)", error);
    else
        hpm_obstacle_set(obstacle, "no-perf",
                         N_("allow it in the container's seccomp profile, or "
                            "boot a kernel with CONFIG_PERF_EVENTS"),
                         "the kernel or the container blocks "
                         "perf_event_open (%s)",
                         error);
}

static void
explain_descriptors(struct hpm_obstacle *obstacle)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        limit.rlim_cur = 0;
    hpm_obstacle_set(obstacle, "descriptors", N_("raise it with 'ulimit -n'"),
                     "too few file descriptors (limit %lu, one per event and "
                     "thread is needed)",
                     (unsigned long)limit.rlim_cur);
}

void
hpm_obstacle_of_error(int error, struct hpm_obstacle *ret_obstacle)
{
    struct hpm_confinement confinement;

    hpm_confinement_read(&confinement);
    switch (error) {
    case EACCES:
        explain_access(&confinement, ret_obstacle);
        return;
    case EPERM:
        explain_permission(&confinement, ret_obstacle);
        return;
    case ENOSYS:
        explain_missing(&confinement, ret_obstacle);
        return;
    case EMFILE:
        explain_descriptors(ret_obstacle);
        return;
    case EBUSY:
        hpm_obstacle_set(ret_obstacle, "busy",
                         N_("as root: sysctl kernel.nmi_watchdog=0; end other "
                            "profilers"),
                         "the counters are taken (perf_event_open: %s)",
                         strerror(error));
        return;
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
    case EINVAL:
        hpm_obstacle_set(ret_obstacle, "unsupported", "",
                         "this machine cannot count it (perf_event_open: %s)",
                         strerror(error));
        return;
    default:
        hpm_obstacle_set(ret_obstacle, "failed", "", "perf_event_open: %s",
                         strerror(error));
    }
}

void
hpm_obstacle_explain(int error, struct hpm_error *err)
{
    struct hpm_obstacle obstacle;

    hpm_obstacle_of_error(error, &obstacle);
    hpm_obstacle_say(&obstacle, err);
}
