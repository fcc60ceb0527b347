/* SPDX-License-Identifier: BSD-3-Clause
 * Checking a file of definitions. */
#ifndef HPM_STUDY_TOOL_CHECK_H
#define HPM_STUDY_TOOL_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/string.h"

/* Is this the name of an event, as far as this machine can tell? */
typedef bool hpm_check_ask(const char *event, void *context);

/* Call `visit` with each name of a PMU that is known here. */
typedef void hpm_check_list(void (*visit)(const char *pmu, void *context),
                            void *context);

/* Read a file over the shipped definitions, and choose it for any machine and
 * for each PMU it names.  Append the faults, a line each: errors of syntax and
 * meaning, and, in definitions for any machine, names that are neither defined
 * nor events but close to defined ones.  A PMU's name that neither the other
 * definitions nor `list_pmus` (NULL: none) have is a fault where it is close to
 * one of these names, else a note; only a note where `list_pmus` knows no name.
 * False when memory runs out. */
bool hpm_check_file(const char *path, hpm_check_ask *ask, void *context,
                    hpm_check_list *list_pmus, struct hpm_string *lines,
                    size_t *ret_n_faults, size_t *ret_n_statements,
                    struct hpm_error *err);

#endif
