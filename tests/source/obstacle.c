/* SPDX-License-Identifier: BSD-3-Clause
 * The explanation of each error of perf_event_open, on simulated systems. */
#include <errno.h>

#include "source/confinement.h"

/* Replaces the look at this system in the tested file. */
static void play_confinement(struct hpm_confinement *ret_confinement);
#define hpm_confinement_read play_confinement
#include "source/obstacle.c"

#include "tap.h"

static struct hpm_confinement played;

static void
play_confinement(struct hpm_confinement *ret_confinement)
{
    *ret_confinement = played;
}

/* A system on which everything can be counted. */
static void
begin(void)
{
    played = (struct hpm_confinement){
        .paranoid = 2, .counts_user = true, .counts_kernel = true};
}

/* The name, words of the cause and words of the remedy. */
static void
check(int error, const char *name, const char *cause, const char *remedy)
{
    struct hpm_obstacle obstacle;

    hpm_obstacle_of_error(error, &obstacle);
    is_text(obstacle.name, name, name);
    ok(strstr(obstacle.cause, cause) != NULL &&
           (remedy[0] == '\0' ? obstacle.remedy[0] == '\0'
                              : strstr(obstacle.remedy, remedy) != NULL),
       cause);
    printf("# %s; %s\n", obstacle.cause, obstacle.remedy);
}

static void
test_access(void)
{
    begin();
    played.paranoid = HPM_CONFINEMENT_UNKNOWN;
    played.counts_kernel = false;
    check(EACCES, "access", "not permitted (perf_event_open", "PERFMON");
    begin();
    played.counts_kernel = false;
    check(EACCES, "paranoid",
          "it happens in the kernel, or partly, and kernel.perf_event_paranoid "
          "is 2",
          "perf_event_paranoid=1");
    played.has_perfmon = true;
    check(EACCES, "paranoid", "is 2 (a user namespace's", "paranoid=1");
    begin();
    played.paranoid = 3;
    played.counts_user = played.counts_kernel = false;
    check(EACCES, "paranoid", "paranoid is 3, at most 2", "paranoid=2");
    played.paranoid = 2;
    check(EACCES, "access", "though kernel.perf_event_paranoid is 2",
          "security module");
    begin();
    played.has_selinux = true;
    check(EACCES, "access", "though kernel.perf_event_paranoid is 2",
          "ausearch");
}

static void
test_permission(void)
{
    begin();
    check(EPERM, "permission", "not permitted (perf_event_open", "PERFMON");
    played.paranoid = 3;
    check(EPERM, "paranoid", "paranoid is 3", "paranoid=2");
    played.is_locked = true;
    check(EPERM, "lockdown", "locked down", "lockdown=integrity");
    played.seccomp = 2;
    check(EPERM, "seccomp", "a seccomp filter refuses", "PERFMON");
    check(ENOSYS, "seccomp", "a seccomp filter hides", "PERFMON");
    played.seccomp = 1;
    check(EPERM, "lockdown", "locked down", "lockdown=integrity");
    check(ENOSYS, "no-perf", "blocks perf_event_open", "CONFIG_PERF_EVENTS");
}

static void
test_others(void)
{
    static const int unsupported[] = {ENOENT, ENODEV, EOPNOTSUPP, EINVAL};
    struct rlimit limit = {0, 0};
    char words[64];

    begin();
    getrlimit(RLIMIT_NOFILE, &limit);
    snprintf(words, sizeof words, "descriptors (limit %lu,",
             (unsigned long)limit.rlim_cur);
    check(EMFILE, "descriptors", words, "ulimit -n");
    check(EBUSY, "busy", "the counters are taken", "nmi_watchdog");
    for (size_t i = 0; i < 4; i++)
        check(unsupported[i], "unsupported", "this machine cannot count it",
              "");
    check(ENOMEM, "failed", "perf_event_open: ", "");
}

static void
test_sentence(void)
{
    struct hpm_error err;
    struct hpm_obstacle obstacle;

    ok(!hpm_obstacle_set(&obstacle, "name", "do it", "cause %d", 7) &&
           !hpm_obstacle_say(&obstacle, &err),
       "what is in the way is no success");
    is_text(err.text, "cause 7; do it", "a cause, and what to do");
    hpm_obstacle_set(&obstacle, "name", "", "cause");
    hpm_obstacle_say(&obstacle, &err);
    is_text(err.text, "cause", "or the cause alone");
    begin();
    hpm_obstacle_explain(EBUSY, &err);
    ok(strncmp(err.text, "the counters are taken", 22) == 0 &&
           strstr(err.text, "; as root: ") != NULL,
       "likewise of an error");
}

int
main(void)
{
    test_access();
    test_permission();
    test_others();
    test_sentence();
    return done();
}
