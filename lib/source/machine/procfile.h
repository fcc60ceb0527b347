/* SPDX-License-Identifier: BSD-3-Clause
 * Small files of /proc and /sys, read without stdio. */
#ifndef HPM_SOURCE_MACHINE_PROCFILE_H
#define HPM_SOURCE_MACHINE_PROCFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Read as much of the file as fits, ended by NUL; returns the number of bytes,
 * or -1 if the file cannot be read.  Keeps errno. */
long hpm_procfile_read(const char *path, char *ret_text, size_t size);

/* A file of /proc that is read again and again: kept open, it takes a fifth of
 * the time.  Start from {-1}. */
struct hpm_procfile {
    int fd; /* -1: not open */
    dev_t device;
    ino_t inode;
};

/* Keep the file open, out of the program's way, if descriptors are left. */
void hpm_procfile_hold(struct hpm_procfile *file, const char *path);

/* Read the file anew, as hpm_procfile_read does.  The program may have closed
 * our descriptor and opened another file with its number: the caller must check
 * the content.  Reading changes neither the position of that other file nor the
 * content of a pipe. */
long hpm_procfile_reread(const struct hpm_procfile *file, char *ret_text,
                         size_t size);

/* Close the file, if the descriptor is still ours. */
void hpm_procfile_release(struct hpm_procfile *file);

/* The first line of a file, without the newline; false if the file cannot be
 * read. */
bool hpm_procfile_line(const char *path, char *ret_line, size_t size);

/* The content of a file as a decimal integer; `otherwise` if there is none. */
long hpm_procfile_number(const char *path, long otherwise);

#endif
