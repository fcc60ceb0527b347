/* SPDX-License-Identifier: BSD-3-Clause
 * Running a program and waiting for it, as a shell does: signals from a
 * terminal reach both, and hpm ends after the program.  One program at a
 * time. */
#ifndef HPM_CHILDRUN_H
#define HPM_CHILDRUN_H

#include "base/error.h"
#include "base/string.h"

/* Until childrun_leave, note SIGINT, SIGQUIT, SIGTERM and SIGHUP; pass the last
 * two on to the running program.  Ignored signals (nohup) stay ignored. */
void childrun_watch(void);
void childrun_leave(void);

/* The signal that came since childrun_watch; 0: none. */
int childrun_signal(void);

/* Called in the program's process before the program begins. */
typedef void childrun_prepare(void *owner);

/* Run the program between watch and leave; `prepare` may be NULL.  Returns the
 * wait status, or -1 where the program cannot be started, after `command`
 * reported why; where the program cannot be found or executed, its exit status
 * is 127 or 126. */
int childrun_wait(const char *command, char *const *words,
                  childrun_prepare *prepare, void *owner);

/* Append a path to a pattern of file names (hpm-file(5)), escaped so that it is
 * used literally. */
void childrun_add_pattern(struct hpm_string *pattern, const char *path);

#endif
