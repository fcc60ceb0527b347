/* SPDX-License-Identifier: BSD-3-Clause
 * Probes that root has defined once, for other users. */
#include "study/probe/standing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "elf/elffile.h"
#include "host/memory.h"

#define PREFIX "hpmprobes_"

/* The first bytes of the build id, which linkers make of the contents; a file
 * without one is known by the time it was written. */
static bool
find_contents(const char *path, const struct stat *status, char *ret_contents,
              size_t size)
{
    enum { HEAD = 16, BYTES = 8 }; /* the note's sizes, type and name "GNU" */
    struct hpm_elffile file = {0};
    unsigned char *note;
    size_t n = 0;

    if (!hpm_elffile_open(&file, path))
        return false;
    note = hpm_elffile_read(&file,
                            hpm_elffile_named(&file, ".note.gnu.build-id"), &n);
    snprintf(ret_contents, size, "%llx%09lxm",
             (unsigned long long)status->st_mtim.tv_sec,
             (unsigned long)status->st_mtim.tv_nsec);
    for (size_t i = 0; note != NULL && n >= HEAD + BYTES && i < BYTES; i++)
        snprintf(ret_contents + 2 * i, size - 2 * i, "%02x", note[HEAD + i]);
    hpm_memory_free(note);
    hpm_elffile_close(&file);
    return true;
}

bool
hpm_standing_group(const char *path, char ret_group[HPM_STANDING_NAME],
                   struct hpm_error *err)
{
    char contents[32];
    struct stat status;

    if (stat(path, &status) != 0)
        return hpm_error_set(err, "cannot read '%.200s': %s", path,
                             strerror(errno));
    if (!find_contents(path, &status, contents, sizeof contents))
        return hpm_error_set(err,
                             "'%.200s' cannot be read, or is no program or "
                             "library of this machine",
                             path);
    snprintf(ret_group, HPM_STANDING_NAME, PREFIX "%llx_%s",
             (unsigned long long)status.st_ino, contents);
    return true;
}

bool
hpm_standing_is_group(const char *group)
{
    return strncmp(group, PREFIX, sizeof PREFIX - 1) == 0;
}

bool
hpm_standing_has(const struct hpm_probelist *list, const char *group,
                 const char *event, uint64_t offset)
{
    for (size_t i = 0; i < list->n; i++) {
        if (list->lines[i].offset == offset &&
            strcmp(list->lines[i].group, group) == 0 &&
            strcmp(list->lines[i].event, event) == 0)
            return true;
    }
    return false;
}

bool
hpm_standing_is_old(const struct hpm_probelist *list, const char *group,
                    const char *path)
{
    for (size_t i = 0; i < list->n; i++) {
        if (hpm_standing_is_group(list->lines[i].group) &&
            strcmp(list->lines[i].group, group) != 0 &&
            strcmp(list->lines[i].path, path) == 0)
            return true;
    }
    return false;
}
