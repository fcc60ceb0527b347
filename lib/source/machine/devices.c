/* SPDX-License-Identifier: BSD-3-Clause
 * The folders of the PMUs under /sys/bus/event_source/devices. */
#include "source/machine/devices.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/folder.h"
#include "source/machine/procfile.h"

#define DEVICES "/sys/bus/event_source/devices"

/* False for a name that would leave the folder or does not fit. */
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

void
hpm_devices_each(bool (*visit)(const char *pmu, void *context), void *context)
{
    struct hpm_folder folder;
    const char *pmu;

    if (!hpm_folder_open(&folder, DEVICES))
        return;
    while ((pmu = hpm_folder_next(&folder)) != NULL && !visit(pmu, context))
        continue;
    hpm_folder_close(&folder);
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

struct cores {
    char *names;
    size_t size;
    size_t n;
};

/* "cpu", or one that tells which processors it belongs to. */
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

size_t
hpm_devices_cores(char *ret_names, size_t size)
{
    struct cores cores = {ret_names, size, 0};

    ret_names[0] = '\0';
    hpm_devices_each(add_core, &cores);
    return cores.n;
}
