/* SPDX-License-Identifier: BSD-3-Clause
 * Small files of /proc and /sys, read without stdio. */
#ifndef HPM_SOURCE_PROCFILE_H
#define HPM_SOURCE_PROCFILE_H

#include <stdbool.h>
#include <stddef.h>

/* As much of the file as fits, ended by NUL; the number of bytes, or -1 when
 * it cannot be read.  Keeps errno. */
long hpm_procfile_read(const char *path, char *ret_text, size_t size);

/* Its first line, without the newline; false when it cannot be read. */
bool hpm_procfile_line(const char *path, char *ret_line, size_t size);

/* Its content as a decimal integer; `otherwise` when there is none. */
long hpm_procfile_number(const char *path, long otherwise);

#endif
