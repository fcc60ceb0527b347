/* SPDX-License-Identifier: BSD-3-Clause
 * Output files that are whole or not there, and never replace another.
 *
 * A file is written under a temporary name in its folder and gets its own name
 * at the end; where that is taken, the first free of NAME.1, NAME.2 ...  The
 * folder is fixed early, so that a program may change its folder or root.
 */
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
    int fd; /* the folder; used only while it is that folder still */
    dev_t device;
    ino_t inode;
};

/* Fix where `path` goes.  False when its folder cannot be written to or the
 * path is an existing file of another kind than regular (a link, a pipe, a
 * device, a folder).  Clear with hpm_destination_clear. */
bool hpm_destination_fix(struct hpm_destination *ret_destination,
                         const char *path, struct hpm_error *err);

void hpm_destination_clear(struct hpm_destination *destination);

/* Open a file in that folder, `flags` as for open(2); a link is not followed.
 * Returns a descriptor beyond the program's first three, or -1 and errno. */
int hpm_destination_open_file(const struct hpm_destination *destination,
                              const char *name, int flags);

/* Remove a file there; false and errno when it cannot be. */
bool hpm_destination_remove_file(const struct hpm_destination *destination,
                                 const char *name);

/* Append the path of a file there. */
void hpm_destination_add_path(const struct hpm_destination *destination,
                              const char *name, struct hpm_string *string);

struct hpm_output;

/* Begin a file, which must end before the destination is cleared; NULL when it
 * cannot be made. */
struct hpm_output *hpm_output_open(const struct hpm_destination *destination,
                                   struct hpm_error *err);

/* Begin what goes through a pipe or another open descriptor, which stays the
 * caller's; it ends with hpm_output_close.  NULL when there is no memory. */
struct hpm_output *hpm_output_open_stream(int fd, struct hpm_error *err);

/* End such a one.  False, and why, when anything failed. */
bool hpm_output_close(struct hpm_output *output, struct hpm_error *err);

/* Append.  After a failure nothing more is written, and commit says so.
 * SIGXFSZ and SIGPIPE do not reach the program. */
void hpm_output_write(struct hpm_output *output, const char *bytes,
                      size_t length);

/* Remove what is written so far, in a signal handler that ends the process. */
void hpm_output_remove_unfinished(const struct hpm_output *output);

/* Give the file up; nothing stays. */
void hpm_output_abandon(struct hpm_output *output);

/* Bring the file to the disk (`is_synced`) and give it its name.  *ret_path is
 * the path it got, for the caller to free.  False when anything failed: then
 * there is no file, except where only the naming failed; err names what is
 * left.  The output is gone in any case. */
bool hpm_output_commit(struct hpm_output *output, bool is_synced,
                       char **ret_path, struct hpm_error *err);

/* Add the bytes to the end of the file itself, or make it, the first
 * `header_length`, the heading of a table, only where the file does not begin
 * with them or its last line has not as many fields, so is of another table.
 * Where the file's last line has no end it gets one first.  Whoever else adds
 * by this call waits, and no two get mixed.  All of them are there afterwards,
 * or none: false then, as for a file that others hold for ten seconds, one of
 * another kind than regular, or one with several names. */
bool hpm_output_append(const struct hpm_destination *destination,
                       const char *bytes, size_t length, size_t header_length,
                       struct hpm_error *err);

#endif
