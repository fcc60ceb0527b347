/* SPDX-License-Identifier: BSD-3-Clause
 * Running targets to be counted: processes, threads, processors. */
#include "hpmcount/targets.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/path.h"
#include "source/machine/procfile.h"

/* ---- what /proc says -------------------------------------------------- */

static long
read_proc(pid_t id, const char *file, char *ret_text, size_t size)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%ld/%s", (long)id, file);
    return hpm_procfile_read(path, ret_text, size);
}

pid_t
targets_process_of(pid_t thread)
{
    static const char label[] = "\nTgid:";
    char text[4096];
    const char *line = NULL;

    if (read_proc(thread, "status", text, sizeof text) > 0)
        line = strstr(text, label);
    return line != NULL ? (pid_t)atol(line + sizeof label - 1) : 0;
}

/* The state is the first letter after the name.  A main thread that ended
 * before other threads is a zombie, although the process continues. */
bool
targets_has_ended(pid_t id)
{
    char text[512];
    const char *end = NULL;

    if (read_proc(id, "stat", text, sizeof text) > 0)
        end = strrchr(text, ')');
    return end == NULL || strncmp(end, ") Z", 3) == 0 ||
           strncmp(end, ") X", 3) == 0;
}

bool
targets_add_name(struct hpm_string *string, pid_t id)
{
    char path[64], name[64];

    snprintf(path, sizeof path, "/proc/%ld/comm", (long)id);
    if (!hpm_procfile_line(path, name, sizeof name))
        return false;
    hpm_string_add(string, name);
    return true;
}

/* ---- lists ------------------------------------------------------------ */

static bool
add_id(struct targets *targets, int id, struct hpm_error *err)
{
    for (size_t i = 0; i < targets->n; i++) {
        if (targets->ids[i] == id)
            return true;
    }
    if (!hpm_memory_grow(&targets->ids, &targets->capacity, targets->n + 1,
                         sizeof *targets->ids))
        return hpm_error_no_memory(err);
    targets->ids[targets->n++] = id;
    return true;
}

/* Read "7", or with `has_ranges` also "0-3", up to a comma. */
static bool
read_range(const char **text, bool has_ranges, int *ret_first, int *ret_last)
{
    char *end;
    long first, last;

    if (**text < '0' || **text > '9')
        return false;
    first = last = strtol(*text, &end, 10);
    if (has_ranges && end[0] == '-' && end[1] >= '0' && end[1] <= '9')
        last = strtol(end + 1, &end, 10);
    if ((*end != '\0' && *end != ',') || last < first || last > INT_MAX)
        return false;
    *text = *end == ',' ? end + 1 : end;
    *ret_first = (int)first;
    *ret_last = (int)last;
    return *end != ',' || **text != '\0';
}

/* `check` tells for each number whether the target exists. */
static bool
read_list(struct targets *targets, const char *option, const char *list,
          bool (*check)(int id, struct hpm_error *err), bool has_ranges,
          struct hpm_error *err)
{
    const char *rest = list;
    int first, last;

    do {
        if (!read_range(&rest, has_ranges, &first, &last))
            return hpm_error_set(err,
                                 "%s '%.100s': expected numbers with commas "
                                 "between them%s",
                                 option, list,
                                 has_ranges ? ", or ranges: 0-3,7" : "");
        for (int id = first; id <= last; id++) {
            if (!check(id, err) || !add_id(targets, id, err))
                return false;
        }
    } while (*rest != '\0');
    return true;
}

static bool
check_process(int id, struct hpm_error *err)
{
    pid_t process = targets_process_of(id);

    if (process == 0)
        return hpm_error_set(err, "-p %d: there is no such process; see ps -e",
                             id);
    if (process != id)
        return hpm_error_set(err,
                             "-p %d: that is a thread of process %ld; count it "
                             "with -t %d, or all of the process with -p %ld",
                             id, (long)process, id, (long)process);
    return true;
}

static bool
check_thread(int id, struct hpm_error *err)
{
    return targets_process_of(id) != 0 ||
           hpm_error_set(err, "-t %d: there is no such thread; see ps -eL", id);
}

/* ---- processors ------------------------------------------------------- */

static const char online[] = "/sys/devices/system/cpu/online";

static bool
accept(int id, struct hpm_error *err)
{
    (void)id;
    (void)err;
    return true;
}

static bool
read_online(struct targets *targets, struct hpm_error *err)
{
    char list[4096];

    if (hpm_procfile_line(online, list, sizeof list) && list[0] != '\0')
        return read_list(targets, online, list, accept, true, err);
    for (int i = 0; i < (int)sysconf(_SC_NPROCESSORS_ONLN); i++) {
        if (!add_id(targets, i, err))
            return false;
    }
    return true;
}

static bool
check_cpu(int id, struct hpm_error *err)
{
    struct targets all = {0};
    bool is_online = false, is_good = read_online(&all, err);

    for (size_t i = 0; i < all.n; i++)
        is_online |= all.ids[i] == id;
    hpm_memory_free(all.ids);
    return is_good &&
           (is_online ||
            hpm_error_set(err,
                          "-C %d: no processor of that number is online; "
                          "see %s",
                          id, online));
}

static bool
find_cpus(struct targets *targets, const struct options *options,
          struct hpm_error *err)
{
    return options->cpus != NULL
               ? read_list(targets, "-C", options->cpus, check_cpu, true, err)
               : read_online(targets, err);
}

/* ---- control groups --------------------------------------------------- */

/* Mount points of control groups: version 2, or perf_event of version 1. */
static const char *const roots[] = {"", "/sys/fs/cgroup/perf_event/",
                                    "/sys/fs/cgroup/",
                                    "/sys/fs/cgroup/unified/"};

static bool
find_cgroup(struct targets *targets, const char *name, struct hpm_error *err)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (roots[i][0] == '\0' && name[0] != '/')
            continue; /* not a folder relative to the current one */
        snprintf(path, sizeof path, "%s%s/cgroup.procs", roots[i], name);
        if (access(path, F_OK) != 0)
            continue;
        *strrchr(path, '/') = '\0';
        targets->cgroup = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return targets->cgroup >= 0 ||
               hpm_error_set(err, "--cgroup '%.200s': cannot open %.200s: %s",
                             name, path, strerror(errno));
    }
    return hpm_error_set(err,
                         "--cgroup '%.200s': there is no such control group "
                         "below /sys/fs/cgroup; /proc/PID/cgroup names those "
                         "of a process",
                         name);
}

/* ---- public functions ------------------------------------------------- */

static bool
find_ids(struct targets *targets, const struct options *options,
         struct hpm_error *err)
{
    switch (targets->kind) {
    case TARGETS_PROCESSES:
        return read_list(targets, "-p", options->processes, check_process,
                         false, err);
    case TARGETS_THREADS:
        return read_list(targets, "-t", options->threads, check_thread, false,
                         err);
    case TARGETS_CGROUP:
        return find_cgroup(targets, options->cgroup, err) &&
               find_cpus(targets, options, err);
    case TARGETS_CPUS:
        return find_cpus(targets, options, err);
    case TARGETS_NONE:
        break;
    }
    return true;
}

/* The name of the first target is used for all. */
static bool
find_name(struct targets *targets, const struct options *options,
          struct hpm_error *err)
{
    struct hpm_string name = {0};

    switch (targets->kind) {
    case TARGETS_PROCESSES:
    case TARGETS_THREADS:
        if (!targets_add_name(&name, targets->ids[0]))
            hpm_string_add_format(&name, "pid-%d", targets->ids[0]);
        break;
    case TARGETS_CGROUP:
        hpm_string_add(&name, hpm_path_base_name(options->cgroup));
        if (name.length == 0)
            hpm_string_add(&name, "cgroup");
        break;
    case TARGETS_CPUS:
        hpm_string_add(&name, options->cpus != NULL ? "cpus" : "all-cpus");
        break;
    case TARGETS_NONE:
        hpm_string_add(&name, options->command[0]);
        break;
    }
    targets->name = name.text;
    return !name.failed || hpm_error_no_memory(err);
}

/* The number of processors that any of the targets may use. */
static int
count_cpus(const struct targets *targets)
{
    cpu_set_t all, one;

    if (targets->kind == TARGETS_CPUS || targets->kind == TARGETS_CGROUP)
        return (int)targets->n;
    CPU_ZERO(&all);
    for (size_t i = 0; i < targets->n; i++) {
        if (sched_getaffinity(targets->ids[i], sizeof one, &one) != 0)
            return 0;
        CPU_OR(&all, &all, &one);
    }
    return CPU_COUNT(&all);
}

bool
targets_find(struct targets *ret_targets, const struct options *options,
             struct hpm_error *err)
{
    *ret_targets = (struct targets){.cgroup = -1};
    if (options->processes != NULL)
        ret_targets->kind = TARGETS_PROCESSES;
    else if (options->threads != NULL)
        ret_targets->kind = TARGETS_THREADS;
    else if (options->cgroup != NULL)
        ret_targets->kind = TARGETS_CGROUP;
    else if (options->has_all_cpus || options->cpus != NULL)
        ret_targets->kind = TARGETS_CPUS;
    if (!find_ids(ret_targets, options, err))
        return false;
    ret_targets->n_cpus = count_cpus(ret_targets);
    return find_name(ret_targets, options, err);
}

void
targets_clear(struct targets *targets)
{
    if (targets->cgroup >= 0)
        close(targets->cgroup);
    hpm_memory_free(targets->ids);
    hpm_memory_free(targets->name);
    *targets = (struct targets){.cgroup = -1};
}
