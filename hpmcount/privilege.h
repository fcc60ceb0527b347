/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that gain privileges, from which the kernel takes counters away. */
#ifndef HPMCOUNT_PRIVILEGE_H
#define HPMCOUNT_PRIVILEGE_H

/* What about `word`, found as execvp finds it, makes the kernel take counters
 * away at its exec: "is set-user-ID", "is not readable" ..., or NULL where
 * nothing about the file shows it. */
const char *privilege_of(const char *word);

#endif
