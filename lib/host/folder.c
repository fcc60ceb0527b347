/* SPDX-License-Identifier: BSD-3-Clause
 * The names in a folder. */
#include "host/folder.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A directory entry as the kernel writes it, see getdents64(2). */
struct entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length; /* of the entry */
    uint8_t type;
    char name[];
};

bool
hpm_folder_open(struct hpm_folder *ret_folder, const char *path)
{
    ret_folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ret_folder->n_bytes = ret_folder->at = 0;
    return ret_folder->fd >= 0;
}

static bool
read_entries(struct hpm_folder *folder)
{
    folder->at = 0;
    folder->n_bytes = syscall(SYS_getdents64, folder->fd, folder->entries,
                              sizeof folder->entries);
    return folder->n_bytes > 0;
}

const char *
hpm_folder_next(struct hpm_folder *folder)
{
    for (;;) {
        const struct entry *entry;

        if (folder->at >= folder->n_bytes && !read_entries(folder))
            return NULL;
        entry =
            (const struct entry *)(const void *)(folder->entries + folder->at);
        folder->at += entry->length;
        if (entry->name[0] != '.')
            return entry->name;
    }
}

void
hpm_folder_close(struct hpm_folder *folder)
{
    close(folder->fd);
    folder->fd = -1;
}
