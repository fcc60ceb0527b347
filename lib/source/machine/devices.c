/* SPDX-License-Identifier: BSD-3-Clause
 * The PMUs' folders in /sys/bus/event_source/devices. */
#include "source/machine/devices.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/folder.h"
#include "source/machine/procfile.h"

#define DEVICES "/sys/bus/event_source/devices"

/* False for a name that would lead out of the folder, or a path that does not
 * fit. */
static bool
make_path(char *ret_path, size_t size, const char *pmu, const char *folder,
          const char *file)
{
    if (strchr(pmu, '/') != NULL || strchr(file, '/') != NULL ||
        pmu[0] == '.' || file[0] == '.')
        return false;
    return snprintf(ret_path, size, DEVICES "/%s/%s%s%s", pmu, folder,
                    folder[0] != '\0' ? "/" : "", file) < (int)size;
}

bool
hpm_devices_are_there(void)
{
    return access(DEVICES, F_OK) == 0;
}

bool
hpm_devices_have(const char *pmu, const char *folder, const char *file)
{
    char path[512];

    return make_path(path, sizeof path, pmu, folder, file) &&
           access(path, F_OK) == 0;
}

bool
hpm_devices_line(const char *pmu, const char *folder, const char *file,
                 char *ret_line, size_t size)
{
    char path[512];

    return make_path(path, sizeof path, pmu, folder, file) &&
           hpm_procfile_line(path, ret_line, size);
}

bool
hpm_devices_type(const char *pmu, uint32_t *ret_type)
{
    char line[64];
    uint64_t type;

    if (!hpm_devices_line(pmu, "", "type", line, sizeof line) ||
        !hpm_string_to_count(line, &type))
        return false;
    *ret_type = (uint32_t)type;
    return true;
}

bool
hpm_devices_each(bool (*visit)(const char *pmu, void *context), void *context)
{
    struct hpm_folder folder;
    const char *pmu;

    if (!hpm_folder_open(&folder, DEVICES))
        return false;
    while ((pmu = hpm_folder_next(&folder)) != NULL && !visit(pmu, context))
        continue;
    hpm_folder_close(&folder);
    return true;
}

void
hpm_devices_each_file(const char *pmu, const char *folder,
                      void (*visit)(const char *file, void *context),
                      void *context)
{
    char path[512];
    struct hpm_folder files;
    const char *file;

    if (!make_path(path, sizeof path, pmu, folder, "") ||
        !hpm_folder_open(&files, path))
        return;
    while ((file = hpm_folder_next(&files)) != NULL)
        visit(file, context);
    hpm_folder_close(&files);
}

/* ---- events ---------------------------------------------------------- */

/* Each event's name sets a bit; a name whose bit is not set is no event. */
enum { N_MARKS = 1 << 14 };

static _Atomic uint64_t marks[N_MARKS / 64];
static atomic_bool are_marked;

static uint32_t
mark_of(const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return (hash ^ hash >> 16) % N_MARKS;
}

static bool
mark_events(const char *pmu, void *context)
{
    bool *is_good = context;
    char path[512];
    struct hpm_folder folder;
    const char *event;

    if (!make_path(path, sizeof path, pmu, "events", ""))
        return false;
    if (!hpm_folder_open(&folder, path)) {
        *is_good &= access(path, F_OK) != 0;
        return false;
    }
    while ((event = hpm_folder_next(&folder)) != NULL) {
        uint32_t mark = mark_of(event);

        atomic_fetch_or(&marks[mark / 64], UINT64_C(1) << mark % 64);
    }
    hpm_folder_close(&folder);
    return false;
}

bool
hpm_devices_may_have_event(const char *name)
{
    uint32_t mark = mark_of(name);
    bool is_good = true;

    if (!atomic_load(&are_marked)) {
        hpm_devices_each(mark_events, &is_good);
        if (!is_good || !hpm_devices_are_there())
            return true; /* the list cannot be read: the caller must look */
        atomic_store(&are_marked, true);
    }
    return (atomic_load(&marks[mark / 64]) >> mark % 64 & 1) != 0;
}

/* ---- cores ----------------------------------------------------------- */

enum { CORES_SIZE = 256 };

/* Kept, because a launch asks five times, and each look into /sys is some ten
 * system calls. */
static struct {
    pthread_once_t once;
    bool is_listed; /* false: the folder could not be opened; try again */
    char names[CORES_SIZE];
    size_t n;
} machine = {.once = PTHREAD_ONCE_INIT};

struct cores {
    char *names;
    size_t size;
    size_t n;
};

/* A core's PMU is "cpu", or one with a file `cpus` that lists its
 * processors. */
static bool
add_core(const char *pmu, void *context)
{
    struct cores *cores = context;
    size_t length = strlen(cores->names);

    if (strcmp(pmu, "cpu") != 0 && !hpm_devices_have(pmu, "", "cpus"))
        return false;
    snprintf(cores->names + length, cores->size - length, "%s%s",
             cores->n > 0 ? ", " : "", pmu);
    cores->n++;
    return false;
}

static bool
list_cores(char *ret_names, size_t size, size_t *ret_n)
{
    struct cores cores = {ret_names, size, 0};
    bool is_listed;

    ret_names[0] = '\0';
    is_listed = hpm_devices_each(add_core, &cores);
    *ret_n = cores.n;
    return is_listed;
}

static void
find_cores(void)
{
    machine.is_listed =
        list_cores(machine.names, sizeof machine.names, &machine.n);
}

size_t
hpm_devices_cores(char *ret_names, size_t size)
{
    size_t n;

    pthread_once(&machine.once, find_cores);
    if (!machine.is_listed) {
        list_cores(ret_names, size, &n);
        return n;
    }
    snprintf(ret_names, size, "%s", machine.names);
    return machine.n;
}
