/* SPDX-License-Identifier: BSD-3-Clause
 * The names in a folder, without malloc: a measured program may be anywhere,
 * in its own malloc too, when a signal handler of its has it end. */
#ifndef HPM_HOST_FOLDER_H
#define HPM_HOST_FOLDER_H

#include <stdbool.h>

/* A folder being read.  Its size is right for a stack of some 16 KB. */
struct hpm_folder {
    int fd;
    long n_bytes, at; /* of the entries that the kernel gave last */
    _Alignas(8) char entries[2048];
};

/* Begin; false with errno when it cannot be read. */
bool hpm_folder_open(struct hpm_folder *ret_folder, const char *path);

/* The next name that does not begin with a dot, in no order; it holds until the
 * next call.  NULL at the end, which a folder that vanishes while it is read
 * has early. */
const char *hpm_folder_next(struct hpm_folder *folder);

void hpm_folder_close(struct hpm_folder *folder);

#endif
