/* SPDX-License-Identifier: BSD-3-Clause
 * What this process may do, and what confines it. */
#include "source/confinement.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/event.h"
#include "source/machine/procfile.h"
#include "source/perf.h"

enum { CAPABILITY_SYS_ADMIN = 21, CAPABILITY_PERFMON = 38, STATUS = 1 << 14 };

/* Finds the number after "\nkey:\t" in /proc/self/status. */
static bool
find_number(const char *status, const char *key, int base,
            unsigned long long *ret_number)
{
    const char *line = strstr(status, key);
    char *end;

    if (line == NULL)
        return false;
    line += strlen(key);
    *ret_number = strtoull(line, &end, base);
    return end != line;
}

static void
read_status(struct hpm_confinement *confinement)
{
    char *status = hpm_memory_new(STATUS, 1);
    unsigned long long number;

    if (status != NULL &&
        hpm_procfile_read("/proc/self/status", status, STATUS) > 0) {
        if (find_number(status, "\nSeccomp:\t", 10, &number))
            confinement->seccomp = (long)number;
        if (find_number(status, "\nCapEff:\t", 16, &number))
            confinement->has_perfmon =
                (number >> CAPABILITY_PERFMON & 1) != 0 ||
                (number >> CAPABILITY_SYS_ADMIN & 1) != 0;
    }
    hpm_memory_free(status);
}

static bool
is_locked_down(void)
{
    char line[128];

    return hpm_procfile_line("/sys/kernel/security/lockdown", line,
                             sizeof line) &&
           strstr(line, "[confidentiality]") != NULL;
}

/* Levels, capabilities, namespaces, filters and modules all decide together:
 * only a trial tells. */
static bool
can_count(enum hpm_domain domain)
{
    const struct hpm_event event = {
        .domain = domain,
        .encoding = {.type = PERF_TYPE_SOFTWARE,
                     .config = PERF_COUNT_SW_TASK_CLOCK}};
    int saved_errno = errno;
    int fd = hpm_perf_open(&event, 0, -1, 0);

    if (fd >= 0)
        hpm_perf_drop(fd);
    errno = saved_errno;
    return fd >= 0;
}

/* Containers can be recognized by a file, or by a variable in the
 * environment. */
static const char *
find_container(void)
{
    static const struct {
        const char *name, *file, *variable;
    } signs[] = {
        {"Podman", "/run/.containerenv", NULL},
        {"Kubernetes", NULL, "KUBERNETES_SERVICE_HOST"},
        {"Apptainer", "/.singularity.d", "APPTAINER_NAME"},
        {"Docker", "/.dockerenv", NULL},
        {"systemd-nspawn or LXC", "/run/systemd/container", "container"},
    };

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if ((signs[i].file != NULL && access(signs[i].file, F_OK) == 0) ||
            (signs[i].variable != NULL && getenv(signs[i].variable) != NULL))
            return signs[i].name;
    }
    return NULL;
}

void
hpm_confinement_read(struct hpm_confinement *ret_confinement)
{
    *ret_confinement = (struct hpm_confinement){
        .paranoid = hpm_procfile_number("/proc/sys/kernel/perf_event_paranoid",
                                        HPM_CONFINEMENT_UNKNOWN),
        .seccomp = HPM_CONFINEMENT_UNKNOWN,
        .is_locked = is_locked_down(),
        .counts_user = can_count(HPM_DOMAIN_USER),
        .counts_kernel = can_count(HPM_DOMAIN_ALL),
        .has_selinux = access("/sys/fs/selinux/enforce", F_OK) == 0,
        .container = find_container()};
    read_status(ret_confinement);
}
