/* SPDX-License-Identifier: BSD-3-Clause
 * A study as a row of bytes, for sending it from one task of a job to another:
 * all that it holds, in columns, about a tenth of its performance file. */
#ifndef HPM_STUDY_COLUMNS_STUDYBYTES_H
#define HPM_STUDY_COLUMNS_STUDYBYTES_H

#include "study/columns/study.h"

/* Append the study to *ret_bytes.  The rows of each task must stand together,
 * and outer sections before inner ones, as after hpm_merge_add.  False when
 * there is no memory. */
bool hpm_studybytes_write(const struct hpm_study *study,
                          struct hpm_string *ret_bytes, struct hpm_error *err);

/* The study that was written, with at most `most_bytes` of memory (0: no
 * bound).  NULL when there is no memory, or the bytes are not all those of a
 * study of this version of the toolkit. */
struct hpm_study *hpm_studybytes_read(const void *bytes, size_t length,
                                      size_t most_bytes, struct hpm_error *err);

#endif
