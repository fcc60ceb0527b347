/* SPDX-License-Identifier: BSD-3-Clause
 * A list of the performance files that measured programs have written. */
#ifndef HPM_FILE_WRITTEN_H
#define HPM_FILE_WRITTEN_H

/* Append the path and a newline to the file that HPM_WRITTEN names.  Nothing happens
 * where the variable is not set, where there is no such file (so it is on another
 * node of a job), or where the file is not a regular one.  For each path one write(2):
 * several processes may append at once. */
void hpm_written_add(const char *path);

#endif
