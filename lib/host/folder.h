/* SPDX-License-Identifier: BSD-3-Clause
 * The names in a folder, without malloc: a signal handler may end the measured
 * program anywhere, also inside its own malloc. */
#ifndef HPM_HOST_FOLDER_H
#define HPM_HOST_FOLDER_H

#include <stdbool.h>

/* A folder being read.  Small enough for a stack of 16 KB. */
struct hpm_folder {
    int fd;
    long n_bytes, at; /* of the last read of entries */
    _Alignas(8) char entries[2048];
};

/* Open the folder; false with errno when the folder cannot be read. */
bool hpm_folder_open(struct hpm_folder *ret_folder, const char *path);

/* The next name that does not begin with a dot, in no order, valid until the
 * next call.  NULL at the end; a folder that is deleted meanwhile ends
 * early. */
const char *hpm_folder_next(struct hpm_folder *folder);

void hpm_folder_close(struct hpm_folder *folder);

#endif
