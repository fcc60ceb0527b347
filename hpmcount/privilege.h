/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that gain privileges, and so lose their counters. */
#ifndef HPMCOUNT_PRIVILEGE_H
#define HPMCOUNT_PRIVILEGE_H

/* The property of `word`, found as execvp finds it, for which the kernel
 * removes counters at exec: "is set-user-ID", "is not readable" ...; NULL where
 * the file shows no reason. */
const char *privilege_of(const char *word);

#endif
