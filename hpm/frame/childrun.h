/* SPDX-License-Identifier: BSD-3-Clause
 * A program that is run and waited for, as a shell would: the signals of a
 * terminal reach both, and hpm ends when the program has.  One at a time. */
#ifndef HPM_CHILDRUN_H
#define HPM_CHILDRUN_H

#include "base/error.h"
#include "base/string.h"

/* From here to childrun_leave SIGINT, SIGQUIT, SIGTERM and SIGHUP are noted; the
 * last two are handed to the program that runs.  What is ignored, as by nohup,
 * stays so. */
void childrun_watch(void);
void childrun_leave(void);

/* The signal that has come since childrun_watch; 0: none. */
int childrun_signal(void);

/* In the program's process, before it begins. */
typedef void childrun_prepare(void *owner);

/* Run it between watch and leave; `prepare` may be NULL.  The wait status, or -1
 * where it cannot be started, after `command` has said why; where the program
 * cannot be found or executed it has the exit status 127 or 126. */
int childrun_wait(const char *command, char *const *words,
                  childrun_prepare *prepare, void *owner);

/* Append the path of hpmcount: installed beside hpm, or built beside its
 * folder. */
bool childrun_find_hpmcount(struct hpm_string *path, struct hpm_error *err);

/* Append a path to a pattern of file names (hpm-file(5)): it stands for itself. */
void childrun_add_pattern(struct hpm_string *pattern, const char *path);

#endif
