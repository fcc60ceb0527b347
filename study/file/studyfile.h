/* SPDX-License-Identifier: BSD-3-Clause
 * A study as a performance file (xsd/hpm.xsd). */
#ifndef HPM_STUDY_FILE_STUDYFILE_H
#define HPM_STUDY_FILE_STUDYFILE_H

#include "file/output.h"
#include "study/columns/study.h"

/* Write the whole study to the output, which the caller commits.  Reading the
 * file gives the same study again; reading and writing a file of one task gives
 * the same bytes.  False when there is no memory; errors of the disk are
 * reported by the commit. */
bool hpm_studyfile_write(const struct hpm_study *study,
                         struct hpm_output *output, struct hpm_error *err);

/* The same bytes, piece by piece, to any other place. */
typedef void hpm_studyfile_put(void *owner, const char *bytes, size_t length);
bool hpm_studyfile_write_to(const struct hpm_study *study,
                            hpm_studyfile_put *put, void *owner,
                            struct hpm_error *err);

/* The same bytes, to memory. */
void hpm_studyfile_print(const struct hpm_study *study,
                         struct hpm_string *string);

#endif
