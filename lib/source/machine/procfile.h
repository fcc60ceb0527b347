/* SPDX-License-Identifier: BSD-3-Clause
 * Small files of /proc and /sys, read without stdio. */
#ifndef HPM_SOURCE_MACHINE_PROCFILE_H
#define HPM_SOURCE_MACHINE_PROCFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* As much of the file as fits, ended by NUL; the number of bytes, or -1 when
 * it cannot be read.  Keeps errno. */
long hpm_procfile_read(const char *path, char *ret_text, size_t size);

/* A file of /proc that is read again and again, which takes a fifth of the time
 * when it is kept open.  Start from {-1}. */
struct hpm_procfile {
    int fd; /* -1: not open */
    dev_t device;
    ino_t inode;
};

/* Keep it open, out of the program's way, where descriptors are left. */
void hpm_procfile_hold(struct hpm_procfile *file, const char *path);

/* Its content now, as hpm_procfile_read has it.  The program may have closed it
 * and opened another file in its place: the caller knows by what it reads.  Not
 * a point where the position of a file or the content of a pipe would change. */
long hpm_procfile_reread(const struct hpm_procfile *file, char *ret_text,
                         size_t size);

/* Close it, if it is still the same. */
void hpm_procfile_release(struct hpm_procfile *file);

/* Its first line, without the newline; false when it cannot be read. */
bool hpm_procfile_line(const char *path, char *ret_line, size_t size);

/* Its content as a decimal integer; `otherwise` when there is none. */
long hpm_procfile_number(const char *path, long otherwise);

#endif
