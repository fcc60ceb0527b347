/* SPDX-License-Identifier: BSD-3-Clause
 * hpm probes: probes that root defines once for all users.  Each part returns hpm's
 * exit status, and has printed why where it failed. */
#ifndef HPM_PROBING_PROBING_H
#define HPM_PROBING_PROBING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"
#include "hpm/frame/subcommand.h"

/* The name with which the parts print lines. */
extern const char probing_command[];

/* Define probes for those functions of the file that the patterns name, of entries
 * alone with `is_entry_only`, and say what users need to measure with them. */
enum status probing_define(const char *word, char *const *patterns, size_t n,
                           bool is_entry_only);

/* Remove probes that probing_define has made: of a file (NULL: of all), of all its
 * functions or of those that the patterns name. */
enum status probing_remove(const char *word, char *const *patterns, size_t n);

/* Print all probes in programs that the kernel knows, or with words those in these
 * files.  The format is an index of "text", "csv", "json". */
enum status probing_list(char *const *words, size_t n, unsigned format);

/* Add lines of what users other than root may do with defined probes, and what root
 * can do so that they may do more. */
void probing_add_rights(struct hpm_string *text);

/* Print why the kernel's list of probes cannot be read or changed (errno). */
enum status probing_refuse(void);

/* The patterns as one list with commas; false without memory. */
bool probing_join(char *const *patterns, size_t n, struct hpm_string *ret_list);

#endif
