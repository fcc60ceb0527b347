/* SPDX-License-Identifier: BSD-3-Clause
 * The forms of vendors' files, each read by one of these. */
#ifndef HPM_STUDY_VENDOR_FORMS_H
#define HPM_STUDY_VENDOR_FORMS_H

#include "study/vendor/vendor.h"

/* mapfile.csv of Intel's collection and of the kernel; a table of ids. */
bool hpm_forms_read_map(struct hpm_vendor *vendor, const char *path,
                        const char *text, struct hpm_error *err);

/* A table with tabs: its first line names the columns. */
bool hpm_forms_read_table(struct hpm_vendor *vendor, const char *path,
                          const char *text, struct hpm_error *err);

/* JSON of Intel, Arm or the kernel. */
bool hpm_forms_read_json(struct hpm_vendor *vendor, const char *path,
                         const char *text, size_t length,
                         struct hpm_error *err);

/* Leave a broken element or line out: note what it has wrong, of the first ones of a
 * file.  False where that is a lack of memory. */
bool hpm_forms_skip(struct hpm_vendor *vendor, const struct hpm_error *err);

/* Note what a file had; false when there is no memory. */
bool hpm_forms_note(struct hpm_vendor *vendor,
                    const struct hpm_vendor_source *source,
                    struct hpm_error *err);

/* The unit of a scale such as "100%" or "1e-9GHz", and its number, 1 if it has
 * none. */
const char *hpm_forms_split_scale(const char *scale, double *ret_factor);

#endif
