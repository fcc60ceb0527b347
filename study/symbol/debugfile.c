/* SPDX-License-Identifier: BSD-3-Clause
 * The file with the debug information of a module that was stripped. */
#include "study/symbol/debugfile.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"

void
hpm_debugfile_build_id(Elf *elf, char *ret_build_id)
{
    const void *found;
    ssize_t n = dwelf_elf_gnu_build_id(elf, &found);
    const unsigned char *bytes = found;

    ret_build_id[0] = '\0';
    for (ssize_t i = 0; i < n && i < (HPM_DEBUGFILE_BUILD_ID - 1) / 2; i++)
        snprintf(ret_build_id + 2 * i, 3, "%02x", bytes[i]);
}

/* Is there a file at the path that belongs to the same object? */
static bool
is_of(const char *path, const char *build_id)
{
    char found[HPM_DEBUGFILE_BUILD_ID] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    Elf *elf;

    if (fd < 0)
        return false;
    elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf != NULL)
        hpm_debugfile_build_id(elf, found);
    elf_end(elf);
    close(fd);
    return build_id[0] != '\0' && strcmp(found, build_id) == 0;
}

/* A copy of the path if the file is right, else NULL; frees the string. */
static char *
take_if_right(struct hpm_string *path, const char *build_id)
{
    char *taken = NULL;

    if (!path->failed && is_of(hpm_string_text(path), build_id))
        taken = hpm_memory_copy_text(hpm_string_text(path));
    hpm_string_free(path);
    return taken;
}

static char *
find_by_build_id(const char *build_id)
{
    struct hpm_string path = {0};

    if (strlen(build_id) < 4)
        return NULL;
    hpm_string_add_format(&path, "/usr/lib/debug/.build-id/%.2s/%s.debug",
                          build_id, build_id + 2);
    return take_if_right(&path, build_id);
}

/* Look in the same folder, in its folder .debug, and below /usr/lib/debug. */
static char *
find_by_link(const char *link, const char *path, const char *build_id)
{
    static const char *const befores[] = {"", "", "/usr/lib/debug"};
    static const char *const betweens[] = {"", ".debug/", ""};
    const char *slash = strrchr(path, '/');
    int n_folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    char *taken = NULL;

    for (size_t i = 0; i < 3 && taken == NULL; i++) {
        struct hpm_string candidate = {0};

        hpm_string_add_format(&candidate, "%s%.*s%s%s", befores[i], n_folder,
                              path, betweens[i], link);
        taken = take_if_right(&candidate, build_id);
    }
    return taken;
}

char *
hpm_debugfile_find(Elf *elf, const char *path)
{
    char build_id[HPM_DEBUGFILE_BUILD_ID];
    const char *link;
    GElf_Word checksum;
    char *found;

    hpm_debugfile_build_id(elf, build_id);
    found = find_by_build_id(build_id);
    link = dwelf_elf_gnu_debuglink(elf, &checksum);
    if (found == NULL && link != NULL)
        found = find_by_link(link, path, build_id);
    return found;
}
