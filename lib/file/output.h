/* SPDX-License-Identifier: BSD-3-Clause
 * Output files that are complete or absent, and never replace another file.
 *
 * A file is written under a temporary name in its folder and gets its own name
 * at the end; if that is taken, the first free of NAME.1, NAME.2 ... The folder
 * is fixed early, so that the program may change its folder or root. */
#ifndef HPM_FILE_OUTPUT_H
#define HPM_FILE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/string.h"

/* Where a file will go. */
struct hpm_destination {
    char *folder; /* absolute */
    char *name;
    int fd; /* of the folder; used only if it is still that folder */
    dev_t device;
    ino_t inode;
};

/* Fix where `path` goes.  False if its folder cannot be written, or the path is
 * an existing file but not a regular one (a link, a pipe, a device, a folder).
 * Clear with hpm_destination_clear. */
bool hpm_destination_fix(struct hpm_destination *ret_destination,
                         const char *path, struct hpm_error *err);

void hpm_destination_clear(struct hpm_destination *destination);

/* Open a file in that folder, `flags` as for open(2); links are not followed.
 * Returns a descriptor other than the program's first three, or -1 and
 * errno. */
int hpm_destination_open_file(const struct hpm_destination *destination,
                              const char *name, int flags);

/* Remove a file there; false and errno on failure. */
bool hpm_destination_remove_file(const struct hpm_destination *destination,
                                 const char *name);

/* Append the path of a file there. */
void hpm_destination_add_path(const struct hpm_destination *destination,
                              const char *name, struct hpm_string *string);

struct hpm_output;

/* Begin a file.  End it before the destination is cleared.  NULL if the file
 * cannot be made. */
struct hpm_output *hpm_output_open(const struct hpm_destination *destination,
                                   struct hpm_error *err);

/* Begin output to a pipe or another open descriptor, which the caller keeps;
 * end it with hpm_output_close.  NULL when memory runs out. */
struct hpm_output *hpm_output_open_stream(int fd, struct hpm_error *err);

/* End output to a descriptor.  False, with the reason, if anything failed. */
bool hpm_output_close(struct hpm_output *output, struct hpm_error *err);

/* Append.  After a failure nothing more is written, and hpm_output_commit or
 * hpm_output_close reports the failure.  The program gets no SIGXFSZ or
 * SIGPIPE. */
void hpm_output_write(struct hpm_output *output, const char *bytes,
                      size_t length);

/* For a signal handler that ends the process: remove what is written so far. */
void hpm_output_remove_unfinished(const struct hpm_output *output);

/* End the output without a file. */
void hpm_output_abandon(struct hpm_output *output);

/* Bring the file to the disk (if `is_synced`) and give it its name.  *ret_path
 * is its path, for the caller to free.  False if anything failed: then there is
 * no file; but if only the naming failed, the temporary file is left, and if
 * there was no memory for the path, the file is there: err names both.  Frees
 * the output in any case. */
bool hpm_output_commit(struct hpm_output *output, bool is_synced,
                       char **ret_path, struct hpm_error *err);

/* Append the bytes to the file itself, or make the file.  The first
 * `header_length` bytes, a table's heading, are left out if the file begins
 * with them and its last line has as many fields.  If the file's last line has
 * no end, it gets one first.  Processes that append by this call wait for each
 * other, so that no two texts are mixed.  Either all bytes are added, or none.
 * False if writing fails, if others keep the file locked for ten seconds, and
 * if the file is not a regular one or has several names. */
bool hpm_output_append(const struct hpm_destination *destination,
                       const char *bytes, size_t length, size_t header_length,
                       struct hpm_error *err);

#endif
