/* SPDX-License-Identifier: BSD-3-Clause
 * Readers of the forms of vendors' files. */
#ifndef HPM_STUDY_VENDOR_FORMS_H
#define HPM_STUDY_VENDOR_FORMS_H

#include "study/vendor/vendor.h"

/* mapfile.csv of Intel's collection or of the kernel; a table of ids. */
bool hpm_forms_read_map(struct hpm_vendor *vendor, const char *path,
                        const char *text, struct hpm_error *err);

/* A table with tabs: its first line names the columns. */
bool hpm_forms_read_table(struct hpm_vendor *vendor, const char *path,
                          const char *text, struct hpm_error *err);

/* JSON of Intel, Arm or the kernel. */
bool hpm_forms_read_json(struct hpm_vendor *vendor, const char *path,
                         const char *text, size_t length,
                         struct hpm_error *err);

/* Skip a broken element or line, and note its fault, `err`, if it is one of the
 * first in the file.  False, with the lack of memory in *err, if the fault is
 * one or cannot be noted. */
bool hpm_forms_skip(struct hpm_vendor *vendor, struct hpm_error *err);

/* Note the contents of a file; false when there is no memory. */
bool hpm_forms_note(struct hpm_vendor *vendor,
                    const struct hpm_vendor_source *source,
                    struct hpm_error *err);

/* The unit in a scale such as "100%" or "1e-9GHz", and its number (1 if there
 * is none). */
const char *hpm_forms_split_scale(const char *scale, double *ret_factor);

#endif
