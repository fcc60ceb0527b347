/* SPDX-License-Identifier: BSD-3-Clause
 * Is a file of definitions right? */
#ifndef HPM_STUDY_TOOL_CHECK_H
#define HPM_STUDY_TOOL_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/string.h"

/* Is this the name of an event, as far as one can know here? */
typedef bool hpm_check_ask(const char *event, void *context);

/* Call `visit` with each name of a PMU that one can know of here. */
typedef void hpm_check_list(void (*visit)(const char *pmu, void *context),
                            void *context);

/* Read a file over the shipped definitions and choose it for any machine and
 * for each PMU it names.  Append what is wrong, a line each: faults of language
 * and sense, and, in what is for any machine, names that are neither defined
 * nor events but near to defined ones.  A name of a PMU that neither the other
 * definitions nor `list_pmus` (NULL: nobody) have is a fault where it is near to
 * one of these, else noted; only noted where `list_pmus` knows none.  False when
 * memory runs out. */
bool hpm_check_file(const char *path, hpm_check_ask *ask, void *context,
                    hpm_check_list *list_pmus, struct hpm_string *lines,
                    size_t *ret_n_faults, size_t *ret_n_statements,
                    struct hpm_error *err);

#endif
